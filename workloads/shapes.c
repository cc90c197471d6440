/* Graphs of simple shapes, for studies of policies and of the simulator's own speed: a chain, a star, a grid and
 * independent tasks. All tasks of a graph are alike: one kernel, one duration, handles of one size.
 *
 *     chain         each task depends on the one before
 *     star          one task, whose result all others read
 *     grid          task (i, j) depends on (i-1, j) and (i, j-1), as in a wavefront
 *     independent   tasks that share nothing
 *
 * Each task writes a handle of its own. With handles=one, the tasks of a chain update one handle instead.
 *
 * Tasks take `duration` on every worker, so no platform needs times of their kernel. They have no flops. */
#include <math.h>
#include <string.h>

#include <tilewright/workload.h>

/* The smallest duration is the resolution of simulated time. Handles are below 2^63 bytes in sum. */
/* clang-format off */
#define PARAMS \
	{"n", TW_PARAM_INT, NULL, 1, 1e8, NULL, "tasks"}, \
	{"bytes", TW_PARAM_BYTES, "1MiB", 1, 0x1p36, NULL, "size of a handle"}, \
	{"duration", TW_PARAM_TIME, "1ms", 1e-9, TW_MAX_SECONDS, NULL, "time of a task on any worker"}
/* clang-format on */

static const struct tw_param params[] = {PARAMS, {0}};

static const struct tw_param chain_params[] = {
	PARAMS,
	{"handles", TW_PARAM_CHOICE, "one", 0, 0, "one|many",
         "one: all tasks update it; many: a task reads that of the task before, and writes its own"},
	{0},
};

static const struct tw_param grid_params[] = {
	PARAMS,
	{"width", TW_PARAM_INT, "0", 0, 1e8, NULL, "tasks in a row; 0: the square root of n, rounded up"},
	{0},
};

struct shape {
	struct tw_graph *graph;
	tw_kernel kernel;
	int n;
	uint64_t bytes;
	double duration_s;
};

static struct shape begin(struct tw_graph *g, const struct tw_args *args)
{
	return (struct shape){
		.graph = g,
		.kernel = tw_graph_recorded_kernel(g, "task", "1", "s", 0, "processors+accelerators"),
		.n = (int)tw_args_int(args, "n"),
		.bytes = tw_args_bytes(args, "bytes"),
		.duration_s = tw_args_seconds(args, "duration"),
	};
}

static tw_task submit(const struct shape *s, const struct tw_access *access, int n_accesses)
{
	tw_task task = tw_graph_submit(s->graph, s->kernel, 0, access, n_accesses);
	tw_graph_set_seconds(s->graph, task, s->duration_s);
	return task;
}

/* Submits a task that reads the inputs and writes a handle of its own. Handles and tasks have the same numbers. Returns
 * the number; TW_NONE: a builder function failed, which tw_graph_finish reports. */
static tw_task add(const struct shape *s, const tw_data *inputs, int n_inputs)
{
	struct tw_access access[3];
	for (int i = 0; i < n_inputs; i++)
		access[i] = (struct tw_access){inputs[i], TW_R};
	access[n_inputs] = (struct tw_access){tw_graph_data(s->graph, s->bytes), TW_W};
	return submit(s, access, n_inputs + 1);
}

static int generate_chain(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct shape s = begin(g, args);
	tw_task last = 0;
	if (strcmp(tw_args_text(args, "handles"), "many") == 0) {
		for (int i = 0; i < s.n && last != TW_NONE; i++)
			last = add(&s, (tw_data[]){i - 1}, i > 0);
	} else {
		const struct tw_access access = {tw_graph_data(g, s.bytes), TW_RW};
		for (int i = 0; i < s.n && last != TW_NONE; i++)
			last = submit(&s, &access, 1);
	}
	return TW_OK;
}

static int generate_star(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct shape s = begin(g, args);
	tw_task last = 0;
	for (int i = 0; i < s.n && last != TW_NONE; i++)
		last = add(&s, (tw_data[]){0}, i > 0);
	return TW_OK;
}

static int generate_grid(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct shape s = begin(g, args);
	int width = (int)tw_args_int(args, "width");
	if (width > s.n)
		return tw_fail(err, TW_INVALID, "workload 'grid': width=%d: expected at most n=%d", width, s.n);
	if (!width)
		width = (int)ceil(sqrt(s.n));
	tw_task last = 0;
	for (int i = 0; i < s.n && last != TW_NONE; i++) {
		tw_data inputs[2];
		int n = 0;
		if (i >= width)
			inputs[n++] = i - width;
		if (i % width)
			inputs[n++] = i - 1;
		last = add(&s, inputs, n);
	}
	return TW_OK;
}

static int generate_independent(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct shape s = begin(g, args);
	tw_task last = 0;
	for (int i = 0; i < s.n && last != TW_NONE; i++)
		last = add(&s, NULL, 0);
	return TW_OK;
}

const struct tw_workload tw_workload_chain = {
	.abi = TW_WORKLOAD_ABI,
	.name = "chain",
	.summary = "chain: each task depends on the one before (task)",
	.params = chain_params,
	.generate = generate_chain,
};

const struct tw_workload tw_workload_star = {
	.abi = TW_WORKLOAD_ABI,
	.name = "star",
	.summary = "star: one task, whose result all others read (task)",
	.params = params,
	.generate = generate_star,
};

const struct tw_workload tw_workload_grid = {
	.abi = TW_WORKLOAD_ABI,
	.name = "grid",
	.summary = "grid: each task depends on those above and to the left, as in a wavefront (task)",
	.params = grid_params,
	.generate = generate_grid,
};

const struct tw_workload tw_workload_independent = {
	.abi = TW_WORKLOAD_ABI,
	.name = "independent",
	.summary = "independent tasks that share nothing (task)",
	.params = params,
	.generate = generate_independent,
};
