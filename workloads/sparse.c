/* A random subset of the tasks of matmul2d.c, as if most blocks of C were known to be 0. Fewer tasks share each block,
 * and no order of submission has good locality for all of them.
 *
 * The subset has exactly max(1, round(density nt^2)) of the nt^2 tasks, column by column; all subsets of that size are
 * equally likely. All blocks of A and B have handles, even those that no task reads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"nt", TW_PARAM_INT, NULL, 1, 10000, NULL, "block rows of A, and block columns of B"},
	{"nb", TW_PARAM_INT, "960", 1, 100000, NULL, "rows of A in a block, and columns of B, in elements"},
	{"k", TW_PARAM_INT, "0", 0, 1000000, NULL, "columns of A, and rows of B, in elements; 0: 4 nb"},
	{"density", TW_PARAM_REAL, "0.02", 0, 1, NULL, "fraction of the tasks of matmul2d"},
	{"seed", TW_PARAM_INT, "1", 0, INFINITY, NULL, "seed of the choice of tasks"},
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "s: 4-byte, d: 8-byte elements"},
	{0},
};

/* Chooses k of n places at random: the places whose element in the returned array is true. It takes k draws, and all
 * choices are equally likely (Floyd's algorithm; Bentley 1987, Programming pearls: a sample of brilliance). */
static bool *choose(int k, int n, uint64_t seed)
{
	struct tw_rng *rng = tw_rng_create(seed);
	bool *taken = tw_alloc((size_t)n, sizeof *taken);
	for (int last = n - k; last < n; last++) {
		uint32_t place = tw_rng_below(rng, (uint32_t)last + 1);
		taken[taken[place] ? (uint32_t)last : place] = true;
	}
	tw_rng_destroy(rng);
	return taken;
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	int nt = (int)tw_args_int(args, "nt"), n_places = nt * nt;
	int64_t nb = tw_args_int(args, "nb"), k = tw_args_int(args, "k") ? tw_args_int(args, "k") : 4 * nb;
	const char *precision = tw_args_text(args, "precision");
	uint64_t bytes = (uint64_t)(nb * k) * (precision[0] == 's' ? 4 : 8);
	int n_tasks = (int)fmax(1, round(tw_args_real(args, "density") * n_places));
	bool *taken = choose(n_tasks, n_places, (uint64_t)tw_args_int(args, "seed"));

	char size[100];
	snprintf(size, sizeof size, "%lldx%lld+%lldx%lld", (long long)nb, (long long)k, (long long)k, (long long)nb);
	double flops = 2.0 * (double)nb * (double)nb * (double)k;
	tw_kernel gemm = tw_graph_kernel(g, "gemm", size, precision, flops);

	/* The block rows of A, then the block columns of B. */
	const tw_data a = 0, b = nt;
	for (int i = 0; i < 2 * nt; i++)
		tw_graph_set_tile(g, tw_graph_data(g, bytes), i < nt ? i : 0, i < nt ? 0 : i - nt);
	for (int place = 0; place < n_places; place++)
		if (taken[place])
			tw_graph_submit(g, gemm, 0,
			                (struct tw_access[]){{a + place % nt, TW_R}, {b + place / nt, TW_R}}, 2);
	free(taken);

	tw_graph_set_flops(g, n_tasks * flops);
	return TW_OK;
}

const struct tw_workload tw_workload_sparse = {
	.abi = TW_WORKLOAD_ABI,
	.name = "sparse",
	.summary = "sparse 2D matrix product: a random part of the tasks of matmul2d (gemm)",
	.params = params,
	.generate = generate,
};
