/* The kernel times of one graph on one platform, looked up once. */
#include "perf/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_worker(const struct tw_platform *p, tw_arch arch)
{
	for (int w = 0; w < p->n_workers; w++)
		if (p->workers[w].arch == arch)
			return true;
	return false;
}

/* Whether a row is one that this platform could use. */
static bool is_usable(const struct tw__row *row, const struct tw_platform *p)
{
	for (int a = 0; row->cores == 1 && a < p->n_archs; a++)
		if (strcmp(row->arch, p->archs[a].name) == 0 && has_worker(p, a))
			return true;
	return false;
}

/* The sizes, with precision, that have times of `kernel` on this platform, in the file's order: "320 (s), 640 (s)". */
static void list_sizes(char *text, size_t room, const struct tw__models *models, const struct tw_platform *p,
                       const char *kernel)
{
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < models->n_rows && used < room; i++) {
		const struct tw__row *row = &models->rows[i];
		if (strcmp(row->kernel, kernel) != 0 || !is_usable(row, p))
			continue;
		bool is_new = true;
		for (int j = 0; j < i && is_new; j++) {
			const struct tw__row *other = &models->rows[j];
			is_new = strcmp(other->kernel, kernel) != 0 || strcmp(other->size, row->size) != 0 ||
			         strcmp(other->precision, row->precision) != 0 || !is_usable(other, p);
		}
		if (is_new)
			used += (size_t)snprintf(text + used, room - used, "%s%s (%s)", used ? ", " : "", row->size,
			                         row->precision);
	}
}

const char *tw__general_name(const char *kernel)
{
	const char *dot = strrchr(kernel, '.');
	return dot ? dot + 1 : kernel;
}

static int missing(const struct tw__models *models, const struct tw_platform *p, const struct tw__kernel *kernel,
                   struct tw_error *err)
{
	char sizes[200];
	list_sizes(sizes, sizeof sizes, models, p, kernel->name);
	if (!*sizes)
		list_sizes(sizes, sizeof sizes, models, p, tw__general_name(kernel->name));
	if (models->extrapolate)
		return tw_fail(
			err, TW_INVALID,
			"%.120s: kernel '%.40s' of %g flops, precision '%.20s': expected flops, and a measured gemm of "
			"that precision on a worker of platform '%.40s', to extrapolate from",
			models->path, kernel->name, kernel->flops, kernel->precision, p->name);
	return tw_fail(err, TW_INVALID,
	               "%.120s: no time of kernel '%.40s', size %.200s, precision '%.20s' on the workers "
	               "of platform '%.40s': expected one of the sizes that have times: %s; or --extrapolate",
	               models->path, kernel->name, kernel->size, kernel->precision, p->name, *sizes ? sizes : "(none)");
}

/* Whether "cpu+m2070", or "processors", or "accelerators", names that arch. */
static bool names_arch(const char *list, const struct tw__arch *arch)
{
	const char *kind = arch->accelerator ? "accelerators" : "processors";
	for (const char *at = list; at; at = strchr(at, '+'), at = at ? at + 1 : NULL) {
		size_t length = strcspn(at, "+");
		if ((strlen(kind) == length && !strncmp(at, kind, length)) ||
		    (strlen(arch->name) == length && !strncmp(at, arch->name, length)))
			return true;
	}
	return false;
}

/* The times of one kernel on every arch, under that name; false: none on a worker of this platform. */
static bool bind_kernel(struct tw__times *times, const struct tw__models *models, const struct tw_platform *p,
                        const struct tw_graph *graph, int k, const char *name, bool *short_of_memory)
{
	const struct tw__kernel *kernel = &graph->kernels[k];
	bool can_run = false;
	for (int a = 0; !*short_of_memory && a < p->n_archs; a++) {
		int i = k * p->n_archs + a;
		const struct tw__row *row = tw__models_find(models, name, kernel->size, kernel->precision,
		                                            p->archs[a].name, 1, short_of_memory);
		bool may_run = !kernel->archs || names_arch(kernel->archs, &p->archs[a]);
		times->recorded[i] = may_run && graph->seconds && kernel->recorded_on &&
		                     names_arch(kernel->recorded_on, &p->archs[a]);
		times->mean[i] = row && may_run ? row->mean_us / 1e6 : NAN;
		times->stddev[i] = row && may_run ? row->stddev_us / 1e6 : NAN;
		times->measured |= !isnan(times->mean[i]);
		times->has_recorded |= times->recorded[i];
		can_run |= (!isnan(times->mean[i]) || times->recorded[i]) && has_worker(p, a);
	}
	return can_run;
}

