/* Tasks of random kinds, for generators of random graphs. The generators define the shapes of the graphs.
 *
 * Each task reads the outputs of its predecessors and writes its own output. There are a few kinds of tasks, with the
 * kernels random1, random2 ..., because times belong to kernels. Kind k has k times the flops of random1, and a
 * kernel's size is its number of flops. The kind of a task is drawn with equal probabilities.
 *
 * The size of a task's output follows from the "communication-to-computation" ratio `ccr`. A transfer of the output on
 * a link of `bandwidth` bytes/s takes `ccr` times as long as the task on a worker of `speed` flop/s. */
#ifndef TILEWRIGHT_RANDOM_TASKS_H
#define TILEWRIGHT_RANDOM_TASKS_H

#include <math.h>

#include <tilewright/graph.h>
#include <tilewright/params.h>
#include <tilewright/workload.h>

enum { TW_MAX_TASK_KINDS = 16 };
enum { TW_MAX_RANDOM_INPUTS = 31 };

/* The parameters of random tasks, as rows of a workload's table of parameters. */
/* clang-format off */
#define TW_RANDOM_TASKS_PARAMS \
	{"kinds", TW_PARAM_INT, "4", 1, TW_MAX_TASK_KINDS, NULL, "kinds of tasks: kernels random1, random2 ..."}, \
	{"flops", TW_PARAM_REAL, "1e9", 1, 1e15, NULL, "flops of a task of random1; random2 has twice as many ..."}, \
	{"ccr", TW_PARAM_REAL, "0.1", 0, 1e6, NULL, "communication-to-computation ratio, for speed and bandwidth"}, \
	{"speed", TW_PARAM_REAL, "1e12", 1, 1e18, NULL, "speed of a worker, in flops per second, for ccr"}, \
	{"bandwidth", TW_PARAM_BYTES, "10GB", 1, 1e15, NULL, "bandwidth of a link, in bytes per second, for ccr"}, \
	{"seed", TW_PARAM_INT, "1", 0, INFINITY, NULL, "seed of all random choices"}, \
	{"precision", TW_PARAM_CHOICE, "s", 0, 0, "s|d", "precision of the kernels, to look up their times"}
/* clang-format on */

struct tw_random_tasks {
	struct tw_graph *graph;
	struct tw_rng *rng;
	int n_kinds;
	struct {
		tw_kernel kernel;
		double flops;
		uint64_t bytes;
	} kinds[TW_MAX_TASK_KINDS];
	double flops; /* flops of all tasks submitted so far */
};

/* Reads the parameters in TW_RANDOM_TASKS_PARAMS and adds the kernels to the graph. `workload`: the name of the
 * workload, for messages. */
int tw_random_tasks_init(struct tw_random_tasks *, struct tw_graph *, const struct tw_args *, const char *workload,
                         struct tw_error *err);
void tw_random_tasks_finish(struct tw_random_tasks *);

/* Submits a task of a random kind that reads at most TW_MAX_RANDOM_INPUTS different handles. Returns the handle that it
 * writes. */
tw_data tw_random_tasks_submit(struct tw_random_tasks *, const tw_data *inputs, int n_inputs);

/* Draws a number of parallel tasks, uniformly from width * (1 +- (1 - regular)), and at least 1. */
int tw_random_tasks_width(struct tw_random_tasks *, int width, double regular);

#endif
