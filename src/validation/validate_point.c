/* Validates one point: makes several real runs, explains each of them, and describes the median run. */
#include "validation/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/retrace.h"

enum { MOST_TRIES = 10 }; /* number of noisy real runs after which a point is given up */

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
	tw__plan_run(&plan, outcome, NULL, NULL);
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

/* Computes the modelled launches on GPUs: of each kernel, and [tasks] how long they block the thread behind that. */
static void find_launches(const struct tw__explain_setup *s, tw__ns *launch, tw__ns *blocks)
{
	const struct tw_graph *g = s->scene->graph;
	const char *runtime = s->simulated->runtime ? s->simulated->runtime : TW__DEFAULT_REAL_RUNTIME;
	struct tw__runtime_params p;
	struct tw_error ignored;
	*launch = 0;
	if (tw__runtime_params_init(&p, runtime, s->scene->platform, &ignored) == TW_OK) {
		const int further = tw__platform_accelerators(s->scene->platform) - 1;
		*launch = tw__ns_of(p.kernel_queue_cost + (further > 0 ? further : 0) * p.kernel_queue_cost_per_gpu);
		for (tw_task t = 0; t < g->n_tasks; t++)
			blocks[t] = tw__ns_of(
				tw__launch_block_s(&p, g->kernels[g->kernel[t]].name, g->kernels[g->kernel[t]].size));
	}
	tw__runtime_params_finish(&p);
}

