/* darts: data first. A processing unit that has nothing planned looks for the data whose loading would let it compute the
 * longest for the time of the transfer, and plans all tasks that this data frees (DARTS of Gonthier, Thibault, Marchal 2024,
 * A generic scheduler to foster data locality for GPU and out-of-core task-based applications, Algorithm 3 and sections 5.2 to
 * 5.4). The quantities of Algorithm 3 are those of policies/support/data_table.h, its eviction policy is policies/eviction/darts.c.
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
 * Two more departures. By leave, one of several units takes no task, pushed or chosen, that another one is predicted to end sooner, behind
 * all that it has and, where tasks are chosen by data, half of its share of those that are ready; if that one waits, it gets the task.
 * Algorithm 3 counts what a load costs the unit, not that another one would do without, or has the faster way. By few, a unit does not
 * choose by data, but the most urgent task that it does not leave, free ones first: while few tasks are ready for several units, and then
 * none for taskBuffer, as units wait for what a task releases rather than for data; and, if the ready tasks differ in priority, where all data
 * of the graph fit into each memory, as none repeats a load there for want of room, though several may load the same. The paper's own is
 * few=0:leave=no:pick=head, but that a free task goes to the unit that would end it first, not to the one with the fewest tasks (5.3).
 *
 * Where the paper is silent:
 * - A ready task that becomes free because its data were loaded for others is in no S0. It stays ready for any unit; one that
 *   has nothing planned takes such tasks first, one at a time, by priority (section 1: "a processing unit is assigned all the
 *   free tasks"). In a memory without bounds, which holds everything, all tasks are like that.
 * - Evicting a data sends the planned tasks that use it back to readyTasks (section 5.2: they "can still be removed").
 * - Of the units that wait when a task becomes ready, the one that would end it first is told, and may take it.
 * - Nothing is said of a unit that has nothing to do while others have long plans: it waits. But no unit plans ahead while another
 *   one, which may still find something, has nothing at all.
 * - Cores beside GPUs take no part in the paper. Here they are no unit: they take what no GPU can run and what they are the least slower for,
 *   if they are predicted to end it before the GPUs can have ended all that they have and that is ready (policies/support/spare_cores.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/data_deal.h"
#include "policies/support/data_table.h"
#include "policies/support/data_waiting.h"
#include "policies/support/spare_cores.h"

enum { MAX_UNITS = 1024 };              /* as many memories as a run can have */
enum { MAX_LOOKED_AT = TW_MOST_DEALT }; /* ready tasks, one by one, for one that is not left to another unit */

struct unit {
	struct tw_task_queue planned; /* by urgency */
	struct tw_task_queue buffer;  /* first in, first out */
};

struct darts {
	struct tw_data_table table;
	struct tw_data_waiting waiting;
	struct tw_data_deal deal; /* of `ready`, by urgency */
	struct tw_task_link *links;
	struct unit units[MAX_UNITS];
	struct tw_task_queue ready; /* by priority */
	tw_task *chosen;            /* room for an S0 */
	int n_workers;              /* of all units */
	tw_task n_tasks;            /* pushed and not popped */
	int64_t ready_ns;           /* of all ready tasks */
	int64_t buffer, few;
	bool leave, picks_ready, urgency_counts; /* the last: also where many tasks are ready */
	struct tw_spare_cores cores;             /* the ready tasks once more */
};

