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
static tw_arch fastest(const struct tw__times *times, const struct tw_platform *p, const struct tw_graph *g, tw_task t,
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
                              const struct tw_platform *p, const struct tw_graph *g)
{
	double all = 0, extrapolated = 0, seconds = 0;
	tw_arch arch = TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		tw_kernel k = g->kernel[t];
		if (t == 0 || k != g->kernel[t - 1] || g->seconds) /* consecutive tasks often share their kernel */
			arch = fastest(times, p, g, t, &seconds);
		if (arch == TW_NONE)
			continue;
		bool recorded = times->recorded[k * times->n_archs + arch] && !isnan(g->seconds[t]);
		all += seconds;
		if (!recorded && is_extrapolated(times, models, k, arch))
			extrapolated += seconds;
	}
	return all > 0 ? extrapolated / all : 0;
}

/* --- warnings ----------------------------------------------------------------------------------------------------- */

/* Whether the models extrapolated the kernel's time on an arch with workers. */
static bool was_extrapolated(const struct tw__times *times, const struct tw_platform *p, tw_kernel k)
{
	bool was = false;
	for (tw_arch a = 0; a < p->n_archs; a++)
		was |= times->row[k * times->n_archs + a] == TW__EXTRAPOLATED_TIME && tw__has_worker(p, a);
	return was;
}

static bool is_named_before(const struct tw__times *times, const struct tw_platform *p, const struct tw_graph *g,
                            tw_kernel k)
{
	for (tw_kernel j = 0; j < k; j++)
		if (strcmp(g->kernels[j].name, g->kernels[k].name) == 0 && was_extrapolated(times, p, j))
			return true;
	return false;
}

/* Writes the names of the kernels whose times the models extrapolated, as in "potrf, trsm"; those that do not fit
 * become "...". Returns whether there is any. */
static bool list_extrapolated(char *text, size_t room, const struct tw__times *times, const struct tw_platform *p,
                              const struct tw_graph *g)
{
	size_t used = 0;
	text[0] = '\0';
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		const char *name = g->kernels[k].name;
		if (!was_extrapolated(times, p, k) || is_named_before(times, p, g, k))
			continue;
		if (used + strlen(name) + sizeof ", , ..." > room) {
			snprintf(text + used, room - used, "%s...", used ? ", " : "");
			return true;
		}
		used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", name);
	}
	return used > 0;
}

static bool tell_cautions(const struct tw__times *times, const struct tw__models *models, const struct tw_platform *p,
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
	return *last;
}

void tw__tell_doubts(struct tw__told *told, const struct tw__times *times, const struct tw__models *models,
                     const struct tw_platform *p, const struct tw_graph *g, const char *workload)
{
	char kernels[160];
	if (!told->caution)
		told->caution = tell_cautions(times, models, p, g);
	if (told->extrapolated || !list_extrapolated(kernels, sizeof kernels, times, p, g))
		return;
	told->extrapolated = true;
	tw_log(TW_LOG_WARNING, "%s: times of %s are extrapolated: %.3g %% of the work of '%.100s'", models->path,
	       kernels, 100 * times->extrapolated_share, workload);
}
