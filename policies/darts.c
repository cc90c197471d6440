/* darts: data first. A processing unit that has nothing planned looks for the data whose loading would let it compute the
 * longest for the time of the transfer, and plans all tasks that this data frees (DARTS of Gonthier, Thibault, Marchal 2024,
 * A generic scheduler to foster data locality for GPU and out-of-core task-based applications, Algorithm 3 and sections 5.2 to
 * 5.4). policies/support/data_first.c does so; the quantities of Algorithm 3 are those of policies/support/data_table.h, its
 * eviction policy is policies/eviction/darts.c.
 *
 * A unit is a memory node: a GPU, or all cores together (section 7.3: a single plannedTasks and a single taskBuffer).
 * plannedTasks and taskBuffer are first in, first out (section 5.2). taskBuffer is what the workers hold in their pipelines, and
 * `buffer` tasks more, whose data are asked for ahead of time. A task that becomes ready and is free on a unit is planned there;
 * on several, there where the fewest tasks are queued (section 5.3).
 *
 * choice=count is after the first DARTS, for independent tasks (Gonthier, Marchal, Thibault 2022): the data that frees the most
 * tasks, the lowest number among equals; if no data frees any, a task, where 2022 draws: the ready one of the highest priority.
 * data_first is this policy with rules of ours.
 *
 * Where the paper is silent:
 * - A ready task that becomes free because its data were loaded for others is in no S0. It stays ready for any unit; one that
 *   has nothing planned takes such tasks first, one at a time, by priority (section 1: "a processing unit is assigned all the
 *   free tasks"). In a memory without bounds, which holds everything, all tasks are like that.
 * - Evicting a data sends the planned tasks that use it back to readyTasks (section 5.2: they "can still be removed").
 * - Of the units that wait when a task becomes ready, the one that would end it first is told, and may take it.
 * - Nothing is said of a unit that has nothing to do while others have long plans: it waits. But no unit plans ahead while another
 *   one, which may still find something, has nothing at all.
 * - Where units differ, a task counts in the ratio for the least of its times, times how near the unit comes to that: else a unit
 *   would prefer what it is slowest at.
 * - Cores beside GPUs take no part in the paper. Here they are no unit: they take what no GPU can run and what they are the least slower for,
 *   if they are predicted to end it before the GPUs can have ended all that they have and that is ready (policies/support/spare_cores.h). */
#include <string.h>

#include "policies/support/data_first.h"

static const struct tw_param params[] = {
	{"buffer", TW_PARAM_INT, "2", 0, 1000, NULL,
         "tasks of taskBuffer beyond the pipelines: their data are asked for, they are not planned anew"},
	{"choice", TW_PARAM_CHOICE, "ratio", 0, 0, "ratio|count",
         "of data: Algorithm 3; or as the first DARTS, by the number of tasks that they free"},
	{"free", TW_PARAM_CHOICE, "fewest", 0, 0, "fewest|soonest",
         "where a task goes that is free on several units: to the one with the fewest tasks, or that ends it first"},
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	const struct tw_args *args = tw_sched_args(s);
	struct tw_data_first_rules rules = {
		.buffer = tw_args_int(args, "buffer"),
		.by_count = strcmp(tw_args_text(args, "choice"), "count") == 0,
		.to_fewest = strcmp(tw_args_text(args, "free"), "fewest") == 0,
	};
	return tw_data_first_init(s, state, &rules, err);
}

const struct tw_policy tw_policy_darts = {
	.abi = TW_POLICY_ABI,
	.name = "darts",
	.summary = "the data that frees the most work for its transfer, then its tasks",
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