static const struct tw_param params[] = {
	{"buffer", TW_PARAM_INT, "2", 0, 1000, NULL,
         "tasks of taskBuffer beyond the pipelines: their data are asked for, they are not planned anew"},
	{"choice", TW_PARAM_CHOICE, "ratio", 0, 0, "ratio|count",
         "of data: Algorithm 3; or as the first DARTS, by the number of tasks that they free"},
	{"few", TW_PARAM_INT, "8", 0, 1000, NULL,
         "the most urgent task first if all data fit, or no more than that many are ready for each of several units; 0: by data always"},
	{"leave", TW_PARAM_FLAG, "yes", 0, 0, NULL,
         "a unit leaves a task that another one would end sooner; not in the paper"},
	{"pick", TW_PARAM_CHOICE, "ready", 0, 0, "ready|head",
         "of what is planned: the most urgent first, if its data are there; or the oldest, as in the paper"},
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
	tw_spare_cores_finish(&p->cores);
	tw_data_waiting_finish(&p->waiting);
	tw_data_deal_finish(&p->deal);
	tw_data_table_finish(&p->table);
	free(p->links);
	free(p->chosen);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct darts *p = state;
	p->buffer = tw_args_int(tw_sched_args(s), "buffer");
	p->few = tw_args_int(tw_sched_args(s), "few");
	p->leave = tw_args_flag(tw_sched_args(s), "leave");
	p->picks_ready = strcmp(tw_args_text(tw_sched_args(s), "pick"), "ready") == 0;
	p->links = tw_task_links_create(s);
	p->chosen = malloc(((size_t)tw_max_tasks(s) + 1) * sizeof *p->chosen);
	if (!p->links || !p->chosen || tw_data_table_init(&p->table, s, err) ||
	    tw_data_waiting_init(&p->waiting, &p->table) || tw_data_deal_init(&p->deal, &p->table) ||
	    tw_spare_cores_init(&p->cores, s)) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'darts': out of memory");
	}
	p->table.by_count = strcmp(tw_args_text(tw_sched_args(s), "choice"), "count") == 0;
	tw_task_queue_init(&p->ready, p->links);
	for (int k = 0; k < p->table.n_units; k++) {
		tw_task_queue_init(&p->units[k].planned, p->links);
		tw_task_queue_init(&p->units[k].buffer, p->links);
	}
	p->urgency_counts = p->few > 0 && tw_data_table_all_fits(&p->table);
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		p->n_workers += p->table.unit_of_worker[w] != TW_NONE;
	return TW_OK;
}

/* --- tasks move ------------------------------------------------------------------------------------------------- */

static void put(struct tw_sched *s, struct tw_task_queue *q, tw_task task, int32_t priority)
{
	if (tw_task_queue_add(q, task, priority) < 0)
		tw_abort_run(s, "out of memory");
}

/* Of the unit that is fastest; INFINITY: none can run it. */
static double least_seconds(const struct darts *p, tw_task task)
{
	return p->table.least_ns[task] == INT64_MAX ? INFINITY : 1e-9 * (double)p->table.least_ns[task];
}

static void join_ready(struct tw_sched *s, struct darts *p, tw_task task)
{
	if (tw_spare_cores_add(&p->cores, s, task, least_seconds(p, task)) < 0)
		tw_abort_run(s, "out of memory");
	if (p->table.least_ns[task] == INT64_MAX)
		return;
	put(s, &p->ready, task, tw_task_priority(s, task));
	p->ready_ns += p->table.least_ns[task];
}

static void leave_ready(struct tw_sched *s, struct darts *p, tw_task task)
{
	tw_spare_cores_remove(&p->cores, s, task, least_seconds(p, task));
	if (p->table.least_ns[task] == INT64_MAX)
		return;
	tw_task_queue_remove(&p->ready, task, tw_task_priority(s, task));
	p->ready_ns -= p->table.least_ns[task];
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
}

static bool few_are_ready(const struct darts *p)
{
	return p->table.n_units > 1 && p->ready.n_tasks <= p->few * p->table.n_units;
}

/* Tasks are chosen by urgency, not by data. */
static bool goes_by_urgency(const struct darts *p)
{
	return few_are_ready(p) || (p->urgency_counts && p->ready.n_levels > 1);
}

/* What each other unit has to do, on average, before it comes to a task that is ready: half of its share. By urgency none of that: what is
 * more urgent is looked at first, and counts for the unit that it is left to. */
static void set_shares(const struct darts *p, int k, int64_t *more_ns)
{
	int64_t share = goes_by_urgency(p) ? 0 : p->ready_ns / p->table.n_units / 2;
	for (int other = 0; other < p->table.n_units; other++)
		more_ns[other] = share;
	more_ns[k] = 0;
}

