/* replay: each task runs on its recorded worker, and each worker runs its tasks in the recorded order. A task starts
 * when its data and predecessors allow, not at the recorded date. The schedule comes from a file
 * (policies/support/schedule.h) or with the graph, as from `file:PATH:replay=yes`. So a schedule that was computed in
 * simulation can run elsewhere. The i-th recorded processor or accelerator is the i-th of the platform. A task that a
 * reduction appends runs at once on the worker that released it, or on the next worker that can run it.
 *
 * The parameter relax has the two relaxations of Beaumont, Cojean, Eyraud-Dubois, Guermouche, Kumar 2016 (HiPC),
 * section IV.D. They help when a static schedule runs in an environment that it was not made for.
 * - relax=cpu: "whenever a CPU cluster lacks work (because no task assigned to it is ready yet), it can steal a task
 *   from another CPU cluster, preferably of similar size". A worker takes its own ready tasks first, in the recorded
 *   order. If none is ready, it steals a task. It tries the workers with the most similar number of cores first; ties:
 *   in a circle.
 * - relax=gpu: "all tasks allocated to GPU are considered in a merged queue, from which tasks are assigned, in order,
 *   to the GPU which can finish it first". Whenever a GPU asks, the policy assigns the first ready task to the GPU with
 *   the earliest predicted end. The prediction adds up the time of the tasks assigned to that GPU and not done, the
 *   transfers, and the time of the task.
 *
 * Choices where the paper is silent: "in order" means by recorded start among the ready tasks. A thief takes the task
 * that the victim would take next. It steals only from workers whose last pop returned a task
 * (policies/support/stealing.h has the reason). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/plan.h"
#include "policies/support/schedule.h"
#include "policies/support/task_lists.h"
#include "policies/support/worker_queues.h"

struct replay {
	tw_task n_tasks;              /* number of tasks of the graph, without those that reductions append */
	tw_worker n_accelerators;     /* number of accelerators; they are workers 0 to n_accelerators - 1 */
	struct tw_recorded_place *of; /* [tasks] the worker that ran the task in the recording, and the order there */
	tw_worker *worker;            /* [tasks] the worker of this run that corresponds to the recorded one */
	/* One list of tasks per worker; with `merge`, list 0 has the tasks of all accelerators. */
	struct tw_task_lists lists;
	bool steal, merge;  /* relax=cpu: idle processors steal; relax=gpu: accelerators share one queue */
	bool *busy;         /* [workers] whether the last pop of the worker returned a task */
	tw_worker *victims; /* [thief * workers + i] i-th worker that the thief tries to steal from */
	/* [accelerators] seconds of the tasks assigned to each accelerator and not done; used with `merge` */
	double *load;
	int *given; /* [accelerators] number of the tasks that `load` counts */
	struct tw_plan plan;
	struct tw_worker_queues direct; /* tasks that reductions append, and tasks assigned from the merged queue */
};

static const struct tw_param params[] = {
	{"file", TW_PARAM_TEXT, "", 0, 0, NULL,
         "schedule to replay, from --trace FILE.csv; without it: the schedule recorded with the workload"},
	{"relax", TW_PARAM_CHOICE, "none", 0, 0, "none|cpu|gpu|both",
         "cpu: idle processors steal; gpu: accelerators share one queue"},
	{0},
};

/* --- reading the recorded schedule -------------------------------------------------------------------------------- */

/* Finds the worker for the recorded place of the task. Error messages start with `where`: "FILE:LINE: " or the
 * policy. */
static int find_worker(struct replay *r, const struct tw_sched *s, tw_task task, const char *where,
                       struct tw_error *err)
{
	const struct tw_recorded_place *place = &r->of[task];
	tw_worker n = place->accelerator ? r->n_accelerators : tw_n_workers(s) - r->n_accelerators;
	const char *kind = place->accelerator ? "accelerator" : "processor";
	if (place->worker >= n)
		return tw_fail(
			err, TW_INVALID,
			"%stask %d was recorded on %s %d (counted from 0), but %d take part: expected as many as were "
			"recorded",
			where, (int)task, kind, (int)place->worker, (int)n);
	r->worker[task] = place->worker + (place->accelerator ? 0 : r->n_accelerators);
	if (isinf(tw_task_length(s, task, r->worker[task])))
		return tw_fail(
			err, TW_INVALID,
			"%stask %d was recorded on %s %d, where it has no time: expected recorded seconds, or a time "
			"of its kernel",
			where, (int)task, kind, (int)place->worker);
	return TW_OK;
}

static int read_file(struct replay *r, const struct tw_sched *s, const char *path, struct tw_error *err)
{
	struct tw_scheduled *scheduled;
	int status = tw_schedule_read(&scheduled, path, tw_sched_graph(s), err);
	for (tw_task t = 0; t < r->n_tasks && status == TW_OK; t++) {
		char where[400];
		snprintf(where, sizeof where, "%.380s:%d: ", path, (int)scheduled[t].line);
		r->of[t] = scheduled[t].place;
		status = find_worker(r, s, t, where, err);
	}
	free(scheduled);
	return status;
}

