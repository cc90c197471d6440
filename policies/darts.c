/* darts: data first. A processing unit that has nothing planned looks for the data whose loading would let it compute the
 * longest for the time of the transfer, and plans all tasks that this data frees (DARTS of Gonthier, Thibault, Marchal 2024,
 * A generic scheduler to foster data locality for GPU and out-of-core task-based applications, Algorithm 3 and sections 5.2 to
 * 5.4). The quantities of Algorithm 3 are those of tilewright/data_table.h, its eviction policy is policies/eviction/darts.c.
 *
 * A unit is a memory node: a GPU, or all cores together (section 7.3: a single plannedTasks and a single taskBuffer).
 * taskBuffer is what the workers hold in their pipelines, and `buffer` tasks more, whose data are asked for ahead of time.
 *
 * choice=count is after the first DARTS, for independent tasks (Gonthier, Marchal, Thibault 2022): the data that frees the most
 * tasks, the lowest number among equals; if no data frees any, a task, where 2022 draws: the ready one of the highest priority.
 *
 * pick=ready departs from section 5.2, where plannedTasks and taskBuffer are first in, first out (pick=head), as what was released
 * last may be the most urgent: planned tasks go by priority, since they need the same data in any order; of the few tasks of taskBuffer
 * a worker takes the one of the highest priority whose data have come, if there is one.
 *
 * Where the paper is silent:
 * - Tasks of one S0 are planned by priority, then in the order of submission.
 * - A ready task that becomes free because its data were loaded for others is in no S0. It stays ready for any unit; one that
 *   has nothing planned takes such tasks first, one at a time, by priority (section 1: "a processing unit is assigned all the
 *   free tasks"). In a memory without bounds, which holds everything, all tasks are like that.
 * - Evicting a data sends the planned tasks that use it back to readyTasks (section 5.2: they "can still be removed").
 * - Of the units that wait when a task becomes ready, one that lacks the fewest of its inputs is told first, and may take it.
 * - Nothing is said of a unit that has nothing to do while others have long plans: it waits, unless steal=yes. But no unit
 *   plans ahead while another one, which may still find something, has nothing at all.
 * - Cores beside GPUs take no part in the paper. Here they are no unit: a core takes tasks that no GPU can run; else, of the ready
 *   tasks that it is the least slower for, to a tenth or so, one of the highest priority, if it is predicted to end it before the GPUs
 *   together can have ended all that they have and that is ready. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/data_table.h>
#include <tilewright/policy.h>
#include <tilewright/spare_cores.h>
#include <tilewright/task_queue.h>

enum { MAX_UNITS = 64 }; /* as many memories as a run can have */
enum { ANY_UNIT = -2 };

struct unit {
	struct tw_task_queue planned; /* by urgency */
	struct tw_task_queue buffer;  /* first in, first out */
	int n_queued;                 /* planned, in the buffer, in pipelines */
	bool bounded;
};

struct darts {
	struct tw_data_table table;
	struct tw_task_link *links;
	struct unit units[MAX_UNITS];
	struct tw_task_queue ready;  /* by priority */
	struct tw_task_queue others; /* that no unit can run */
	tw_task *free;               /* room for an S0 */
	bool *idle;                  /* [workers] its last pop found nothing */
	int n_workers;               /* of all units */
	int n_all_workers;           /* and beside them */
	int64_t backlog_ns;          /* of all tasks that are ready, planned or taken by a unit */
	int64_t buffer;
	bool steal, picks_ready;

	struct tw_spare_cores cores; /* the ready tasks once more */
};

static const struct tw_param params[] = {
	{"buffer", TW_PARAM_INT, "2", 0, 1000, NULL,
         "tasks of taskBuffer beyond the pipelines: their data are asked for, they are not planned anew"},
	{"choice", TW_PARAM_CHOICE, "ratio", 0, 0, "ratio|count",
         "of data: Algorithm 3; or as the first DARTS, by the number of tasks that they free"},
	{"pick", TW_PARAM_CHOICE, "ready", 0, 0, "ready|head",
         "of what is planned: the most urgent first, if its data are there; or the oldest, as in the paper"},
	{"steal", TW_PARAM_FLAG, "no", 0, 0, NULL,
         "who has nothing to do takes a task of the longest plan; not in the paper"},
	{0},
};