/* The unit that has all that the task needs, unless another would end it sooner; TW_NONE: there is none. */
static int unit_that_has_all(struct darts *p, tw_task task)
{
	int64_t more_ns[MAX_UNITS];
	int k = tw_data_table_holder(&p->table, task);
	if (k == TW_NONE || tw_node_capacity(p->table.s, p->table.units[k].node) == UINT64_MAX)
		return TW_NONE;
	set_shares(p, k, more_ns);
	return !p->leave || tw_data_table_first(&p->table, task, k, more_ns) == k ? k : TW_NONE;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct darts *p = state;
	(void)released_by;
	p->n_tasks++;
	tw_data_table_add(&p->table, task);
	join_ready(s, p, task);
	int k = unit_that_has_all(p, task);
	if (k != TW_NONE)
		plan(s, p, task, k);
	tw_data_waiting_tell(&p->waiting, task, k);
}

static void unplan(struct tw_sched *s, struct darts *p, tw_task task)
{
	struct unit *u = &p->units[p->table.unit_of[task]];
	tw_task_queue_remove(&u->planned, task, urgency(s, p, task));
	tw_data_table_unplan(&p->table, task);
	join_ready(s, p, task);
}

/* --- Algorithm 3 ------------------------------------------------------------------------------------------------ */

/* Leaves a task to the unit that would end it first. That one gets the task if it waits, else has it to do beside what it has queued. */
static void leave_to(struct tw_sched *s, struct darts *p, tw_task task, int first, int64_t *more_ns)
{
	if (tw_data_waiting_best(&p->waiting, task, first) != TW_NONE) {
		plan(s, p, task, first);
		tw_data_waiting_tell(&p->waiting, task, first);
	} else {
		more_ns[first] += tw_data_table_length(&p->table, task, first);
	}
}

/* The unit that would end it first, each with more_ns[] to do beside what it has queued. */
static int first_unit(struct darts *p, tw_task task, int k, const int64_t *more_ns)
{
	return p->leave ? tw_data_table_first(&p->table, task, k, more_ns) : k;
}

/* The most urgent of the first tasks of a queue that the unit does not leave. */
static int choose_urgent(struct tw_sched *s, struct darts *p, const struct tw_task_queue *queue, int k,
                         tw_worker worker)
{
	int64_t more_ns[MAX_UNITS];
	int n = tw_task_queue_first_for(queue, s, worker, p->chosen, MAX_LOOKED_AT);
	uint64_t version = p->table.version;
	if (n == 0)
		return 0;
	bool deals = p->leave && queue == &p->ready && goes_by_urgency(p) && tw_data_deal_is_possible(&p->deal);
	set_shares(p, k, more_ns);
	for (int i = 0; i < n; i++) {
		tw_task task = p->chosen[i];
		bool unchanged = deals && p->table.version == version;
		int first = unchanged ? tw_data_deal(&p->deal, i, task, k) : first_unit(p, task, k, more_ns);
		if (first == k) {
			p->chosen[0] = task;
			return 1;
		}
		leave_to(s, p, task, first, more_ns);
	}
	return 0;
}

/* S0 of the best data, or the first of its S1: up to the first that the unit leaves. If there are none, the most urgent of all. */
static int choose_by_data(struct tw_sched *s, struct darts *p, int k, tw_worker worker)
{
	int64_t more_ns[MAX_UNITS];
	struct tw_data_score score = {.s0 = 0};
	tw_data best = tw_data_table_best(&p->table, k, &score);
	int n = 0, n_kept = 0, first = k;
	if (best != TW_NONE && score.s0 > 0)
		n = tw_data_table_set(&p->table, best, k, 0, p->chosen, score.s0);
	else if (best != TW_NONE && score.s1 > 0 && !p->table.by_count)
		n = tw_data_table_set(&p->table, best, k, 1, p->chosen, 1) > 0;
	set_shares(p, k, more_ns);
	while (n_kept < n && (first = first_unit(p, p->chosen[n_kept], k, more_ns)) == k)
		more_ns[k] += tw_data_table_length(&p->table, p->chosen[n_kept++], k);
	if (n_kept < n)
		leave_to(s, p, p->chosen[n_kept], first, more_ns);
	return n > 0 ? n_kept : choose_urgent(s, p, &p->ready, k, worker);
}

