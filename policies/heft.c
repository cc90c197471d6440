/* heft: the whole schedule is made before the run, after HEFT (Topcuoglu, Hariri, Wu 2002), the rival of Beaumont,
 * Cojean, Eyraud-Dubois, Guermouche, Kumar 2016 (HiPC), section IV: tasks by decreasing upward rank, each on the worker
 * where it ends first. Seen: the upward rank with means over the workers and over pairs of workers, and the insertion into
 * idle gaps, in McSweeney, Walton, Zounon 2020. The paper of 2016 says "prioritization of tasks by their distance to the
 * exit node": it neither says whose times count (rank=mean, fastest) nor whether gaps are filled (insertion=yes, no). Its HEFT is
 * "greedy", "as described in the introduction": "the highest priority ready task is allocated to the resource that is
 * expected to complete it first" (order=ready); Topcuoglu et al. place all tasks by rank, ready or not (order=rank).
 *
 *   rank(t) = E(t) + max over successors s of (C(t, s) + rank(s))
 *
 * E(t): the mean over workers that can run t, or its time on the fastest. C(t, s): the mean, over all ordered pairs of
 * workers, of the transfer of what t writes and s reads; 0 with rank=fastest.
 * A task can start on a worker once its data are in the worker's memory. Where there is no copy yet, one comes from the
 * memory from which it arrives first; it then stays, for tasks that read it later. Memories are taken to be unbounded, links to be
 * free. Ties: the task submitted first; the first worker.
 * The run keeps each worker's order, not the dates; but workers' tasks run in the order of their submission where those
 * beyond a window (runtime parameter window) would be waited for, and in graphs with reductions, whose order the
 * dependencies do not tell: there a worker could wait for a task that waits for one behind it. Tasks that reductions append
 * go where the last of their inputs came from, at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/gaps.h>
#include <tilewright/plan.h>
#include <tilewright/policy.h>
#include <tilewright/task_lists.h>
#include <tilewright/upward_rank.h>
#include <tilewright/worker_queues.h>

struct heft {
	tw_task n_tasks; /* of the graph, without those appended */
	bool insertion;
	tw_worker *worker;    /* [tasks] */
	double *start, *end;  /* [tasks] as planned */
	double *available;    /* [data * nodes + node] date of the copy there in the plan; INFINITY: there is none */
	struct tw_gaps *gaps; /* [workers] */
	struct tw_task_lists lists; /* of workers */
	double *arrival;            /* [nodes] of the task being placed */
	struct tw_plan plan;
	struct tw_worker_queues appended;
};

static const struct tw_param params[] = {
	{"order", TW_PARAM_CHOICE, "rank", 0, 0, "rank|ready",
         "tasks are placed by rank; or as they will be ready, those of one date by rank"},
	TW_UPWARD_RANK_PARAM("mean"),
	{"insertion", TW_PARAM_FLAG, "yes", 0, 0, NULL, "tasks may go into gaps between tasks placed before"},
	{0},
};

/* --- the plan --------------------------------------------------------------------------------------------------- */

/* When the data that the task reads can be in that memory. */
static double data_arrival(const struct heft *h, const struct tw_sched *s, tw_task task, tw_node node, bool commit)
{
	tw_node n_nodes = tw_n_nodes(s);
	double last = 0;
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_access access = tw_task_access(s, task, i);
		double *at = &h->available[(size_t)access.data * (size_t)n_nodes];
		if (!(access.mode & TW_R))
			continue;
		double date = at[node];
		for (tw_node from = 0; from < n_nodes; from++)
			if (from != node && !isinf(at[from]))
				date = fmin(date,
				            at[from] + tw_transfer_time(s, from, node, tw_data_bytes(s, access.data)));
		if (isinf(date)) /* it starts nowhere: a task that the plan does not know makes it */
			continue;
		if (commit)
			at[node] = date;
		last = fmax(last, date);
	}
	return last;
}

/* The copies that the task, now placed, fetches and makes. */
static void commit_data(const struct heft *h, const struct tw_sched *s, tw_task task, tw_node node)
{
	tw_node n_nodes = tw_n_nodes(s);
	data_arrival(h, s, task, node, true);
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_access access = tw_task_access(s, task, i);
		if (!(access.mode & TW_W))
			continue;
		for (tw_node n = 0; n < n_nodes; n++)
			h->available[(size_t)access.data * (size_t)n_nodes + (size_t)n] =
				n == node ? h->end[task] : INFINITY;
	}
}

