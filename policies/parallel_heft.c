/* parallel_heft: each ready task goes at once to the workers that are predicted to end it first: one worker, or several
 * cores together. This is parallel-heft of Augonnet 2011, section 4.3.2: heft (section 3.4.3; here with predicted
 * transfers, heft-tmdp-pr), which "considers the performance model of the parallel codelets as well". "When a task is
 * assigned to a parallel worker, aliases of the task are submitted to each of the underlying workers."
 *
 *     argmin over workers W of  max over w in W of Avail(w) + Est(task, |W|) + Transfer(task, W)
 *
 * Choices that the thesis leaves open:
 * - Which workers form a parallel worker. Here these are, for each number of cores, those of one kind, memory and
 *   socket (across=yes: of several sockets) that are available first. Of equal ends, the fewest cores win.
 * - "A special care is taken to avoid deadlocks with prioritized tasks: the ordering of the task aliases is the same
 *   within all local queues." Here queues are sorted by priority, then by the order of pushes. A task that one of its
 *   workers has popped goes to the front of its other workers' queues, behind other such tasks. So of the tasks that
 *   workers wait with, the one that was popped first can go on. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/worker_groups.h"

/* A task in the queue of a worker. */
struct alias {
	struct alias *before, *behind; /* in the queue */
	struct alias *other;           /* the task's alias for its next worker */
	tw_task task;
	tw_worker worker;
	int32_t priority;
	bool begun; /* whether a worker has popped the task */
};

struct queue {
	struct alias *first, *last;
	double start;  /* the predicted date when the worker has ended what it has popped */
	double queued; /* the predicted time of the tasks in the queue */
};

struct heft {
	struct queue *queues;   /* [workers] */
	struct alias **aliases; /* [tasks] of a task that is placed and not done */
	double *length;         /* [tasks] predicted time of a placed task */
	tw_worker *members;     /* [workers] of the group that is looked at, those available first in front */
	tw_worker *best;        /* [workers] the best workers so far */
	struct alias *unused;
};

/* A placement. */
struct place {
	double end, length;
	int n; /* number of workers, in heft.best */
};

static const struct tw_param params[] = {TW_WORKER_GROUPS_PARAM, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct heft *h = state;
	const size_t n = (size_t)tw_n_workers(s), n_tasks = (size_t)tw_max_tasks(s);
	(void)err;
	h->queues = tw_run_alloc(s, n, sizeof *h->queues);
	h->members = tw_run_alloc(s, n, sizeof *h->members);
	h->best = tw_run_alloc(s, n, sizeof *h->best);
	h->aliases = tw_run_alloc(s, n_tasks, sizeof(struct alias *));
	h->length = tw_run_alloc(s, n_tasks, sizeof *h->length);
	return TW_OK;
}

/* --- placement ---------------------------------------------------------------------------------------------------- */

static double available(const struct tw_sched *s, const struct heft *h, tw_worker w)
{
	return fmax(h->queues[w].start, tw_now(s)) + h->queues[w].queued;
}

/* Lists the workers that may run a task with `first`, which is the first of them, by the dates when they are available.
 * Returns their number. */
static int list_group(const struct tw_sched *s, struct heft *h, tw_worker first)
{
	int n = 0;
	for (tw_worker w = first; w < tw_n_workers(s); w++) {
		int i = n;
		if (!tw_may_group(s, first, w))
			continue;
		for (; i > 0 && available(s, h, h->members[i - 1]) > available(s, h, w); i--)
			h->members[i] = h->members[i - 1];
		h->members[i] = w;
		n++;
	}
	return n;
}

static bool is_first_of_group(const struct tw_sched *s, tw_worker w)
{
	tw_worker other = 0;
	while (other < w && !tw_may_group(s, other, w))
		other++;
	return other == w;
}

