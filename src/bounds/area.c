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
	struct tw__types types;
	double *price;
};

/* Finds the prices of the resources: the dual solution of the program. */
static int find_prices(void *search, struct tw_error *err)
{
	struct search *s = search;
	double seconds;
	tw__area_program_init(&s->program, &s->types, s->types.mean);
	int status = tw__area_program_solve(&s->program, &seconds, err);
	for (int r = 0; status == TW_OK && r < s->types.n_resources; r++)
		s->price[r] = fmax(0, -glp_get_row_dual(s->program.lp, 1 + r));
	return status;
}

int tw__bound_area(const struct tw__bounded *in, double *price, double *seconds, struct tw_error *err)
{
	struct search s = {.price = NULL};
	const struct tw__types *y = &s.types;
	double budget = 0;
	tw__types_init(&s.types, in);
	s.price = tw__arena_alloc(&s.types.arena, (size_t)y->n_resources, sizeof *s.price);
	int status = tw__area_program_try(&s.program, find_prices, &s, err);
	for (int r = 0; r < y->n_resources; r++)
		budget += y->workers[r] * s.price[r];
	for (tw_arch a = 0; price && a < in->platform->n_archs; a++)
		price[a] = 0;
	for (int r = 0; price && r < y->n_resources && budget > 0; r++)
		price[y->arch[r]] = s.price[r] / budget;
	if (status == TW_OK)
		*seconds = at_prices(in, y, s.price);
	tw__types_finish(&s.types);
	return status;
}