static void retrace(struct tw__explained *e, const struct tw__explain_setup *s, const struct tw__history *h)
{
	/* In timed runs, turns take no time and dates are exact. */
	double turn_s = tw__is_timed(s->real) || !(e->turn_us_per_task > 0) ? 0 : 1e-6 * e->turn_us_per_task;
	tw__ns launch, *blocks = tw_alloc((size_t)h->n_tasks, sizeof *blocks);
	find_launches(s, &launch, blocks);
	const struct tw__retrace_setup setup = {
		.launch = launch,
		.blocks = blocks,
		.graph = s->scene->graph,
		.platform = s->scene->platform,
		.history = h,
		.patience_s = tw__is_timed(s->real) ? 1e-9 : fmax(20e-6, 5 * turn_s),
	};
	struct tw__retrace *r = tw__retrace_create(&setup);
	e->simulated_s[TW__STEP_ORDER] = tw__retrace_run(r, true, true, 0);
	e->simulated_s[TW__STEP_BUS] = tw__retrace_run(r, false, true, 0);
	e->simulated_s[TW__STEP_RUNTIME] = tw__retrace_run(r, false, false, turn_s);
	tw__retrace_destroy(r);
	free(blocks);
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

/* Makes a real run; noisy ones are repeated. *tries: number of runs. *quiet: whether the last one was not noisy. */
static int run_for_real(struct tw__explained *e, const struct tw__explain_setup *s, struct tw__history *h, int *tries,
                        bool *quiet, struct tw_error *err)
{
	struct tw__outcome outcome = {0};
	int status = TW_OK;
	*quiet = false;
	for (*tries = 0; *tries < MOST_TRIES && !*quiet && status == TW_OK; ++*tries) {
		status = tw__explain_run(s->scene, s->real, NULL, h, &outcome, err);
		e->off_cpu = outcome.counters.engine.off_cpu;
		*quiet = !(e->off_cpu > s->most_off_cpu);
	}
	e->real_s = tw__seconds(outcome.counters.makespan);
	e->real_bytes = outcome.counters.transferred_bytes;
	e->turn_us_per_task = 1e6 * outcome.counters.engine.turn_s / (double)s->scene->graph->n_tasks;
	return status;
}

/* Makes a real run and explains its makespan. A run that is not quiet is not explained. */
static int explain(struct tw__explained *e, const struct tw__explain_setup *s, int *tries, bool *quiet,
                   struct tw_error *err)
{
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

/* Computes the least and the greatest makespan of simulations with other seeds, with measured noise and a random order
 * of simultaneous events. */
static int simulate_interval(const struct tw__explain_setup *s, double *least_s, double *most_s, struct tw_error *err)
{
	enum { SEEDS = 20 };
	struct tw__outcome outcome = {0};
	struct tw__request q = *s->simulated;
	char *runtime = tw_format("%s:order=random", q.runtime ? q.runtime : TW__DEFAULT_REAL_RUNTIME);
	int status = TW_OK;
	*least_s = INFINITY;
	*most_s = 0;
	q.runtime = runtime;
	q.noise = noise_of(s);
	for (int i = 0; i < SEEDS && status == TW_OK; i++, q.seed++) {
		status = tw__explain_run(s->scene, &q, NULL, NULL, &outcome, err);
		*least_s = fmin(*least_s, tw__seconds(outcome.counters.makespan));
		*most_s = fmax(*most_s, tw__seconds(outcome.counters.makespan));
	}
	free(runtime);
	return status;
}

/* --- one point ---------------------------------------------------------------------------------------------------- */

static int by_makespan(const void *a, const void *b)
{
	double x = ((const struct tw__explained *)a)->real_s, y = ((const struct tw__explained *)b)->real_s;
	return (x > y) - (x < y);
}

/* Fills the row from the run with the median makespan, because other processes may have slowed some runs down. Of an
 * even number of runs, it takes the faster middle one. */
static void take_median(struct tw__validation *v, struct tw__explained *runs)
{
	qsort(runs, (size_t)v->runs, sizeof *runs, by_makespan);
	const struct tw__explained *e = &runs[(v->runs - 1) / 2];
	const double *steps = e->simulated_s, real_s = e->real_s;
	v->real_s = real_s;
	v->real_least_s = runs[0].real_s;
	v->real_most_s = runs[v->runs - 1].real_s;
	v->simulated_s = steps[TW__STEP_MEANS];
	v->error = steps[TW__STEP_MEANS] / real_s - 1;
	v->parts[TW__PART_KERNELS] = (steps[TW__STEP_KERNELS] - steps[TW__STEP_MEANS]) / real_s;
	v->parts[TW__PART_ORDER] = (steps[TW__STEP_ORDER] - steps[TW__STEP_KERNELS]) / real_s;
	v->parts[TW__PART_BUS] = (steps[TW__STEP_BUS] - steps[TW__STEP_ORDER]) / real_s;
	v->parts[TW__PART_RUNTIME] = (steps[TW__STEP_RUNTIME] - steps[TW__STEP_BUS]) / real_s;
	v->parts[TW__PART_REST] = (real_s - steps[TW__STEP_RUNTIME]) / real_s;
	v->real_bytes = (double)e->real_bytes;
	v->simulated_bytes = (double)e->simulated_bytes;
	v->off_cpu = e->off_cpu;
	v->turn_us_per_task = e->turn_us_per_task;
}

static void print_kernels(struct tw__validation *v, const struct tw__scene *scene, const struct tw__kernel_sum *sums)
{
	size_t used = 0;
	for (tw_kernel k = 0; k < scene->graph->n_kernels; k++)
		for (tw_arch a = 0; a < scene->times.n_archs && used < sizeof v->kernels; a++) {
			const struct tw__kernel_sum *sum = &sums[k * scene->times.n_archs + a];
			double mean_s = scene->times.mean[k * scene->times.n_archs + a];
			if (sum->n && mean_s > 0)
				used += (size_t)snprintf(v->kernels + used, sizeof v->kernels - used, "%s%s@%s=%.4f",
				                         used ? ";" : "", scene->graph->kernels[k].name,
				                         scene->platform->archs[a].name,
				                         sum->real_s / (double)sum->n / mean_s);
		}
}

static void describe(struct tw__validation *v, const struct tw__scene *scene, const struct tw__request *q)
{
	struct tw__plan plan;
	struct tw_error ignored;
	v->cpus = scene->cpus;
	v->gpus = scene->gpus;
	v->tasks = scene->graph->n_tasks;
	v->eviction = q->eviction ? q->eviction : "";
	v->gpu_mem_bytes = scene->gpus ? UINT64_MAX : 0;
	if (tw__plan_init(&plan, q, scene, &ignored) < 0)
		return;
	v->eviction = q->eviction ? q->eviction : plan.plugins.eviction->name;
	for (tw_worker w = 0; w < scene->platform->n_workers; w++)
		if (scene->platform->archs[scene->platform->workers[w].arch].accelerator &&
		    plan.capacity[scene->platform->workers[w].node] < v->gpu_mem_bytes)
			v->gpu_mem_bytes = plan.capacity[scene->platform->workers[w].node];
	tw__plan_finish(&plan);
}

static int explain_runs(struct tw__validation *v, const struct tw__validate_setup *s,
                        const struct tw__explain_setup *setup, struct tw_error *err)
{
	struct tw__explained *runs = tw_alloc((size_t)s->repeat, sizeof *runs);
	int status = TW_OK;
	for (int r = 0; r < s->repeat && status == TW_OK; r++) {
		int tries = 0;
		bool quiet = false;
		status = explain(&runs[v->runs], setup, &tries, &quiet, err);
		if (status < 0)
			break;
		v->noisy_runs += tries - quiet;
		v->runs += quiet;
		s->tick(s->context, r, quiet);
		if (!quiet)
			break; /* further runs would be too noisy, too */
	}
	if (status == TW_OK && v->runs)
		take_median(v, runs);
	free(runs);
	return status;
}

static void tell_noise(const struct tw__validate_setup *s, char *message, size_t size)
{
	snprintf(message, size,
	         "too noisy: in %d consecutive runs, threads lost their cores for more than %g %% of the time: "
	         "expected a quieter machine, or a greater --off-cpu",
	         MOST_TRIES, 100 * s->most_off_cpu);
}

static void refuse(struct tw__validation *v, enum tw__validated status, const char *message)
{
	v->status = status;
	snprintf(v->message, sizeof v->message, "%s", message);
}

int tw__validate_point(struct tw__validation *v, const struct tw__validate_setup *s, struct tw_error *err)
{
	struct tw_error why;
	const struct tw__scene *scene = s->scene;
	struct tw__explain_setup setup = {
		.scene = s->scene,
		.real = s->real,
		.simulated = s->simulated,
		.most_off_cpu = s->most_off_cpu,
		.sums = tw_alloc((size_t)scene->graph->n_kernels * (size_t)scene->times.n_archs,
	                         sizeof(struct tw__kernel_sum)),
	};
	*v = (struct tw__validation){.request = s->real};
	describe(v, scene, s->real);
	int status = explain_runs(v, s, &setup, &why);
	if (status == TW_OK && v->runs)
		status = simulate_interval(&setup, &v->low_s, &v->high_s, &why);
	if (status < 0)
		refuse(v, TW__NOT_VALIDATED, why.message);
	else if (v->runs < s->repeat)
		tell_noise(s, why.message, sizeof why.message);
	if (status == TW_OK && v->runs < s->repeat)
		refuse(v, TW__NOISY, why.message);
	else if (status == TW_OK)
		print_kernels(v, scene, setup.sums);
	free(setup.sums);
	return status == TW_NOMEM ? tw_fail(err, status, "%s", why.message) : TW_OK;
}