/* Fills plannedTasks; false: the unit leaves all that it has looked at, the worker can run none, or none should be planned ahead now. */
static bool fill(struct tw_sched *s, struct darts *p, int k, tw_worker worker)
{
	const struct tw_data_unit *unit = &p->table.units[k];
	if (unit->n_queued > 0 && tw_data_waiting_one_has_nothing(&p->waiting))
		return false;
	if (few_are_ready(p) && tw_task_queue_oldest_for(&p->units[k].buffer, s, worker) != TW_NONE)
		return false;
	int n = choose_urgent(s, p, &unit->free, k, worker);
	if (n == 0)
		n = goes_by_urgency(p) ? choose_urgent(s, p, &p->ready, k, worker) : choose_by_data(s, p, k, worker);
	for (int i = 0; i < n; i++)
		plan(s, p, p->chosen[i], k);
	return n > 0;
}

/* Moves tasks from plannedTasks to taskBuffer: as many as it should hold, and one for the worker. */
static void refill(struct tw_sched *s, struct darts *p, int k, tw_worker worker)
{
	struct unit *u = &p->units[k];
	while (u->buffer.n_tasks < p->buffer + 1 ||
	       tw_task_queue_oldest_for(&u->buffer, s, worker) == TW_NONE) { /* others are for other archs */
		tw_task task = tw_task_queue_oldest_for(&u->planned, s, worker);
		if (task == TW_NONE && fill(s, p, k, worker))
			continue;
		if (task == TW_NONE)
			return;
		tw_task_queue_remove(&u->planned, task, urgency(s, p, task));
		tw_data_table_take(&p->table, task);
		put(s, &u->buffer, task, 0);
		tw_prefetch_task(s, task, p->table.units[k].node);
	}
}

/* The one of taskBuffer that the worker runs next; TW_NONE: none. */
static tw_task choose(const struct tw_sched *s, const struct darts *p, const struct tw_task_queue *buffer,
                      tw_worker worker)
{
	tw_task there = p->picks_ready ? tw_task_queue_most_urgent_there(buffer, s, worker) : (tw_task)TW_NONE;
	return there != TW_NONE ? there : tw_task_queue_oldest_for(buffer, s, worker);
}

static tw_task pop_beside(struct tw_sched *s, struct darts *p, tw_worker core)
{
	int64_t backlog_ns = p->ready_ns + p->table.all_queued_ns;
	tw_task task = tw_spare_cores_pick(&p->cores, s, core, 1e-9 * (double)backlog_ns / p->n_workers);
	if (task == TW_NONE)
		return TW_NONE;
	leave_ready(s, p, task);
	tw_data_table_drop(&p->table, task);
	tw_plan_take(&p->table.plan, s, task, tw_worker_node(s, core));
	return task;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct darts *p = state;
	int k = p->table.unit_of_worker[worker];
	tw_task task;
	if (k == TW_NONE) {
		task = pop_beside(s, p, worker);
	} else {
		refill(s, p, k, worker);
		task = choose(s, p, &p->units[k].buffer, worker);
		if (task != TW_NONE)
			tw_task_queue_remove(&p->units[k].buffer, task, 0);
	}
	p->n_tasks -= task != TW_NONE;
	tw_data_waiting_asked(&p->waiting, worker, task != TW_NONE);
	if (task != TW_NONE && p->ready.n_tasks && !tw_data_waiting_one_has_nothing(&p->waiting))
		tw_data_waiting_tell_all(&p->waiting, false); /* another had to have something first */
	else if (task == TW_NONE && k != TW_NONE && p->ready.n_tasks)
		tw_data_waiting_tell_all(&p->waiting, true); /* it may have left what it was told of */
	return task;
}

/* While no task is ready, pops only note who waits. */
static uint64_t pops_in_vain(struct tw_sched *s, void *state, tw_worker first, uint64_t who)
{
	struct darts *p = state;
	(void)s;
	if (p->n_tasks)
		return 0;
	tw_data_waiting_asked_in_vain(&p->waiting, first, who);
	return who;
}

/* --- data move -------------------------------------------------------------------------------------------------- */

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct darts *p = state;
	(void)s;
	tw_data_table_end(&p->table, task, worker);
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
		tw_data_waiting_tell(&p->waiting, task, TW_NONE);
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
	.pops_in_vain = pops_in_vain,
	.done = done,
	.data_loaded = data_loaded,
	.data_evicted = data_evicted,
	.planned_use = planned_use,
};
