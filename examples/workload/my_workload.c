/* wavefront: the tiles of an n x n grid. Each tile depends on the tile above and the tile to its left, as in sequence
 * alignment (Smith, Waterman 1981). */
#include <stdlib.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"n", TW_PARAM_INT, NULL, 1, 10000, NULL, "tiles per side"},
	{"bytes", TW_PARAM_BYTES, "4MiB", 1, 1e12, NULL, "size of a tile"},
	{"time", TW_PARAM_TIME, "5ms", 1e-9, 1e6, NULL, "time of a tile on any worker, in seconds"},
	{0},
};

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	int64_t n = tw_args_int(args, "n");
	tw_data *above = calloc((size_t)n, sizeof *above);
	if (!above)
		return tw_fail(err, TW_NOMEM, "workload 'wavefront': out of memory");
	tw_kernel align = tw_graph_kernel(g, "align", "tile", "b", 0);
	tw_graph_recorded_on(g, align, "processors+accelerators");
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			struct tw_access access[3];
			int k = 0;
			if (i > 0)
				access[k++] = (struct tw_access){above[j], TW_R};
			if (j > 0)
				access[k++] = (struct tw_access){above[j - 1], TW_R}; /* already of this row */
			above[j] = tw_graph_data(g, tw_args_bytes(args, "bytes"));
			access[k++] = (struct tw_access){above[j], TW_W};
			tw_task t = tw_graph_submit(g, align, (int32_t)(2 * n - i - j), access, k);
			tw_graph_set_seconds(g, t, tw_args_seconds(args, "time"));
		}
	free(above);
	return TW_OK;
}

const struct tw_workload tilewright_workload = {
	.abi = TW_WORKLOAD_ABI,
	.name = "wavefront",
	.summary = "tiles of a grid, each after its upper and its left neighbour",
	.params = params,
	.generate = generate,
};
