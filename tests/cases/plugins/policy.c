/* Policies in shared objects, good and bad: KIND says which. The good one is first come, first served. */
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include <tilewright/policy.h>

enum { GOOD, KILLED, KEEPS, OTHER_ABI, NO_POP, REFUSES, HANGS, SLOW, SLEEPS, EARLIER, LATER };

struct state {
	tw_task queue[1000];
	int first, n;
};

static const struct tw_param params[] = {
	{"delay", TW_PARAM_INT, "0", 0, 10, NULL, "not used"},
	{0},
};

static int init(struct tw_sched *sched, void *state, struct tw_error *err)
{
	(void)sched, (void)state;
	return KIND == REFUSES ? tw_fail(err, TW_INVALID, "policy 'refuses': expected another day") : TW_OK;
}

static void push(struct tw_sched *sched, void *data, tw_task task, tw_worker released_by)
{
	struct state *state = data;
	(void)released_by;
	while (KIND == HANGS)
		pause();
	state->queue[state->n++ % 1000] = task;
	if (KIND != SLEEPS)
		tw_wake(sched, TW_ALL);
}

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static tw_task pop(struct tw_sched *sched, void *data, tw_worker worker)
{
	struct state *state = data;
	(void)sched, (void)worker;
	if (KIND == KILLED)
		raise(SIGKILL);
	if (KIND == KEEPS || state->first == state->n)
		return TW_NONE;
	for (double until_s = now_s() + 200e-6; KIND == SLOW && now_s() < until_s;)
		;
	return state->queue[state->first++ % 1000];
}

static struct tw_planned_use behind_the_end(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	(void)s, (void)state, (void)data, (void)node;
	return (struct tw_planned_use){.next = TW_NEVER};
}

extern const struct tw_policy tilewright_policy;
const struct tw_policy tilewright_policy = {
	/* Earlier headers lack the last two members; later ones have one more. */
	.abi = TW_POLICY_ABI + (KIND == OTHER_ABI ? 1 << 16
                                : KIND == EARLIER
                                        ? -(int)(sizeof(struct tw_policy) - offsetof(struct tw_policy, planned_use))
                                : KIND == LATER ? (int)sizeof tilewright_policy.planned_use
                                                : 0),
	.name = "plugin",
	.summary = "for tests",
	.params = params,
	.state_size = sizeof(struct state),
	.init = init,
	.push = push,
	.pop = KIND == NO_POP ? NULL : pop,
	.planned_use = KIND == EARLIER ? behind_the_end : NULL,
};
