#include "policies/support/data_first.h"

#include <math.h>
#include <string.h>

void tw_data_first_init(struct tw_sched *s, void *state, const struct tw_data_first_rules *rules)
{
	struct tw_data_first *p = state;
	struct tw_task_link *links = tw_task_links_create(s);
	p->rules = *rules;
	p->chosen = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *p->chosen);
	tw_data_table_init(&p->table, s);
	tw_data_waiting_init(&p->waiting, &p->table);
	p->units = tw_run_alloc(s, (size_t)p->table.n_units, sizeof *p->units);
	p->more_ns = tw_run_alloc(s, (size_t)p->table.n_units, sizeof *p->more_ns);
	p->deal.more_ns = tw_run_alloc(s, (size_t)p->table.n_units, sizeof *p->deal.more_ns);
	tw_spare_cores_init(&p->cores, s);
	tw_plan_show(&p->table.plan, s);
	p->table.by_count = rules->by_count;
	tw_task_queue_init(&p->ready, s, links);
	for (int k = 0; k < p->table.n_units; k++) {
		tw_task_queue_init(&p->units[k].planned, s, links);
		tw_task_queue_init(&p->units[k].buffer, s, links);
	}
	p->urgency_counts = rules->few > 0 && tw_data_table_all_fits(&p->table);
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		p->n_workers += p->table.unit_of_worker[w] != TW_NONE;
}

/* --- tasks become ready and planned ------------------------------------------------------------------------------- */

static int64_t least_ns(const struct tw_data_first *p, tw_task task)
{
	return tw_data_table_task(&p->table, task)->least_ns;
}

/* Returns the seconds of the task on its fastest unit; INFINITY: no unit can run the task. */
static double least_seconds(const struct tw_data_first *p, tw_task task)
{
	int64_t least = least_ns(p, task);
	return least == INT64_MAX ? INFINITY : 1e-9 * (double)least;
}

static void join_ready(struct tw_sched *s, struct tw_data_first *p, tw_task task)
{
	tw_spare_cores_add(&p->cores, s, task, least_seconds(p, task));
	if (least_ns(p, task) == INT64_MAX)
		return;
	tw_task_queue_add(&p->ready, task, tw_task_priority(s, task));
	p->ready_ns += least_ns(p, task);
}

static void leave_ready(struct tw_sched *s, struct tw_data_first *p, tw_task task)
{
	tw_spare_cores_remove(&p->cores, s, task, least_seconds(p, task));
	if (least_ns(p, task) == INT64_MAX)
		return;
	tw_task_queue_remove(&p->ready, task, tw_task_priority(s, task));
	p->ready_ns -= least_ns(p, task);
}

/* Returns the priority with which the task is queued in plannedTasks; 0 for all tasks without by_urgency. */
static int32_t urgency(const struct tw_sched *s, const struct tw_data_first *p, tw_task task)
{
	return p->rules.by_urgency ? tw_task_priority(s, task) : 0;
}

static void plan(struct tw_sched *s, struct tw_data_first *p, tw_task task, int k)
{
	leave_ready(s, p, task);
	tw_data_table_plan(&p->table, task, k);
	tw_task_queue_add(&p->units[k].planned, task, urgency(s, p, task));
}

static bool few_are_ready(const struct tw_data_first *p)
{
	return p->table.n_units > 1 && p->ready.n_tasks <= p->rules.few * p->table.n_units;
}

/* Whether units now choose tasks by urgency instead of by data. */
static bool goes_by_urgency(const struct tw_data_first *p)
{
	return few_are_ready(p) || (p->urgency_counts && p->ready.n_levels > 1);
}

/* Fills more_ns[n_units]: the time that each other unit is assumed to spend before the task. By data, it is half of the
 * unit's share of the ready tasks: the average. By urgency it is 0, because more urgent tasks are examined first. These
 * count for the unit that they are left to. */
static void set_shares(struct tw_data_first *p, int k)
{
	int64_t share = goes_by_urgency(p) ? 0 : p->ready_ns / p->table.n_units / 2;
	for (int other = 0; other < p->table.n_units; other++)
		p->more_ns[other] = share;
	p->more_ns[k] = 0;
}

/* Returns the unit that would end the task first, if each unit k also has more_ns[k] to do. Returns k if the policy has
 * no rule `leaves`. */
static int first_unit(struct tw_data_first *p, tw_task task, int k)
{
	return p->rules.leaves ? tw_data_table_first(&p->table, task, k, p->more_ns) : k;
}

/* Returns the unit that has all inputs of the task; if several have, one by the rule `to_fewest`. TW_NONE: no unit has
 * all, or another unit would end the task sooner, or the memory is unbounded. */
