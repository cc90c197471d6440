#include "validation/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/retrace.h"

const char *const tw__step_names[TW__N_STEPS] = {"means", "kernels", "order", "bus", "runtime"};

int tw__explain_run(const struct tw__scene *scene, const struct tw__request *q, const double *factors,
                    struct tw__history *history, struct tw__outcome *outcome, struct tw_error *err)
{
	struct tw__plan plan;
	int status = tw__plan_init(&plan, q, scene, err);
	if (status < 0)
		return status;
	plan.history = history;
	if (factors)
		plan.truth.noise =
			(struct tw__noise){.kind = TW__NOISE_GIVEN, .given = factors, .n_given = scene->graph->n_tasks};
	tw__plan_run(&plan, outcome);
	tw__plan_finish(&plan);
	return outcome->status == TW_OK ? TW_OK : tw_fail(err, outcome->status, "%s", outcome->err.message);
}

/* Fills factors[tasks]: the duration of each task in the real run, relative to its kernel's mean on that worker. */
static void find_factors(double *factors, const struct tw__history *h, const struct tw__scene *scene)
{
	const struct tw__times *times = &scene->times;
	for (tw_task t = 0; t < scene->graph->n_tasks; t++) {
		tw_arch arch = scene->platform->workers[h->tasks[t].worker].arch;
		double mean_s = times->mean[scene->graph->kernel[t] * times->n_archs + arch];
		double took_s = tw__seconds(h->tasks[t].end - h->tasks[t].start);
		factors[t] = took_s > 0 && mean_s > 0 ? took_s / mean_s : 1;
	}
}

static void add_durations(struct tw__kernel_sum *sums, const struct tw__history *h, const struct tw__scene *scene)
{
	for (tw_task t = 0; t < scene->graph->n_tasks; t++) {
		tw_arch arch = scene->platform->workers[h->tasks[t].worker].arch;
		struct tw__kernel_sum *sum = &sums[scene->graph->kernel[t] * scene->times.n_archs + arch];
		sum->real_s += tw__seconds(h->tasks[t].end - h->tasks[t].start);
		sum->n++;
	}
}

/* --- the steps of an explanation ---------------------------------------------------------------------------------- */

bool tw__is_timed(const struct tw__request *real)
{
	struct tw__plugins plugins = {0};
	struct tw_error ignored;
	bool timed = real->engine && tw__find_engine(&plugins, real->engine, &ignored) == TW_OK &&
	             strcmp(tw_args_text(plugins.engine_args, "mode"), "timed") == 0;
	tw__plugins_finish(&plugins);
	return timed;
}

static void retrace(struct tw__explained *e, const struct tw__explain_setup *s, const struct tw__history *h)
{
	/* In timed runs, turns take no time and dates are exact. */
	double turn_s = tw__is_timed(s->real) || !(e->turn_us_per_task > 0) ? 0 : 1e-6 * e->turn_us_per_task;
	const struct tw__retrace_setup setup = {
		.graph = s->scene->graph,
		.platform = s->scene->platform,
		.history = h,
		.patience_s = tw__is_timed(s->real) ? 1e-9 : fmax(20e-6, 5 * turn_s),
	};
	const struct tw__retrace_how model = {.model_copies = true, .no_delays = true}, own = {.no_delays = true},
				     late = {.no_delays = true, .turn_s = turn_s};
	struct tw__retrace *r = tw__retrace_create(&setup);
	e->simulated_s[TW__STEP_ORDER] = tw__retrace_run(r, &model);
	e->simulated_s[TW__STEP_BUS] = tw__retrace_run(r, &own);
	e->simulated_s[TW__STEP_RUNTIME] = tw__retrace_run(r, &late);
	tw__retrace_destroy(r);
}

int tw__explain_past(struct tw__explained *e, const struct tw__explain_setup *s, const struct tw__history *h,
                     struct tw_error *err)
{
	struct tw__outcome outcome = {0};
	double *factors = tw_alloc((size_t)s->scene->graph->n_tasks, sizeof *factors);
	find_factors(factors, h, s->scene);
	int status = tw__explain_run(s->scene, s->simulated, NULL, NULL, &outcome, err);
	e->simulated_s[TW__STEP_MEANS] = tw__seconds(outcome.counters.makespan);
	e->simulated_bytes = outcome.counters.transferred_bytes;
	if (status == TW_OK)
		status = tw__explain_run(s->scene, s->simulated, factors, NULL, &outcome, err);
	e->simulated_s[TW__STEP_KERNELS] = tw__seconds(outcome.counters.makespan);
	free(factors);
	if (status == TW_OK)
		retrace(e, s, h);
	return status;
}

static int run_for_real(struct tw__explained *e, const struct tw__explain_setup *s, struct tw__history *h, int *tries,
                        bool *quiet, struct tw_error *err)
{
	struct tw__outcome outcome = {0};
	int status = TW_OK;
	*quiet = false;
	for (*tries = 0; *tries < s->most_tries && !*quiet && status == TW_OK; ++*tries) {
		status = tw__explain_run(s->scene, s->real, NULL, h, &outcome, err);
		e->off_cpu = outcome.counters.engine.off_cpu;
		*quiet = !(e->off_cpu > s->most_off_cpu);
	}
	e->real_s = tw__seconds(outcome.counters.makespan);
	e->real_bytes = outcome.counters.transferred_bytes;
	e->turn_us_per_task = 1e6 * outcome.counters.engine.turn_s / (double)s->scene->graph->n_tasks;
	return status;
}

int tw__explain(struct tw__explained *e, const struct tw__explain_setup *s, int *tries, bool *quiet,
                struct tw_error *err)
{
	*e = (struct tw__explained){0};
	struct tw__history *h = tw__history_create(s->scene->graph->n_tasks);
	if (!h)
		return tw_fail(err, TW_NOMEM, "validation: out of memory");
	int status = run_for_real(e, s, h, tries, quiet, err);
	if (status == TW_OK && *quiet) {
		add_durations(s->sums, h, s->scene);
		status = tw__explain_past(e, s, h, err);
	}
	tw__history_destroy(h);
	return status;
}

/* Returns the kind of noise for simulations: samples of kernel times if the platform has some, otherwise deviations.
 * NULL: no noise, because it has neither or the runs are timed. */
static const char *noise_of(const struct tw__explain_setup *s)
{
	static const char *const kinds[] = {"empirical", "measured"};
	struct tw__request q = *s->simulated;
	struct tw_error ignored;
	for (int i = 0; i < 2 && !tw__is_timed(s->real); i++) {
		q.noise = kinds[i];
		if (tw__scene_check_spread(s->scene, &q, &ignored) == TW_OK)
			return kinds[i];
	}
	return NULL;
}

int tw__simulate_interval(const struct tw__explain_setup *s, int n_seeds, double *least_s, double *most_s,
                          struct tw_error *err)
{
	struct tw__outcome outcome = {0};
	struct tw__request q = *s->simulated;
	char *runtime = tw_format("%s:order=random", q.runtime ? q.runtime : TW__DEFAULT_REAL_RUNTIME);
	int status = TW_OK;
	*least_s = INFINITY;
	*most_s = 0;
	q.runtime = runtime;
	q.noise = noise_of(s);
	for (int i = 0; i < n_seeds && status == TW_OK; i++, q.seed++) {
		status = tw__explain_run(s->scene, &q, NULL, NULL, &outcome, err);
		*least_s = fmin(*least_s, tw__seconds(outcome.counters.makespan));
		*most_s = fmax(*most_s, tw__seconds(outcome.counters.makespan));
	}
	free(runtime);
	return status;
}
