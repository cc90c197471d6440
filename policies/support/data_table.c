/* Changes a table of data (data_table.h) as tasks and data come and go. The set-up is in data_units.c, the choice of a
 * handle in data_choice.c. */
#include "policies/support/data_table.h"

#include <math.h>

#include <tilewright/containers.h>

#include "policies/support/examples.h"

/* --- what ready tasks add to the scores of handles ---------------------------------------------------------------- */

static void touch(struct tw_data_unit *u, tw_data d)
{
	if (u->states[d].stale)
		return;
	u->states[d].stale = true;
	u->stale[u->n_stale++] = d;
}

/* Whether the scores of handles have more members than s0; false with by_count. */
static bool scores_left(const struct tw_data_table *t) { return t->scores && !t->by_count; }

/* Returns the nanoseconds that the task adds to the computation time of S0 on unit k. Here and below, functions know
 * tasks by their entries. */
static int64_t worth(const struct tw_data_table *t, int32_t entry, int k)
{
	int64_t least = t->tasks[entry].least_ns, length = tw__data_length_ns(t, entry, k);
	return length == least ? length : llround(fmax(1, (double)least * (double)least / (double)length));
}

/* Counts the task for the handles that it lacks on unit k. It counts in S0 if it lacks only one handle, in S1 if it
 * lacks two. Sign 1 adds the task, sign -1 removes it. */
static void count_for_data(struct tw_data_table *t, int32_t entry, int k, int sign, int32_t missing)
{
	struct tw_data_unit *u = &t->units[k];
	int64_t time = missing == 1 ? worth(t, entry, k) : 0;
	int32_t first = t->tasks[entry].first_use, end = first + t->tasks[entry].n_inputs;
	for (int32_t i = first; i < end; i++) {
		struct tw_data_cell *cell = &u->cells[t->uses[i].data];
		if (u->states[t->uses[i].data].there)
			continue;
		cell->s0 += missing == 1 ? sign : 0;
		cell->computation_ns += sign * time;
		cell->s1 += missing == 2 ? sign : 0;
		touch(u, t->uses[i].data);
	}
}

/* Adds a task that lacks no handle to the unit's queue of free tasks (sign 1), or removes it (-1). */
static void count_free(struct tw_data_table *t, int32_t entry, int k, int sign)
{
	struct tw_task_queue *free_tasks = &t->units[k].free;
	tw_task task = t->tasks[entry].task;
	int32_t priority = tw_task_priority(t->s, task);
	if (sign < 0)
		tw_task_queue_remove(free_tasks, task, priority);
	else
		tw_task_queue_add(free_tasks, task, priority);
}

static void count(struct tw_data_table *t, int32_t entry, int k, int sign)
{
	int32_t missing = *tw__data_missing(t, entry, k);
	if (missing == 0)
		count_free(t, entry, k, sign);
	else if (t->scores && missing <= (t->by_count ? 1 : 2))
		count_for_data(t, entry, k, sign, missing);
}

void tw_data_table_score(struct tw_data_table *t)
{
	if (t->scores)
		return;
	t->scores = true;
	for (tw_data d = 0; d < t->n_data; d++)
		for (int32_t use = t->ready_uses[d]; use != TW_NONE; use = t->uses[use].behind)
			for (int k = 0; k < t->n_units; k++) {
				int32_t entry = t->uses[use].entry;
				touch(&t->units[k], d);
				if (use == t->tasks[entry].first_use && tw__data_length_ns(t, entry, k) >= 0 &&
				    *tw__data_missing(t, entry, k) > 0)
					count(t, entry, k, 1);
			}
}

/* Returns the index in plan.of_data and plan.ends of the handle's uses by tasks that the unit has planned or taken. */
static size_t in_plan(const struct tw_data_table *t, tw_data d, int k)
{
	return tw_plan_index(&t->plan, d, t->units[k].node);
}

/* Sets whether unit k has the handle, and updates the ready tasks that use the handle. */
static void set_there(struct tw_data_table *t, tw_data d, int k, bool there)
{
	struct tw_data_unit *u = &t->units[k];
	if (t->ready_uses[d] != TW_NONE)
		t->version++;
	for (int32_t use = t->ready_uses[d]; use != TW_NONE; use = t->uses[use].behind)
		if (tw__data_length_ns(t, t->uses[use].entry, k) >= 0)
			count(t, t->uses[use].entry, k, -1);
	u->states[d].there = there;
	for (int32_t use = t->ready_uses[d]; use != TW_NONE; use = t->uses[use].behind) {
		int32_t entry = t->uses[use].entry;
		if (tw__data_length_ns(t, entry, k) < 0)
			continue;
		*tw__data_missing(t, entry, k) += there ? -1 : 1;
		*tw__data_need_ns(t, entry, k) = TW_NOT_KNOWN;
		count(t, entry, k, 1);
	}
	touch(u, d);
}

