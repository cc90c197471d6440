/* split: kernels to children. Tasks of the listed kernels go to the policy `to`, all other tasks to the policy `rest`.
 * All workers ask both, in turn: after a task from one, the worker asks the other one first. Augonnet 2011, section
 * 3.9, composes policies; this split of tasks is ours. Scheduling domains split workers, too
 * (docs/reference/domains.md).
 *
 * A task that a reduction appends goes with its kernel. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/compose.h>
#include <tilewright/containers.h>

enum { TO, REST, N_CHILDREN };

struct split {
	struct tw_sched *child[N_CHILDREN];
	struct tw_id_set kernels; /* those of `to` */
	struct tw_id_set tasks[N_CHILDREN];
	uint8_t *first; /* [workers] number of the child that the worker asks first */
};

static const struct tw_param params[] = {
	{"kernels", TW_PARAM_TEXT, "", 0, 0, NULL, "kernels whose tasks go to the policy `to`, with '+' between"},
	{"to", TW_PARAM_POLICY, "dmdas", 0, 0, NULL, "the policy for tasks of these kernels"},
	{"rest", TW_PARAM_POLICY, "lws", 0, 0, NULL, "the policy for all other tasks"},
	{0},
};

/* Adds the kernels of that name, of all sizes. Returns whether there are some. */
static bool add_kernels(struct tw_id_set *kernels, const struct tw_graph *g, const char *name, size_t length)
{
	bool any = false;
	for (tw_kernel k = 0; k < tw_graph_n_kernels(g); k++) {
		const char *of = tw_graph_kernel_name(g, k);
		if (strlen(of) != length || memcmp(of, name, length) != 0)
			continue;
		tw_id_set_put(kernels, k, true);
		any = true;
	}
	return any;
}

static int find_kernels(struct tw_id_set *kernels, const struct tw_sched *s, struct tw_error *err)
{
	for (const char *rest = tw_args_text(tw_sched_args(s), "kernels"); *rest;) {
		size_t length = strcspn(rest, "+");
		if (!add_kernels(kernels, tw_sched_graph(s), rest, length))
			return tw_fail(err, TW_INVALID,
			               "policy 'split': the workload has no kernel '%.*s': expected names of its "
			               "kernels, with '+' between",
			               (int)(length < 100 ? length : 100), rest);
		rest += length + (rest[length] == '+');
	}
	return TW_OK;
}

static int child_of(const struct split *p, const struct tw_sched *s, tw_task t)
{
	return tw_id_set_has(&p->kernels, tw_graph_task_kernel(tw_sched_graph(s), t)) ? TO : REST;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	static const char *const names[] = {[TO] = "to", [REST] = "rest"};
	struct split *p = state;
	const tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(s));
	p->kernels = tw_run_id_set(s, tw_graph_n_kernels(tw_sched_graph(s)));
	p->first = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *p->first);
	int status = find_kernels(&p->kernels, s, err);
	for (int i = 0; i < N_CHILDREN; i++)
		p->tasks[i] = tw_run_id_set(s, n_tasks);
	for (tw_task t = 0; t < n_tasks; t++)
		tw_id_set_put(&p->tasks[child_of(p, s, t)], t, true);
	for (int i = 0; i < N_CHILDREN && status == TW_OK; i++) {
		const struct tw_child wanted = {.param = names[i], .tasks = &p->tasks[i]};
		status = tw_child_create(&p->child[i], s, &wanted, err);
	}
	return status;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct split *p = state;
	tw_child_push(p->child[child_of(p, s, task)], task, released_by);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct split *p = state;
	(void)s;
	for (int i = 0; i < N_CHILDREN; i++) {
		const int asked = (p->first[worker] + i) % N_CHILDREN;
		tw_task task = tw_child_pop(p->child[asked], worker);
		if (task == TW_NONE)
			continue;
		p->first[worker] = (uint8_t)((asked + 1) % N_CHILDREN);
		return task;
	}
	return TW_NONE;
}

const struct tw_policy tw_policy_split = {
	.abi = TW_POLICY_ABI,
	.name = "split",
	.summary = "kernels to two policies, which all workers ask in turn",
	.params = params,
	.state_size = sizeof(struct split),
	.flags = TW_POP_ONLY_TAKES,
	.init = init,
	.push = push,
	.pop = pop,
};