/* Improves the place by workers of the group that begins with `first`. */
static void look_at_group(const struct tw_sched *s, struct heft *h, tw_task task, tw_worker first, struct place *best)
{
	const double transfer = tw_task_transfer_time(s, task, tw_worker_node(s, first));
	int most = list_group(s, h, first);
	most = most < tw_max_parallelism(s, first) ? most : tw_max_parallelism(s, first);
	for (int n = 1; n <= most; n++) {
		double length = tw_parallel_length(s, task, first, n);
		double end = available(s, h, h->members[n - 1]) + length + transfer;
		if (!(end < best->end))
			continue;
		*best = (struct place){end, length, n};
		for (int i = 0; i < n; i++)
			h->best[i] = h->members[i];
	}
}

/* --- queues ------------------------------------------------------------------------------------------------------- */

/* Inserts the alias behind those that were begun, or that have at least its priority. */
static void insert(struct queue *q, struct alias *a)
{
	struct alias *before = q->last;
	while (before && !before->begun && (a->begun || before->priority < a->priority))
		before = before->before;
	a->before = before;
	a->behind = before ? before->behind : q->first;
	*(before ? &before->behind : &q->first) = a;
	*(a->behind ? &a->behind->before : &q->last) = a;
}

static void take_out(struct queue *q, struct alias *a)
{
	*(a->before ? &a->before->behind : &q->first) = a->behind;
	*(a->behind ? &a->behind->before : &q->last) = a->before;
}

static void give(struct tw_sched *s, struct heft *h, tw_task task, tw_worker worker)
{
	struct alias *a = h->unused;
	if (a)
		h->unused = a->other;
	else
		a = tw_run_alloc(s, 1, sizeof *a);
	*a = (struct alias){
		.other = h->aliases[task], .task = task, .worker = worker, .priority = tw_task_priority(s, task)};
	h->aliases[task] = a;
	h->queues[worker].queued += h->length[task];
	insert(&h->queues[worker], a);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct heft *h = state;
	struct place best = {INFINITY, 0, 0};
	(void)released_by;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (is_first_of_group(s, w))
			look_at_group(s, h, task, w, &best);
	tw_combine(s, task, h->best, best.n);
	h->length[task] = best.length;
	for (int i = 0; i < best.n; i++) {
		give(s, h, task, h->best[i]);
		tw_place(s, task, h->best[i]);
		tw_wake(s, h->best[i]);
	}
	tw_prefetch_task(s, task, tw_worker_node(s, h->best[0]));
}

/* Moves the aliases of a popped task to the front of the other workers' queues. */
static void begin(struct heft *h, tw_task task)
{
	for (struct alias *a = h->aliases[task]; a; a = a->other) {
		a->begun = true;
		take_out(&h->queues[a->worker], a);
		insert(&h->queues[a->worker], a);
	}
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct heft *h = state;
	struct queue *q = &h->queues[worker];
	struct alias *a = q->first;
	if (!a)
		return TW_NONE;
	if (!a->begun)
		begin(h, a->task);
	take_out(q, a);
	q->queued = q->first ? fmax(0, q->queued - h->length[a->task]) : 0;
	q->start = fmax(q->start, tw_now(s)) + h->length[a->task];
	return a->task;
}

/* The kernel starts on all workers of the task, or will when the worker has ended others. */
static void started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct heft *h = state;
	(void)worker;
	for (struct alias *a = h->aliases[task]; a; a = a->other)
		h->queues[a->worker].start = fmax(h->queues[a->worker].start, tw_now(s) + h->length[task]);
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct heft *h = state;
	(void)worker;
	(void)s;
	for (struct alias *a; (a = h->aliases[task]);) {
		h->aliases[task] = a->other;
		a->other = h->unused;
		h->unused = a;
	}
}

const struct tw_policy tw_policy_parallel_heft = {
	.abi = TW_POLICY_ABI,
	.name = "parallel_heft",
	.summary = "tasks go to the worker, or the cores together, that end them first",
	.params = params,
	.state_size = sizeof(struct heft),
	.flags = TW_SEES_CRITICAL,
	.init = init,
	.push = push,
	.pop = pop,
	.started = started,
	.done = done,
};