static void finish(struct tw_sched *s, void *state)
{
	struct darts *p = state;
	(void)s;
	for (int k = 0; k < p->table.n_units; k++) {
		tw_task_queue_finish(&p->units[k].planned);
		tw_task_queue_finish(&p->units[k].buffer);
	}
	tw_task_queue_finish(&p->ready);
	tw_task_queue_finish(&p->others);
	tw_spare_cores_finish(&p->cores);
	tw_data_table_finish(&p->table);
	free(p->links);
	free(p->free);
	free(p->idle);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct darts *p = state;
	tw_worker core = TW_NONE; /* beside GPUs */
	p->buffer = tw_args_int(tw_sched_args(s), "buffer");
	p->steal = tw_args_flag(tw_sched_args(s), "steal");
	p->picks_ready = strcmp(tw_args_text(tw_sched_args(s), "pick"), "ready") == 0;
	p->links = tw_task_links_create(s);
	p->free = malloc(((size_t)tw_max_tasks(s) + 1) * sizeof *p->free);
	p->idle = calloc((size_t)tw_n_workers(s), sizeof *p->idle);
	if (!p->links || !p->free || !p->idle || tw_data_table_init(&p->table, s, err)) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'darts': out of memory");
	}
	p->table.by_count = strcmp(tw_args_text(tw_sched_args(s), "choice"), "count") == 0;
	tw_task_queue_init(&p->ready, p->links);
	tw_task_queue_init(&p->others, p->links);
	for (int k = 0; k < p->table.n_units; k++) {
		p->units[k].bounded = tw_node_capacity(s, p->table.units[k].node) != UINT64_MAX;
		tw_task_queue_init(&p->units[k].planned, p->links);
		tw_task_queue_init(&p->units[k].buffer, p->links);
	}
	p->n_all_workers = tw_n_workers(s);
	for (tw_worker w = 0; w < p->n_all_workers; w++) {
		bool beside = p->table.unit_of_worker[w] == TW_NONE;
		p->idle[w] = true;
		p->n_workers += !beside;
		core = beside && core == TW_NONE ? w : core;
	}
	if (tw_spare_cores_init(&p->cores, s, core) < 0) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'darts': out of memory");
	}
	return TW_OK;
}

/* --- tasks move ------------------------------------------------------------------------------------------------- */

static void put(struct tw_sched *s, struct tw_task_queue *q, tw_task task, int32_t priority)
{
	if (tw_task_queue_add(q, task, priority) < 0)
		tw_abort_run(s, "out of memory");
}

static int64_t least_length(const struct darts *p, tw_task task)
{
	int64_t least = INT64_MAX;
	for (int k = 0; k < p->table.n_units; k++) {
		int64_t length = tw_data_table_length(&p->table, task, k);
		least = length >= 0 && length < least ? length : least;
	}
	return least;
}

static int n_queued(const struct darts *p, tw_worker worker)
{
	int k = p->table.unit_of_worker[worker];
	return k != TW_NONE ? p->units[k].n_queued : 0;
}

/* Whether the unit of one worker has less queued than that of the other; if both have the same, whether it lacks less of the task. */
static bool suits_better(const struct darts *p, tw_task task, tw_worker a, tw_worker b)
{
	int unit = p->table.unit_of_worker[a], other = p->table.unit_of_worker[b];
	if (n_queued(p, a) != n_queued(p, b) || unit == TW_NONE || other == TW_NONE)
		return n_queued(p, a) < n_queued(p, b);
	return tw_data_table_missing(&p->table, task, unit) < tw_data_table_missing(&p->table, task, other);
}

/* One worker that waits and can run the task, the one that suits it best; of one unit, or of all (TW_NONE), cores beside them
 * included, or of those that can steal what is planned (ANY_UNIT). */
static void wake(struct tw_sched *s, struct darts *p, tw_task task, int unit)
{
	tw_worker best = TW_NONE;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		int own = p->table.unit_of_worker[w];
		bool may = unit == TW_NONE || own == unit || (unit == ANY_UNIT && own != TW_NONE);
		if (p->idle[w] && may && !isinf(tw_task_length(s, task, w)) &&
		    (best == TW_NONE || suits_better(p, task, w, best)))
			best = w;
	}
	if (best == TW_NONE)
		return;
	p->idle[best] = false;
	tw_wake(s, best);
}

/* Whether a unit has nothing at all, but has not found yet that there is nothing for it. */
static bool one_has_nothing(const struct darts *p)
{
	for (tw_worker w = 0; w < p->n_all_workers; w++)
		if (!p->idle[w] && p->table.unit_of_worker[w] != TW_NONE && n_queued(p, w) == 0)
			return true;
	return false;
}

static void join_ready(struct tw_sched *s, struct darts *p, tw_task task)
{
	put(s, &p->ready, task, tw_task_priority(s, task));
	if (tw_spare_cores_add(&p->cores, s, task, 1e-9 * (double)least_length(p, task)) < 0)
		tw_abort_run(s, "out of memory");
}