/* `after`: its predecessors have ended. */
static int place(struct heft *h, const struct tw_sched *s, tw_task task, double after)
{
	size_t best_gap = 0;
	double best_end = INFINITY;
	for (tw_node n = 0; n < tw_n_nodes(s); n++)
		h->arrival[n] = -1;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		size_t gap;
		double length = tw_task_length(s, task, w);
		double *arrival = &h->arrival[tw_worker_node(s, w)];
		if (isinf(length))
			continue;
		if (*arrival < 0)
			*arrival = fmax(after, data_arrival(h, s, task, tw_worker_node(s, w), false));
		double start = tw_gaps_earliest(&h->gaps[w], *arrival, length, h->insertion, &gap);
		if (start + length < best_end) {
			best_end = start + length;
			best_gap = gap;
			h->worker[task] = w;
			h->start[task] = start;
			h->end[task] = best_end;
		}
	}
	commit_data(h, s, task, tw_worker_node(s, h->worker[task]));
	return tw_gaps_fill(&h->gaps[h->worker[task]], best_gap, h->start[task], best_end);
}

/* Tasks whose predecessors are placed: a binary heap of places in the order of ranks, the first to be placed on top. */
struct placeable {
	const tw_task *order; /* the tasks by decreasing rank */
	const double *after;  /* [tasks] the last planned end of predecessors */
	bool as_ready;        /* by the date at which they will be ready, then by rank; else by rank alone */
	tw_task *heap, n;
};

static bool goes_first(const struct placeable *p, tw_task a, tw_task b)
{
	double x = p->after[p->order[a]], y = p->after[p->order[b]];
	return p->as_ready && x != y ? x < y : a < b;
}

static void add_placeable(struct placeable *p, tw_task added)
{
	tw_task at = p->n++;
	for (; at > 0 && goes_first(p, added, p->heap[(at - 1) / 2]); at = (at - 1) / 2)
		p->heap[at] = p->heap[(at - 1) / 2];
	p->heap[at] = added;
}

static tw_task take_placeable(struct placeable *p)
{
	tw_task top = p->heap[0], last = p->heap[--p->n], at = 0;
	for (tw_task below = 1; below < p->n; below = 2 * at + 1) {
		below += below + 1 < p->n && goes_first(p, p->heap[below + 1], p->heap[below]);
		if (!goes_first(p, p->heap[below], last))
			break;
		p->heap[at] = p->heap[below];
		at = below;
	}
	p->heap[at] = last;
	return p->order[top];
}

/* All of them: by decreasing rank, which no successor's exceeds, or as they will be ready. */
static int place_all(struct heft *h, const struct tw_sched *s, const tw_task *order, bool as_ready)
{
	const struct tw_graph *g = tw_sched_graph(s);
	size_t tasks = (size_t)h->n_tasks + 1;
	double *after = calloc(tasks, sizeof *after);
	tw_task *place_of = malloc(2 * tasks * sizeof *place_of), *missing = calloc(tasks, sizeof *missing);
	int status = after && place_of && missing ? TW_OK : TW_NOMEM, n;
	struct placeable p = {order, after, as_ready, place_of ? place_of + tasks : NULL, 0};
	for (tw_task i = 0; i < h->n_tasks && status == TW_OK; i++) {
		const tw_task *successors = tw_graph_successors(g, order[i], &n);
		place_of[order[i]] = i;
		for (int j = 0; j < n; j++)
			missing[successors[j]]++;
	}
	for (tw_task i = 0; i < h->n_tasks && status == TW_OK; i++)
		if (missing[order[i]] == 0)
			add_placeable(&p, i);
	while (p.n > 0 && status == TW_OK) {
		tw_task task = take_placeable(&p);
		const tw_task *successors = tw_graph_successors(g, task, &n);
		status = place(h, s, task, after[task]);
		for (int j = 0; j < n; j++) {
			after[successors[j]] = fmax(after[successors[j]], h->end[task]);
			if (--missing[successors[j]] == 0)
				add_placeable(&p, place_of[successors[j]]);
		}
	}
	free(after);
	free(place_of);
	free(missing);
	return status;
}

/* By planned start; all start at 0 where they run in the order of submission. */
static int by_start(const void *a, const void *b, void *start)
{
	const double *of = start;
	tw_task x = *(const tw_task *)a, y = *(const tw_task *)b;
	return of[x] != of[y] ? (of[x] > of[y]) - (of[x] < of[y]) : (x > y) - (x < y);
}

