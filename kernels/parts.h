/* Splits a task into parts: each of several threads computes one part. */
#ifndef TW__PARTS_H
#define TW__PARTS_H

#include <tilewright/kernels.h>

#include "precision.h"

struct tw__range {
	int64_t from, n; /* items from .. from + n - 1; n may be 0 if there are more parts than items */
};

/* Returns the call's range of n items. Groups of `grain` adjacent items are not split between parts. */
static inline struct tw__range tw__share(const struct tw_call *call, int64_t n, int64_t grain)
{
	int64_t grains = (n + grain - 1) / grain;
	int64_t from = grains * call->part / call->n_parts * grain,
		end = grains * (call->part + 1) / call->n_parts * grain;
	return (struct tw__range){from, (end < n ? end : n) - from};
}

/* Returns the call's columns or rows of a tile that has n of them: whole vectors of 16, if there are enough for all. */
static inline struct tw__range tw__tile_share(const struct tw_call *call, int n)
{
	return tw__share(call, n, n >= 16 * call->n_parts ? 16 : 1);
}

/* Computes the call's columns of C = alpha A op(B) + beta C, where C is m x n. `transb` is 'N' or 'T', for op. */
static inline void tw__part_of_gemm(const struct tw_call *call, const struct tw__precision *p, char transb, int m,
                                    int n, int k, double alpha, const void *a, const void *b, double beta, void *c)
{
	struct tw__range share = tw__tile_share(call, n);
	if (share.n > 0)
		p->gemm('N', transb, m, (int)share.n, k, alpha, a, m,
		        tw__element(p, b, transb == 'N' ? share.from * k : share.from), transb == 'N' ? k : n, beta,
		        tw__element(p, c, share.from * m), m);
}

#endif
