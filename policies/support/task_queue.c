#include <tilewright/task_queue.h>

#include <math.h>
#include <string.h>

#include "policies/support/lacks.h"

struct tw_task_link *tw_task_links_create(const struct tw_sched *s)
{
	return tw_run_resize(s, NULL, (size_t)tw_max_tasks(s), sizeof(struct tw_task_link));
}

void tw_task_queue_init(struct tw_task_queue *q, const struct tw_sched *s, struct tw_task_link *links)
{
	*q = (struct tw_task_queue){.s = s, .links = links};
}

/* Returns the index of the level with this priority; if there is none, the index at which to insert it. */
static int find(const struct tw_task_queue *q, int32_t priority)
{
	int low = 0, high = q->n_levels;
	while (low < high) {
		int middle = (low + high) / 2;
		if (q->levels[middle].priority < priority)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void tw_task_queue_add(struct tw_task_queue *q, tw_task task, int32_t priority)
{
	int place = find(q, priority);
	if (place == q->n_levels || q->levels[place].priority != priority) {
		if (q->n_levels == q->capacity) {
			q->capacity = q->capacity ? 2 * q->capacity : 16;
			q->levels = tw_run_resize(q->s, q->levels, (size_t)q->capacity, sizeof *q->levels);
		}
		memmove(&q->levels[place + 1], &q->levels[place], (size_t)(q->n_levels - place) * sizeof *q->levels);
		q->n_levels++;
		q->levels[place] = (struct tw_task_level){.priority = priority, .oldest = TW_NONE, .newest = TW_NONE};
	}
	struct tw_task_level *level = &q->levels[place];
	if (level->by_lacks)
		tw_lacks_add(q->lacks, level->by_lacks, task, level->n_ranked++);
	q->links[task] = (struct tw_task_link){level->newest, TW_NONE};
	if (level->newest == TW_NONE)
		level->oldest = task;
	else
		q->links[level->newest].behind = task;
	level->newest = task;
	q->n_tasks++;
}

static void forget_lacks(const struct tw_task_queue *q, struct tw_task_level *level)
{
	if (!level->by_lacks)
		return;
	for (tw_task t = level->oldest; t != TW_NONE; t = q->links[t].behind)
		tw_lacks_remove(q->lacks, t);
	tw_lacks_group_put_away(q->lacks, level->by_lacks);
	level->by_lacks = NULL;
}

void tw_task_queue_remove(struct tw_task_queue *q, tw_task task, int32_t priority)
{
	int place = find(q, priority);
	struct tw_task_level *level = &q->levels[place];
	struct tw_task_link link = q->links[task];
	if (level->by_lacks)
		tw_lacks_remove(q->lacks, task);
	if (link.before == TW_NONE)
		level->oldest = link.behind;
	else
		q->links[link.before].behind = link.behind;
	if (link.behind == TW_NONE)
		level->newest = link.before;
	else
		q->links[link.behind].before = link.before;
	if (level->oldest == TW_NONE) {
		forget_lacks(q, level);
		memmove(level, level + 1, (size_t)(--q->n_levels - place) * sizeof *level);
	}
	q->n_tasks--;
}

tw_task tw_task_queue_oldest(const struct tw_task_queue *q)
{
	return q->n_levels ? q->levels[q->n_levels - 1].oldest : (tw_task)TW_NONE;
}

int tw_task_queue_first_for(const struct tw_task_queue *q, const struct tw_sched *s, tw_worker worker, tw_task *tasks,
                            int max)
{
	int n = 0;
	for (int level = q->n_levels - 1; level >= 0 && n < max; level--)
		for (tw_task t = q->levels[level].oldest; t != TW_NONE && n < max; t = q->links[t].behind)
			if (!isinf(tw_task_length(s, t, worker)))
				tasks[n++] = t;
	return n;
}

tw_task tw_task_queue_oldest_for(const struct tw_task_queue *q, const struct tw_sched *s, tw_worker worker)
{
	tw_task task = TW_NONE;
	tw_task_queue_first_for(q, s, worker, &task, 1);
	return task;
}

tw_task tw_task_queue_newest_for(const struct tw_task_queue *q, const struct tw_sched *s, tw_worker worker)
{
	for (int level = q->n_levels - 1; level >= 0; level--)
		for (tw_task t = q->levels[level].newest; t != TW_NONE; t = q->links[t].before)
			if (!isinf(tw_task_length(s, t, worker)))
				return t;
	return TW_NONE;
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

tw_task tw_task_queue_most_urgent_there(const struct tw_task_queue *q, const struct tw_sched *s, tw_worker worker)
{
	tw_task best = TW_NONE;
	for (tw_task t = tw_task_queue_oldest(q); t != TW_NONE; t = q->links[t].behind)
		if ((best == TW_NONE || tw_task_priority(s, t) > tw_task_priority(s, best)) &&
		    !isinf(tw_task_length(s, t, worker)) && has_its_inputs(s, t, tw_worker_node(s, worker)))
			best = t;
	return best;
}

/* --- finding the readiest task of a queue ------------------------------------------------------------------------- */

/* When this many tasks of the highest priority all lack data, a heap keeps the bytes that they lack. The heap is
 * dropped when the oldest task lacked nothing this many times in a row: examining tasks is then cheaper. */
enum { MANY = 64 };

static void keep_lacks(struct tw_task_queue *q, struct tw_task_level *level, tw_node node)
{
	level->by_lacks = tw_lacks_group_make(q->lacks, node);
	level->n_ranked = 0;
	for (tw_task t = level->oldest; t != TW_NONE; t = q->links[t].behind)
		tw_lacks_add(q->lacks, level->by_lacks, t, level->n_ranked++);
}

/* Returns the readiest of the first `few` tasks; `*n`: how many of them it looked at. `*found`: whether this task is
 * the readiest of all tasks of the highest priority. */
static tw_task look_at_few(const struct tw_task_queue *q, const struct tw_sched *s, tw_node node, int few, int *n,
                           bool *found)
{
	struct tw_lack least = TW_LACKS_ALL;
	tw_task best = TW_NONE, t = tw_task_queue_oldest(q);
	for (*n = 0; t != TW_NONE && least.not_valid > 0 && *n < few; t = q->links[t].behind, ++*n)
		if (tw_task_lacks_less(s, t, node, &least))
			best = t;
	*found = t == TW_NONE || least.not_valid == 0;
	return best;
}

/* Returns how many tasks of the highest priority Ready looks at until it has the readiest one: all or, if this task
 * lacks nothing, the tasks up to it. */
static int64_t n_up_to(const struct tw_task_queue *q, tw_task readiest, tw_node node)
{
	struct tw_lack lack = TW_LACKS_ALL;
	int64_t n = 1;
	tw_task_lacks_less(q->s, readiest, node, &lack);
	for (tw_task t = tw_task_queue_oldest(q); t != TW_NONE && (t != readiest || lack.not_valid > 0);
	     t = q->links[t].behind)
		n++;
	return lack.not_valid > 0 ? n - 1 : n;
}

tw_task tw_task_queue_most_ready(struct tw_task_queue *q, struct tw_lacks *lacks, tw_node node)
{
	bool found;
	int n;
	if (q->n_levels == 0)
		return TW_NONE;
	struct tw_task_level *level = &q->levels[q->n_levels - 1];
	tw_task task = look_at_few(q, q->s, node, level->by_lacks ? 1 : MANY, &n, &found);
	if (found) {
		if (level->by_lacks && ++level->n_spared == MANY)
			forget_lacks(q, level);
		tw_looked_at(q->s, n);
		return task;
	}
	q->lacks = lacks;
	level->n_spared = 0;
	if (!level->by_lacks)
		keep_lacks(q, level, node);
	task = tw_lacks_readiest(lacks, level->by_lacks);
	if (tw_looks_cost(q->s))
		tw_looked_at(q->s, n_up_to(q, task, node));
	return task;
}
