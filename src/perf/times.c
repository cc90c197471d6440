/* Looks up the kernel times of one graph on one platform, once before its runs. */
#include "graph/parts.h"
#include "graph/ranks.h"
#include "perf/doubts.h"
#include "perf/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the times of kernel k on every arch, from the rows under `name`. */
static void bind_kernel(struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                        const struct tw_graph *graph, int k, const char *name)
{
	const struct tw__kernel *kernel = &graph->kernels[k];
	for (int a = 0; a < p->n_archs; a++) {
		const struct tw__arch *arch = &p->archs[a];
		int i = k * p->n_archs + a;
		const struct tw__row *row =
			tw__models_find(models, name, kernel->size, kernel->precision, arch->name, arch->cores);
		struct tw__row inferred;
		bool from_groups = !row && arch->cores > 1 &&
		                   tw__between_find(models, &inferred, name, kernel->size, kernel->precision, arch);
		if (from_groups)
			row = &inferred;
		struct tw__factor *amdahl = row ? NULL : tw__amdahl_of(models, kernel, arch);
		bool from_one = !row && arch->cores > 1 && (models->extrapolate || amdahl);
		if (from_one)
			row = tw__models_find(models, name, kernel->size, kernel->precision, arch->name, 1);
		double speedup = from_one ? tw__group_speedup(amdahl, tw__general_name(name), arch->cores) : 1;
		bool may_run = tw__may_run(kernel, arch);
		times->mean[i] = row && may_run ? row->mean_us / 1e6 / speedup : NAN;
		times->stddev[i] = row && may_run ? row->stddev_us / 1e6 / speedup : NAN;
		times->draws[i] = row ? row->draws : (struct tw__draws){0};
		times->row[i] = isnan(times->mean[i]) ? TW__NO_TIME
		                : from_groups         ? TW__TIME_BETWEEN
		                : amdahl              ? TW__AMDAHL_TIME
		                : from_one            ? TW__EXTRAPOLATED_TIME
		                                      : (int)(row - models->rows);
		bool *origin = from_groups ? &times->inferred
		               : amdahl    ? &times->amdahl
		               : from_one  ? &times->flop_rate
		                           : &times->measured;
		*origin |= !isnan(times->mean[i]);
		if (amdahl)
			amdahl->used |= !isnan(times->mean[i]);
	}
}

/* Lists the rows that would let the arch run its kernels: "gemm,cpu,10,960,s or trsm,cpu,10,960,s". Returns false if no
 * kernel of the graph may run on the arch, or if a kernel has a time on the arch. */
static bool lacks_rows(char *text, size_t room, const struct tw__times *times, const struct tw_graph *graph, tw_arch a,
                       const struct tw__arch *arch)
{
	size_t used = 0;
	for (int k = 0; k < graph->n_kernels; k++) {
		const struct tw__kernel *kernel = &graph->kernels[k];
		if (!tw__may_run(kernel, arch))
			continue;
		if (!isnan(times->mean[k * times->n_archs + a]) || times->recorded[k * times->n_archs + a])
			return false;
		if (used < room)
			used += (size_t)snprintf(text + used, room - used, "%s%.40s,%.40s,%d,%.120s,%.20s",
			                         used ? " or " : "", kernel->name, arch->name, arch->cores,
			                         kernel->size, kernel->precision);
	}
	return used > 0;
}

/* Refuses a group of cores that can run no kernel. It would stay idle without notice, which is usually a mistake. */
static int check_groups(const struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                        const struct tw_graph *graph, struct tw_error *err)
{
	char rows[200];
	for (tw_arch a = 0; a < p->n_archs; a++)
		if (p->archs[a].cores > 1 && tw__has_worker(p, a) &&
		    lacks_rows(rows, sizeof rows, times, graph, a, &p->archs[a]))
			return tw_fail(err, TW_INVALID,
			               "%.120s: no kernel has a time on %.40s with %d cores, a group of platform "
			               "'%.40s': expected rows %s%s",
			               models->path, p->archs[a].name, p->archs[a].cores, p->name, rows,
			               models->extrapolate      ? "; or those of one core to extrapolate from"
			               : models->offers_nothing ? ""
			                                        : "; or --extrapolate");
	return TW_OK;
}

/* Checks that each task has a time: recorded seconds, or its kernel's time on an arch with workers. */
static int check_tasks(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g,
                       struct tw_error *err)
{
	for (tw_task t = 0; times->has_recorded && t < g->n_tasks; t++) {
		bool can_run = g->kernels[g->kernel[t]].is_message;
		for (tw_arch a = 0; a < p->n_archs && !can_run; a++)
			can_run = tw__has_worker(p, a) && !isnan(tw__task_seconds(times, g, t, a));
		if (!can_run)
			return tw_fail(
				err, TW_INVALID,
				"task %d (%.60s) has neither recorded seconds nor a kernel time on the workers of "
				"platform '%.40s', expected one of them",
				(int)t, g->kernels[g->kernel[t]].name, p->name);
	}
	return TW_OK;
}

