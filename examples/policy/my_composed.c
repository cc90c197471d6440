/* kinds: a policy for cores and another one for GPUs. A task goes to the GPUs if they run it enough times faster. */
#include <math.h>

#include <tilewright/compose.h>
#include <tilewright/containers.h>

enum { CORES, GPUS, N_KINDS };

struct kinds {
	struct tw_sched *child[N_KINDS];
	struct tw_id_set tasks[N_KINDS];
	bool *workers[N_KINDS];
	int n_workers[N_KINDS];
	double speedup;
};

static const struct tw_param params[] = {
	{"cores", TW_PARAM_POLICY, "prio", 0, 0, NULL, "the policy of the cores"},
	{"gpus", TW_PARAM_POLICY, "dmdas", 0, 0, NULL, "the policy of the GPUs"},
	{"speedup", TW_PARAM_REAL, "5", 0, 1000, NULL,
         "GPUs get the tasks that they run at least as many times faster"},
	{0},
};

static int kind_of_worker(const struct tw_sched *s, tw_worker w)
{
	return tw_worker_is_accelerator(s, w) ? GPUS : CORES;
}

static int kind_of_task(const struct kinds *k, const struct tw_sched *s, tw_task t)
{
	double least[N_KINDS] = {INFINITY, INFINITY};
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		least[kind_of_worker(s, w)] = fmin(least[kind_of_worker(s, w)], tw_task_length(s, t, w));
	return isfinite(least[GPUS]) && least[CORES] >= k->speedup * least[GPUS] ? GPUS : CORES;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	static const char *const names[] = {[CORES] = "cores", [GPUS] = "gpus"};
	struct kinds *k = state;
	const tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	k->speedup = tw_args_real(tw_sched_args(s), "speedup");
	for (int kind = 0; kind < N_KINDS; kind++) {
		k->tasks[kind] = tw_run_id_set(s, n_tasks);
		k->workers[kind] = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof(bool));
	}
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		k->workers[kind_of_worker(s, w)][w] = true;
		k->n_workers[kind_of_worker(s, w)]++;
	}
	for (tw_task t = 0; t < n_tasks; t++)
		if (tw_task_is_mine(s, t))
			tw_id_set_put(&k->tasks[kind_of_task(k, s, t)], t, true);
	int status = TW_OK;
	for (int kind = 0; kind < N_KINDS && status == TW_OK; kind++)
		if (k->n_workers[kind])
			status = tw_child_create(&k->child[kind], s,
			                         &(struct tw_child){.param = names[kind],
			                                            .workers = k->workers[kind],
			                                            .tasks = &k->tasks[kind]},
			                         err);
	return status;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct kinds *k = state;
	tw_child_push(k->child[kind_of_task(k, s, task)], task, released_by);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct kinds *k = state;
	return tw_child_pop(k->child[kind_of_worker(s, worker)], worker);
}

const struct tw_policy tilewright_policy = {
	.abi = TW_POLICY_ABI,
	.name = "kinds",
	.summary = "cores and GPUs have a policy each; tasks go to GPUs by their speedup there",
	.params = params,
	.state_size = sizeof(struct kinds),
	.init = init,
	.push = push,
	.pop = pop,
};
