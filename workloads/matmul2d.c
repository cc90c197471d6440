/* 2D matrix product C = A B, with one task per block of C: "each task is the multiplication of one block-row of A per
 * one block-column of B" (Gonthier, Marchal and Thibault 2021, Locality-Aware Scheduling of Independent Tasks).
 *
 * The graph has nt^2 independent tasks and 2 (nt nb)^2 k flops. The default is output=no, because in the paper's
 * program C stays in scratch memory of the GPU and has no handles. The natural order is that of StarPU's example mult:
 * for each block column of B, all block rows of A. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 10000, NULL, "block rows of A, and block columns of B"},
	{"nb", TW_PARAM_INT, "960", 1, 100000, NULL, "rows of A in a block, and columns of B, in elements"},
	{"k", TW_PARAM_INT, "0", 0, 1000000, NULL, "columns of A, and rows of B, in elements; 0: 4 nb"},
	{"output", TW_PARAM_FLAG, "no", 0, 0, NULL, "yes: each task writes its block of C"},
	{"order", TW_PARAM_CHOICE, "natural", 0, 0, "natural|random",
         "order of submission; natural: C column by column"},
	{"seed", TW_PARAM_INT, "1", 0, INFINITY, NULL, "seed of order=random"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

/* Adds the blocks of a matrix, column by column. */
static void add_blocks(struct tw_graph *g, int rows, int columns, uint64_t bytes)
{
	for (int i = 0; i < rows * columns; i++)
		tw_graph_set_tile(g, tw_graph_data(g, bytes), i % rows, i / rows);
}

/* Returns the numbers 0 .. n_tasks - 1 in random order, malloc'ed. */
static int32_t *random_order(int n_tasks, uint64_t seed)
{
	int32_t *order = tw_resize(NULL, (size_t)n_tasks, sizeof *order);
	struct tw_rng *rng = tw_rng_create(seed);
	for (int t = 0; t < n_tasks; t++)
		order[t] = t;
	tw_rng_shuffle(rng, order, (size_t)n_tasks);
	tw_rng_destroy(rng);
	return order;
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	int nt = (int)tw_args_int(args, "nt"), n_tasks = nt * nt;
	int64_t nb = tw_args_int(args, "nb"), k = tw_args_int(args, "k") ? tw_args_int(args, "k") : 4 * nb;
	bool output = tw_args_flag(args, "output"), shuffled = tw_args_text(args, "order")[0] == 'r';
	const char *precision = tw_args_text(args, "precision");
	uint64_t element = precision[0] == 's' ? 4 : 8;
	if (tw_args_given(args, "seed") && !shuffled)
		return tw_fail(err, TW_INVALID, "workload 'matmul2d': seed=%lld: expected order=random with it",
		               (long long)tw_args_int(args, "seed"));

	char size[100];
	int length = snprintf(size, sizeof size, "%lldx%lld+%lldx%lld", (long long)nb, (long long)k, (long long)k,
	                      (long long)nb);
	if (output)
		snprintf(size + length, sizeof size - (size_t)length, "+%lldx%lld", (long long)nb, (long long)nb);
	tw_kernel gemm = tw_graph_kernel(g, "gemm", size, precision, 2.0 * (double)nb * (double)nb * (double)k);

	int32_t *order = shuffled ? random_order(n_tasks, (uint64_t)tw_args_int(args, "seed")) : NULL;
	const tw_data a = 0, b = nt, c = 2 * nt; /* the first block of each matrix */
	add_blocks(g, nt, 1, (uint64_t)(nb * k) * element);
	add_blocks(g, 1, nt, (uint64_t)(nb * k) * element);
	if (output)
		add_blocks(g, nt, nt, (uint64_t)(nb * nb) * element);
	for (int t = 0; t < n_tasks; t++) {
		int place = order ? order[t] : t;
		tw_graph_submit(g, gemm, 0,
		                (struct tw_access[]){{a + place % nt, TW_R}, {b + place / nt, TW_R}, {c + place, TW_W}},
		                output ? 3 : 2);
		if (output)
			tw_graph_will_not_be_used(g, c + place);
	}
	free(order);

	double n = (double)nt * (double)nb;
	tw_graph_set_flops(g, 2 * n * n * (double)k);
	return TW_OK;
}

const struct tw_workload tw_workload_matmul2d = {
	.abi = TW_WORKLOAD_ABI,
	.name = "matmul2d",
	.summary = "2D matrix product: independent tasks, each of one block row of A and one block column of B (gemm)",
	.params = params,
	.generate = generate,
};
