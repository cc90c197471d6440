/* random: each ready task goes to a worker drawn with a probability proportional to the worker's speed (w-rand of
 * Augonnet 2011, section 3.4.1). Queues are first in, first out, and no worker steals: the law of large numbers alone
 * balances the load.
 *
 * By default (speed=task), the speed of a worker is its speed for the task to be placed. The thesis has one speed per
 * worker. With speed=worker it is the number of tasks per second, over all tasks of the graph that the worker can run.
 *
 * Equation 3.1 as printed selects the worker before the one that the thesis' own example (figure 3.9) selects. This
 * policy follows the example. */
#include <math.h>

#include <tilewright/policy.h>

#include "policies/support/worker_queues.h"
#include "policies/support/worker_runs.h"

struct draws {
	struct tw_worker_queues queues; /* must be the first member */
	struct tw_worker_run *runs;     /* neighbouring workers of one arch and memory */
	int n_runs;
	/* [runs] weight of each worker of the run in the draw for the task to be placed; 0: it cannot run the task */
	double *weights;
	double *sustained; /* [runs] mean speed of each worker of the run, in tasks per second; NULL with speed=task */
};

static const struct tw_param params[] = {
	{"speed", TW_PARAM_CHOICE, "task", 0, 0, "task|worker",
         "task: the worker's speed for the task at hand; worker: its mean speed over all tasks of the graph"},
	{0},
};

static void sustained_speeds(struct draws *d, const struct tw_sched *s)
{
	for (int i = 0; i < d->n_runs; i++) {
		double seconds = 0;
		tw_task n = 0;
		for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++) {
			if (!tw_task_is_mine(s, t))
				continue;
			double length = tw_task_length(s, t, d->runs[i].first);
			seconds += isinf(length) ? 0 : length;
			n += !isinf(length);
		}
		/* 1: the workers can run no task of the graph, only tasks that reductions append */
		d->sustained[i] = n ? n / seconds : 1;
	}
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct draws *d = state;
	bool per_worker = tw_args_text(tw_sched_args(s), "speed")[0] == 'w';
	(void)err;
	tw_worker_queues_init(&d->queues, s);
	d->runs = tw_worker_runs(s, &d->n_runs);
	d->weights = tw_run_alloc(s, (size_t)d->n_runs, sizeof *d->weights);
	d->sustained = per_worker ? tw_run_alloc(s, (size_t)d->n_runs, sizeof *d->sustained) : NULL;
	if (per_worker)
		sustained_speeds(d, s);
	return TW_OK;
}

static tw_worker draw(struct draws *d, struct tw_sched *s, tw_task task)
{
	for (int i = 0; i < d->n_runs; i++) {
		double length = tw_task_length(s, task, d->runs[i].first);
		d->weights[i] = isinf(length) ? 0 : d->sustained ? d->sustained[i] : 1 / length;
	}
	return tw_draw_worker(d->runs, d->weights, d->n_runs, tw_random(s));
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct draws *d = state;
	(void)released_by;
	tw_worker_queues_give(&d->queues, s, task, 0, draw(d, s, task));
}

const struct tw_policy tw_policy_random = {
	.abi = TW_POLICY_ABI,
	.name = "random",
	.summary = "each task goes to a worker drawn at random, in proportion to its speed",
	.params = params,
	.state_size = sizeof(struct draws),
	.init = init,
	.push = push,
	.pop = tw_worker_queues_pop,
};
