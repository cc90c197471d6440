#include <math.h>
#include <stdlib.h>

#include "bounds/area_program.h"

/* Adds up the costs of tasks. The cost of a recursive task becomes the least of its own and of the sum of those
 * inside. */
static double sum(const struct tw_graph *g, double *costs)
{
	double sum = 0;
	for (tw_task t = g->n_tasks - 1; t >= 0; t--) {
		double inside = 0;
		for (tw_task in = t + 1; in < g->inside_end[t]; in++)
			inside += g->around[in] == t ? costs[in] : 0;
		if (g->inside_end[t])
			costs[t] = fmin(costs[t], inside);
		sum += g->around[t] == TW_NONE && !isinf(costs[t]) ? costs[t] : 0;
	}
	return sum;
}

/* Returns the bound that follows from the dual solution `price`. Let y_r be the price of a second on arch r, with sum_r
 * m_r y_r = 1. Then sum_t min_r y_r E(t, r) is a bound. A schedule of length l can spend m_r l seconds of each arch,
 * and spends on each task at least its least cost. For mean times, the dual solution gives the best prices. */
static double at_prices(const struct tw__bounded *in, const struct tw__types *y, const double *price)
{
	double budget = 0, least = 0, cost = 0;
	double *costs = in->graph->around ? tw_alloc((size_t)in->graph->n_tasks, sizeof *costs) : NULL;
	bool is_equal = false; /* whether all tasks of the previous task's kernel have the same `least` */
	for (int r = 0; r < y->n_resources; r++)
		budget += y->workers[r] * price[r];
	for (tw_task t = 0; t < in->graph->n_tasks; t++) {
		tw_kernel k = in->graph->kernel[t];
		if (!is_equal || k != in->graph->kernel[t - 1]) {
			least = INFINITY;
			is_equal = true;
			for (int r = 0; r < y->n_resources; r++) {
				double seconds =
					tw__task_core_seconds(in->times, in->platform, in->graph, t, y->arch[r]);
				least = fmin(least, price[r] * seconds);
				is_equal &= tw__times_are_equal(in->times, k, y->arch[r]);
			}
		}
		cost += isinf(least) ? 0 : least;
		if (costs)
			costs[t] = least;
	}
	if (costs)
		cost = sum(in->graph, costs);
	free(costs);
	return budget > 0 ? cost / budget : 0;
}

struct search {
	struct tw__area_program program;
	const struct tw__bounded *in;
	double *price, *seconds; /* where prices and the bound go */
};

/* The prices of the resources are the dual solution of the program. */
static int solve(void *search, struct tw_error *err)
{
	struct search *s = search;
	const struct tw__types *y = &s->program.types;
	double *price = tw__arena_alloc(&s->program.arena, (size_t)y->n_resources, sizeof *price), budget = 0;
	tw__area_program_init(&s->program, y->mean);
	int status = tw__area_program_solve(&s->program, s->seconds, err);
	if (status < 0)
		return status;
	for (int r = 0; r < y->n_resources; r++) {
		price[r] = fmax(0, -glp_get_row_dual(s->program.lp, 1 + r));
		budget += y->workers[r] * price[r];
	}
	for (int r = 0; s->price && r < y->n_resources && budget > 0; r++)
		s->price[y->arch[r]] = price[r] / budget;
	*s->seconds = at_prices(s->in, y, price);
	return TW_OK;
}

int tw__bound_area(const struct tw__bounded *in, double *price, double *seconds, struct tw_error *err)
{
	struct search s = {.in = in, .price = price, .seconds = seconds};
	for (tw_arch a = 0; price && a < in->platform->n_archs; a++)
		price[a] = 0;
	return tw__area_program_try(&s.program, in, solve, &s, err);
}
