/* replay: every task on the worker where it was recorded, each worker's tasks in the recorded order; they start when the data
 * and the predecessors are there, not at the recorded dates. For graphs that carry recorded places, such as those of
 * `file:PATH:replay=yes`: the i-th processor or accelerator recorded is the i-th of the platform. Tasks that reductions append
 * go where the last of their inputs came from, at once. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/plan.h>
#include <tilewright/policy.h>
#include <tilewright/worker_queues.h>

struct replay {
	tw_task n_tasks;       /* of the graph, without those appended */
	tw_worker *worker;     /* [tasks] */
	bool *ready;           /* [tasks] */
	tw_task *list;         /* the tasks of worker w: [start[w], start[w + 1]), in the recorded order */
	int32_t *start, *next; /* [workers + 1], [workers] */
	struct tw_plan plan;
	struct tw_worker_queues appended;
};

static void finish(struct tw_sched *s, void *state)
{
	struct replay *r = state;
	(void)s;
	tw_worker_queues_finish(&r->appended);
	tw_plan_finish(&r->plan);
	free(r->worker);
	free(r->ready);
	free(r->list);
	free(r->start);
	free(r->next);
}

static int find_worker(const struct tw_sched *s, tw_task task, tw_worker *worker, struct tw_error *err)
{
	const struct tw_recorded_place *place = tw_graph_recorded_place(tw_sched_graph(s), task);
	tw_worker accelerators = 0;
	if (!place)
		return tw_fail(
			err, TW_INVALID,
			"policy 'replay': task %d has no recorded worker, expected a workload that tells them, such "
			"as file:PATH:replay=yes",
			(int)task);
	while (accelerators < tw_n_workers(s) && tw_worker_is_accelerator(s, accelerators))
		accelerators++;
	tw_worker n = place->accelerator ? accelerators : tw_n_workers(s) - accelerators;
	const char *kind = place->accelerator ? "accelerator" : "processor";
	if (place->worker >= n)
		return tw_fail(
			err, TW_INVALID,
			"policy 'replay': task %d was recorded on %s %d, counted from 0, and %d take part: expected as "
			"many as were recorded",
			(int)task, kind, (int)place->worker, (int)n);
	*worker = place->worker + (place->accelerator ? 0 : accelerators);
	if (isinf(tw_task_length(s, task, *worker)))
		return tw_fail(
			err, TW_INVALID,
			"policy 'replay': task %d was recorded on %s %d, expected a time there: recorded seconds, or "
			"one of its kernel",
			(int)task, kind, (int)place->worker);
	return TW_OK;
}

static int by_order(const void *a, const void *b, void *graph)
{
	tw_task i = *(const tw_task *)a, j = *(const tw_task *)b;
	int32_t oi = tw_graph_recorded_place(graph, i)->order, oj = tw_graph_recorded_place(graph, j)->order;
	return oi != oj ? (oi > oj) - (oi < oj) : (i > j) - (i < j);
}

static int fill_lists(struct replay *r, const struct tw_sched *s)
{
	const struct tw_graph *g = tw_sched_graph(s);
	tw_worker n = tw_n_workers(s);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		r->list[t] = t;
	qsort_r(r->list, (size_t)r->n_tasks, sizeof *r->list, by_order, (void *)(uintptr_t)g);
	for (tw_task i = 0; i < r->n_tasks; i++)
		if (tw_plan_append(&r->plan, s, r->list[i], tw_worker_node(s, r->worker[r->list[i]])))
			return TW_NOMEM;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		r->start[r->worker[t] + 1]++;
	for (tw_worker w = 0; w < n; w++) {
		r->start[w + 1] += r->start[w];
		r->next[w] = r->start[w];
	}
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		r->list[r->next[r->worker[t]]++] = t;
	for (tw_worker w = 0; w < n; w++) {
		r->next[w] = r->start[w];
		qsort_r(r->list + r->start[w], (size_t)(r->start[w + 1] - r->start[w]), sizeof *r->list, by_order,
		        (void *)(uintptr_t)g);
	}
	return TW_OK;
}

/* Whether each task can have its turn: if not, the dependencies and the recorded order wait for each other. Done as the run
 * will do it, without time. */
