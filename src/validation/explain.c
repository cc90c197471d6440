#include "validation/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tw__step_names[TW__N_STEPS] = {"means", "kernels", "order", "bus", "runtime"};

/* What simulations take over from the real run. */
struct taken {
	const double *factors;
	const struct tw_recorded_place *places; /* the policy is `replay` then */
};

/* A run of the request on the scene. `history`: what it did, or NULL. */
static int run(struct tw__scene *scene, const struct tw__request *q, const struct taken *taken, struct tw__history *history,
               struct tw__outcome *outcome, struct tw_error *err)
{
	struct tw__plan plan;
	struct tw__request request = *q;
	struct tw_recorded_place *own = scene->graph->place;
	if (taken && taken->places) {
		request.policy = "replay";
		scene->graph->place = (struct tw_recorded_place *)taken->places;
	}
	int status = tw__plan_init(&plan, &request, scene, err);
	if (status == TW_OK) {
		plan.history = history;
		if (taken && taken->factors)
			plan.truth.noise = (struct tw__noise){.kind = TW__NOISE_GIVEN,
			                                      .given = taken->factors,
			                                      .n_given = scene->graph->n_tasks};
		tw__plan_run(&plan, outcome);
		tw__plan_finish(&plan);
		if (outcome->status < 0)
			status = tw_fail(err, outcome->status, "%s", outcome->err.message);
	}
	scene->graph->place = own;
	return status;
}

/* --- what the real run did ---------------------------------------------------------------------------------------- */

struct past {
	struct tw__history *real, *simulated;
	double *factors;                  /* [tasks] its duration, as a part of its kernel's mean on that worker */
	struct tw_recorded_place *places; /* [tasks] */
	tw_task *order;                   /* [tasks] by start */
};

static void past_finish(struct past *p)
{
	tw__history_destroy(p->real);
	tw__history_destroy(p->simulated);
	free(p->factors);
	free(p->places);
	free(p->order);
}

static int past_init(struct past *p, const struct tw__scene *scene, struct tw_error *err)
{
	tw_task n = scene->graph->n_tasks;
	*p = (struct past){
		.real = tw__history_create(n, scene->platform->n_nodes),
		.simulated = tw__history_create(n, scene->platform->n_nodes),
		.factors = calloc((size_t)n + 1, sizeof *p->factors),
		.places = calloc((size_t)n + 1, sizeof *p->places),
		.order = calloc((size_t)n + 1, sizeof *p->order),
	};
	return p->real && p->simulated && p->factors && p->places && p->order
	               ? TW_OK
	               : tw_fail(err, TW_NOMEM, "validation: out of memory");
}

static void find_factors(struct past *p, const struct tw__scene *scene)
{
	const struct tw__times *times = &scene->times;
	for (tw_task t = 0; t < scene->graph->n_tasks; t++) {
		const struct tw__past_task *task = &p->real->tasks[t];
		tw_arch arch = scene->platform->workers[task->worker].arch;
		double mean_s = times->mean[scene->graph->kernel[t] * times->n_archs + arch];
		p->factors[t] = task->seconds > 0 && mean_s > 0 ? task->seconds / mean_s : 1;
	}
}

static int by_start(const void *a, const void *b, void *tasks)
{
	const struct tw__past_task *of = tasks;
	tw_task i = *(const tw_task *)a, j = *(const tw_task *)b;
	return of[i].start < of[j].start ? -1 : of[i].start > of[j].start ? 1 : (i > j) - (i < j);
}

static void find_places(struct past *p, const struct tw__scene *scene)
{
	const struct tw_platform *platform = scene->platform;
	tw_worker n_accelerators = 0;
	while (n_accelerators < platform->n_workers &&
	       platform->archs[platform->workers[n_accelerators].arch].accelerator)
		n_accelerators++;
	for (tw_task t = 0; t < scene->graph->n_tasks; t++)
		p->order[t] = t;
	qsort_r(p->order, (size_t)scene->graph->n_tasks, sizeof *p->order, by_start, p->real->tasks);
	for (tw_task i = 0; i < scene->graph->n_tasks; i++) {
		tw_worker w = p->real->tasks[p->order[i]].worker;
		bool accelerator = w < n_accelerators;
		p->places[p->order[i]] = (struct tw_recorded_place){
			.accelerator = accelerator, .worker = accelerator ? w : w - n_accelerators, .order = i};
	}
}

