/* heft_lookahead: a static schedule, made before the run by HEFT with lookahead (Bittencourt, Sakellariou, Madeira
 * 2010, "DAG scheduling using a lookahead variant of the heterogeneous earliest finish time algorithm"). Tasks are
 * placed by decreasing upward rank, as by heft. Each task is tried on the workers. Behind each trial, its successors
 * are placed as HEFT would place them, by decreasing rank. The task goes where the last of them ends first
 * (policies/support/list_plan.h). Predecessors of a successor that are not placed yet do not count.
 *
 * Choices where the paper is silent, or beyond it: ties go to the worker where the task itself ends first. Of the
 * workers of one arch and memory, only the one where the task ends first is tried. The paper's variants, with weighted
 * means of the successors' ends and with changes of the order, are left out.
 *
 * policies/support/planned_lists.h tells how workers follow the plan during the run. */
#include <tilewright/policy.h>

#include "policies/support/planned_lists.h"
#include "policies/support/upward_rank.h"

static const struct tw_param params[] = {
	TW_UPWARD_RANK_PARAM("mean"),
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	tw_planned_lists_make(state, s, tw_upward_rank_order(s),
	                      &(struct tw_list_rules){.insertion = true, .looks_ahead = true});
	return TW_OK;
}

const struct tw_policy tw_policy_heft_lookahead = {
	TW_PLANNED_LISTS_MEMBERS,
	.name = "heft_lookahead",
	.summary = "static: HEFT that places each task where its last successor would end first",
	.params = params,
	.init = init,
};