static int read_graph(struct replay *r, const struct tw_sched *s, struct tw_error *err)
{
	int status = TW_OK;
	for (tw_task t = 0; t < r->n_tasks && status == TW_OK; t++) {
		const struct tw_recorded_place *place = tw_graph_recorded_place(tw_sched_graph(s), t);
		if (!place)
			return tw_fail(err, TW_INVALID,
			               "policy 'replay': task %d has no recorded worker: expected a workload that "
			               "records workers, such as file:PATH:replay=yes, or the parameter 'file'",
			               (int)t);
		r->of[t] = *place;
		status = find_worker(r, s, t, "policy 'replay': ", err);
	}
	return status;
}

/* --- the list of tasks of each worker ----------------------------------------------------------------------------- */

static int list_of(const struct replay *r, tw_worker worker)
{
	return r->merge && worker < r->n_accelerators ? 0 : (int)worker;
}

static int by_order(const void *a, const void *b, void *recorded)
{
	const struct tw_recorded_place *of = recorded;
	tw_task i = *(const tw_task *)a, j = *(const tw_task *)b;
	return of[i].order != of[j].order ? (of[i].order > of[j].order) - (of[i].order < of[j].order)
	                                  : (i > j) - (i < j);
}

static void fill_lists(struct replay *r, const struct tw_sched *s)
{
	tw_task *order = tw_alloc((size_t)r->n_tasks, sizeof *order);
	int32_t *of = tw_alloc((size_t)r->n_tasks, sizeof *of);
	for (tw_task t = 0; t < r->n_tasks; t++) {
		order[t] = t;
		of[t] = list_of(r, r->worker[t]);
	}
	qsort_r(order, (size_t)r->n_tasks, sizeof *order, by_order, r->of);
	tw_task_lists_init(&r->lists, s, tw_n_workers(s), r->n_tasks);
	tw_task_lists_fill(&r->lists, order, of);
	for (tw_task i = 0; i < r->n_tasks; i++)
		tw_plan_append(&r->plan, s, order[i], tw_worker_node(s, r->worker[order[i]]));
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		r->lists.lists[w].relaxed = w < r->n_accelerators ? r->merge : r->steal;
	free(order);
	free(of);
}

static int check_order(struct replay *r, const struct tw_sched *s, struct tw_error *err)
{
	tw_task stuck = tw_task_lists_check(&r->lists, s);
	return stuck == TW_NONE ? TW_OK
	                        : tw_fail(err, TW_INVALID,
	                                  "policy 'replay': task %d waits, directly or not, for tasks recorded "
	                                  "behind it%s: expected an order that the dependencies allow",
	                                  (int)stuck, tw_submission_window(s) ? " or the runtime's window" : "");
}

/* --- set-up before the run ---------------------------------------------------------------------------------------- */

/* Whether the thief tries worker `a` before worker `b`: `a` is closer to the thief in the number of cores. Ties: the
 * next in a circle behind the thief. */
static bool is_robbed_before(const struct tw_sched *s, tw_worker thief, tw_worker a, tw_worker b)
{
	tw_worker n = tw_n_workers(s);
	int da = abs(tw_worker_cores(s, a) - tw_worker_cores(s, thief));
	int db = abs(tw_worker_cores(s, b) - tw_worker_cores(s, thief));
	return da != db ? da < db : (a - thief + n) % n < (b - thief + n) % n;
}

static void choose_victims(struct replay *r, const struct tw_sched *s)
{
	tw_worker n = tw_n_workers(s);
	for (tw_worker thief = r->n_accelerators; thief < n; thief++) {
		tw_worker *victims = &r->victims[(size_t)thief * (size_t)n];
		int n_victims = 0;
		for (tw_worker v = r->n_accelerators; v < n; v++) {
			int i = n_victims++;
			for (; i > 0 && is_robbed_before(s, thief, v, victims[i - 1]); i--)
				victims[i] = victims[i - 1];
			victims[i] = v;
		}
	}
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct replay *r = state;
	const char *file = tw_args_text(tw_sched_args(s), "file"), *relax = tw_args_text(tw_sched_args(s), "relax");
	*r = (struct replay){.n_tasks = tw_graph_n_tasks(tw_sched_graph(s)),
	                     .steal = !strcmp(relax, "cpu") || !strcmp(relax, "both"),
	                     .merge = !strcmp(relax, "gpu") || !strcmp(relax, "both")};
	for (tw_task t = 0; t < r->n_tasks; t++)
		if (!tw_task_is_mine(s, t))
			return tw_fail(
				err, TW_INVALID,
				tw_graph_around(tw_sched_graph(s), t) == TW_NONE
					? "policy 'replay': task %d belongs to another policy, or is a message: "
					  "expected one policy for all tasks, as a record has the workers of all"
					: "policy 'replay': task %d is inside a recursive one: expected a workload "
					  "without such tasks",
				(int)t);
	while (r->n_accelerators < tw_n_workers(s) && tw_worker_is_accelerator(s, r->n_accelerators))
		r->n_accelerators++;
	size_t tasks = (size_t)r->n_tasks, workers = (size_t)tw_n_workers(s);
	r->of = tw_run_alloc(s, tasks, sizeof *r->of);
	r->worker = tw_run_alloc(s, tasks, sizeof *r->worker);
	r->busy = tw_run_alloc(s, workers, sizeof *r->busy);
	r->victims = tw_run_alloc(s, workers * workers, sizeof *r->victims);
	r->load = tw_run_alloc(s, workers, sizeof *r->load);
	r->given = tw_run_alloc(s, workers, sizeof *r->given);
	tw_plan_init_if_read(&r->plan, s);
	tw_worker_queues_init(&r->direct, s);
	int status = *file ? read_file(r, s, file, err) : read_graph(r, s, err);
	if (status != TW_OK)
		return status;
	fill_lists(r, s);
	choose_victims(r, s);
	tw_plan_show(&r->plan, s);
	return check_order(r, s, err);
}

