#include "policies/support/task_lists.h"

#include <math.h>
#include <stdlib.h>

void tw_task_lists_init(struct tw_task_lists *l, const struct tw_sched *s, int n_lists, tw_task n_tasks)
{
	size_t n = (size_t)n_tasks;
	*l = (struct tw_task_lists){
		.n = n_lists,
		.n_tasks = n_tasks,
		.lists = tw_run_alloc(s, (size_t)n_lists, sizeof *l->lists),
		.tasks = tw_run_alloc(s, n, sizeof *l->tasks),
		.listed = tw_run_alloc(s, n, sizeof *l->listed),
		.ready = tw_run_alloc(s, n / 64 + 1, sizeof *l->ready),
	};
}

void tw_task_lists_fill(struct tw_task_lists *l, const tw_task *order, const int32_t *of)
{
	for (tw_task t = 0; t < l->n_tasks; t++) {
		l->listed[t].list = of[t];
		l->lists[of[t]].end++;
	}
	for (int i = 0; i < l->n; i++) {
		struct tw_task_list *list = &l->lists[i];
		list->begin = list->first = i ? l->lists[i - 1].end : 0;
		list->end += list->begin;
	}
	for (tw_task i = 0; i < l->n_tasks; i++) {
		struct tw_task_list *list = &l->lists[of[order[i]]];
		l->listed[order[i]].slot = list->first;
		l->tasks[list->first++] = order[i];
	}
	for (int i = 0; i < l->n; i++)
		l->lists[i].first = l->lists[i].begin;
}

/* --- the check for deadlocks: simulates the run, without time ----------------------------------------------------- */

struct turns {
	struct tw_task_lists *l;
	int *waiting;  /* [tasks] number of predecessors that the task waits for, plus 1 until the task is submitted */
	tw_task *able; /* [n_able] tasks that could run now in the simulated run */
	tw_task n_able;
};

static void have_turn(struct turns *c, tw_task t)
{
	const struct tw_task_list *list = &c->l->lists[c->l->listed[t].list];
	if (c->waiting[t] == 0 && (list->relaxed || list->first == c->l->listed[t].slot))
		c->able[c->n_able++] = t;
}

static void wait_less(struct turns *c, tw_task t)
{
	c->waiting[t]--;
	have_turn(c, t);
}

static void begin_waiting(struct turns *c, const struct tw_graph *g)
{
	int n;
	for (tw_task t = 0; t < c->l->n_tasks; t++)
		c->waiting[t] = 1;
	for (tw_task t = 0; t < c->l->n_tasks; t++) {
		const tw_task *successors = tw_graph_successors(g, t, &n);
		for (int i = 0; i < n; i++)
			c->waiting[successors[i]]++;
	}
}

static void run_all(struct turns *c, const struct tw_sched *s)
{
	const struct tw_graph *g = tw_sched_graph(s);
	int64_t window = tw_submission_window(s);
	tw_task done = 0, submitted = 0;
	for (;;) {
		while (submitted < c->l->n_tasks && (!window || submitted - done < window))
			wait_less(c, submitted++);
		if (!c->n_able)
			return;
		int n;
		tw_task t = c->able[--c->n_able];
		const tw_task *successors = tw_graph_successors(g, t, &n);
		struct tw_task_list *list = &c->l->lists[c->l->listed[t].list];
		done++;
		for (int i = 0; i < n; i++)
			wait_less(c, successors[i]);
		if (!list->relaxed && ++list->first < list->end)
			have_turn(c, c->l->tasks[list->first]);
	}
}

tw_task tw_task_lists_check(struct tw_task_lists *l, const struct tw_sched *s)
{
	size_t n = (size_t)l->n_tasks;
	struct turns c = {l, tw_alloc(n, sizeof *c.waiting), tw_alloc(n, sizeof *c.able), 0};
	tw_task stuck = TW_NONE;
	begin_waiting(&c, tw_sched_graph(s));
	run_all(&c, s);
	free(c.waiting);
	free(c.able);
	for (int i = 0; i < l->n; i++) {
		struct tw_task_list *list = &l->lists[i];
		if (!list->relaxed && list->first < list->end)
			stuck = l->tasks[list->first];
		list->first = list->begin;
	}
	return stuck;
}

/* --- during the run: tasks become ready and are taken ------------------------------------------------------------- */

void tw_task_lists_ready(struct tw_task_lists *l, tw_task task)
{
	struct tw_task_list *list = &l->lists[l->listed[task].list];
	int32_t slot = l->listed[task].slot;
	l->ready[slot / 64] |= UINT64_C(1) << (slot % 64);
	if (slot < list->first)
		list->first = slot;
}

/* Returns the slot of the first ready task of the list, from `slot` on; list->end: there is none. */
static int32_t next_ready(const struct tw_task_lists *l, const struct tw_task_list *list, int32_t slot)
{
	while (slot < list->end) {
		uint64_t bits = l->ready[slot / 64] >> (slot % 64);
		if (bits) {
			slot += __builtin_ctzll(bits);
			return slot < list->end ? slot : list->end;
		}
		slot += 64 - slot % 64;
	}
	return list->end;
}

tw_task tw_task_lists_first(struct tw_task_lists *l, const struct tw_sched *s, int of, tw_worker worker)
{
	struct tw_task_list *list = &l->lists[of];
	int32_t slot = list->first;
	if (list->relaxed)
		slot = list->first = next_ready(l, list, slot);
	else if (slot < list->end && !(l->ready[slot / 64] >> (slot % 64) & 1))
		return TW_NONE;
	while (slot < list->end && worker != TW_NONE && isinf(tw_task_length(s, l->tasks[slot], worker)))
		slot = list->relaxed ? next_ready(l, list, slot + 1) : list->end;
	return slot < list->end ? l->tasks[slot] : (tw_task)TW_NONE;
}

void tw_task_lists_take(struct tw_task_lists *l, tw_task task)
{
	struct tw_task_list *list = &l->lists[l->listed[task].list];
	int32_t slot = l->listed[task].slot;
	l->ready[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
	list->first += slot == list->first;
}
