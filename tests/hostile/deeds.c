/* A policy, first come first served, and a workload, a chain of tasks. Each does once what a plug-in must not do; the
 * parameter `does` says what. */
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/policy.h>
#include <tilewright/workload.h>

enum { FIRST = 3, BEHIND = 1024 }; /* descriptors that are not standard streams */

static void write_all(void)
{
	for (int fd = FIRST; fd < BEHIND; fd++)
		(void)!write(fd, "garbage\n", 8);
}

static void close_all(void)
{
	for (int fd = FIRST; fd < BEHIND; fd++)
		close(fd);
}

/* Closes all descriptors, and has their numbers for files of its own. */
static void reuse_all(void)
{
	close_all();
	while (open("reused", O_RDWR | O_CREAT, 0666) < 40)
		;
}

static void print(void) { printf("printed\nand more"); }

static void fork_and_return(void) { (void)!fork(); }

static void fork_and_exit(void)
{
	if (fork() == 0)
		exit(0);
}

static void fork_and_stay(void)
{
	if (fork() == 0) {
		sleep(60);
		_exit(0);
	}
}

/* A copy of a copy must live as long as the copy. */
static void fork_twice(void)
{
	int wait_status = 0;
	pid_t copy = fork();
	if (copy == 0) {
		pid_t next = fork();
		if (next == 0)
			_exit(7);
		waitpid(next, &wait_status, 0);
		_exit(WEXITSTATUS(wait_status));
	}
	waitpid(copy, &wait_status, 0);
	if (WEXITSTATUS(wait_status) != 7)
		abort();
}

static void call_exit(void)
{
	printf("last words");
	exit(0);
}

static void call__exit(void) { _exit(4); }

static void leave_folder(void) { (void)!chdir("/"); }

static void round_up(void) { fesetround(FE_UPWARD); }

static void ignore_signals(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int number = 1; number < 32; number++)
		signal(number, SIG_IGN);
}

static const struct {
	const char *name;
	void (*act)(void);
} deeds[] = {
	{"write", write_all},
	{"close", close_all},
	{"reuse", reuse_all},
	{"print", print},
	{"fork", fork_and_return},
	{"fork_exit", fork_and_exit},
	{"fork_stay", fork_and_stay},
	{"fork_twice", fork_twice},
	{"exit", call_exit},
	{"_exit", call__exit},
	{"abort", abort},
	{"chdir", leave_folder},
	{"round", round_up},
	{"signals", ignore_signals},
};

static void act(const char *name)
{
	for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
		if (strcmp(deeds[i].name, name) == 0)
			deeds[i].act();
}

static const struct tw_param params[] = {
	{"does", TW_PARAM_TEXT, "nothing", 0, 0, NULL, "the deed"},
	{0},
};

/* --- the policy --------------------------------------------------------------------------------------------------- */

struct state {
	tw_task queue[1000];
	int first, n;
	bool done;
};

static void push(struct tw_sched *sched, void *data, tw_task task, tw_worker released_by)
{
	struct state *state = data;
	(void)released_by;
	state->queue[state->n++ % 1000] = task;
	tw_wake(sched, TW_ALL);
}

static tw_task pop(struct tw_sched *sched, void *data, tw_worker worker)
{
	struct state *state = data;
	(void)worker;
	if (!state->done && state->first == 5) {
		state->done = true;
		act(tw_args_text(tw_sched_args(sched), "does"));
	}
	return state->first == state->n ? TW_NONE : state->queue[state->first++ % 1000];
}

extern const struct tw_policy tilewright_policy;
const struct tw_policy tilewright_policy = {
	.abi = TW_POLICY_ABI,
	.name = "deeds",
	.summary = "for tests",
	.params = params,
	.state_size = sizeof(struct state),
	.push = push,
	.pop = pop,
};

/* --- the workload ------------------------------------------------------------------------------------------------- */

static int generate(struct tw_graph *graph, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	tw_kernel step = tw_graph_kernel(graph, "step", "tile", "b", 0);
	tw_graph_recorded_on(graph, step, "processors+accelerators");
	struct tw_access access = {tw_graph_data(graph, 1000), TW_RW};
	act(tw_args_text(args, "does"));
	for (int i = 0; i < 20; i++)
		tw_graph_set_seconds(graph, tw_graph_submit(graph, step, 0, &access, 1), 1e-3);
	return TW_OK;
}

extern const struct tw_workload tilewright_workload;
const struct tw_workload tilewright_workload = {
	.abi = TW_WORKLOAD_ABI,
	.name = "deeds",
	.summary = "for tests",
	.params = params,
	.generate = generate,
};
