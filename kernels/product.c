#include "product.h"

#include <stdlib.h>

enum { SMALL = 100 }; /* the greatest number of rows and columns of a product that is compared entry by entry */

int tw__multiply(const struct tw_call *call)
{
	const struct tw__multiply *s = call->shape;
	const struct tw_operand *c = &call->operands[2];
	tw__part_of_gemm(call, s->precision, 'N', s->nb, s->nb, s->k, 1, call->operands[0].at, call->operands[1].at,
	                 c->mode & TW_R ? 1 : 0, c->at);
	return 0;
}

struct tw__matrix tw__factor(uint64_t seed, int64_t rows, int64_t columns, bool second)
{
	return (struct tw__matrix){
		.seed = tw__mix(tw__mix(seed) + second),
		.rows = rows,
		.columns = columns,
	};
}

/* Computes y -= C x; `minus_x` is a buffer. */
static void subtract_product(const struct tw__product *p, const double *x, double *minus_x, double *y)
{
	int64_t nb = p->rows_of_tile, nt = p->tiles_in_column;
	for (int64_t i = 0; i < nt * nb; i++)
		minus_x[i] = -x[i];
	for (int64_t j = 0; j < nt; j++)
		for (int64_t i = 0; i < nt; i++)
			p->precision->times(y + i * nb, TW__FULL, p->rows_of_tile, p->rows_of_tile, p->c[i + j * nt],
			                    p->rows_of_tile, minus_x + j * nb);
}

static bool random_residual(const struct tw__product *p, uint64_t seed, int number, double *residual)
{
	int64_t n = p->b.columns, longest = n > p->a.columns ? n : p->a.columns;
	double **v = tw__vectors(4, longest);
	if (!v)
		return false;
	tw__random_vector(v[0], n, seed, number);
	double norms = tw__matrix_times(&p->b, false, v[0], v[1]);
	norms *= tw__matrix_times(&p->a, false, v[1], v[2]);
	subtract_product(p, v[0], v[3], v[2]);
	*residual = tw__worse(*residual, tw__norm(v[2], n) / (norms * tw__norm(v[0], n)));
	free(v);
	return true;
}

/* Returns the greatest error of an entry in a column of C, compared with A B. */
static double greatest_error(const struct tw__product *p, int64_t column, double *x, double *errors)
{
	int64_t n = p->b.columns, nb = p->rows_of_tile;
	double greatest = 0;
	for (int64_t i = 0; i < n; i++)
		x[i] = i == column;
	for (int64_t i = 0; i < n; i++) {
		errors[i] = 0;
		for (int64_t k = 0; k < p->a.columns; k++)
			errors[i] -= tw__matrix_entry(&p->a, i, k) * tw__matrix_entry(&p->b, k, column);
	}
	for (int64_t i = 0; i < p->tiles_in_column; i++)
		p->precision->times(errors + i * nb, TW__FULL, p->rows_of_tile, p->rows_of_tile,
		                    p->c[i + column / nb * p->tiles_in_column], p->rows_of_tile, x + column / nb * nb);
	for (int64_t i = 0; i < n; i++)
		greatest = tw__worse(greatest, fabs(errors[i]));
	return greatest;
}

static bool entries_residual(const struct tw__product *p, double *residual)
{
	int64_t n = p->b.columns, longest = n > p->a.columns ? n : p->a.columns;
	double **v = tw__vectors(2, longest), greatest = 0;
	if (!v)
		return false;
	for (int64_t j = 0; j < n; j++)
		greatest = tw__worse(greatest, greatest_error(p, j, v[0], v[1]));
	double norms = tw__matrix_times(&p->a, false, v[0], v[1]);
	norms *= tw__matrix_times(&p->b, false, v[0], v[1]);
	*residual = tw__worse(*residual, greatest * sqrt((double)n) / norms);
	free(v);
	return true;
}

int tw__product_check(const struct tw__product *p, uint64_t seed, double *residual, struct tw_error *err)
{
	int64_t n = p->b.columns;
	bool enough = true;
	*residual = 0;
	for (int i = 0; enough && i < TW__VECTORS; i++)
		enough = random_residual(p, seed, i, residual);
	if (enough && n <= SMALL && p->a.columns <= SMALL)
		enough = entries_residual(p, residual);
	if (!enough)
		return tw__no_memory(p->workload, err);
	return tw__verdict(p->workload, "||C - A B|| / (||A|| ||B||)", *residual, tw__rounding(p->precision, n), err);
}