static int check_order(struct replay *r, const struct tw_sched *s, struct tw_error *err)
{
	const struct tw_graph *g = tw_sched_graph(s);
	tw_task n = tw_graph_n_tasks(g), done = 0;
	int *waiting = malloc(((size_t)n + 1) * sizeof *waiting);
	if (!waiting)
		return tw_fail(err, TW_NOMEM, "policy 'replay': out of memory");
	for (tw_task t = 0; t < n; t++)
		waiting[t] = 0;
	for (tw_task t = 0; t < n; t++) { /* reductions wait for nobody here */
		int n_successors;
		const tw_task *successors = tw_graph_successors(g, t, &n_successors);
		for (int i = 0; i < n_successors; i++)
			waiting[successors[i]]++;
	}
	for (bool moved = true; moved;) {
		moved = false;
		for (tw_worker w = 0; w < tw_n_workers(s); w++)
			for (; r->next[w] < r->start[w + 1] && waiting[r->list[r->next[w]]] == 0; r->next[w]++) {
				int n_successors;
				const tw_task *successors = tw_graph_successors(g, r->list[r->next[w]], &n_successors);
				for (int i = 0; i < n_successors; i++)
					waiting[successors[i]]--;
				done++;
				moved = true;
			}
	}
	free(waiting);
	tw_task stuck = TW_NONE;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		if (r->next[w] < r->start[w + 1])
			stuck = r->list[r->next[w]];
		r->next[w] = r->start[w];
	}
	return done == n ? TW_OK
	                 : tw_fail(err, TW_INVALID,
	                           "policy 'replay': task %d waits for tasks that were recorded behind it, if only "
	                           "through others: expected an order that the dependencies allow",
	                           (int)stuck);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct replay *r = state;
	size_t tasks = (size_t)tw_graph_n_tasks(tw_sched_graph(s)), workers = (size_t)tw_n_workers(s);
	*r = (struct replay){
		.n_tasks = (tw_task)tasks,
		.worker = malloc(tasks * sizeof *r->worker),
		.ready = calloc(tasks, sizeof *r->ready),
		.list = malloc(tasks * sizeof *r->list),
		.start = calloc(workers + 1, sizeof *r->start),
		.next = calloc(workers + 1, sizeof *r->next),
	};
	int status = r->worker && r->ready && r->list && r->start && r->next
	                     ? TW_OK
	                     : tw_fail(err, TW_NOMEM, "policy 'replay': out of memory");
	if (status == TW_OK)
		status = tw_worker_queues_init(&r->appended, s, err);
	if (status == TW_OK && tw_plan_init(&r->plan, s))
		status = tw_fail(err, TW_NOMEM, "policy 'replay': out of memory");
	for (tw_task t = 0; t < (tw_task)tasks && status == TW_OK; t++)
		status = find_worker(s, t, &r->worker[t], err);
	if (status == TW_OK && fill_lists(r, s))
		status = tw_fail(err, TW_NOMEM, "policy 'replay': out of memory");
	if (status == TW_OK)
		status = check_order(r, s, err);
	if (status < 0)
		finish(s, state);
	return status;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct replay *r = state;
	if (task >= r->n_tasks) {
		tw_worker w = released_by == TW_NONE ? 0 : released_by;
		while (isinf(tw_task_length(s, task, w))) /* the next that can run it */
			w = (w + 1) % tw_n_workers(s);
		tw_worker_queues_give(&r->appended, s, task, 0, w);
		return;
	}
	r->ready[task] = true;
	tw_prefetch_task(s, task, tw_worker_node(s, r->worker[task]));
	tw_wake(s, r->worker[task]);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct replay *r = state;
	tw_task task = tw_worker_queues_take(&r->appended, worker);
	if (task == TW_NONE && r->next[worker] < r->start[worker + 1] && r->ready[r->list[r->next[worker]]])
		task = r->list[r->next[worker]++];
	if (task != TW_NONE)
		tw_plan_take(&r->plan, s, task, tw_worker_node(s, worker));
	return task;
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct replay *r = state;
	(void)worker;
	tw_plan_done(&r->plan, s, task);
}

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct replay *r = state;
	(void)s;
	return tw_plan_use(&r->plan, data, node);
}

const struct tw_policy tw_policy_replay = {
	.abi = TW_POLICY_ABI,
	.name = "replay",
	.summary = "each task on its recorded worker, in the recorded order",
	.state_size = sizeof(struct replay),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.done = done,
	.planned_use = planned_use,
};