/* --- links as they were ------------------------------------------------------------------------------------------- */

/* Seconds a byte, in the real run beside the simulation, of all copies that crossed the link; 1: none did. */
static double slowdown_of(const struct past *p, const struct tw_platform *platform, int link)
{
	double real_s = 0, simulated_s = 0;
	for (int r = 0; r < platform->n_nodes * platform->n_nodes; r++) {
		const struct tw__past_way *real = &p->real->ways[r], *simulated = &p->simulated->ways[r];
		if (!tw__times_listed(&platform->routes[r], link) || !(real->bytes > 0) || !(simulated->bytes > 0))
			continue;
		real_s += real->seconds;
		simulated_s += simulated->seconds * real->bytes / simulated->bytes;
	}
	return real_s > 0 && simulated_s > 0 ? real_s / simulated_s : 1;
}

/* Gives links the speed that they had; `own`: [n_links] gets what they were. */
static int change_links(struct tw_platform *platform, const struct past *p, struct tw__link *own, struct tw_error *err)
{
	int *times = calloc((size_t)platform->n_links + 1, sizeof *times);
	if (!times)
		return tw_fail(err, TW_NOMEM, "validation: out of memory");
	memcpy(own, platform->links, (size_t)platform->n_links * sizeof *own);
	for (int l = 0; l < platform->n_links; l++) {
		double slowdown = slowdown_of(p, platform, l);
		platform->links[l].bandwidth /= slowdown;
		platform->links[l].shared_bandwidth /= slowdown;
		platform->links[l].latency *= slowdown;
	}
	for (int r = 0; r < platform->n_nodes * platform->n_nodes; r++)
		if (platform->routes[r].n_links)
			tw__route_measure(platform, &platform->routes[r], times);
	free(times);
	return TW_OK;
}

