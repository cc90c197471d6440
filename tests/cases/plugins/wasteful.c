/* Policies that waste time in a known way, for `tilewright explain`: KIND says which. Tasks go first in, first out. */
#include <tilewright/policy.h>

enum {
	CPUS_ONLY, /* GPUs get nothing */
	ONE,       /* one task at a time runs, on the lowest worker that asks */
	ROUNDS,    /* gives a task to each worker, and then waits until all these tasks have ended */
	CANCELS,   /* cancels the kernel of each task TIMES times, whenever another task is pushed */
};

enum { MOST = 1000, TIMES = 20 };

struct state {
	tw_task queue[MOST];
	int first, n, running;
	bool open;           /* ROUNDS: tasks are given */
	int cancelled[MOST]; /* CANCELS: how often the task was cancelled */
};

static int init(struct tw_sched *s, void *data, struct tw_error *err)
{
	struct state *state = data;
	state->open = true;
	return tw_max_tasks(s) <= MOST ? TW_OK : tw_fail(err, TW_INVALID, "policy 'wasteful': too many tasks");
}

/* The tasks of cancelled kernels go to the end of the queue. */
static void cancel(struct tw_sched *s, struct state *state)
{
	double start;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		tw_task t = tw_worker_is_accelerator(s, w) ? TW_NONE : tw_running_task(s, w, &start);
		if (t == TW_NONE || state->cancelled[t] == TIMES || tw_cancel(s, w) == TW_NONE)
			continue;
		state->cancelled[t]++;
		state->running--;
		state->queue[state->n++ % MOST] = t;
	}
}

static void push(struct tw_sched *s, void *data, tw_task task, tw_worker released_by)
{
	struct state *state = data;
	(void)released_by;
	state->queue[state->n++ % MOST] = task;
	if (KIND == CANCELS)
		cancel(s, state);
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *data, tw_worker worker)
{
	struct state *state = data;
	if (state->first == state->n || (KIND == CPUS_ONLY && tw_worker_is_accelerator(s, worker)))
		return TW_NONE;
	if (KIND == ONE && state->running > 0)
		return TW_NONE;
	if (KIND == ROUNDS && !state->open)
		return TW_NONE;
	state->running++;
	state->open = state->running < tw_n_workers(s);
	return state->queue[state->first++ % MOST];
}

static void done(struct tw_sched *s, void *data, tw_task task, tw_worker worker)
{
	struct state *state = data;
	(void)task, (void)worker;
	state->running--;
	state->open |= state->running == 0;
	if (state->running == 0)
		tw_wake(s, TW_ALL);
}

extern const struct tw_policy tilewright_policy;
const struct tw_policy tilewright_policy = {
	.abi = TW_POLICY_ABI,
	.name = "wasteful",
	.summary = "for tests",
	.state_size = sizeof(struct state),
	.init = init,
	.push = push,
	.pop = pop,
	.done = done,
};