/* Checks that each node of a cluster can run the tasks that the distribution gives it. */
static int check_ranks(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g,
                       struct tw_error *err)
{
	const struct tw__ranks *ranks = g->ranks;
	bool *has_worker = tw_alloc((size_t)p->n_archs, sizeof *has_worker);
	int status = TW_OK;
	for (int rank = 0; ranks && rank < ranks->n && status == TW_OK; rank++) {
		memset(has_worker, 0, (size_t)p->n_archs * sizeof *has_worker);
		for (tw_worker w = 0; w < p->n_workers; w++)
			has_worker[p->workers[w].arch] |= p->workers[w].rank == rank;
		for (tw_task t = ranks->first[rank]; t < ranks->first[rank + 1] && status == TW_OK; t++) {
			bool can_run = tw__is_message(g, t);
			for (tw_arch a = 0; a < p->n_archs && !can_run; a++)
				can_run = has_worker[a] && !isnan(tw__task_seconds(times, g, t, a));
			if (!can_run)
				status = tw_fail(err, TW_INVALID,
				                 "node '%.80s': no worker there has a time for kernel '%.60s' of task "
				                 "%d, which the distribution gives it: expected such a worker or time "
				                 "there, or another --distribution",
				                 p->rank_names[rank], g->kernels[g->kernel[t]].name,
				                 (int)ranks->origin[t]);
		}
	}
	free(has_worker);
	return status;
}

/* Checks that tasks which combine accumulators have a time. They have no seconds of their own. */
static int check_reductions(const struct tw__times *times, const struct tw__models *models,
                            const struct tw__platform *p, const struct tw_graph *g, struct tw_error *err)
{
	for (int i = 0; i < g->n_phases; i++) {
		tw_kernel k = g->phases[i].combine;
		tw_arch a = 0;
		while (a < p->n_archs && !(tw__has_worker(p, a) && !isnan(times->mean[k * times->n_archs + a])))
			a++;
		if (a == p->n_archs)
			return tw_fail(
				err, TW_INVALID,
				"%.120s: kernel '%.60s', which combines accumulators, has no time on the workers of "
				"platform '%.40s': expected one, because recorded seconds are those of other tasks",
				models->path, g->kernels[k].name, p->name);
	}
	return TW_OK;
}

/* Refuses kernels that take more than TW_MAX_SECONDS: engines do not support so late dates. */
static int check_lengths(const struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                         const struct tw_graph *graph, struct tw_error *err)
{
	for (int i = 0; i < times->n_kernels * p->n_archs; i++)
		if (times->mean[i] > TW_MAX_SECONDS)
			return tw_fail(
				err, TW_INVALID,
				"%.120s: kernel '%.60s' of %g flops would take %g s on %.40s, expected at most %g s",
				models->path, graph->kernels[i / p->n_archs].name, graph->kernels[i / p->n_archs].flops,
				times->mean[i], p->archs[i % p->n_archs].name, TW_MAX_SECONDS);
	return TW_OK;
}

/* Returns a hash (FNV-1a) of the arch's name and number of cores. */
static uint64_t arch_key(const struct tw__arch *arch)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (const char *c = arch->name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
	return hash * 0x100000001b3u + (uint64_t)arch->cores;
}

/* Whether a worker has a time for the kernel, or for one of its tasks. */
static bool can_run(const struct tw__times *times, const struct tw__platform *p, int k)
{
	bool can = false;
	for (tw_arch a = 0; a < p->n_archs && !can; a++)
		can = tw__has_worker(p, a) &&
		      (times->recorded[k * p->n_archs + a] || !isnan(times->mean[k * p->n_archs + a]));
	return can;
}

/* Sets the times of all kernels and tasks. Speed-ups are for kernels that were not measured, and come before
 * extrapolated times. */
static int bind_kernels(struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                        const struct tw_graph *graph, struct tw_error *err)
{
	int status = tw__own_times(times, NULL, p, graph, err);
	for (int k = 0; status == TW_OK && k < graph->n_kernels; k++) {
		const char *name = graph->kernels[k].name;
		bind_kernel(times, models, p, graph, k, name);
		if (!can_run(times, p, k))
			bind_kernel(times, models, p, graph, k, tw__general_name(name));
	}
	if (status == TW_OK && (models->speedups || models->amdahl))
		status = tw__own_times(times, models, p, graph, err);
	for (int k = 0; status == TW_OK && k < graph->n_kernels; k++)
		if (!graph->kernels[k].is_message && !tw__extrapolate(times, models, p, graph, k, can_run(times, p, k)))
			status = tw__times_missing(models, p, graph, k, err);
	return status;
}

/* Multiplies the times of a kernel on an arch, also those that tasks have of their own. */
static int multiply(struct tw__times *times, const struct tw_graph *graph, tw_kernel k, tw_arch a, double factor,
                    struct tw_error *err)
{
	const int i = k * times->n_archs + a;
	times->mean[i] *= factor;
	times->stddev[i] *= factor;
	for (tw_task t = 0; t < times->n_tasks && times->recorded[i]; t++) {
		double *own = &times->own[a][t];
		if (graph->kernel[t] != k || isnan(*own))
			continue;
		*own = *own > 0 ? fmax(*own * factor, 1 / TW__NS_PER_S) : 0;
		if (*own > TW_MAX_SECONDS)
			return tw_fail(err, TW_INVALID,
			               "task %d (%.60s) would take %g s with all factors, expected at most %g", (int)t,
			               graph->kernels[k].name, *own, TW_MAX_SECONDS);
	}
	return TW_OK;
}

