/* Splits the distance from a bound to the makespan into causes. */
#include <math.h>
#include <stdlib.h>

#include "explain/past.h"

/* The chain without as much of its kernels' time as the critical path needs, scaled to the gap. */
static void split_path_gap(struct tw__explanation *e)
{
	double weight[TW__N_WHY], sum = 0, gap = tw__seconds(e->makespan) - e->path_s;
	double kernels = tw__seconds(e->chain[TW__WHY_BUSY] + e->chain[TW__WHY_DEPENDENCIES]);
	for (int why = 0; why < TW__N_WHY; why++)
		weight[why] = tw__seconds(e->chain[why]);
	weight[TW__WHY_DEPENDENCIES] = 0;
	weight[TW__WHY_BUSY] = fmax(0, kernels - e->path_s);
	for (int why = 0; why < TW__N_WHY; why++)
		sum += weight[why];
	for (int why = 0; why < TW__N_WHY; why++)
		e->path_gap[why] = sum > 0 ? fmax(0, gap) * weight[why] / sum : 0;
}

/* Let y_r be the price of a second of arch r, with sum_r m_r y_r = 1 for m_r workers. The makespan is the cost of all
 * time of all workers. The bound is the cost of all tasks, each on the arch where it costs least. So the gap is the
 * cost of the time without kernels, and what tasks cost more than that. */
static int split_area_gap(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	const struct tw__bounded in = {run->platform, run->graph, run->times};
	double *price = calloc((size_t)run->platform->n_archs + 1, sizeof *price);
	if (!price)
		return tw_fail(err, TW_NOMEM, "explain: out of memory");
	int status = tw__bound_area_prices(&in, price, &e->area_s, err);
	for (int i = 0; i < e->n_kinds; i++)
		for (int why = 0; why < TW__N_WHY; why++)
			e->area_gap[why] += price[e->kinds[i].arch] * tw__seconds(e->kinds[i].of[why]);
	e->area_gap[TW__WHY_KERNELS] = fmax(0, e->area_gap[TW__WHY_KERNELS] - e->area_s);
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
