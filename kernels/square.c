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

int tw__square_trsm(const struct tw_call *call, char side, char uplo, char trans, char diag)
{
	const struct tw__square *s = call->shape;
	struct tw__range share = tw__tile_share(call, s->nb);
	int n = (int)share.n;
	void *tile = tw__element(s->precision, call->operands[1].at, side == 'L' ? share.from * s->nb : share.from);
	if (n > 0)
		s->precision->trsm(side, uplo, trans, diag, side == 'L' ? s->nb : n, side == 'L' ? n : s->nb,
		                   call->operands[0].at, s->nb, tile, s->nb);
	return 0;
}

int tw__square_gemm(const struct tw_call *call, char transb)
{
	const struct tw__square *s = call->shape;
	tw__part_of_gemm(call, s->precision, transb, s->nb, s->nb, s->nb, -1, call->operands[0].at,
	                 call->operands[1].at, 1, call->operands[2].at);
	return 0;
}

int tw__square_check(const char *workload, const char *what, const struct tw__square *s, bool symmetric,
                     tw__factors_fn add_product, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct tw__matrix original = tw__square_original(s, seed, symmetric);
	int64_t n = original.rows;
	*residual = 0;
	for (int i = 0; i < TW__VECTORS; i++) {
		double **v = tw__vectors(4, n), *x = v[0], *exact = v[1], *between = v[2], *y = v[3];
		tw__random_vector(x, n, seed, i);
		double norm = tw__matrix_times(&original, false, x, exact);
		add_product(s, at, x, between, y);
		tw__subtract(y, exact, n);
		*residual = tw__worse(*residual, tw__norm(y, n) / (norm * tw__norm(x, n)));
		free(v);
	}
	return tw__verdict(workload, what, *residual, tw__rounding(s->precision, n), err);
}
