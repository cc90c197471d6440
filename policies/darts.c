/* darts: chooses data first, then tasks. This is DARTS of Gonthier, Thibault, Marchal 2024, Algorithm 3 and sections
 * 5.2 to 5.4 ("A generic scheduler to foster data locality for GPU and out-of-core task-based applications"). A
 * processing unit with no planned task chooses the handle whose loading enables the most computation per second of
 * transfer. The unit then plans all tasks that this handle frees: the ready tasks that lack only this handle (S0 in the
 * paper). The code is in policies/support/data_first.c, the quantities of Algorithm 3 in policies/support/data_table.h,
 * and the eviction policy in policies/eviction/darts.c.
 *
 * A processing unit is a memory node: a GPU, or all cores together. Each unit has two lists, plannedTasks and
 * taskBuffer; all cores share one of each (section 7.3). Both are first in, first out (section 5.2). The taskBuffer
 * holds the tasks in the pipelines of the unit's workers, and `buffer` more tasks whose data are already requested. A
 * task is free on a unit if the unit has all its inputs. A ready task that is free on a unit is planned there. If it is
 * free on several units, the unit with the fewest queued tasks gets it (section 5.3).
 *
 * choice=count follows the first DARTS, for independent tasks (Gonthier, Marchal, Thibault 2022). A unit then loads the
 * handle that frees the most tasks; ties: the lowest handle number. If no handle frees a task, the unit takes the ready
 * task of the highest priority, where the paper of 2022 draws one at random. The policy data_first is DARTS with rules
 * of our own.
 *
 * Choices where the paper is silent:
 * - A ready task may become free because its data were loaded for other tasks; it is then in the S0 of no handle. Such
 *   a task stays ready for any unit. A unit with no planned task takes such tasks first, one at a time, by priority
 *   (section 1: "a processing unit is assigned all the free tasks"). In an unbounded memory all tasks are of this kind.
 * - When a handle is evicted from a unit, the unit's planned tasks that use it go back to readyTasks (section 5.2: they
 *   "can still be removed").
 * - When a task becomes ready and several units wait, the policy wakes the unit predicted to end the task first.
 * - A unit that finds no task waits, even if other units have long plans: there is no stealing. But no unit plans ahead
 *   while another unit has nothing queued and may still find a task.
 * - If units differ in speed, the ratio counts less of a task's time on slow units. With t the time on this unit and
 *   t_min the least time on any unit, the task counts t_min multiplied by t_min / t. Otherwise a unit would prefer the
 *   tasks that it is slowest at.
 * - The paper has no cores beside GPUs. Here, such cores are no unit. A core takes tasks that no GPU can run, then
 *   tasks with the least slowdown on a core. The core must be predicted to end such a task before the GPUs can end all
 *   queued and ready tasks (policies/support/spare_cores.h). */
#include <string.h>

#include "policies/support/data_first.h"

static const struct tw_param params[] = {
	{"buffer", TW_PARAM_INT, "2", 0, 1000, NULL,
         "tasks in taskBuffer beyond the pipelines: their data are requested, and they are no longer replanned"},
	{"choice", TW_PARAM_CHOICE, "ratio", 0, 0, "ratio|count",
         "of the data to load: ratio: Algorithm 3; count: the most tasks freed, as in the first DARTS"},
	{"free", TW_PARAM_CHOICE, "fewest", 0, 0, "fewest|soonest",
         "the unit for a task free on several: fewest: fewest queued tasks; soonest: earliest predicted end"},
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
	(void)err;
	tw_data_first_init(s, state, &rules);
	return TW_OK;
}

const struct tw_policy tw_policy_darts = {
	.abi = TW_POLICY_ABI,
	.name = "darts",
	.summary = "loads the data that free the most work for their transfer, then runs that work",
	.params = params,
	.flags = TW_SORTS_BY_PRIORITY,
	.eviction = "darts",
	.init = init,
	TW_DATA_FIRST_MEMBERS,
};
