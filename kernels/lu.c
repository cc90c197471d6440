/* Kernels of workload lu: A = L U without pivoting, by tiles. Handles: the tiles, by rows. The ones on the diagonal of
 * L are not stored. */

#include <tilewright/kernels.h>

#include "square.h"

/* --- codelets ----------------------------------------------------------------------------------------------------- */

static int getrf(const struct tw_call *call)
{
	const struct tw__square *s = call->shape;
	return s->precision->getrf(s->nb, call->operands[0].at, call->workspace);
}

static uint64_t getrf_bytes(const void *shape)
{
	const struct tw__square *s = shape;
	return s->precision->getrf_bytes(s->nb);
}

/* Computes A = L^-1 A. */
static int trsm_l(const struct tw_call *call) { return tw__square_trsm(call, 'L', 'L', 'N', 'U'); }

/* Computes A = A U^-1. */
static int trsm_u(const struct tw_call *call) { return tw__square_trsm(call, 'R', 'U', 'N', 'N'); }

/* Computes C -= A B. */
static int gemm(const struct tw_call *call) { return tw__square_gemm(call, 'N'); }

static const struct tw_codelet codelets[] = {
	{"getrf", getrf, getrf_bytes, false},
	{"trsm_l", trsm_l, NULL, true},
	{"trsm_u", trsm_u, NULL, true},
	{"lu.gemm", gemm, NULL, true},
	{0},
};

/* --- content and check -------------------------------------------------------------------------------------------- */

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)bytes;
	const struct tw__square *s = shape;
	struct tw__matrix a = tw__square_original(s, seed, false);
	s->precision->fill(&a, (int64_t)(d / s->nt) * s->nb, (int64_t)(d % s->nt) * s->nb, s->nb, s->nb, at);
}

/* Computes y += L U x, for the factors L and U in the tiles `at`. */
static void add_product(const struct tw__square *s, void *const *at, const double *x, double *between, double *y)
{
	const struct tw__precision *p = s->precision;
	int64_t nb = s->nb;
	for (int i = 0; i < s->nt; i++)
		for (int j = i; j < s->nt; j++)
			p->times(between + i * nb, i == j ? TW__UPPER : TW__FULL, s->nb, s->nb, at[i * s->nt + j],
			         s->nb, x + j * nb);
	for (int i = 0; i < s->nt; i++)
		for (int j = 0; j <= i; j++)
			p->times(y + i * nb, i == j ? TW__UNIT_LOWER : TW__FULL, s->nb, s->nb, at[i * s->nt + j], s->nb,
			         between + j * nb);
}

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	return tw__square_check("lu", "||A - L U|| / ||A||", shape, false, add_product, seed, at, residual, err);
}

const struct tw_kernels tw_kernels_lu = {
	.abi = TW_KERNELS_ABI,
	.workload = "lu",
	.codelets = codelets,
	.shape_bytes = sizeof(struct tw__square),
	.open = tw__square_open,
	.fill = fill,
	.check = check,
};