static int unit_that_has_all(struct tw_data_first *p, tw_task task)
{
	int k = tw_data_table_holder(&p->table, task, p->rules.to_fewest);
	if (k == TW_NONE || tw_node_capacity(p->table.s, p->table.units[k].node) == UINT64_MAX)
		return TW_NONE;
	set_shares(p, k);
	return first_unit(p, task, k) == k ? k : TW_NONE;
}

void tw_data_first_push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct tw_data_first *p = state;
	(void)released_by;
	p->n_tasks++;
	tw_data_table_add(&p->table, task);
	join_ready(s, p, task);
	int k = unit_that_has_all(p, task);
	if (k != TW_NONE)
		plan(s, p, task, k);
	tw_data_waiting_tell(&p->waiting, task, k);
}

static void unplan(struct tw_sched *s, struct tw_data_first *p, tw_task task)
{
	struct tw_data_first_unit *u = &p->units[tw_data_table_task(&p->table, task)->unit_of];
	tw_task_queue_remove(&u->planned, task, urgency(s, p, task));
	tw_data_table_unplan(&p->table, task);
	join_ready(s, p, task);
}

/* --- choosing tasks: Algorithm 3 of the paper --------------------------------------------------------------------- */

/* Leaves a task to the unit `first`, which would end it first. If a worker of that unit waits, the unit gets the task.
 * Otherwise, the time of the task is added to more_ns[first]. */
static void leave_to(struct tw_sched *s, struct tw_data_first *p, tw_task task, int first)
{
	if (tw_data_waiting_best(&p->waiting, task, first) != TW_NONE) {
		plan(s, p, task, first);
		tw_data_waiting_tell(&p->waiting, task, first);
	} else {
		p->more_ns[first] += tw_data_table_length(&p->table, task, first);
	}
}

/* Deals from task i on again, because the ready tasks have changed. */
static void deal_again(struct tw_data_first *p, int i)
{
	struct tw_data_deal *d = &p->deal;
	memset(d->more_ns, 0, (size_t)p->table.n_units * sizeof *d->more_ns);
	for (int j = 0; j < i; j++)
		d->more_ns[d->dealt[j].unit] += tw_data_table_length(&p->table, d->dealt[j].task, d->dealt[j].unit);
	d->n = i;
	d->version = p->table.version;
}

/* Returns the unit that gets the i-th ready task in the deal (i from 0), if unit k asks. Unit k can run the task. Since
 * the table last changed, unit k must have asked for all tasks before the i-th, and got none of them. */
static int deal(struct tw_data_first *p, int i, tw_task task, int k)
{
	struct tw_data_deal *d = &p->deal;
	if (i == 0 && d->version != p->table.version)
		deal_again(p, 0);
	if (i < d->n && d->dealt[i].task != task)
		deal_again(p, i);
	if (i == d->n) {
		int64_t end_ns;
		int unit = tw_data_table_first_of_all(&p->table, task, k, d->more_ns, &end_ns);
		d->more_ns[unit] += tw_data_table_length(&p->table, task, unit);
		d->dealt[d->n++] = (struct tw_dealt){task, unit, end_ns};
	}
	/* Unit k was dealt no task so far, so more_ns[k] is 0 and its completion time needs no addition. */
	return tw_data_table_completion_ns(&p->table, task, k) <= d->dealt[i].end_ns ? k : d->dealt[i].unit;
}

/* Chooses the most urgent task of the queue that unit k does not leave to others, among the first TW_MOST_LOOKED_AT
 * tasks. Writes it to p->chosen[0]. Returns how many tasks it chose: 0 or 1. */
static int choose_urgent(struct tw_sched *s, struct tw_data_first *p, const struct tw_task_queue *queue, int k,
                         tw_worker worker)
{
	int n = tw_task_queue_first_for(queue, s, worker, p->chosen, TW_MOST_LOOKED_AT);
	uint64_t version = p->table.version;
	if (n == 0)
		return 0;
	/* No event tells when accumulators become valid, so a deal would not hold until the table changes. */
	bool deals = p->rules.leaves && queue == &p->ready && goes_by_urgency(p) &&
	             p->table.first_accumulator >= p->table.n_data;
	set_shares(p, k);
	for (int i = 0; i < n; i++) {
		tw_task task = p->chosen[i];
		bool unchanged = deals && p->table.version == version;
		int first = unchanged ? deal(p, i, task, k) : first_unit(p, task, k);
		tw_looked_at(s, 1);
		if (first == k) {
			p->chosen[0] = task;
			return 1;
		}
		leave_to(s, p, task, first);
	}
	return 0;
}

/* Chooses the tasks in S0 of the best handle or, if S0 is empty, the first task in S1 of that handle. Stops before the
 * first task that the unit leaves to others. If both sets are empty, chooses the most urgent ready task. Returns how
 * many tasks it chose. */
