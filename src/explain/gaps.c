/* Splits the distance from a bound to the makespan into causes. */
#include <math.h>
#include <stdlib.h>

#include "explain/past.h"

/* Multiplies the parts so that their sum is the gap: rounding, or a damaged trace, may have made it another one. */
static void scale(double part[TW__N_WHY], double gap)
{
	double sum = 0;
	for (int why = 0; why < TW__N_WHY; why++)
		sum += part[why];
	for (int why = 0; why < TW__N_WHY; why++)
		part[why] *= sum > 0 ? gap / sum : 0;
}

/* The chain without as much of its kernels' time as the critical path needs, scaled to the gap. Kernels that wait for
 * each other come first. */
static void split_path_gap(struct tw__explanation *e)
{
	double *part = e->path_gap, path_s = e->path_s;
	const enum tw__why covered[] = {TW__WHY_DEPENDENCIES, TW__WHY_BUSY, TW__WHY_SLOW};
	for (int why = 0; why < TW__N_WHY; why++)
		part[why] = tw__seconds(e->chain[why]);
	for (size_t i = 0; i < sizeof covered / sizeof *covered; i++) {
		double in_path = fmin(path_s, part[covered[i]]);
		part[covered[i]] -= in_path;
		path_s -= in_path;
	}
	scale(part, fmax(0, tw__seconds(e->makespan) - e->path_s));
}

/* Let y_r be the price of a second of arch r, with sum_r m_r y_r = 1 for m_r workers. The makespan is the cost of all
 * time of all workers. The bound is the cost of all tasks, each on the arch where it costs least. So the gap is the
 * cost of the time without kernels, and what tasks cost more than that. */
static int split_area_gap(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	const struct tw__bounded in = {run->platform, run->graph, run->times};
	double *price = calloc((size_t)run->platform->n_archs + 1, sizeof *price);
	if (!price)
		return tw_fail(err, TW_NOMEM, "out of memory");
	int status = tw__bound_area_prices(&in, price, &e->area_s, err);
	for (int i = 0; i < e->n_kinds; i++)
		for (int why = 0; why < TW__N_WHY; why++)
			e->area_gap[why] += price[e->kinds[i].arch] * tw__seconds(e->kinds[i].of[why]);
	e->area_gap[TW__WHY_KERNELS] = fmax(0, e->area_gap[TW__WHY_KERNELS] - e->area_s);
	scale(e->area_gap, fmax(0, tw__seconds(e->makespan) - e->area_s));
	free(price);
	return status;
}

int tw__explain_gaps(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	int status = tw__times_critical_path(run->times, run->platform, run->graph, &e->path_s, err);
	if (status < 0)
		return status;
	split_path_gap(e);
	return split_area_gap(e, run, err);
}
