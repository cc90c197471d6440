/* Failing allocations: each allocation in turn fails during a simulation. The result must be an error that says so, and
 * nothing may crash. Functions of a program's own policy must return, whatever fails in them.
 *
 *     test_memory STEP */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <tilewright/run.h>
#include <tilewright/simulate.h>

#include "../base/failing_memory.h"

/* Whether a status is that of a simulation without memory. */
static int check(const char *policy, long n, int status, const struct tw_error *err, int *bad)
{
	if (status == TW_OK)
		return 0;
	if (strstr(err->message, "signal") || (status != TW_NOMEM && !strstr(err->message, "memory"))) {
		printf("%s, allocation %ld: %d, %s\n", policy, n, status, err->message);
		*bad = 1;
	}
	return 1;
}

/* Simulates while the n-th allocation fails. Returns whether the simulation failed. */
static int try(const struct tw_simulation *s, long n, int *bad)
{
	struct tw_outcome outcome;
	struct tw_error err = {""};
	until_failure = n;
	int status = tw_simulate(s, &outcome, &err);
	until_failure = -1;
	return check(s->policy, n, status, &err, bad);
}

/* --- a policy of the program's ------------------------------------------------------------------------------------ */

static struct {
	tw_task ready[100];
	int n, depth; /* depth: functions that have not returned */
} own;

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker released_by)
{
	(void)state, (void)released_by;
	own.depth++;
	own.ready[own.n++] = t;
	for (tw_node n = 0; n < tw_n_nodes(s); n++)
		tw_prefetch_task(s, t, n);
	for (tw_worker w = 0; w < tw_n_workers(s) && own.n > 3; w++)
		tw_cancel(s, w);
	tw_wake(s, TW_ALL);
	own.depth--;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	(void)state;
	own.depth++;
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		tw_prefetch_data(s, d, tw_worker_node(s, w));
	tw_task t = own.n > 0 ? own.ready[--own.n] : TW_NONE;
	own.depth--;
	return t;
}

static const struct tw_policy policy = {.abi = TW_POLICY_ABI, .name = "own", .push = push, .pop = pop};

/* The same with that policy, on a kept scene. No child may be left. */
static int try_own(struct tw_scene *scene, enum tw_place_of_run place, long n, int *bad)
{
	struct tw_error err = {""};
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.own_policy = &policy;
	o.records = true;
	o.place = place;
	own.n = own.depth = 0;
	until_failure = n;
	int status = tw_scene_run(scene, &o, &run, &err);
	until_failure = -1;
	tw_run_close(run);
	if (own.depth) {
		printf("allocation %ld: a function of the policy has not returned\n", n);
		*bad = 1;
	}
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD) {
		printf("allocation %ld: a child is left\n", n);
		*bad = 1;
	}
	return check("own", n, status, &err, bad);
}

static struct tw_scene *make_scene(void)
{
	static const char *const options[] = {"gpu-mem=60MiB", "cpus=2", NULL};
	struct tw_error err;
	struct tw_platform *platform;
	struct tw_scene *scene = NULL;
	if (tw_platform_open(&platform, "mirage", options, &err) == TW_OK)
		tw_scene_generate(&scene, platform, "cholesky:nt=4", &err);
	tw_platform_close(platform);
	return scene;
}

/* ------------------------------------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
	static const char *const policies[] = {"dmdas", "darts", "heft", "heteroprio", "hfp", "lws"};
	long step = argc > 1 ? atol(argv[1]) : 1;
	int bad = step < 1, failed = 0, passed = 0;
	for (size_t i = 0; i < sizeof policies / sizeof *policies && !bad; i++) {
		struct tw_simulation s;
		tw_simulation_init(&s);
		s.platform = "mirage";
		s.workload = "cholesky:nt=4";
		s.policy = policies[i];
		s.gpu_mem_bytes = 60 << 20;
		s.validate = true;
		/* The last allocations are those of the run's process: no more are left if many simulations pass. */
		for (long n = (long)i % step, in_a_row = 0; in_a_row < 20; n += step) {
			int has_failed = try(&s, n, &bad);
			in_a_row = has_failed ? 0 : in_a_row + 1;
			failed += has_failed;
			passed += !has_failed;
		}
	}
	struct tw_scene *scene = make_scene();
	bad |= !scene;
	for (enum tw_place_of_run place = TW_RUN_HERE; place <= TW_RUN_IN_PROCESS; place++)
		for (long n = 0, in_a_row = 0; in_a_row < 20 && !bad; n += step) {
			int has_failed = try_own(scene, place, n, &bad);
			in_a_row = has_failed ? 0 : in_a_row + 1;
			failed += has_failed;
			passed += !has_failed;
		}
	tw_scene_close(scene);
	printf("%d simulations failed, %d passed\n", failed, passed);
	return bad || failed < 100;
}
