#include "square.h"

#include <stdlib.h>

int tw__square_open(void *shape, const struct tw_args *args, struct tw_error *err)
{
	struct tw__square *s = shape;
	*s = (struct tw__square){
		.nt = (int)tw_args_int(args, "nt"),
		.nb = (int)tw_args_int(args, "nb"),
	};
	return tw__precision_open(&s->precision, args, err);
}

struct tw__matrix tw__square_original(const struct tw__square *s, uint64_t seed, bool symmetric)
{
	int64_t n = (int64_t)s->nt * s->nb;
	return tw__matrix_shifted(seed, n, n, symmetric);
}

int tw__square_check(const char *workload, const char *what, const struct tw__square *s,
                     const struct tw__matrix *original, tw__factors_fn add_product, uint64_t seed, void *const *at,
                     double *residual, struct tw_error *err)
{
	int64_t n = original->rows;
	*residual = 0;
	for (int i = 0; i < TW__VECTORS; i++) {
		double **v = tw__vectors(4, n), *x, *exact, *between, *y;
		if (!v)
			return tw__no_memory(workload, err);
		x = v[0], exact = v[1], between = v[2], y = v[3];
		tw__random_vector(x, n, seed, i);
		double norm = tw__matrix_times(original, false, x, exact);
		add_product(s, at, x, between, y);
		tw__subtract(y, exact, n);
		*residual = tw__worse(*residual, tw__norm(y, n) / (norm * tw__norm(x, n)));
		free(v);
	}
	return tw__verdict(workload, what, *residual, tw__rounding(s->precision, n), err);
}
