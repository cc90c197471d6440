/* heft: a static schedule, made before the run by HEFT (Topcuoglu, Hariri, Wu 2002). Beaumont, Cojean, Eyraud-Dubois,
 * Guermouche, Kumar 2016 (HiPC), section IV, compare HeteroPrio with it. Tasks are placed by decreasing upward rank,
 * each task on the worker where it ends first (policies/support/list_plan.h).
 *
 *     rank(t) = E(t) + max over successors s of (C(t, s) + rank(s))
 *
 * E(t) is the mean time over the workers that can run t; with rank=fastest it is the time on the fastest worker. C(t,
 * s) is the time to transfer the data that t writes and s reads: the mean over all ordered pairs of workers. With
 * rank=fastest it is 0. Ties: the task submitted first. These means and the insertion into idle gaps follow McSweeney,
 * Walton, Zounon 2020.
 *
 * Choices that the paper of 2016 leaves open:
 * - The paper's priority is the "distance to the exit node", without saying whose times count. The parameter rank
 *   chooses.
 * - The paper does not say whether tasks fill idle gaps. The parameter insertion chooses.
 * - The paper's HEFT is "greedy": "the highest priority ready task is allocated to the resource that is expected to
 *   complete it first". The candidates are all resources (order=ready) or only the idle ones (order=idle). Section I,
 *   "all ready tasks tend to be allocated to accelerators", fits order=ready. The results of section IV.C fit
 *   order=idle (docs/reference/heteroprio-types.md). Topcuoglu et al. place all tasks by rank, ready or not
 *   (order=rank).
 *
 * policies/support/planned_lists.h tells how workers follow the plan during the run. */
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/planned_lists.h"
#include "policies/support/upward_rank.h"

static const struct tw_param params[] = {
	{"order", TW_PARAM_CHOICE, "rank", 0, 0, "rank|ready|idle",
         "rank: place tasks by rank; ready: by the date when they become ready; idle: by rank, on idle workers only"},
	TW_UPWARD_RANK_PARAM("mean"),
	{"insertion", TW_PARAM_FLAG, "yes", 0, 0, NULL,
         "tasks may fill idle gaps between tasks placed before; no effect with order=idle, which leaves no gaps"},
	{0},
};

static enum tw_list_order order_of(const struct tw_sched *s)
{
	const char *order = tw_args_text(tw_sched_args(s), "order");
	if (strcmp(order, "rank") == 0)
		return TW_LIST_AS_GIVEN;
	return strcmp(order, "ready") == 0 ? TW_LIST_AS_READY : TW_LIST_ON_IDLE;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	tw_planned_lists_make(state, s, tw_upward_rank_order(s),
	                      &(struct tw_list_rules){.order = order_of(s),
	                                              .insertion = tw_args_flag(tw_sched_args(s), "insertion")});
	return TW_OK;
}

const struct tw_policy tw_policy_heft = {
	TW_PLANNED_LISTS_MEMBERS,
	.name = "heft",
	.summary = "static: tasks by decreasing upward rank, each placed where it ends first",
	.params = params,
	.init = init,
};
