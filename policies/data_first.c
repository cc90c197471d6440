/* data_first: the policy darts with free=soonest and three rules of our own (policies/support/data_first.c). Prefer it
 * to darts when all data fit in memory, and on several GPUs, most of all if the GPUs or their links differ. When the
 * data exceed the memory of one GPU, the two policies are much alike. As in darts, a unit is a GPU, or all cores
 * together. A task is free on a unit if the unit has all its inputs.
 *
 * Rule leave: with several units, a unit does not take a task, pushed or chosen, that another unit is predicted to end
 * sooner. The prediction counts all tasks that the other unit has queued. When tasks are chosen by data, it also counts
 * half of the other unit's share of the ready tasks. If the other unit waits, it gets the task. Algorithm 3 counts only
 * the cost of the load for the unit that chooses. It ignores that another unit may have the data or a faster link.
 *
 * Rule few: in two cases, a unit does not choose by data. Among the tasks that it does not leave to others, it chooses
 * the most urgent one, free tasks first. The cases are:
 * - Few tasks are ready for each of several units, so that units wait for the release of tasks rather than for data.
 *   Then no task is planned ahead for taskBuffer.
 * - All data of the graph fit into each memory and the ready tasks differ in priority. Then no load is repeated for
 *   lack of room, though several units may load the same data.
 *
 * Rule pick: planned tasks go by priority, because the task released last may be the most urgent. In any order the
 * planned tasks need the same data. From taskBuffer, a worker takes the task of the highest priority among those whose
 * data have arrived. If there is none, it takes the oldest task.
 *
 * A task that is free on several units goes to the unit predicted to end it first. */
#include <string.h>

#include "policies/support/data_first.h"

static const struct tw_param params[] = {
	{"buffer", TW_PARAM_INT, "2", 0, 1000, NULL,
         "tasks in taskBuffer beyond the pipelines: their data are requested, and they are no longer replanned"},
	{"choice", TW_PARAM_CHOICE, "ratio", 0, 0, "ratio|count",
         "of the data to load: ratio: as darts; count: the most tasks freed"},
	{"few", TW_PARAM_INT, "8", 0, 1000, NULL,
         "by urgency if all data fit, or if at most this many tasks per unit are ready on several units; 0: by data"},
	{"leave", TW_PARAM_FLAG, "yes", 0, 0, NULL, "a unit leaves tasks that another unit would end sooner"},
	{"pick", TW_PARAM_CHOICE, "ready", 0, 0, "ready|head",
         "order of planned tasks: ready: by priority, if their data have arrived; head: the oldest first, as darts"},
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	const struct tw_args *args = tw_sched_args(s);
	struct tw_data_first_rules rules = {
		.buffer = tw_args_int(args, "buffer"),
		.by_count = strcmp(tw_args_text(args, "choice"), "count") == 0,
		.few = tw_args_int(args, "few"),
		.leaves = tw_args_flag(args, "leave"),
		.by_urgency = strcmp(tw_args_text(args, "pick"), "ready") == 0,
	};
	(void)err;
	tw_data_first_init(s, state, &rules);
	return TW_OK;
}

const struct tw_policy tw_policy_data_first = {
	.abi = TW_POLICY_ABI,
	.name = "data_first",
	.summary = "darts with urgent tasks first where all data fit, and tasks left to the unit that ends them first",
	.params = params,
	.flags = TW_SORTS_BY_PRIORITY,
	.eviction = "darts",
	.init = init,
	TW_DATA_FIRST_MEMBERS,
};
