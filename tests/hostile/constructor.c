/* A policy whose constructor does what the environment variable CONSTRUCTOR says. */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/policy.h>

__attribute__((constructor)) static void construct(void)
{
	const char *does = getenv("CONSTRUCTOR");
	if (!does)
		return;
	if (strcmp(does, "exit") == 0)
		exit(0);
	if (strcmp(does, "_exit") == 0)
		_exit(3);
	if (strcmp(does, "abort") == 0)
		abort();
	while (strcmp(does, "loop") == 0)
		pause();
	if (strcmp(does, "print") == 0)
		printf("constructed\n");
	if (strcmp(does, "chdir") == 0)
		(void)!chdir("/");
	if (strcmp(does, "round") == 0)
		fesetround(FE_UPWARD);
}

__attribute__((destructor)) static void destruct(void)
{
	const char *does = getenv("CONSTRUCTOR");
	if (does && strcmp(does, "print") == 0)
		printf("destroyed\n");
}

static void push(struct tw_sched *sched, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	*(tw_task *)state = task + 1;
	tw_wake(sched, TW_ALL);
}

/* A chain has one ready task at a time. */
static tw_task pop(struct tw_sched *sched, void *state, tw_worker worker)
{
	(void)sched, (void)worker;
	tw_task task = *(tw_task *)state - 1;
	*(tw_task *)state = 0;
	return task;
}

extern const struct tw_policy tilewright_policy;
const struct tw_policy tilewright_policy = {
	.abi = TW_POLICY_ABI,
	.name = "constructor",
	.summary = "for tests",
	.state_size = sizeof(tw_task),
	.push = push,
	.pop = pop,
};