static void leave_ready(struct tw_sched *s, struct darts *p, tw_task task)
{
	tw_task_queue_remove(&p->ready, task, tw_task_priority(s, task));
	tw_spare_cores_remove(&p->cores, s, task, 1e-9 * (double)least_length(p, task));
}

/* Of a task among those that are planned. */
static int32_t urgency(const struct tw_sched *s, const struct darts *p, tw_task task)
{
	return p->picks_ready ? tw_task_priority(s, task) : 0;
}

static void plan(struct tw_sched *s, struct darts *p, tw_task task, int k)
{
	leave_ready(s, p, task);
	tw_data_table_plan(&p->table, task, k);
	put(s, &p->units[k].planned, task, urgency(s, p, task));
	p->units[k].n_queued++;
}

/* The unit with the fewest queued of those for which the task is free already; TW_NONE: there is none. */
static int unit_that_has_all(const struct darts *p, tw_task task)
{
	int best = TW_NONE;
	for (int k = 0; k < p->table.n_units; k++)
		if (p->units[k].bounded && tw_data_table_length(&p->table, task, k) >= 0 &&
		    tw_data_table_missing(&p->table, task, k) == 0 &&
		    (best == TW_NONE || p->units[k].n_queued < p->units[best].n_queued))
			best = k;
	return best;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct darts *p = state;
	(void)released_by;
	tw_data_table_add(&p->table, task);
	if (least_length(p, task) == INT64_MAX) {
		put(s, &p->others, task, tw_task_priority(s, task));
		wake(s, p, task, TW_NONE);
		return;
	}
	join_ready(s, p, task);
	p->backlog_ns += least_length(p, task);
	int k = unit_that_has_all(p, task);
	if (k != TW_NONE)
		plan(s, p, task, k);
	wake(s, p, task, p->steal && k != TW_NONE ? ANY_UNIT : k);
}

static void unplan(struct tw_sched *s, struct darts *p, tw_task task)
{
	struct unit *u = &p->units[p->table.unit_of[task]];
	tw_task_queue_remove(&u->planned, task, urgency(s, p, task));
	u->n_queued--;
	tw_data_table_unplan(&p->table, task);
	join_ready(s, p, task);
}

/* Those that found nothing, as another had to have something first. */
static void wake_to_plan_ahead(struct tw_sched *s, struct darts *p)
{
	if (one_has_nothing(p))
		return;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (p->idle[w] && p->table.unit_of_worker[w] != TW_NONE) {
			p->idle[w] = false;
			tw_wake(s, w);
		}
}

/* --- Algorithm 3 ------------------------------------------------------------------------------------------------ */

/* Fills plannedTasks; false: nothing is ready that the worker can run, or another unit has nothing and comes first. */
static bool fill(struct tw_sched *s, struct darts *p, int k, tw_worker worker)
{
	if (p->units[k].n_queued > 0 && one_has_nothing(p))
		return false;
	tw_task task = tw_task_queue_oldest_for(&p->table.units[k].free, s, worker);
	if (task != TW_NONE) {
		plan(s, p, task, k);
		return true;
	}
	struct tw_data_score score = {.s0 = 0};
	tw_data best = tw_data_table_best(&p->table, k, &score);
	if (best != TW_NONE && score.s0 > 0) {
		int n = tw_data_table_set(&p->table, best, k, 0, p->free, score.s0);
		for (int i = 0; i < n; i++)
			plan(s, p, p->free[i], k);
		return true;
	}
	if (best != TW_NONE && score.s1 > 0 && !p->table.by_count) {
		tw_data_table_set(&p->table, best, k, 1, p->free, 1);
		plan(s, p, p->free[0], k);
		return true;
	}
	task = tw_task_queue_oldest_for(&p->ready, s, worker);
	if (task != TW_NONE)
		plan(s, p, task, k);
	return task != TW_NONE;
}

/* Of the unit that has planned the most, the last of the most urgent tasks that the worker can run moves to unit k. */
static bool steal(struct tw_sched *s, struct darts *p, int k, tw_worker worker)
{
	int most = 0;
	for (int other = 1; other < p->table.n_units; other++)
		if (p->units[other].planned.n_tasks > p->units[most].planned.n_tasks)
			most = other;
	tw_task task = tw_task_queue_newest_for(&p->units[most].planned, s, worker);
	if (task == TW_NONE)
		return false;
	unplan(s, p, task);
	plan(s, p, task, k);
	return true;
}

