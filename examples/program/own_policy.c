/* A policy of the program's own, in its memory. A worker takes the ready task for which the fewest bytes must move to
 * it, and leaves a task to others that are much faster. The program sets how much faster, and reads what the policy
 * counts. Prints its runs beside one of dmda, with little memory on the GPUs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tilewright/run.h>

/* The context of the runs: the program sets the first member, the policy the others. */
struct near {
	double slower; /* a worker leaves tasks that the best worker runs more than this many times faster */
	int tasks, in_place;
	tw_task *ready;
	int n_ready;
};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct near *near = tw_sched_context(s);
	(void)state, (void)err;
	near->ready = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *near->ready); /* the run frees it */
	near->n_ready = near->tasks = near->in_place = 0;
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct near *near = tw_sched_context(s);
	(void)state, (void)released_by;
	near->ready[near->n_ready++] = task;
	tw_wake(s, TW_ALL);
}

static double least_length(struct tw_sched *s, tw_task task)
{
	double least = INFINITY;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		least = fmin(least, tw_task_length(s, task, w));
	return least;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct near *near = tw_sched_context(s);
	struct tw_lack least = TW_LACKS_ALL;
	int best = -1;
	(void)state;
	for (int i = 0; i < near->n_ready; i++)
		if (tw_task_length(s, near->ready[i], worker) <= near->slower * least_length(s, near->ready[i]) &&
		    tw_task_lacks_less(s, near->ready[i], tw_worker_node(s, worker), &least))
			best = i;
	if (best < 0)
		return TW_NONE;
	tw_task task = near->ready[best];
	near->n_ready--;
	memmove(&near->ready[best], &near->ready[best + 1], (size_t)(near->n_ready - best) * sizeof task);
	near->tasks++;
	near->in_place += least.not_valid == 0;
	return task;
}

static const struct tw_policy policy = {.abi = TW_POLICY_ABI, .name = "near", .init = init, .push = push, .pop = pop};

static int run_and_print(struct tw_scene *scene, const struct tw_run_options *options, struct tw_error *err)
{
	struct tw_run *run;
	int status = tw_scene_run(scene, options, &run, err);
	if (status == TW_OK)
		printf("%-5s %7.0f ms %6.1f GB", tw_run_value(run, "policy"), 1e3 * tw_run_number(run, "makespan_s"),
		       1e-9 * tw_run_number(run, "transferred_bytes"));
	tw_run_close(run);
	return status;
}

int main(void)
{
	static const double slower[] = {5, 20, 100};
	struct tw_platform *platform = NULL;
	struct tw_scene *scene = NULL;
	struct tw_run_options options;
	struct tw_error err;
	struct near near;

	int status = tw_platform_open(&platform, "mirage", (const char *const[]){"gpu-mem=200MiB", NULL}, &err);
	if (status == TW_OK)
		status = tw_scene_generate(&scene, platform, "cholesky:nt=20", &err);
	tw_run_options_init(&options);
	options.policy = "dmda";
	if (status == TW_OK)
		status = run_and_print(scene, &options, &err);
	printf("\n");
	options.policy = NULL;
	options.own_policy = &policy;
	options.context = &near;
	for (int i = 0; status == TW_OK && i < 3; i++) {
		near.slower = slower[i];
		status = run_and_print(scene, &options, &err);
		if (status == TW_OK)
			printf("   slower %3.0f: %4.1f %% of the tasks had all data in place\n", near.slower,
			       100.0 * near.in_place / near.tasks);
	}
	if (status != TW_OK)
		fprintf(stderr, "%s\n", err.message);
	tw_scene_close(scene);
	tw_platform_close(platform);
	return status != TW_OK;
}