/* --- during the run: push, pop, done ------------------------------------------------------------------------------ */

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct replay *r = state;
	if (task >= r->n_tasks) {
		tw_worker_queues_give_back(&r->direct, s, task, 1, released_by);
		return;
	}
	tw_worker w = r->worker[task];
	bool merged = r->merge && w < r->n_accelerators;
	tw_task_lists_ready(&r->lists, task);
	if (!merged)
		tw_prefetch_task(s, task, tw_worker_node(s, w));
	tw_wake(s, merged || r->steal ? (tw_worker)TW_ALL : w);
}

/* Takes the next task that `worker` can run out of the list of worker `from`; TW_NONE: there is none. */
static tw_task take(struct replay *r, const struct tw_sched *s, tw_worker from, tw_worker worker)
{
	tw_task task = tw_task_lists_first(&r->lists, s, from, worker);
	if (task != TW_NONE)
		tw_task_lists_take(&r->lists, task);
	return task;
}

static tw_task steal(struct replay *r, const struct tw_sched *s, tw_worker thief)
{
	const tw_worker *victims = &r->victims[(size_t)thief * (size_t)tw_n_workers(s)];
	tw_task task = TW_NONE;
	for (int i = 0; task == TW_NONE && i < tw_n_workers(s) - r->n_accelerators; i++)
		if (r->busy[victims[i]])
			task = take(r, s, victims[i], thief);
	return task;
}

static double predicted_end(const struct replay *r, const struct tw_sched *s, tw_task task, tw_worker w)
{
	double start, left = r->load[w];
	if (tw_running_task(s, w, &start) != TW_NONE)
		left = fmax(0, left - (tw_now(s) - start));
	return left + tw_task_transfer_time(s, task, tw_worker_node(s, w)) + tw_task_length(s, task, w);
}

/* Returns the accelerator with the earliest predicted end of the task; if no accelerator can run it, the recorded
 * worker. */
static tw_worker ends_first(const struct replay *r, const struct tw_sched *s, tw_task task)
{
	tw_worker best = TW_NONE;
	double least = INFINITY;
	for (tw_worker w = 0; w < r->n_accelerators; w++) {
		double end = predicted_end(r, s, task, w);
		if (end < least) {
			least = end;
			best = w;
		}
	}
	return best != TW_NONE ? best : r->worker[task];
}

/* Assigns ready tasks of the merged queue, in order, until the worker `asking` gets one or no ready task is left. */
static void assign(struct replay *r, struct tw_sched *s, tw_worker asking)
{
	for (tw_worker best = TW_NONE; best != asking;) {
		tw_task task = tw_task_lists_first(&r->lists, s, 0, TW_NONE);
		if (task == TW_NONE)
			return;
		best = ends_first(r, s, task);
		tw_task_lists_take(&r->lists, task);
		r->load[best] += tw_task_length(s, task, best);
		r->given[best]++;
		tw_prefetch_task(s, task, tw_worker_node(s, best));
		tw_worker_queues_give(&r->direct, s, task, 0, best);
	}
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct replay *r = state;
	tw_task task = tw_worker_queues_pop(s, &r->direct, worker);
	bool merged = r->merge && worker < r->n_accelerators;
	r->busy[worker] = false;
	if (task == TW_NONE && merged) {
		assign(r, s, worker);
		task = tw_worker_queues_pop(s, &r->direct, worker);
	}
	if (task == TW_NONE && !merged)
		task = take(r, s, worker, worker);
	if (task == TW_NONE && r->steal && worker >= r->n_accelerators)
		task = steal(r, s, worker);
	r->busy[worker] = task != TW_NONE;
	if (task != TW_NONE)
		tw_plan_take(&r->plan, s, task, tw_worker_node(s, worker));
	return task;
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct replay *r = state;
	tw_plan_remove(&r->plan, s, task);
	/* The load of an idle accelerator is 0, so that rounding errors do not add up. */
	if (r->merge && worker < r->n_accelerators && task < r->n_tasks)
		r->load[worker] = --r->given[worker] ? r->load[worker] - tw_task_length(s, task, worker) : 0;
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
	.params = params,
	.state_size = sizeof(struct replay),
	.flags = TW_PLANS_ALL,
	.init = init,
	.push = push,
	.pop = pop,
	.done = done,
	.planned_use = planned_use,
};