static int choose_by_data(struct tw_sched *s, struct tw_data_first *p, int k, tw_worker worker)
{
	struct tw_data_score score = {.s0 = 0};
	tw_data best = tw_data_table_best(&p->table, k, &score);
	int n = 0, n_kept = 0, first = k;
	if (best != TW_NONE && score.s0 > 0)
		n = tw_data_table_set(&p->table, best, k, 0, p->chosen, score.s0);
	else if (best != TW_NONE && score.s1 > 0 && !p->table.by_count)
		n = tw_data_table_set(&p->table, best, k, 1, p->chosen, 1) > 0;
	set_shares(p, k);
	while (n_kept < n && (first = first_unit(p, p->chosen[n_kept], k)) == k)
		p->more_ns[k] += tw_data_table_length(&p->table, p->chosen[n_kept++], k);
	if (n_kept < n)
		leave_to(s, p, p->chosen[n_kept], first);
	return n > 0 ? n_kept : choose_urgent(s, p, &p->ready, k, worker);
}

/* Adds tasks to plannedTasks of unit k. Returns false if it planned nothing. Then the unit left all examined tasks to
 * others, the worker can run none, or the unit must not plan ahead now. */
static bool fill(struct tw_sched *s, struct tw_data_first *p, int k, tw_worker worker)
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

/* Moves tasks from plannedTasks of unit k to its taskBuffer, until that holds `buffer` tasks and one that the worker
 * can run. */
static void refill(struct tw_sched *s, struct tw_data_first *p, int k, tw_worker worker)
{
	struct tw_data_first_unit *u = &p->units[k];
	while (u->buffer.n_tasks < p->rules.buffer + 1 ||
	       tw_task_queue_oldest_for(&u->buffer, s, worker) == TW_NONE) { /* queued tasks may be for other archs */
		tw_task task = tw_task_queue_oldest_for(&u->planned, s, worker);
		if (task == TW_NONE && fill(s, p, k, worker))
			continue;
		if (task == TW_NONE)
			return;
		tw_task_queue_remove(&u->planned, task, urgency(s, p, task));
		tw_data_table_take(&p->table, task);
		tw_task_queue_add(&u->buffer, task, 0);
		tw_prefetch_task(s, task, p->table.units[k].node);
	}
}

/* Returns the task of the taskBuffer that the worker runs next; TW_NONE: there is none. */
static tw_task choose(const struct tw_sched *s, const struct tw_data_first *p, const struct tw_task_queue *buffer,
                      tw_worker worker)
{
	tw_task there = p->rules.by_urgency ? tw_task_queue_most_urgent_there(buffer, s, worker) : (tw_task)TW_NONE;
	tw_looked_at(s, p->rules.by_urgency ? buffer->n_tasks : 0);
	return there != TW_NONE ? there : tw_task_queue_oldest_for(buffer, s, worker);
}

static tw_task pop_beside(struct tw_sched *s, struct tw_data_first *p, tw_worker core)
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

/* A worker finds no task, though some are ready: it may have left the one that it was woken for to others. So the cores
 * that belong to no unit may want it. If no unit has anything to do, each has left a task to a unit that looked at
 * other ones. The last one that looks now finds the others waiting, so it takes a task or gives it to one of them. */
static void tell_others(struct tw_data_first *p)
{
	if (tw_data_waiting_all_have_nothing(&p->waiting))
		tw_data_waiting_tell_all(&p->waiting, false);
	tw_data_waiting_tell_all(&p->waiting, true);
}

tw_task tw_data_first_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct tw_data_first *p = state;
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
		tw_data_waiting_tell_all(&p->waiting, false); /* each unit has a task now, so units may plan ahead */
	else if (task == TW_NONE && k != TW_NONE && p->ready.n_tasks)
		tell_others(p);
	return task;
}

/* Skips the pops of all workers while no task waits: their pops would only note that the workers wait. */
uint64_t tw_data_first_pops_in_vain(struct tw_sched *s, void *state, tw_worker first, uint64_t who)
{
	struct tw_data_first *p = state;
	(void)s;
	if (p->n_tasks)
		return 0;
	for (uint64_t left = who; left; left &= left - 1)
		tw_data_waiting_asked(&p->waiting, first + __builtin_ctzll(left), false);
	return who;
}

/* --- tasks end, and data are loaded or evicted -------------------------------------------------------------------- */

void tw_data_first_done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_data_first *p = state;
	(void)s;
	tw_data_table_end(&p->table, task, worker);
}

void tw_data_first_data_loaded(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct tw_data_first *p = state;
	int k = p->table.unit_of_node[node];
	if (k != TW_NONE)
		tw_data_table_set_present(&p->table, data, k, tw_data_valid(s, data, node));
	tw_data_table_moved(&p->table, data);
}

void tw_data_first_data_evicted(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	struct tw_data_first *p = state;
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

struct tw_planned_use tw_data_first_planned_use(struct tw_sched *s, void *state, tw_data data, tw_node node)
{
	const struct tw_data_first *p = state;
	(void)s;
	return tw_plan_use(&p->table.plan, data, node);
}
