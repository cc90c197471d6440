/* heft_restarts: the best of several static schedules. The first plan is that of heft. Each other plan places the tasks
 * in an order of its own: the upward rank of each task is multiplied by a random factor between 1 - spread and
 * 1 + spread. The plan with the least planned makespan is run; ties: the first one. This random-restart list scheduler
 * is a yardstick, and not from a paper: it shows how much of a policy's makespan a mere search would gain.
 *
 * policies/support/planned_lists.h tells how workers follow the plan during the run. */
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/planned_lists.h"
#include "policies/support/upward_rank.h"

static const struct tw_param params[] = {
	{"plans", TW_PARAM_INT, "20", 1, 1000, NULL, "plans to make; 1: as heft"},
	{"spread", TW_PARAM_REAL, "0.2", 0, 1, NULL, "greatest relative change of a rank"},
	TW_UPWARD_RANK_PARAM("mean"),
	{0},
};

/* Fills `order` with the tasks in an order of ranks that are changed at random. */
static void change_order(struct tw_sched *s, const double *ranks, double *changed, double spread, tw_task *order)
{
	const tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	for (tw_task t = 0; t < n_tasks; t++)
		changed[t] = ranks[t] * (tw_task_is_mine(s, t) ? 1 + spread * (2 * tw_random(s) - 1) : 1);
	tw_rank_sort(s, changed, order);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	const struct tw_args *args = tw_sched_args(s);
	const struct tw_list_rules rules = {.insertion = true};
	double *ranks = tw_upward_ranks(s);
	double *changed = tw_alloc((size_t)tw_graph_n_tasks(tw_sched_graph(s)), sizeof *changed);
	struct tw__list_planner *planner = tw_list_planner_open(s, &rules);
	struct tw_list_plan best = tw_list_plan_alloc(s), other = tw_list_plan_alloc(s);
	tw_task *order = tw_rank_order(s, ranks);
	double least = tw_list_planner_make(planner, order, &best);
	for (int64_t i = 1; i < tw_args_int(args, "plans"); i++) {
		change_order(s, ranks, changed, tw_args_real(args, "spread"), order);
		double makespan = tw_list_planner_make(planner, order, &other);
		if (makespan < least) {
			struct tw_list_plan last = best;
			least = makespan;
			best = other;
			other = last;
		}
	}
	tw_list_planner_close(planner);
	free(ranks);
	free(changed);
	tw_planned_lists_follow(state, s, order, &best);
	return TW_OK;
}

const struct tw_policy tw_policy_heft_restarts = {
	TW_PLANNED_LISTS_MEMBERS,
	.name = "heft_restarts",
	.summary = "static: the best of several HEFT plans with random changes of the order",
	.params = params,
	.init = init,
};