/* Recomputes whether unit k has the handle: it is valid there, or a planned or taken task of the unit uses it. */
static void update(struct tw_data_table *t, tw_data d, int k)
{
	struct tw_data_state state = t->units[k].states[d];
	bool there = state.present || t->plan.ends[in_plan(t, d, k)].first;
	if (there != state.there)
		set_there(t, d, k, there);
}

void tw_data_table_set_present(struct tw_data_table *t, tw_data d, int k, bool present)
{
	t->units[k].states[d].present = present;
	update(t, d, k);
}

void tw_data_table_moved(struct tw_data_table *t, tw_data d)
{
	tw_data_table_ask_again(t, d);
	for (int k = 0; k < t->n_units && scores_left(t); k++)
		if (!t->units[k].states[d].there)
			touch(&t->units[k], d);
}

/* --- tasks join and leave the table ------------------------------------------------------------------------------- */

static int64_t ask_length(const struct tw_data_table *t, tw_task task, int k)
{
	double least = tw_examples_least_s(t->s, t->units[k].workers, t->units[k].n_workers, task);
	return isinf(least) ? -1 : llround(fmax(1, fmin(least * 1e9, TW_LONGEST_NS)));
}

/* Adds the time of the task to left_ns of each of its inputs (sign 1), or removes it (-1). Each left_ns adds up all
 * ready tasks that use the handle. */
static void add_left(struct tw_data_table *t, int32_t entry, int sign)
{
	const int64_t *length = &t->length_ns[(size_t)entry * (size_t)t->n_kinds];
	int32_t first = t->tasks[entry].first_use, end = first + t->tasks[entry].n_inputs;
	for (int32_t i = first; i < end; i++) {
		tw_data d = t->uses[i].data;
		for (int kind = 0; kind < t->n_kinds; kind++)
			if (length[kind] >= 0)
				t->left_ns[(size_t)d * (size_t)t->n_kinds + (size_t)kind] += sign * length[kind];
		for (int k = 0; k < t->n_units && scores_left(t); k++)
			if (length[t->units[k].kind] >= 0 && !t->units[k].states[d].there)
				touch(&t->units[k], d);
	}
}

static void join_pool(struct tw_data_table *t, int32_t entry)
{
	int32_t first = t->tasks[entry].first_use, end = first + t->tasks[entry].n_inputs;
	t->tasks[entry].unit_of = TW_READY;
	for (int32_t i = first; i < end; i++) {
		struct tw_data_use *use = &t->uses[i];
		use->before = TW_NONE;
		use->behind = t->ready_uses[use->data];
		if (use->behind != TW_NONE)
			t->uses[use->behind].before = i;
		t->ready_uses[use->data] = i;
	}
	for (int k = 0; k < t->n_units; k++)
		*tw__data_need_ns(t, entry, k) = TW_NOT_KNOWN;
	add_left(t, entry, 1);
	for (int k = 0; k < t->n_units; k++) {
		int32_t *missing = tw__data_missing(t, entry, k);
		*missing = 0;
		if (tw__data_length_ns(t, entry, k) < 0)
			continue;
		for (int32_t i = first; i < end; i++)
			*missing += !t->units[k].states[t->uses[i].data].there;
		count(t, entry, k, 1);
	}
}

static void leave_pool(struct tw_data_table *t, int32_t entry)
{
	int32_t first = t->tasks[entry].first_use, end = first + t->tasks[entry].n_inputs;
	for (int k = 0; k < t->n_units; k++)
		if (tw__data_length_ns(t, entry, k) >= 0)
			count(t, entry, k, -1);
	add_left(t, entry, -1);
	for (int32_t i = first; i < end; i++) {
		struct tw_data_use *use = &t->uses[i];
		if (use->before == TW_NONE)
			t->ready_uses[use->data] = use->behind;
		else
			t->uses[use->before].behind = use->behind;
		if (use->behind != TW_NONE)
			t->uses[use->behind].before = use->before;
	}
}

/* Takes an entry for the task: a free one or, if there is none, a new one. */
static int32_t take_entry(struct tw_data_table *t, tw_task task)
{
	int n = tw_task_n_accesses(t->s, task);
	int32_t entry = t->free_of[n];
	if (entry)
		t->free_of[n] = t->tasks[entry].task;
	else
		entry = tw__data_make_entry(t, n);
	t->tasks[entry].task = task;
	return t->entry_of[task] = entry;
}