static int fill_lists(struct heft *h, const struct tw_sched *s, tw_task *order)
{
	bool as_submitted = tw_submission_window(s) || tw_max_tasks(s) > h->n_tasks;
	int status = tw_task_lists_init(&h->lists, tw_n_workers(s), h->n_tasks);
	for (tw_task t = 0; t < h->n_tasks && as_submitted; t++)
		h->start[t] = 0;
	qsort_r(order, (size_t)h->n_tasks, sizeof *order, by_start, h->start);
	if (status == TW_OK)
		tw_task_lists_fill(&h->lists, order, h->worker);
	for (tw_task t = 0; t < h->n_tasks && status == TW_OK; t++)
		status = tw_plan_append(&h->plan, s, order[t], tw_worker_node(s, h->worker[order[t]]));
	return status;
}

/* At the start all gaps are endless, and data are where they are. */
static int begin_plan(struct heft *h, const struct tw_sched *s)
{
	tw_node n_nodes = tw_n_nodes(s);
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (tw_gaps_init(&h->gaps[w]))
			return TW_NOMEM;
	for (tw_data d = 0; d < tw_graph_n_data(tw_sched_graph(s)); d++)
		for (tw_node n = 0; n < n_nodes; n++)
			h->available[(size_t)d * (size_t)n_nodes + (size_t)n] = tw_data_valid(s, d, n) ? 0 : INFINITY;
	return TW_OK;
}

/* --- the run ---------------------------------------------------------------------------------------------------- */

static void finish_plan(struct heft *h, tw_worker n_workers)
{
	for (tw_worker w = 0; h->gaps && w < n_workers; w++)
		tw_gaps_finish(&h->gaps[w]);
	free(h->gaps);
	free(h->start);
	free(h->end);
	free(h->available);
	free(h->arrival);
	h->gaps = NULL;
	h->start = h->end = h->available = h->arrival = NULL;
}

static void finish(struct tw_sched *s, void *state)
{
	struct heft *h = state;
	finish_plan(h, tw_n_workers(s));
	tw_worker_queues_finish(&h->appended);
	tw_plan_finish(&h->plan);
	tw_task_lists_finish(&h->lists);
	free(h->worker);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct heft *h = state;
	size_t tasks = (size_t)tw_graph_n_tasks(tw_sched_graph(s)), workers = (size_t)tw_n_workers(s);
	size_t copies = (size_t)tw_graph_n_data(tw_sched_graph(s)) * (size_t)tw_n_nodes(s);
	*h = (struct heft){
		.n_tasks = (tw_task)tasks,
		.insertion = tw_args_flag(tw_sched_args(s), "insertion"),
		.worker = malloc((tasks + 1) * sizeof *h->worker),
		.start = malloc((tasks + 1) * sizeof *h->start),
		.end = malloc((tasks + 1) * sizeof *h->end),
		.available = malloc((copies + 1) * sizeof *h->available),
		.gaps = calloc(workers, sizeof *h->gaps),
		.arrival = malloc((size_t)tw_n_nodes(s) * sizeof *h->arrival),
	};
	tw_task *order = NULL;
	bool as_ready = strcmp(tw_args_text(tw_sched_args(s), "order"), "ready") == 0;
	bool complete = h->worker && h->start && h->end && h->available && h->gaps && h->arrival && !begin_plan(h, s) &&
	                !tw_worker_queues_init(&h->appended, s, err) && !tw_plan_init(&h->plan, s) &&
	                !tw_upward_rank_order(&order, s) && !place_all(h, s, order, as_ready) &&
	                !fill_lists(h, s, order);
	free(order);
	if (!complete) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'heft': out of memory for a plan of %zu tasks", tasks);
	}
	finish_plan(h, tw_n_workers(s));
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct heft *h = state;
	if (task >= h->n_tasks) {
		tw_worker_queues_give_back(&h->appended, s, task, 0, released_by);
		return;
	}
	tw_task_lists_ready(&h->lists, task);
	tw_prefetch_task(s, task, tw_worker_node(s, h->worker[task]));
	tw_wake(s, h->worker[task]);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct heft *h = state;
	tw_task task = tw_worker_queues_take(&h->appended, worker);
	if (task == TW_NONE) {
		task = tw_task_lists_first(&h->lists, s, worker, worker);
		if (task != TW_NONE)
			tw_task_lists_take(&h->lists, task);
	}
	if (task != TW_NONE)
		tw_plan_take(&h->plan, s, task, tw_worker_node(s, worker));
	return task;
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct heft *h = state;
	(void)worker;
	tw_plan_done(&h->plan, s, task);
}

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct heft *h = state;
	(void)s;
	return tw_plan_use(&h->plan, data, node);
}

const struct tw_policy tw_policy_heft = {
	.abi = TW_POLICY_ABI,
	.name = "heft",
	.summary = "static: tasks by upward rank, each planned where it ends first, also in idle gaps",
	.params = params,
	.state_size = sizeof(struct heft),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.done = done,
	.planned_use = planned_use,
};
