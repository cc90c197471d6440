/* data_first: darts with three rules of ours, and free=soonest (policies/support/data_first.c). Prefer it to darts where all data fit, and on several GPUs, above
 * all if these or their links differ; beyond the memory of one GPU they are much alike.
 *
 * leave: one of several units takes no task, pushed or chosen, that another one is predicted to end sooner, behind all that it has
 * and, where tasks are chosen by data, half of its share of those that are ready; if that one waits, it gets the task. Algorithm
 * 3 counts what a load costs the unit, not that another one would do without, or has the faster way.
 *
 * few: a unit does not choose by data, but the most urgent task that it does not leave, free ones first: while few tasks are ready
 * for several units, and then none for taskBuffer, as units wait for what a task releases rather than for data; and, if the ready
 * tasks differ in priority, where all data of the graph fit into each memory, as none repeats a load there for want of room,
 * though several may load the same.
 *
 * pick: what was released last may be the most urgent. So planned tasks go by priority, since they need the same data in any
 * order; of the few tasks of taskBuffer a worker takes the one of the highest priority whose data have come, if there is one.
 *
 * A task that is free on several units goes to the one that would end it first. */
#include <string.h>

#include "policies/support/data_first.h"

static const struct tw_param params[] = {
	{"buffer", TW_PARAM_INT, "2", 0, 1000, NULL,
         "tasks of taskBuffer beyond the pipelines: their data are asked for, they are not planned anew"},
	{"choice", TW_PARAM_CHOICE, "ratio", 0, 0, "ratio|count",
         "of data: as darts; or by the number of tasks that they free"},
	{"few", TW_PARAM_INT, "8", 0, 1000, NULL,
         "the most urgent task first if all data fit, or no more than that many are ready for each of several units; 0: by data always"},
	{"leave", TW_PARAM_FLAG, "yes", 0, 0, NULL, "a unit leaves a task that another one would end sooner"},
	{"pick", TW_PARAM_CHOICE, "ready", 0, 0, "ready|head",
         "of what is planned: the most urgent first, if its data are there; or the oldest, as darts"},
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
	return tw_data_first_init(s, state, &rules, err);
}

const struct tw_policy tw_policy_data_first = {
	.abi = TW_POLICY_ABI,
	.name = "data_first",
	.summary = "darts, but urgent tasks first where all data fit, and tasks left to who ends them sooner",
	.params = params,
	.state_size = sizeof(struct tw_data_first),
	.flags = TW_SORTS_BY_PRIORITY,
	.eviction = "darts",
	.init = init,
	.finish = tw_data_first_finish,
	.push = tw_data_first_push,
	.pop = tw_data_first_pop,
	.pops_in_vain = tw_data_first_pops_in_vain,
	.done = tw_data_first_done,
	.data_loaded = tw_data_first_data_loaded,
	.data_evicted = tw_data_first_data_evicted,
	.planned_use = tw_data_first_planned_use,
};