static void restore_links(struct tw_platform *platform, const struct tw__link *own)
{
	int *times = calloc((size_t)platform->n_links + 1, sizeof *times);
	memcpy(platform->links, own, (size_t)platform->n_links * sizeof *own);
	for (int r = 0; times && r < platform->n_nodes * platform->n_nodes; r++)
		if (platform->routes[r].n_links)
			tw__route_measure(platform, &platform->routes[r], times);
	free(times);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static bool is_timed(const struct tw__request *real) { return real->engine && strstr(real->engine, "mode=timed"); }

/* "real:window=3" and "turn_cost=2us": the later one counts. malloc'ed. */
static char *extend_runtime(const struct tw__request *q, const char *what)
{
	char *text;
	const char *own = q->runtime ? q->runtime : TW__DEFAULT_REAL_RUNTIME;
	return asprintf(&text, "%s:%s", own, what) < 0 ? NULL : text;
}

/* Timed runs do not count what turns take. */
static int simulate_turns(const struct tw__explain_setup *s, const struct taken *taken, double turn_us, double *makespan_s,
                          struct tw_error *err)
{
	struct tw__outcome outcome;
	struct tw__request q = *s->simulated;
	char what[60];
	snprintf(what, sizeof what, "turn_cost=%.9gus", is_timed(s->real) || isnan(turn_us) ? 0 : turn_us);
	char *runtime = extend_runtime(&q, what);
	q.runtime = runtime;
	int status = runtime ? run(s->scene, &q, taken, NULL, &outcome, err)
	                     : tw_fail(err, TW_NOMEM, "validation: out of memory");
	*makespan_s = outcome.counters.makespan_s;
	free(runtime);
	return status;
}

static int simulate(struct tw__explained *e, const struct tw__explain_setup *s, struct past *p, struct tw_error *err)
{
	struct tw__outcome outcome;
	struct taken taken = {NULL, NULL};
	struct tw__link *own = calloc((size_t)s->scene->platform->n_links + 1, sizeof *own);
	if (!own)
		return tw_fail(err, TW_NOMEM, "validation: out of memory");
	int status = run(s->scene, s->simulated, NULL, NULL, &outcome, err);
	e->simulated_s[TW__STEP_MEANS] = outcome.counters.makespan_s;
	e->simulated_bytes = outcome.counters.transferred_bytes;
	taken.factors = p->factors;
	if (status == TW_OK)
		status = run(s->scene, s->simulated, &taken, NULL, &outcome, err);
	e->simulated_s[TW__STEP_KERNELS] = outcome.counters.makespan_s;
	taken.places = p->places;
	if (status == TW_OK)
		status = run(s->scene, s->simulated, &taken, p->simulated, &outcome, err);
	e->simulated_s[TW__STEP_ORDER] = outcome.counters.makespan_s;
	if (status == TW_OK)
		status = change_links(s->scene->platform, p, own, err);
	if (status == TW_OK) {
		status = run(s->scene, s->simulated, &taken, NULL, &outcome, err);
		e->simulated_s[TW__STEP_BUS] = outcome.counters.makespan_s;
		if (status == TW_OK)
			status = simulate_turns(s, &taken, e->turn_us_per_task, &e->simulated_s[TW__STEP_RUNTIME], err);
		restore_links(s->scene->platform, own);
	}
	free(own);
	return status;
}

static int run_for_real(struct tw__explained *e, const struct tw__explain_setup *s, struct past *p, int *tries, bool *quiet,
                        struct tw_error *err)
{
	struct tw__outcome outcome;
	int status = TW_OK;
	*quiet = false;
	for (*tries = 0; *tries < s->most_tries && !*quiet && status == TW_OK; ++*tries) {
		status = run(s->scene, s->real, NULL, p->real, &outcome, err);
		e->off_cpu = outcome.counters.engine.off_cpu;
		*quiet = !(e->off_cpu > s->most_off_cpu);
	}
	e->real_s = outcome.counters.makespan_s;
	e->real_bytes = outcome.counters.transferred_bytes;
	e->turn_us_per_task = 1e6 * outcome.counters.engine.turn_s / (double)s->scene->graph->n_tasks;
	return status;
}

int tw__explain(struct tw__explained *e, const struct tw__explain_setup *s, int *tries, bool *quiet, struct tw_error *err)
{
	struct past p;
	int status = past_init(&p, s->scene, err);
	*e = (struct tw__explained){0};
	if (status == TW_OK)
		status = run_for_real(e, s, &p, tries, quiet, err);
	if (status == TW_OK && *quiet) {
		find_factors(&p, s->scene);
		find_places(&p, s->scene);
		status = simulate(e, s, &p, err);
	}
	past_finish(&p);
	return status;
}

int tw__simulate_interval(const struct tw__explain_setup *s, int n_seeds, double *least_s, double *most_s,
                          struct tw_error *err)
{
	struct tw__outcome outcome;
	struct tw__request q = *s->simulated;
	char *runtime = extend_runtime(&q, "order=random");
	int status = runtime ? TW_OK : tw_fail(err, TW_NOMEM, "validation: out of memory");
	*least_s = INFINITY;
	*most_s = 0;
	q.runtime = runtime;
	q.noise = is_timed(s->real) ? NULL : "empirical";
	if (status == TW_OK && q.noise)
		status = tw__scene_check_spread(s->scene, &q, err);
	for (int i = 0; i < n_seeds && status == TW_OK; i++, q.seed++) {
		status = run(s->scene, &q, NULL, NULL, &outcome, err);
		*least_s = fmin(*least_s, outcome.counters.makespan_s);
		*most_s = fmax(*most_s, outcome.counters.makespan_s);
	}
	free(runtime);
	return status;
}
