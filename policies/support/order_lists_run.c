/* Changes of the task lists (order_lists.h): tasks join the lists, move between them, and leave them during the run. */
#include "policies/support/order_lists.h"

#include <math.h>
#include <stdlib.h>

enum { BITS = 64 };

static void put(struct tw_order_lists *l, int list, tw_task task)
{
	struct tw_order_list *to = &l->of[list];
	l->list[task] = list;
	l->place[task] = to->end;
	to->tasks[to->end++] = task;
	to->left++;
}

void tw_order_lists_append(struct tw_order_lists *l, const struct tw_sched *s, int list, tw_task task)
{
	if (isinf(tw_order_lists_seconds(l, s, list, task)))
		for (list = 0; list < l->n_lists - 1 && isinf(tw_order_lists_seconds(l, s, list, task));)
			list++;
	put(l, list, task);
	tw_plan_append(&l->plan, s, task, l->of[list].node);
}

/* --- tasks become ready, and move between lists ------------------------------------------------------------------- */

/* Whether the ready tasks of the list are kept in the heap by_lacks. This is so with `readiest`, if all workers of the
 * list are of one arch. */
static bool sorts_by_lacks(const struct tw_order_lists *l, const struct tw_order_list *list)
{
	return l->readiest && list->n_examples == 1;
}

static bool is_ready(const struct tw_order_list *list, int32_t place)
{
	return list->ready[place / BITS] >> place % BITS & 1;
}

static void mark_ready(struct tw_order_lists *l, struct tw_order_list *list, int32_t place)
{
	list->ready[place / BITS] |= UINT64_C(1) << place % BITS;
	list->n_ready++;
	if (place < list->first)
		list->first = place;
	if (sorts_by_lacks(l, list))
		tw_lacks_add(&l->lacks, &list->by_lacks, list->tasks[place], place);
}

static void not_ready(struct tw_order_lists *l, struct tw_order_list *list, int32_t place)
{
	list->n_ready -= is_ready(list, place);
	list->ready[place / BITS] &= ~(UINT64_C(1) << place % BITS);
	tw_lacks_remove(&l->lacks, list->tasks[place]);
}

static bool is_there(const struct tw_order_lists *l, int list, int32_t place)
{
	tw_task t = l->of[list].tasks[place];
	return l->list[t] == list && l->place[t] == place;
}

/* Moves tasks from the end of the list `victim` to the end of the list `thief`; their order stays. Moves only tasks
 * that workers of `thief` can run, at most `tasks` of them. Their time on `victim` is at most `seconds` in all, give or
 * take half a task. Stops when `thief` has no place left. Returns how many tasks it moved. */
static int32_t move_tail(struct tw_order_lists *l, const struct tw_sched *s, int victim, int thief, int32_t tasks,
                         double seconds)
{
	struct tw_order_list *from = &l->of[victim], *to = &l->of[thief];
	tw_task *moving = to->tasks + to->end; /* the tasks to move, at first in reverse order */
	int32_t n = 0;
	for (int32_t i = from->end - 1; i >= 0 && n < tasks && to->end + n < l->n_tasks; i--) {
		double length = is_there(l, victim, i) ? tw_order_lists_seconds(l, s, victim, from->tasks[i]) : 0;
		if (length / 2 > seconds)
			break;
		if (!is_there(l, victim, i) || isinf(tw_order_lists_seconds(l, s, thief, from->tasks[i])))
			continue;
		moving[n++] = from->tasks[i];
		seconds -= length;
	}
	for (int32_t i = 0; i < n / 2; i++) {
		tw_task t = moving[i];
		moving[i] = moving[n - 1 - i];
		moving[n - 1 - i] = t;
	}
	for (int32_t i = 0; i < n; i++) {
		tw_task t = moving[i];
		bool ready = is_ready(from, l->place[t]);
		not_ready(l, from, l->place[t]);
		put(l, thief, t);
		if (ready)
			mark_ready(l, to, l->place[t]);
		from->left--;
		tw_plan_remove(&l->plan, s, t);
		tw_plan_append(&l->plan, s, t, to->node);
	}
	while (from->end > 0 && !is_there(l, victim, from->end - 1))
		from->end--;
	return n;
}

static double seconds_left(const struct tw_order_lists *l, const struct tw_sched *s, int list)
{
	double sum = 0;
	for (int32_t i = 0; i < l->of[list].end; i++)
		if (is_there(l, list, i))
			sum += tw_order_lists_seconds(l, s, list, l->of[list].tasks[i]);
	return sum;
}

void tw_order_lists_balance(struct tw_order_lists *l, const struct tw_sched *s)
{
	double *load = tw_alloc((size_t)l->n, sizeof *load), sum = 0;
	for (int i = 0; i < l->n; i++)
		sum += load[i] = seconds_left(l, s, i);
	for (bool moved = true; moved;) {
		int most = 0, least = 0;
		for (int i = 1; i < l->n; i++) {
			most = load[i] > load[most] ? i : most;
			least = load[i] < load[least] ? i : least;
		}
		double surplus = fmin(load[most] - sum / l->n, sum / l->n - load[least]);
		double before = load[most];
		moved = most != least && move_tail(l, s, most, least, l->n_tasks, surplus) > 0;
		load[most] = seconds_left(l, s, most);
		load[least] = seconds_left(l, s, least);
		moved &= load[least] < before; /* otherwise the next round would move the same tasks back */
	}
	free(load);
}

/* --- during the run: push, pop, done ------------------------------------------------------------------------------ */

