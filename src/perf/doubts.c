#include "perf/doubts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "perf/rows.h"

/* Whether the kernel's time on the arch is extrapolated. */
static bool is_extrapolated(const struct tw__times *times, const struct tw__models *models, tw_kernel k, tw_arch a)
{
	int row = times->row[k * times->n_archs + a];
	return row == TW__EXTRAPOLATED_TIME || (row >= 0 && models->rows[row].origin == TW__EXTRAPOLATED);
}

/* Returns the arch with workers that runs the task fastest; TW_NONE: no arch runs it. */
static tw_arch fastest(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g, tw_task t,
                       double *seconds)
{
	tw_arch best = TW_NONE;
	*seconds = 0;
	for (tw_arch a = 0; a < p->n_archs; a++) {
		double here = tw__has_worker(p, a) ? tw__task_seconds(times, g, t, a) : NAN;
		if (!isnan(here) && (best == TW_NONE || here < *seconds)) {
			best = a;
			*seconds = here;
		}
	}
	return best;
}

double tw__extrapolated_share(const struct tw__times *times, const struct tw__models *models,
                              const struct tw__platform *p, const struct tw_graph *g)
{
	double all = 0, extrapolated = 0, seconds = 0;
	tw_arch arch = TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		tw_kernel k = g->kernel[t];
		if (t == 0 || k != g->kernel[t - 1] ||
		    times->has_recorded) /* consecutive tasks often share their kernel */
			arch = fastest(times, p, g, t, &seconds);
		if (arch == TW_NONE)
			continue;
		all += seconds;
		if (!tw__has_own_seconds(times, g, t, arch) && is_extrapolated(times, models, k, arch))
			extrapolated += seconds;
	}
	return all > 0 ? extrapolated / all : 0;
}

/* --- warnings ----------------------------------------------------------------------------------------------------- */

/* Adds a name to a list such as "potrf, trsm". Names that do not fit become "...". */
static void add_name(char *list, size_t room, const char *name)
{
	static const char rest[] = ", ...";
	size_t used = strlen(list);
	if (used + strlen(", ") + strlen(name) + sizeof rest <= room)
		snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
	else if (used < strlen(rest) || strcmp(list + used - strlen(rest), rest) != 0)
		snprintf(list + used, room - used, "%s", rest + (used ? 0 : strlen(", ")));
}

/* Whether the models extrapolated the kernel's time on an arch with workers. */
static bool was_extrapolated(const struct tw__times *times, const struct tw__platform *p, tw_kernel k)
{
	bool was = false;
	for (tw_arch a = 0; a < p->n_archs; a++)
		was |= times->row[k * times->n_archs + a] == TW__EXTRAPOLATED_TIME && tw__has_worker(p, a);
	return was;
}

static bool is_named_before(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g,
                            tw_kernel k)
{
	for (tw_kernel j = 0; j < k; j++)
		if (strcmp(g->kernels[j].name, g->kernels[k].name) == 0 && was_extrapolated(times, p, j))
			return true;
	return false;
}

static void tell_extrapolated(const struct tw__times *times, const struct tw__models *models,
                              const struct tw__platform *p, const struct tw_graph *g, const char *workload)
{
	char kernels[160] = "";
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		if (was_extrapolated(times, p, k) && !is_named_before(times, p, g, k))
			add_name(kernels, sizeof kernels, g->kernels[k].name);
	if (*kernels)
		tw_log(TW_LOG_WARNING, "%s: times of %s are extrapolated: %.3g %% of the work of '%.400s'",
		       models->path, kernels, 100 * times->extrapolated_share, workload);
}

static void tell_cautions(const struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                          const struct tw_graph *g)
{
	const char *last = "";
	for (int i = 0; i < g->n_kernels * p->n_archs; i++) {
		const struct tw__row *row = times->row[i] >= 0 ? &models->rows[times->row[i]] : NULL;
		if (!row || !*row->caution || !tw__has_worker(p, i % p->n_archs) || strcmp(row->caution, last) == 0)
			continue;
		tw_log(TW_LOG_WARNING, "%s:%d: %.60s on %.60s: %.300s", models->path, row->line, row->kernel, row->arch,
		       row->caution);
		last = row->caution;
	}
}

void tw__tell_doubts(const struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                     const struct tw_graph *g, const char *workload)
{
	tell_cautions(times, models, p, g);
	tell_extrapolated(times, models, p, g, workload);
}

/* Whether the workers of the arch may run kernels of the graph, but no kernel has a time on them. */
static bool lacks_times(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g,
                        tw_arch a)
{
	bool may_run = false, has_time = false;
	for (tw_kernel k = 0; k < g->n_kernels && !has_time; k++) {
		has_time = times->recorded[k * p->n_archs + a] || !isnan(times->mean[k * p->n_archs + a]);
		may_run |= tw__may_run(&g->kernels[k], &p->archs[a]);
	}
	return may_run && !has_time;
}

void tw__tell_unknown_archs(const struct tw__platform *all, const struct tw_graph *g, const char *workload)
{
	char archs[160] = "";
	for (int i = 0; i < g->n_arch_names; i++) {
		const char *name = g->arch_names[i];
		if (strcmp(name, "processors") == 0 || strcmp(name, "accelerators") == 0)
			continue;
		for (tw_arch a = 0; a < all->n_archs; a++)
			if (strcmp(name, all->archs[a].name) == 0)
				return;
		add_name(archs, sizeof archs, name);
	}
	if (*archs)
		tw_log(TW_LOG_WARNING,
		       "platform '%.100s': workload '%.400s' has seconds on %s: the platform has no such arch",
		       all->name, workload, archs);
}

/* Whether --speedup can give a task a time: some task has seconds on processors. */
static bool may_speed_up(const struct tw__platform *all, const struct tw_graph *g)
{
	bool may = false;
	for (int i = 0; i < g->n_arch_names && !may; i++)
		may = strcmp(g->arch_names[i], "processors") == 0;
	for (tw_kernel k = 0; g->seconds && k < g->n_kernels && !may; k++)
		may = tw__is_on_processors(all, &g->kernels[k]);
	return may;
}

void tw__tell_idle(const struct tw__times *times, const struct tw__platform *all, const struct tw__platform *p,
                   const struct tw_graph *g, const char *workload)
{
	char archs[160] = "";
	int n_workers = 0;
	for (tw_arch a = 0; a < p->n_archs; a++) {
		if (!tw__has_worker(p, a) || !lacks_times(times, p, g, a))
			continue;
		add_name(archs, sizeof archs, p->archs[a].name);
		for (tw_worker w = 0; w < p->n_workers; w++)
			n_workers += p->workers[w].arch == a;
	}
	if (n_workers)
		tw_log(TW_LOG_WARNING,
		       "platform '%.100s': no kernel of workload '%.400s' has a time on %s: %d worker%s idle%s",
		       p->name, workload, archs, n_workers, n_workers == 1 ? " stays" : "s stay",
		       may_speed_up(all, g) ? "; --speedup gives tasks with seconds on processors a time there" : "");
}
