/* Kernels of workload qr: A = Q R by tiles. Handles: the tiles of A, by rows. Then, in the order of the tasks that
 * write them, factors T of ib rows, and copies of tiles.
 *
 * A tile of a panel holds reflectors V: those of geqrt below its diagonal, of tsqrt in the whole tile, of ttqrt on and
 * above its diagonal. Each block j of ib columns is an orthogonal Q_j = I - V_j T_j V_j^T. */
#include <string.h>

#include <tilewright/kernels.h>

#include "parts.h"
#include "qr.h"

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	int64_t ib = tw_args_int(args, "ib"), nb = tw_args_int(args, "nb");
	if (ib == 0)
		return tw_fail(err, TW_INVALID,
		               "workload 'qr': ib=0: no real kernels: factors T are no handles: expected ib >= 1");
	struct tw__qr *s = shape;
	*s = (struct tw__qr){
		.nt = (int)tw_args_int(args, "nt"),
		.mt = (int)tw_args_int(args, "mt"),
		.nb = (int)nb,
		.ib = (int)(ib < nb ? ib : nb),
		.copies = tw_args_flag(args, "copy_diagonal"),
	};
	s->mt = s->mt ? s->mt : s->nt;
	int domains = (int)tw_args_int(args, "domains");
	s->height = tw_args_text(args, "tree")[0] == 'b' ? 1 : (s->mt + domains - 1) / domains;
	return tw__precision_open(&s->precision, args, err);
}

/* --- codelets ----------------------------------------------------------------------------------------------------- */

/* Returns the workspace of a kernel: all routines of LAPACK called here need ib x nb elements. */
static uint64_t workspace_bytes(const void *shape)
{
	const struct tw__qr *s = shape;
	return (uint64_t)s->ib * (uint64_t)s->nb * (uint64_t)s->precision->bytes;
}

/* Zeroes the handle of a factor T. LAPACK writes only the triangles of the factor, and the task must determine the
 * whole content of the handle. */
static void *cleared(const struct tw_operand *factor)
{
	memset(factor->at, 0, factor->bytes);
	return factor->at;
}

/* Operands: the tile to factor, the factor T. */
static int geqrt(const struct tw_call *call)
{
	const struct tw__qr *s = call->shape;
	return s->precision->geqrt(s->nb, s->ib, call->operands[0].at, cleared(&call->operands[1]), call->workspace);
}

/* Operands: the upper triangle R, the tile below to eliminate, the factor T. l: as for tpqrt in precision.h. */
static int eliminate(const struct tw_call *call, int l)
{
	const struct tw__qr *s = call->shape;
	return s->precision->tpqrt(s->nb, l, s->ib, call->operands[0].at, call->operands[1].at,
	                           cleared(&call->operands[2]), call->workspace);
}

static int tsqrt(const struct tw_call *call) { return eliminate(call, 0); }
static int ttqrt(const struct tw_call *call) { return eliminate(call, ((const struct tw__qr *)call->shape)->nb); }

/* Operands: the reflectors, the tile to update, the factor T. Columns of the tile are independent. */
static int ormqr(const struct tw_call *call)
{
	const struct tw__qr *s = call->shape;
	struct tw__range columns = tw__tile_share(call, s->nb);
	if (columns.n > 0)
		s->precision->gemqrt(s->nb, (int)columns.n, s->ib, call->operands[0].at, call->operands[2].at,
		                     tw__element(s->precision, call->operands[1].at, columns.from * s->nb), s->nb,
		                     call->workspace);
	return 0;
}

/* Operands: the reflectors, the upper tile and the lower tile to update, the factor T. */
static int update(const struct tw_call *call, int l)
{
	const struct tw__qr *s = call->shape;
	const struct tw__precision *p = s->precision;
	struct tw__range columns = tw__tile_share(call, s->nb);
	if (columns.n > 0)
		p->tpmqrt(s->nb, (int)columns.n, l, s->ib, call->operands[0].at, call->operands[3].at,
		          tw__element(p, call->operands[1].at, columns.from * s->nb),
		          tw__element(p, call->operands[2].at, columns.from * s->nb), call->workspace);
	return 0;
}

static int tsmqr(const struct tw_call *call) { return update(call, 0); }
static int ttmqr(const struct tw_call *call) { return update(call, ((const struct tw__qr *)call->shape)->nb); }

static int lacpy(const struct tw_call *call)
{
	const struct tw__qr *s = call->shape;
	struct tw__range columns = tw__tile_share(call, s->nb);
	if (columns.n > 0)
		s->precision->lacpy(s->nb, (int)columns.n,
		                    tw__element(s->precision, call->operands[0].at, columns.from * s->nb),
		                    tw__element(s->precision, call->operands[1].at, columns.from * s->nb), s->nb);
	return 0;
}

static const struct tw_codelet codelets[] = {
	{"geqrt", geqrt, workspace_bytes, false},
	{"ormqr", ormqr, workspace_bytes, true},
	{"lacpy", lacpy, NULL, true},
	{"tsqrt", tsqrt, workspace_bytes, false},
	{"tsmqr", tsmqr, workspace_bytes, true},
	{"ttqrt", ttqrt, workspace_bytes, false},
	{"ttmqr", ttmqr, workspace_bytes, true},
	{0},
};

/* --- content ------------------------------------------------------------------------------------------------------ */

/* Writes the tiles of A. Factors T and copies need no initial content, because tasks write them before they are
 * read. */
static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)bytes;
	const struct tw__qr *s = shape;
	struct tw__matrix a = tw__qr_original(s, seed);
	if (d < s->mt * s->nt)
		s->precision->fill(&a, (int64_t)(d / s->nt) * s->nb, (int64_t)(d % s->nt) * s->nb, s->nb, s->nb, at);
}

const struct tw_kernels tw_kernels_qr = {
	.abi = TW_KERNELS_ABI,
	.workload = "qr",
	.codelets = codelets,
	.shape_bytes = sizeof(struct tw__qr),
	.open = open_shape,
	.fill = fill,
	.check = tw__qr_check,
};