/* Moves tasks from plannedTasks to taskBuffer: as many as it should hold, and one for the worker. */
static void refill(struct tw_sched *s, struct darts *p, int k, tw_worker worker)
{
	struct unit *u = &p->units[k];
	while (u->buffer.n_tasks < p->buffer + 1 ||
	       tw_task_queue_oldest_for(&u->buffer, s, worker) == TW_NONE) { /* others are for other archs */
		tw_task task = tw_task_queue_oldest_for(&u->planned, s, worker);
		if (task == TW_NONE &&
		    (fill(s, p, k, worker) || (p->steal && !u->buffer.n_tasks && steal(s, p, k, worker))))
			continue;
		if (task == TW_NONE)
			return;
		tw_task_queue_remove(&u->planned, task, urgency(s, p, task));
		tw_data_table_take(&p->table, task);
		put(s, &u->buffer, task, 0);
		tw_prefetch_task(s, task, p->table.units[k].node);
	}
}

static bool has_its_inputs(const struct tw_sched *s, tw_task task, tw_node node)
{
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_access access = tw_task_access(s, task, i);
		if ((access.mode & TW_R) && !tw_data_valid(s, access.data, node))
			return false;
	}
	return true;
}

/* The one of taskBuffer that the worker runs next; TW_NONE: none. */
static tw_task choose(const struct tw_sched *s, const struct darts *p, const struct tw_task_queue *buffer,
                      tw_worker worker)
{
	tw_task best = TW_NONE;
	for (tw_task t = tw_task_queue_oldest(buffer); p->picks_ready && t != TW_NONE; t = buffer->links[t].behind)
		if ((best == TW_NONE || tw_task_priority(s, t) > tw_task_priority(s, best)) &&
		    !isinf(tw_task_length(s, t, worker)) && has_its_inputs(s, t, tw_worker_node(s, worker)))
			best = t;
	return best != TW_NONE ? best : tw_task_queue_oldest_for(buffer, s, worker);
}

/* A core beside GPUs. */
static tw_task pop_beside(struct tw_sched *s, struct darts *p, tw_worker worker)
{
	tw_task task = tw_task_queue_oldest_for(&p->others, s, worker);
	if (task != TW_NONE) {
		tw_task_queue_remove(&p->others, task, tw_task_priority(s, task));
		tw_data_table_drop(&p->table, task);
		return task;
	}
	task = tw_spare_cores_pick(&p->cores, s, worker, 1e-9 * (double)p->backlog_ns / p->n_workers);
	if (task != TW_NONE) {
		leave_ready(s, p, task);
		tw_data_table_drop(&p->table, task);
		p->backlog_ns -= least_length(p, task);
	}
	return task;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct darts *p = state;
	int k = p->table.unit_of_worker[worker];
	tw_task task;
	if (k == TW_NONE) {
		task = pop_beside(s, p, worker);
		if (task != TW_NONE)
			tw_plan_take(&p->table.plan, s, task, tw_worker_node(s, worker));
	} else {
		refill(s, p, k, worker);
		task = choose(s, p, &p->units[k].buffer, worker);
		if (task != TW_NONE)
			tw_task_queue_remove(&p->units[k].buffer, task, 0);
	}
	p->idle[worker] = task == TW_NONE;
	if (task != TW_NONE && p->ready.n_tasks)
		wake_to_plan_ahead(s, p);
	return task;
}

/* --- data move -------------------------------------------------------------------------------------------------- */

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct darts *p = state;
	int unit = p->table.unit_of_worker[worker];
	(void)s;
	tw_data_table_end(&p->table, task, worker);
	if (unit != TW_NONE) {
		p->units[unit].n_queued--;
		p->backlog_ns -= least_length(p, task);
	}
}

static void data_loaded(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct darts *p = state;
	int k = p->table.unit_of_node[node];
	if (k != TW_NONE)
		tw_data_table_set_present(&p->table, data, k, tw_data_valid(s, data, node));
	tw_data_table_moved(&p->table, data);
}

static void data_evicted(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct darts *p = state;
	int k = p->table.unit_of_node[node];
	tw_data_table_moved(&p->table, data);
	if (k == TW_NONE)
		return;
	tw_data_table_set_present(&p->table, data, k, false);
	tw_task task;
	while ((task = tw_data_table_planned(&p->table, data, k)) != TW_NONE) {
		unplan(s, p, task);
		wake(s, p, task, TW_NONE);
	}
}

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	const struct darts *p = state;
	(void)s;
	return tw_plan_use(&p->table.plan, data, node);
}

const struct tw_policy tw_policy_darts = {
	.abi = TW_POLICY_ABI,
	.name = "darts",
	.summary = "the data that frees the most work for its transfer, then its tasks",
	.params = params,
	.state_size = sizeof(struct darts),
	.flags = TW_SORTS_BY_PRIORITY,
	.eviction = "darts",
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.done = done,
	.data_loaded = data_loaded,
	.data_evicted = data_evicted,
	.planned_use = planned_use,
};