/* Multiplies times by the factors of --time-factor, and by the slowdowns of workers that share a card. */
static int multiply_all(struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                        const struct tw_graph *graph, struct tw_error *err)
{
	int status = TW_OK;
	for (tw_kernel k = 0; k < graph->n_kernels; k++)
		for (tw_arch a = 0; a < p->n_archs && status == TW_OK; a++) {
			const struct tw__arch *arch = &p->archs[a];
			const struct tw__factors *factors = models->time_factors;
			struct tw__factor *f = factors ? tw__factor_of(factors, &graph->kernels[k], arch) : NULL;
			const int i = k * p->n_archs + a;
			if ((!f && !arch->slowdown) || (isnan(times->mean[i]) && !times->recorded[i]))
				continue;
			if (f)
				f->used = times->multiplied = true;
			status = multiply(times, graph, k, a,
			                  (f ? f->value : 1) * (arch->slowdown ? arch->slowdown : 1), err);
		}
	return status;
}

int tw__times_bind(struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                   const struct tw_graph *graph, struct tw_error *err)
{
	size_t n = (size_t)graph->n_kernels * (size_t)p->n_archs;
	*times = (struct tw__times){
		.n_kernels = graph->n_kernels,
		.n_archs = p->n_archs,
		.mean = tw_alloc(n, sizeof *times->mean),
		.stddev = tw_alloc(n, sizeof *times->stddev),
		.draws = tw_alloc(n, sizeof *times->draws),
		.recorded = tw_alloc(n, sizeof *times->recorded),
		.own = tw_alloc((size_t)p->n_archs, sizeof *times->own),
		.row = tw_alloc(n, sizeof *times->row),
		.arch_key = tw_alloc((size_t)p->n_archs, sizeof *times->arch_key),
	};
	if (models->n_factors) {
		times->factors = tw_alloc(models->n_factors, sizeof *times->factors);
		memcpy(times->factors, models->factors, models->n_factors * sizeof *times->factors);
	}
	for (int a = 0; a < p->n_archs; a++)
		times->arch_key[a] = arch_key(&p->archs[a]);

	int status = bind_kernels(times, models, p, graph, err);
	if (status == TW_OK)
		status = multiply_all(times, models, p, graph, err);
	if (status == TW_OK)
		status = check_groups(times, models, p, graph, err);
	if (status == TW_OK)
		status = check_lengths(times, models, p, graph, err);
	if (status == TW_OK)
		status = check_tasks(times, p, graph, err);
	if (status == TW_OK)
		status = check_ranks(times, p, graph, err);
	if (status == TW_OK)
		status = check_reductions(times, models, p, graph, err);
	if (status < 0) {
		tw__times_finish(times);
		return status;
	}
	times->extrapolated_share = tw__extrapolated_share(times, models, p, graph);
	return TW_OK;
}

/* Returns the task's time on its fastest arch, in nanoseconds. *is_equal: all tasks of its kernel have this time. */
static double best(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g, tw_task t,
                   bool *is_equal)
{
	double ns = g->kernels[g->kernel[t]].is_message ? 0 : INFINITY;
	*is_equal = true;
	for (tw_arch a = 0; a < p->n_archs; a++) {
		if (!tw__has_worker(p, a) && !tw__is_wide(p, a))
			continue;
		*is_equal &= tw__times_are_equal(times, g->kernel[t], a);
		if (!isnan(tw__task_seconds(times, g, t, a)))
			ns = fmin(ns, (double)tw__task_length(times, g, t, a));
	}
	return ns;
}

void tw__times_best(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g, double *ns)
{
	bool is_equal = false;
	for (tw_task t = 0; t < g->n_tasks; t++) /* consecutive tasks often share their kernel */
		ns[t] = is_equal && g->kernel[t] == g->kernel[t - 1] ? ns[t - 1] : best(times, p, g, t, &is_equal);
}

double tw__times_critical_path(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g)
{
	double *best = tw_resize(NULL, (size_t)g->n_tasks, sizeof *best);
	tw__times_best(times, p, g, best);
	tw__graph_least_durations(g, best);
	double ns = tw__graph_bottom_levels(g, best, best);
	for (tw_task t = 0; g->n_parts && t < g->n_tasks; t++)
		ns = fmax(ns, (double)tw__graph_arrival(g, t) + best[t]);
	free(best);
	return ns / TW__NS_PER_S;
}

void tw__times_finish(struct tw__times *times)
{
	free(times->mean);
	free(times->stddev);
	free(times->draws);
	free(times->factors);
	for (int a = 0; times->own && a < times->n_archs; a++)
		free(times->own[a]);
	free(times->own);
	free(times->recorded);
	free(times->row);
	free(times->arch_key);
	*times = (struct tw__times){0};
}
