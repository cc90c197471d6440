/* Fork-join graphs: a sequence of stages, each with a fork, parallel tasks, and a join.
 *
 * The parallel tasks read the output of the fork, the join reads their outputs, and the next fork reads the output of
 * the join. A task has at most 31 inputs, so a join of more than 31 tasks is a tree, whose tasks join up to 31 outputs
 * each. The file workloads/support/random_tasks.h describes the tasks and their data. */
#include <stdlib.h>

#include <tilewright/workload.h>

#include "workloads/support/random_tasks.h"

static const struct tw_param params[] = {
	{"stages", TW_PARAM_INT, "10", 1, 1000000, NULL, "number of stages: a fork and a join each"},
	{"width", TW_PARAM_INT, "20", 1, 10000000, NULL, "parallel tasks in a stage"},
	{"regular", TW_PARAM_REAL, "1", 0, 1, NULL, "a stage's width is within 1 - regular of width; 1: it is width"},
	TW_RANDOM_TASKS_PARAMS,
	{0},
};

/* So that there are fewer than 2^27 handles, even if all stages get twice the width. */
enum { MAX_STAGES_X_WIDTH = 50 * 1000 * 1000 };

/* Submits the tree of tasks that join the handles in `data`, level by level. Overwrites `data`; returns the output of
 * the last task. */
static tw_data join(struct tw_random_tasks *r, tw_data *data, int n)
{
	do {
		int joined = 0;
		for (int i = 0; i < n; i += TW_MAX_RANDOM_INPUTS) {
			int left = n - i;
			data[joined++] = tw_random_tasks_submit(
				r, data + i, left < TW_MAX_RANDOM_INPUTS ? left : TW_MAX_RANDOM_INPUTS);
		}
		n = joined;
	} while (n > 1);
	return data[0];
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	int stages = (int)tw_args_int(args, "stages"), width = (int)tw_args_int(args, "width");
	double regular = tw_args_real(args, "regular");
	if ((int64_t)stages * width > MAX_STAGES_X_WIDTH)
		return tw_fail(
			err, TW_INVALID,
			"workload 'forkjoin': stages=%d, width=%d: expected at most %d parallel tasks in all stages",
			stages, width, MAX_STAGES_X_WIDTH);
	struct tw_random_tasks r;
	int status = tw_random_tasks_init(&r, g, args, "forkjoin", err);
	if (status < 0)
		return status;
	tw_data *outputs = tw_resize(NULL, 2 * (size_t)width, sizeof *outputs), last = TW_NONE;
	for (int stage = 0; stage < stages; stage++) {
		int n = tw_random_tasks_width(&r, width, regular);
		tw_data fork = tw_random_tasks_submit(&r, &last, stage > 0);
		for (int i = 0; i < n; i++)
			outputs[i] = tw_random_tasks_submit(&r, &fork, 1);
		last = join(&r, outputs, n);
		if (last == TW_NONE)
			break; /* tw_graph_finish reports the call that failed */
	}
	free(outputs);
	tw_graph_set_flops(g, r.flops);
	tw_random_tasks_finish(&r);
	return TW_OK;
}

const struct tw_workload tw_workload_forkjoin = {
	.abi = TW_WORKLOAD_ABI,
	.name = "forkjoin",
	.summary = "fork-join graph of tasks of random kinds (random1, random2 ...)",
	.params = params,
	.generate = generate,
};
