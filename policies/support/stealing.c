#include "policies/support/stealing.h"

#include <math.h>

void tw_stealing_init(struct tw_stealing *st, const struct tw_sched *s)
{
	tw_worker n = tw_n_workers(s);
	struct tw_task_link *links = tw_task_links_create(s);
	*st = (struct tw_stealing){
		.n = n,
		.next_submitted = 1 % n,
		.deques = tw_run_alloc(s, (size_t)n, sizeof *st->deques),
		.busy = tw_run_id_set(s, n),
		.filled = tw_run_id_set(s, n),
		.victims = tw_run_id_set(s, n),
	};
	st->skipped = tw_run_alloc(s, (size_t)st->busy.n_words, sizeof *st->skipped);
	for (tw_worker w = 0; w < n; w++)
		tw_task_queue_init(&st->deques[w].tasks, s, links);
}

/* Updates the sets after the worker's queue has changed, or whether it is busy. */
static void list_victim(struct tw_stealing *st, tw_worker w)
{
	bool filled = st->deques[w].tasks.n_tasks > 0, is_victim = filled && tw_id_set_has(&st->busy, w);
	st->n_victims += is_victim - tw_id_set_has(&st->victims, w);
	tw_id_set_put(&st->filled, w, filled);
	tw_id_set_put(&st->victims, w, is_victim);
}

void tw_stealing_push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct tw_stealing *st = state;
	tw_worker w = released_by;
	if (w == TW_NONE) {
		w = st->next_submitted;
		st->next_submitted = (w + 1) % st->n;
	}
	while (isinf(tw_task_length(s, task, w))) /* goes on to the next worker that can run the task */
		w = (w + 1) % st->n;
	tw_task_queue_add(&st->deques[w].tasks, task, tw_task_priority(s, task));
	list_victim(st, w);
	tw_wake(s, TW_ALL);
}

static tw_task take(struct tw_stealing *st, struct tw_sched *s, tw_worker from, tw_task task)
{
	if (task != TW_NONE)
		tw_task_queue_remove(&st->deques[from].tasks, task, tw_task_priority(s, task));
	list_victim(st, from);
	return task;
}

tw_task tw_stealing_pop_own(struct tw_stealing *st, struct tw_sched *s, tw_worker worker)
{
	tw_task task = tw_task_queue_oldest(&st->deques[worker].tasks);
	tw_id_set_put(&st->busy, worker, task != TW_NONE);
	return take(st, s, worker, task);
}

tw_task tw_stealing_rob(struct tw_stealing *st, struct tw_sched *s, tw_worker thief, tw_worker victim)
{
	tw_task task = tw_task_queue_newest_for(&st->deques[victim].tasks, s, thief);
	tw_looked_at(s, 1);
	tw_id_set_put(&st->busy, thief, task != TW_NONE);
	return take(st, s, victim, task);
}

tw_task tw_stealing_rob_circle(struct tw_stealing *st, struct tw_sched *s, tw_worker thief, tw_worker first,
                               const struct tw_id_set *among, tw_worker *victim)
{
	*victim = TW_NONE;
	while ((*victim = tw_id_set_next_in_circle(&st->victims, among, first, *victim)) != TW_NONE) {
		tw_task task = tw_stealing_rob(st, s, thief, *victim);
		if (task != TW_NONE)
			return task;
	}
	return TW_NONE;
}

/* Adds the worker's skipped pops to the place where its search begins. */
static void count_skipped(struct tw_stealing *st, tw_worker worker)
{
	struct tw_stealing_skipped *skipped = &st->skipped[worker / 64];
	uint64_t bit = UINT64_C(1) << worker % 64;
	tw_worker number = 0;
	if (!(skipped->any & bit))
		return;
	skipped->any &= ~bit;
	for (int i = 0; i < TW_STEALING_PLANES; i++) {
		number |= (tw_worker)(skipped->planes[i] >> worker % 64 & 1) << i;
		skipped->planes[i] &= ~bit;
	}
	st->deques[worker].next_victim = (st->deques[worker].next_victim + number) % st->n;
}

tw_task tw_stealing_pop_in_turn(struct tw_stealing *st, struct tw_sched *s, tw_worker worker)
{
	tw_worker *next = &st->deques[worker].next_victim, victim;
	tw_task task = tw_stealing_pop_own(st, s, worker);
	if (task != TW_NONE)
		return task;
	count_skipped(st, worker);
	task = tw_stealing_rob_circle(st, s, worker, *next, NULL, &victim);
	*next = ((task == TW_NONE ? *next : victim) + 1) % st->n;
	return task;
}

uint64_t tw_stealing_pops_in_vain(struct tw_sched *s, void *state, tw_worker first, uint64_t who)
{
	struct tw_stealing *st = state;
	struct tw_stealing_skipped *skipped = &st->skipped[first / 64];
	(void)s;
	if (st->n_victims)
		return 0;
	uint64_t filled = who & st->filled.words[first / 64];
	if (filled) /* the first worker with a task of its own ends the group */
		who &= (filled & -filled) - 1;
	uint64_t carry = who;
	st->busy.words[first / 64] &= ~who;
	skipped->any |= who;
	for (int i = 0; carry && i < TW_STEALING_PLANES; i++) {
		uint64_t plane = skipped->planes[i];
		skipped->planes[i] = plane ^ carry;
		carry &= plane;
	}
	for (; carry; carry &= carry - 1) { /* numbers that overflow */
		tw_worker *next = &st->deques[first + __builtin_ctzll(carry)].next_victim;
		*next = (*next + (1 << TW_STEALING_PLANES)) % st->n;
	}
	return who;
}
