/* Random layered graphs with the parameters of the generator DAGGEN (Suter and Hunold): the width (fat), the
 * regularity, the density, and the reach of dependencies (jump). Many studies of list scheduling use DAGGEN.
 *
 * A level has floor(n^fat) tasks, plus or minus a fraction 1 - regular; levels are added until there are n tasks. With
 * p tasks in the level before, a task has 1 + floor(U(0, density p)) predecessors, but at most 31 (see random_tasks.h).
 * For each, the generator draws one of the `jump` levels before, then a task of that level. If that task is a
 * predecessor already, it takes the next one of the level, or none if all are predecessors.
 *
 * The file workloads/support/random_tasks.h describes the tasks and their data. Its ccr is a ratio, unlike DAGGEN's
 * ccr, which is a code of the tasks' complexity. */
#include <stdlib.h>

#include <tilewright/workload.h>

#include "workloads/support/random_tasks.h"

static const struct tw_param params[] = {
	{"n", TW_PARAM_INT, "100", 1, 100000000, NULL, "tasks"},
	{"fat", TW_PARAM_REAL, "0.5", 0, 1, NULL, "levels have about n^fat tasks; 0: a chain, 1: about one level"},
	{"density", TW_PARAM_REAL, "0.5", 0, 1, NULL, "largest fraction of the level before that a task depends on"},
	{"regular", TW_PARAM_REAL, "0.9", 0, 1, NULL, "a level's size is within 1 - regular of n^fat"},
	{"jump", TW_PARAM_INT, "1", 1, 1000000, NULL, "levels that a dependency can reach back"},
	TW_RANDOM_TASKS_PARAMS,
	{0},
};

struct layers {
	struct tw_random_tasks tasks;
	int n;
	double density;
	uint32_t jump;
	tw_data *outputs; /* [n] the handle that each task writes */
	int *start;       /* [levels + 1] the first task of each level */
};

/* Draws the predecessors of a task of this level from earlier levels. Writes the predecessors' outputs to `inputs`, and
 * returns their number. */
static int draw_inputs(struct layers *l, int level, tw_data *inputs)
{
	int before = l->start[level] - l->start[level - 1], n = 0;
	int wanted = 1 + (int)(tw_rng_uniform(l->tasks.rng) * l->density * before);
	if (wanted > TW_MAX_RANDOM_INPUTS)
		wanted = TW_MAX_RANDOM_INPUTS;
	for (int i = 0; i < wanted; i++) {
		int from = level - 1 - (int)tw_rng_below(l->tasks.rng, l->jump);
		from = from < 0 ? 0 : from;
		int size = l->start[from + 1] - l->start[from];
		int at = (int)tw_rng_below(l->tasks.rng, (uint32_t)size);
		for (int tries = 0; tries < size; tries++, at = (at + 1) % size) {
			tw_data input = l->outputs[l->start[from] + at];
			int same = 0;
			while (same < n && inputs[same] != input)
				same++;
			if (same == n) {
				inputs[n++] = input;
				break;
			}
		}
	}
	return n;
}

static void submit_levels(struct layers *l, int width, double regular)
{
	int done = 0;
	for (int level = 0; done < l->n; level++) {
		int size = tw_random_tasks_width(&l->tasks, width, regular);
		l->start[level] = done;
		l->start[level + 1] = size < l->n - done ? done + size : l->n;
		for (; done < l->start[level + 1]; done++) {
			tw_data inputs[TW_MAX_RANDOM_INPUTS];
			int n = level ? draw_inputs(l, level, inputs) : 0;
			l->outputs[done] = tw_random_tasks_submit(&l->tasks, inputs, n);
			if (l->outputs[done] == TW_NONE)
				return; /* tw_graph_finish reports the call that failed */
		}
	}
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct layers l = {
		.n = (int)tw_args_int(args, "n"),
		.density = tw_args_real(args, "density"),
		.jump = (uint32_t)tw_args_int(args, "jump"),
	};
	/* The factor compensates rounding errors where n^fat is a whole number. */
	int width = (int)(pow(l.n, tw_args_real(args, "fat")) * (1 + 1e-12));
	int status = tw_random_tasks_init(&l.tasks, g, args, "layered", err);
	if (status < 0)
		return status;
	l.outputs = tw_resize(NULL, (size_t)l.n, sizeof *l.outputs);
	l.start = tw_resize(NULL, (size_t)l.n + 1, sizeof *l.start);
	submit_levels(&l, width, tw_args_real(args, "regular"));
	tw_graph_set_flops(g, l.tasks.flops);
	free(l.outputs);
	free(l.start);
	tw_random_tasks_finish(&l.tasks);
	return TW_OK;
}

const struct tw_workload tw_workload_layered = {
	.abi = TW_WORKLOAD_ABI,
	.name = "layered",
	.summary = "random layered graph of tasks of random kinds, with DAGGEN's parameters (random1, random2 ...)",
	.params = params,
	.generate = generate,
};
