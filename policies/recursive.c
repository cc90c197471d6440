/* recursive: splits recursive tasks (tw_graph_begin_recursive), and gives all tasks to another policy. It is ours;
 * Augonnet 2011, section 4.4, leaves divisible tasks to later work. Rules:
 *
 *     never     no task is split
 *     always    all are
 *     speedup   those that the fastest accelerator runs less than `least` times as fast as the fastest core
 *     few       those that become ready while fewer tasks are ready or run than there are workers
 *
 * The other policy must not plan tasks before the run: it does not know which tasks will be split. */
#include <math.h>
#include <string.h>

#include <tilewright/compose.h>

struct recursive {
	struct tw_sched *back;
	double least;
	enum { NEVER, ALWAYS, SPEEDUP, FEW } rule;
	int64_t n_split;
};

static const struct tw_param params[] = {
	{"back", TW_PARAM_POLICY, "dmdas", 0, 0, NULL, "the policy for all tasks"},
	{"rule", TW_PARAM_CHOICE, "speedup", 0, 0, "never|always|speedup|few", "which recursive tasks are split"},
	{"least", TW_PARAM_REAL, "10", 0, 1e9, NULL, "rule=speedup: the least speedup of tasks that are not split"},
	{0},
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	static const char *const rules[] = {[NEVER] = "never", "always", "speedup", "few"};
	struct recursive *p = state;
	const char *rule = tw_args_text(tw_sched_args(s), "rule");
	while (strcmp(rules[p->rule], rule) != 0)
		p->rule++;
	p->least = tw_args_real(tw_sched_args(s), "least");
	return tw_child_create(&p->back, s, &(struct tw_child){.param = "back"}, err);
}

/* Returns how much faster the fastest accelerator runs the task than the fastest core; INFINITY: no core can. */
static double speedup(const struct tw_sched *s, tw_task task)
{
	double core = INFINITY, accelerator = INFINITY;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		double *best = tw_worker_is_accelerator(s, w) ? &accelerator : &core;
		*best = fmin(*best, tw_task_length(s, task, w));
	}
	return isinf(core) ? INFINITY : core / accelerator;
}

static bool wants_split(const struct recursive *p, const struct tw_sched *s, tw_task task)
{
	const struct tw_child_tasks back = tw_child_tasks(p->back);
	switch (p->rule) {
	case ALWAYS:
		return true;
	case SPEEDUP:
		return speedup(s, task) < p->least;
	case FEW:
		return back.queued + back.taken + back.running < tw_n_workers(s);
	case NEVER:
		break;
	}
	return false;
}

static bool splits(struct tw_sched *s, void *state, tw_task task)
{
	struct recursive *p = state;
	const bool wants = wants_split(p, s, task);
	p->n_split += wants;
	return wants;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct recursive *p = state;
	(void)s;
	tw_child_push(p->back, task, released_by);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct recursive *p = state;
	(void)s;
	return tw_child_pop(p->back, worker);
}

static void finish(struct tw_sched *s, void *state)
{
	const struct recursive *p = state;
	tw_report(s, "split_tasks", (double)p->n_split);
}

const struct tw_policy tw_policy_recursive = {
	.abi = TW_POLICY_ABI,
	.name = "recursive",
	.summary = "splits recursive tasks by a rule, and gives all tasks to another policy",
	.params = params,
	.state_size = sizeof(struct recursive),
	.flags = TW_POP_ONLY_TAKES,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.splits = splits,
};
