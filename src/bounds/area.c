#include <stdlib.h>

#include "bounds/area_program.h"

/* Returns the bound that follows from the dual solution `price`. Let y_r be the price of a second on arch r, with sum_r
 * m_r y_r = 1. Then sum_t min_r y_r E(t, r) is a bound. A schedule of length l can spend m_r l seconds of each arch,
 * and spends on each task at least its least cost. For mean times, the dual solution gives the best prices. */
static double at_prices(const struct tw__bounded *in, const struct tw__types *y, const double *price)
{
	double cost = 0, budget = 0, least = 0;
	bool is_equal = false; /* whether all tasks of the previous task's kernel have the same `least` */
	for (int r = 0; r < y->n_resources; r++)
		budget += y->workers[r] * price[r];
	for (tw_task t = 0; t < in->graph->n_tasks; t++) {
		tw_kernel k = in->graph->kernel[t];
		if (!is_equal || k != in->graph->kernel[t - 1]) {
			least = INFINITY;
			is_equal = true;
			for (int r = 0; r < y->n_resources; r++) {
				double seconds = tw__task_run_seconds(in->times, in->graph, t, y->arch[r]);
				least = fmin(least, price[r] * seconds);
				is_equal &= tw__times_are_equal(in->times, k, y->arch[r]);
			}
		}
		cost += isinf(least) ? 0 : least;
	}
	return budget > 0 ? cost / budget : 0;
}

struct search {
	struct tw__area_program program;
	const struct tw__types *types;
	double *price;
};

static int solve(void *search, struct tw_error *err)
{
	struct search *s = search;
	const struct tw__types *y = s->types;
	double seconds;
	int status = tw__area_program_init(&s->program, y, y->mean, err);
	if (status == TW_OK)
		status = tw__area_program_solve(&s->program, &seconds, err);
	for (int r = 0; status == TW_OK && r < y->n_resources; r++)
		s->price[r] = fmax(0, -glp_get_row_dual(s->program.lp, 1 + r));
	return status;
}

/* Finds the prices of the resources: the dual solution of the program. */
static int find_prices(const struct tw__types *y, double *price, struct tw_error *err)
{
	struct search s = {.types = y, .price = price};
	return tw__area_program_try(&s.program, solve, &s, err);
}

int tw__bound_area_prices(const struct tw__bounded *in, double *price, double *seconds, struct tw_error *err)
{
	struct tw__types y;
	double *of_resource = calloc((size_t)in->platform->n_archs + 1, sizeof *of_resource);
	int status = of_resource ? tw__types_init(&y, in, err) : tw_fail(err, TW_NOMEM, "bounds: out of memory");
	if (status == TW_OK) {
		double budget = 0;
		status = find_prices(&y, of_resource, err);
		for (int r = 0; r < y.n_resources; r++)
			budget += y.workers[r] * of_resource[r];
		for (tw_arch a = 0; a < in->platform->n_archs; a++)
			price[a] = 0;
		for (int r = 0; r < y.n_resources && budget > 0; r++)
			price[y.arch[r]] = of_resource[r] / budget;
		if (status == TW_OK)
			*seconds = at_prices(in, &y, of_resource);
		tw__types_finish(&y);
	}
	free(of_resource);
	return status;
}

int tw__bound_area(const struct tw__bounded *in, double *seconds, struct tw_error *err)
{
	double *price = calloc((size_t)in->platform->n_archs + 1, sizeof *price);
	int status = price ? tw__bound_area_prices(in, price, seconds, err)
	                   : tw_fail(err, TW_NOMEM, "bounds: out of memory");
	free(price);
	return status;
}
