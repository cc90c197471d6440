/* 3D matrix product C = A B on tiles: "each task requires one tile of A, B and C" (Gonthier, Marchal and Thibault 2021,
 * Locality-Aware Scheduling of Independent Tasks).
 *
 * The graph has nt x nt x kt tasks C_ij += A_ik B_kj and 2 (nt nb)^2 kt nb flops. The order of submission is that of
 * StarPU's example mult: the tiles of C column by column, with kt products each. The first product of a tile writes
 * C_ij, and the others update C_ij one after the other; then C_ij gets the hint "will not be used". With
 * independent=yes, all tasks only read C_ij, and no task writes: this is the task set of the paper, which schedules
 * independent tasks. With output=fresh they write: each product has a tile of its own, which is not loaded, and which
 * has the hint behind its task. With output=no, C has no handles, as in matmul2d.c: each task only reads its tiles of A
 * and B. */
#include <stdio.h>
#include <string.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 1100, NULL, "tiles per side"},
	{"kt", TW_PARAM_INT, "0", 0, 1100, NULL, "tiles in the dimension that is summed over; 0: nt"},
	{"nb", TW_PARAM_INT, "960", 1, 500000, NULL, "tile side, in elements"},
	{"independent", TW_PARAM_FLAG, "no", 0, 0, NULL, "yes: tasks only read C, so that no task waits for another"},
	{"output", TW_PARAM_CHOICE, "yes", 0, 0, "yes|no|fresh",
         "no: C has no handles, and tasks only read A and B; fresh: each task writes a tile of its own"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

/* Adds the tiles of a matrix column by column, `copies` of each one after the other. False: a call has failed. */
static bool add_tiles(struct tw_graph *g, int rows, int columns, int copies, uint64_t bytes)
{
	for (int64_t i = 0; i < (int64_t)rows * columns * copies; i++) {
		const tw_data data = tw_graph_data(g, bytes);
		if (data == TW_NONE)
			return false;
		tw_graph_set_tile(g, data, (int32_t)(i / copies % rows), (int32_t)(i / copies / rows));
	}
	return true;
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	int nt = (int)tw_args_int(args, "nt"), kt = (int)tw_args_int(args, "kt");
	kt = kt ? kt : nt;
	int64_t nb = tw_args_int(args, "nb");
	bool independent = tw_args_flag(args, "independent");
	const char *of_c = tw_args_text(args, "output");
	bool fresh = strcmp(of_c, "fresh") == 0, output = strcmp(of_c, "no") != 0;
	const char *precision = tw_args_text(args, "precision");
	uint64_t bytes = (uint64_t)(nb * nb) * (precision[0] == 's' ? 4 : 8);

	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)nb);
	tw_kernel gemm = tw_graph_kernel(g, "gemm", size, precision, 2.0 * (double)nb * (double)nb * (double)nb);

	/* The handles of the tiles of A, B and C have consecutive numbers, each matrix column by column. Fresh tiles
	 * are in the order of their tasks. */
	const tw_data a = 0, b = nt * kt;
	tw_data c = 2 * nt * kt;
	if (!add_tiles(g, nt, kt, 1, bytes) || !add_tiles(g, kt, nt, 1, bytes) ||
	    !add_tiles(g, nt, output ? nt : 0, fresh ? kt : 1, bytes))
		return TW_OK; /* tw_graph_finish reports the call that failed */
	for (int j = 0; j < nt; j++)
		for (int i = 0; i < nt; i++)
			for (int k = 0; k < kt; k++) {
				enum tw_mode mode = fresh ? TW_W : independent ? TW_R : k == 0 ? TW_W : TW_RW;
				struct tw_access access[] = {{a + i + k * nt, TW_R}, {b + k + j * kt, TW_R}, {c, mode}};
				if (tw_graph_submit(g, gemm, 0, access, output ? 3 : 2) == TW_NONE)
					return TW_OK;
				if (!output || !(fresh || k == kt - 1))
					continue;
				tw_graph_will_not_be_used(g, c++);
			}

	double n = (double)nt * (double)nb;
	tw_graph_set_flops(g, 2 * n * n * (double)kt * (double)nb);
	return TW_OK;
}

const struct tw_workload tw_workload_matmul3d = {
	.abi = TW_WORKLOAD_ABI,
	.name = "matmul3d",
	.summary = "3D matrix product: each task multiplies one tile of A and one of B into one of C (gemm)",
	.params = params,
	.generate = generate,
};