void tw_order_lists_push(struct tw_sched *s, void *lists, tw_task task, tw_worker released_by)
{
	struct tw_order_lists *l = lists;
	l->n_ready++;
	if (task >= l->n_tasks) {
		tw_worker_queues_give_back(&l->appended, s, task, 0, released_by);
		return;
	}
	struct tw_order_list *list = &l->of[l->list[task]];
	mark_ready(l, list, l->place[task]);
	if (list->node == TW_RAM) { /* main memory has workers of several archs: wakes one that can run the task */
		tw_wake_first_idle(s, task);
		return;
	}
	tw_wake_set(s, &list->workers);
}

/* Returns the first place, from `place` on, whose task is ready; list->end: there is none. */
static int32_t next_ready(const struct tw_order_list *list, int32_t place)
{
	if (place >= list->end)
		return list->end;
	int32_t word = place / BITS, last = (list->end - 1) / BITS;
	uint64_t bits = list->ready[word] & UINT64_MAX << place % BITS;
	while (!bits && word < last)
		bits = list->ready[++word];
	return bits ? word * BITS + __builtin_ctzll(bits) : list->end;
}

/* Returns how many ready tasks Ready looks at until it has the readiest one, at `place`: all or, if this task lacks
 * nothing, the tasks up to it. */
static int64_t n_up_to(const struct tw_order_list *list, const struct tw_sched *s, int32_t place)
{
	struct tw_lack lack = TW_LACKS_ALL;
	int64_t n = 0;
	tw_task_lacks_less(s, list->tasks[place], list->node, &lack);
	int32_t end = lack.not_valid > 0 ? list->end : place + 1;
	for (int32_t at = next_ready(list, list->first); at < end; at = next_ready(list, at + 1))
		n++;
	return n;
}

/* Returns the place of the ready task that the worker takes next: the first task that it can run. With `readiest`, the
 * first of those that lack the fewest bytes. TW_NONE: there is none. */
static int32_t choose(struct tw_order_lists *l, struct tw_order_list *list, const struct tw_sched *s, tw_worker worker)
{
	if (sorts_by_lacks(l, list)) {
		tw_task readiest = tw_lacks_readiest(&l->lacks, &list->by_lacks);
		if (readiest != TW_NONE && tw_looks_cost(s))
			tw_looked_at(s, n_up_to(list, s, l->place[readiest]));
		return readiest == TW_NONE ? (int32_t)TW_NONE : l->place[readiest];
	}
	if (list->n_ready == 0)
		return TW_NONE;
	struct tw_lack least = TW_LACKS_ALL;
	int32_t best = TW_NONE, n = 0;
	list->first = next_ready(list, list->first);
	for (int32_t place = list->first; place < list->end; place = next_ready(list, place + 1)) {
		n++;
		if (isinf(tw_task_length(s, list->tasks[place], worker)))
			continue;
		if (!l->readiest || tw_task_lacks_less(s, list->tasks[place], list->node, &least))
			best = place;
		if (!l->readiest || least.not_valid == 0)
			break;
	}
	tw_looked_at(s, n);
	return best;
}

/* Moves the second half of the longest list to the empty list of the thief, as far as the thief's workers can run the
 * tasks. */
static void steal(struct tw_order_lists *l, const struct tw_sched *s, int thief)
{
	int longest = thief ? 0 : l->n - 1;
	for (int i = 0; i < l->n; i++)
		if (i != thief && l->of[i].left > l->of[longest].left)
			longest = i;
	l->of[thief].end = l->of[thief].first = 0;
	l->steals += longest != thief && move_tail(l, s, longest, thief, l->of[longest].left / 2, INFINITY) > 0;
}

tw_task tw_order_lists_pop(struct tw_sched *s, void *lists, tw_worker worker)
{
	struct tw_order_lists *l = lists;
	tw_task task = tw_worker_queues_pop(s, &l->appended, worker);
	int i = l->list_of[tw_worker_node(s, worker)];
	if (task == TW_NONE && i != TW_NONE) {
		struct tw_order_list *list = &l->of[i];
		if (list->left == 0 && i < l->n)
			steal(l, s, i);
		int32_t place = choose(l, list, s, worker);
		if (place != TW_NONE) {
			task = list->tasks[place];
			not_ready(l, list, place);
			l->list[task] = TW_NONE;
			list->left--;
		}
	}
	if (task != TW_NONE) {
		l->n_ready--;
		tw_plan_take(&l->plan, s, task, tw_worker_node(s, worker));
	}
	return task;
}

/* Skips pops while no task is ready: a pop then changes nothing, unless the worker's list is empty. Such a pop may
 * steal. */
uint64_t tw_order_lists_pops_in_vain(struct tw_sched *s, void *lists, tw_worker first, uint64_t who)
{
	const struct tw_order_lists *l = lists;
	if (l->n_ready)
		return 0;
	for (uint64_t left = who; left && l->n > 1; left &= left - 1) {
		int i = l->list_of[tw_worker_node(s, first + __builtin_ctzll(left))];
		if (i != TW_NONE && i < l->n && l->of[i].left == 0)
			return who & ((left & -left) - 1);
	}
	return who;
}

void tw_order_lists_done(struct tw_sched *s, void *lists, tw_task task, tw_worker worker)
{
	struct tw_order_lists *l = lists;
	(void)worker;
	tw_plan_remove(&l->plan, s, task);
}

struct tw_planned_use tw_order_lists_planned_use(struct tw_sched *s, void *lists, tw_data data, tw_node node)
{
	const struct tw_order_lists *l = lists;
	(void)s;
	return tw_plan_use(&l->plan, data, node);
}

void tw_order_lists_finish(struct tw_sched *s, void *lists)
{
	tw_report(s, "steals", (double)((const struct tw_order_lists *)lists)->steals);
}
