#include "product.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 100 }; /* the greatest number of rows and columns of a product that is compared entry by entry */

int tw__product_open(struct tw__multiply *s, const char *workload, const char *output, const struct tw_args *args,
                     struct tw_error *err)
{
	s->workload = workload;
	s->nt = (int)tw_args_int(args, "nt");
	s->nb = (int)tw_args_int(args, "nb");
	if (strcmp(output, "yes") != 0)
		return tw_fail(err, TW_INVALID, "workload '%s': output=%s: no real kernels: %s: expected output=yes",
		               workload, output,
		               output[0] == 'n' ? "C is not a data handle" : "no task adds the products up");
	return tw__precision_open(&s->precision, args, err);
}

/* Computes C = A B for a task that only writes C, otherwise C += A B. */
static int multiply(const struct tw_call *call)
{
	const struct tw__multiply *s = call->shape;
	const struct tw_operand *c = &call->operands[2];
	tw__part_of_gemm(call, s->precision, 'N', s->nb, s->nb, s->k, 1, call->operands[0].at, call->operands[1].at,
	                 c->mode & TW_R ? 1 : 0, c->at);
	return 0;
}

const struct tw_codelet tw__product_codelets[] = {
	{"gemm", multiply, NULL, true},
	{0},
};

/* --- content and check -------------------------------------------------------------------------------------------- */

struct product {
	const struct tw__precision *precision;
	struct tw__matrix a, b;
	int64_t nb, nt; /* numbers of rows of a tile of C, of tiles in a column */
	void *const *c; /* addresses of the tiles of C, by columns */
};

static struct product product_of(const struct tw__multiply *s, uint64_t seed, void *const *at)
{
	int64_t n = (int64_t)s->nt * s->nb, k = (int64_t)s->kt * s->k;
	return (struct product){
		.precision = s->precision,
		.a = {.seed = tw__mix(tw__mix(seed)), .rows = n, .columns = k},
		.b = {.seed = tw__mix(tw__mix(seed) + 1), .rows = k, .columns = n},
		.nb = s->nb,
		.nt = s->nt,
		.c = at ? at + (int64_t)2 * s->nt * s->kt : NULL,
	};
}

void tw__product_fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)bytes;
	const struct tw__multiply *s = shape;
	struct product p = product_of(s, seed, NULL);
	int64_t handles = (int64_t)s->nt * s->kt;
	if (d < handles)
		s->precision->fill(&p.a, (int64_t)(d % s->nt) * s->nb, (int64_t)(d / s->nt) * s->k, s->nb, s->k, at);
	else if (d < 2 * handles)
		s->precision->fill(&p.b, (d - handles) % s->kt * s->k, (d - handles) / s->kt * s->nb, s->k, s->nb, at);
}

/* Adds the product of column j of tiles of C with x to y. */
static void add_column(const struct product *p, int64_t j, const double *x, double *y)
{
	int nb = (int)p->nb;
	for (int64_t i = 0; i < p->nt; i++)
		p->precision->times(y + i * nb, TW__FULL, nb, nb, p->c[i + j * p->nt], nb, x + j * nb);
}

static int64_t longest(const struct product *p) { return p->b.columns > p->a.columns ? p->b.columns : p->a.columns; }

/* Returns the residual for a random vector x. */
static double random_residual(const struct product *p, uint64_t seed, int number)
{
	int64_t n = p->b.columns;
	double **v = tw__vectors(4, longest(p)), *x = v[0], *bx = v[1], *error = v[2], *minus_x = v[3];
	tw__random_vector(x, n, seed, number);
	double norms = tw__matrix_times(&p->b, false, x, bx);
	norms *= tw__matrix_times(&p->a, false, bx, error);
	for (int64_t i = 0; i < n; i++)
		minus_x[i] = -x[i];
	for (int64_t j = 0; j < p->nt; j++)
		add_column(p, j, minus_x, error);
	double residual = tw__norm(error, n) / (norms * tw__norm(x, n));
	free(v);
	return residual;
}

/* Returns the greatest error of an entry in a column of C, compared with A B. */
static double greatest_error(const struct product *p, int64_t column, double *x, double *errors)
{
	int64_t n = p->b.columns;
	double greatest = 0;
	for (int64_t i = 0; i < n; i++) {
		x[i] = i == column;
		errors[i] = 0;
		for (int64_t k = 0; k < p->a.columns; k++)
			errors[i] -= tw__matrix_entry(&p->a, i, k) * tw__matrix_entry(&p->b, k, column);
	}
	add_column(p, column / p->nb, x, errors);
	for (int64_t i = 0; i < n; i++)
		greatest = tw__worse(greatest, fabs(errors[i]));
	return greatest;
}

static double entries_residual(const struct product *p)
{
	int64_t n = p->b.columns;
	double **v = tw__vectors(2, longest(p)), greatest = 0;
	for (int64_t j = 0; j < n; j++)
		greatest = tw__worse(greatest, greatest_error(p, j, v[0], v[1]));
	double norms = tw__matrix_times(&p->a, false, v[0], v[1]);
	norms *= tw__matrix_times(&p->b, false, v[0], v[1]);
	free(v);
	return greatest * sqrt((double)n) / norms;
}

int tw__product_check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__multiply *s = shape;
	const struct product p = product_of(s, seed, at);
	int64_t n = p.b.columns;
	*residual = 0;
	for (int i = 0; i < TW__VECTORS; i++)
		*residual = tw__worse(*residual, random_residual(&p, seed, i));
	if (n <= SMALL && p.a.columns <= SMALL)
		*residual = tw__worse(*residual, entries_residual(&p));
	return tw__verdict(s->workload, "||C - A B|| / (||A|| ||B||)", *residual, tw__rounding(p.precision, n), err);
}