static bool extrapolate_kernel(struct tw__times *times, const struct tw__models *models, const struct tw_platform *p,
                               const struct tw_graph *graph, int k)
{
	const struct tw__kernel *kernel = &graph->kernels[k];
	bool can_run = false;
	for (int a = 0; models->extrapolate && a < p->n_archs; a++) {
		if (kernel->archs && !names_arch(kernel->archs, &p->archs[a]))
			continue;
		times->mean[k * p->n_archs + a] = tw__flop_rate_seconds(models, kernel, &p->archs[a]);
		can_run |= !isnan(times->mean[k * p->n_archs + a]) && has_worker(p, a);
	}
	times->flop_rate |= can_run;
	return can_run;
}

/* A kernel whose tasks have recorded seconds may have no times: then each of them needs its own. */
static int check_tasks(const struct tw__times *times, const struct tw_platform *p, const struct tw_graph *g,
                       struct tw_error *err)
{
	for (tw_task t = 0; g->seconds && t < g->n_tasks; t++) {
		bool can_run = false;
		for (tw_arch a = 0; a < p->n_archs && !can_run; a++)
			can_run = has_worker(p, a) && !isnan(tw__task_seconds(times, g, t, a));
		if (!can_run)
			return tw_fail(
				err, TW_INVALID,
				"task %d (%.60s) has neither recorded seconds nor a kernel time on the workers of "
				"platform '%.40s', expected one of them",
				(int)t, g->kernels[g->kernel[t]].name, p->name);
	}
	return TW_OK;
}

int tw__times_bind(struct tw__times *times, const struct tw__models *models, const struct tw_platform *p,
                   const struct tw_graph *graph, struct tw_error *err)
{
	size_t n = (size_t)graph->n_kernels * (size_t)p->n_archs;
	*times = (struct tw__times){.n_kernels = graph->n_kernels, .n_archs = p->n_archs};
	times->mean = calloc(n + 1, sizeof *times->mean);
	times->stddev = calloc(n + 1, sizeof *times->stddev);
	times->recorded = calloc(n + 1, sizeof *times->recorded);
	bool short_of_memory = !times->mean || !times->stddev || !times->recorded;

	for (int k = 0; !short_of_memory && k < graph->n_kernels; k++) {
		const struct tw__kernel *kernel = &graph->kernels[k];
		if (!bind_kernel(times, models, p, graph, k, kernel->name, &short_of_memory) &&
		    !bind_kernel(times, models, p, graph, k, tw__general_name(kernel->name), &short_of_memory) &&
		    !extrapolate_kernel(times, models, p, graph, k) && !short_of_memory) {
			tw__times_finish(times);
			return missing(models, p, kernel, err);
		}
	}
	if (short_of_memory) {
		tw__times_finish(times);
		return tw_fail(err, TW_NOMEM, "%s: out of memory", models->path);
	}
	int status = check_tasks(times, p, graph, err);
	if (status != TW_OK)
		tw__times_finish(times);
	return status;
}

void tw__times_best(const struct tw__times *times, const struct tw_platform *p, const struct tw_graph *g,
                    double *seconds)
{
	for (tw_task t = 0; t < g->n_tasks; t++) {
		seconds[t] = INFINITY;
		for (tw_arch a = 0; a < p->n_archs; a++)
			if (has_worker(p, a)) /* fmin passes over NAN */
				seconds[t] = fmin(seconds[t], tw__task_seconds(times, g, t, a));
	}
}

int tw__times_critical_path(const struct tw__times *times, const struct tw_platform *p, const struct tw_graph *g,
                            double *seconds, struct tw_error *err)
{
	double *best = malloc(((size_t)g->n_tasks + 1) * sizeof *best);
	double *levels = malloc(((size_t)g->n_tasks + 1) * sizeof *levels);
	int status = best && levels ? TW_OK : tw_fail(err, TW_NOMEM, "critical path: out of memory");
	if (status == TW_OK) {
		tw__times_best(times, p, g, best);
		*seconds = tw__graph_bottom_levels(g, best, levels);
	}
	free(best);
	free(levels);
	return status;
}

void tw__times_finish(struct tw__times *times)
{
	free(times->mean);
	free(times->stddev);
	free(times->recorded);
	*times = (struct tw__times){0};
}
