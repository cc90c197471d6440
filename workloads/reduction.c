/* Tasks that all add to one result: the Monte-Carlo estimate of pi of Augonnet 2011, section 7.6. With mode=redux, each
 * worker adds to its own accumulator, and a reduction combines the accumulators. With mode=rw, each task writes the
 * result, so the tasks run one after the other.
 *
 * There are 1 + n tasks, of which the first sets the result to zero, and the tasks of the reduction. A shot takes 4
 * flops: two products, a sum and a comparison; its two random numbers do not count. */
#include <stdio.h>
#include <string.h>

#include <tilewright/workload.h>

static const struct tw_param params[] = {
	{"n", TW_PARAM_INT, NULL, 1, 100000000, NULL, "tasks that shoot"},
	{"shots", TW_PARAM_INT, "1000000", 1, 1e12, NULL, "shots of each task"},
	{"mode", TW_PARAM_CHOICE, "redux", 0, 0, "redux|rw", "redux: accumulators; rw: one task after the other"},
	{"bytes", TW_PARAM_BYTES, "8", 1, 0, NULL, "size of the result"},
	{"scratch", TW_PARAM_BYTES, "0", 0, 0, NULL, "scratch memory of a task for its random numbers; 0: none"},
	{0},
};

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	int64_t n = tw_args_int(args, "n"), shots = tw_args_int(args, "shots");
	enum tw_mode mode = strcmp(tw_args_text(args, "mode"), "redux") == 0 ? TW_REDUX : TW_RW;
	const double flops_per_shot = 4;
	char size[24];
	snprintf(size, sizeof size, "%lld", (long long)shots);
	tw_kernel zero = tw_graph_kernel(g, "zero", "1", "d", 1);
	tw_kernel shoot = tw_graph_kernel(g, "shoot", size, "d", flops_per_shot * (double)shots);
	tw_kernel add = tw_graph_kernel(g, "add", "1", "d", 1);

	tw_data result = tw_graph_data(g, tw_args_bytes(args, "bytes"));
	tw_graph_reduction(g, result, add);
	tw_graph_submit(g, zero, 0, (struct tw_access[]){{result, TW_W}}, 1);
	uint64_t scratch_bytes = tw_args_bytes(args, "scratch");
	tw_data scratch = scratch_bytes ? tw_graph_data(g, scratch_bytes) : TW_NONE;
	for (int64_t i = 0; i < n; i++)
		tw_graph_submit(g, shoot, 0, (struct tw_access[]){{result, mode}, {scratch, TW_SCRATCH}},
		                scratch_bytes ? 2 : 1);
	tw_graph_set_flops(g, flops_per_shot * (double)shots * (double)n);
	return TW_OK;
}

const struct tw_workload tw_workload_reduction = {
	.abi = TW_WORKLOAD_ABI,
	.name = "reduction",
	.summary = "tasks that add to one result: Monte-Carlo pi, by accumulators or one after the other",
	.params = params,
	.generate = generate,
};