static void give_entry(struct tw_data_table *t, tw_task task)
{
	int32_t entry = t->entry_of[task], *first = &t->free_of[tw_task_n_accesses(t->s, task)];
	if (!entry)
		return;
	t->tasks[entry].task = *first;
	*first = entry;
	t->entry_of[task] = 0;
}

void tw_data_table_add(struct tw_data_table *t, tw_task task)
{
	int32_t entry = take_entry(t, task), n = 0;
	struct tw_data_task *its = &t->tasks[entry];
	for (int i = 0; i < tw_task_n_accesses(t->s, task); i++) {
		struct tw_access access = tw_task_access(t->s, task, i);
		if (!(access.mode & TW_R))
			continue;
		t->uses[its->first_use + n++] = (struct tw_data_use){access.data, entry, TW_NONE, TW_NONE};
		if (access.data < t->first_accumulator)
			continue;
		for (int k = 0; k < t->n_units; k++) /* no event tells when accumulators become valid */
			tw_data_table_set_present(t, access.data, k,
			                          tw_data_valid(t->s, access.data, t->units[k].node));
	}
	its->n_inputs = n;
	its->least_ns = INT64_MAX;
	for (int k = 0, kind = 0; kind < t->n_kinds; k++) {
		if (t->units[k].kind !=
		    kind) /* length known from an earlier unit of this kind: kinds are numbered in unit order */
			continue;
		int64_t length = ask_length(t, task, k);
		t->length_ns[(size_t)entry * (size_t)t->n_kinds + (size_t)kind++] = length;
		if (length >= 0 && length < its->least_ns)
			its->least_ns = length;
	}
	join_pool(t, entry);
}

static void update_data(struct tw_data_table *t, tw_task task, int k)
{
	for (int i = 0; i < tw_task_n_accesses(t->s, task); i++)
		update(t, tw_task_access(t->s, task, i).data, k);
}

/* Adds the task to the unit's planned or taken tasks (sign 1), or removes it (-1). */
static void queue(struct tw_data_table *t, tw_task task, int k, int sign)
{
	t->version++;
	t->units[k].n_queued += sign;
	tw_id_set_put(&t->unqueued, k, t->units[k].n_queued == 0);
	t->queued_ns[k] += sign * tw_data_table_length(t, task, k);
	t->all_queued_ns += sign * tw_data_table_length(t, task, k);
}

void tw_data_table_plan(struct tw_data_table *t, tw_task task, int k)
{
	int32_t entry = t->entry_of[task];
	leave_pool(t, entry);
	t->tasks[entry].unit_of = k;
	queue(t, task, k, 1);
	tw_plan_append(&t->plan, t->s, task, t->units[k].node);
	update_data(t, task, k);
}

void tw_data_table_unplan(struct tw_data_table *t, tw_task task)
{
	int k = tw_data_table_task(t, task)->unit_of;
	tw_plan_remove(&t->plan, t->s, task);
	queue(t, task, k, -1);
	update_data(t, task, k);
	join_pool(t, t->entry_of[task]);
}

void tw_data_table_take(struct tw_data_table *t, tw_task task)
{
	tw_plan_take(&t->plan, t->s, task, t->units[tw_data_table_task(t, task)->unit_of].node);
}

void tw_data_table_drop(struct tw_data_table *t, tw_task task)
{
	int k = tw_data_table_task(t, task)->unit_of;
	if (k == TW_READY)
		leave_pool(t, t->entry_of[task]);
	tw_plan_remove(&t->plan, t->s, task);
	if (k >= 0) {
		queue(t, task, k, -1);
		update_data(t, task, k);
	}
	give_entry(t, task);
}

void tw_data_table_end(struct tw_data_table *t, tw_task task, tw_worker worker)
{
	int unit = t->unit_of_worker[worker];
	for (int i = 0; i < tw_task_n_accesses(t->s, task); i++) {
		struct tw_access access = tw_task_access(t->s, task, i);
		for (int k = 0; k < t->n_units; k++)
			if (k == unit || (access.mode & TW_W))
				tw_data_table_set_present(t, access.data, k,
				                          tw_data_valid(t->s, access.data, t->units[k].node));
		if (access.mode & TW_W)
			tw_data_table_moved(t, access.data);
	}
	tw_data_table_drop(t, task);
}

tw_task tw_data_table_planned(const struct tw_data_table *t, tw_data d, int k)
{
	size_t index = in_plan(t, d, k);
	uint32_t use = t->plan.of_data[index].planned ? t->plan.ends[index].first : 0;
	while (use && t->plan.tasks[t->plan.uses[use].task].state != TW_PLANNED)
		use = t->plan.uses[use].behind;
	return use ? t->plan.uses[use].task : (tw_task)TW_NONE;
}
