/* Validates one point: makes several real runs, explains each of them, and describes the median run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validation/validate.h"

enum { MOST_TRIES = 10, SEEDS = 20 };

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
                        const struct tw__explain_setup *explain, struct tw_error *err)
{
	struct tw__explained *runs = tw_alloc((size_t)s->repeat, sizeof *runs);
	int status = TW_OK;
	for (int r = 0; r < s->repeat && status == TW_OK; r++) {
		int tries;
		bool quiet;
		status = tw__explain(&runs[v->runs], explain, &tries, &quiet, err);
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
	struct tw__explain_setup explain = {
		.scene = s->scene,
		.real = s->real,
		.simulated = s->simulated,
		.most_off_cpu = s->most_off_cpu,
		.most_tries = MOST_TRIES,
		.sums = tw_alloc((size_t)scene->graph->n_kernels * (size_t)scene->times.n_archs,
	                         sizeof(struct tw__kernel_sum)),
	};
	*v = (struct tw__validation){.request = s->real};
	describe(v, scene, s->real);
	int status = explain_runs(v, s, &explain, &why);
	if (status == TW_OK && v->runs)
		status = tw__simulate_interval(&explain, SEEDS, &v->low_s, &v->high_s, &why);
	if (status < 0)
		refuse(v, TW__NOT_VALIDATED, why.message);
	else if (v->runs < s->repeat)
		tell_noise(s, why.message, sizeof why.message);
	if (status == TW_OK && v->runs < s->repeat)
		refuse(v, TW__NOISY, why.message);
	else if (status == TW_OK)
		print_kernels(v, scene, explain.sums);
	free(explain.sums);
	return status == TW_NOMEM ? tw_fail(err, status, "%s", why.message) : TW_OK;
}
