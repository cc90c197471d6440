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
		.victims = tw_run_id_set(s, n),
	};
	for (tw_worker w = 0; w < n; w++)
		tw_task_queue_init(&st->deques[w].tasks, s, links);
}

/* Updates the set of victims after the worker's queue or its `busy` has changed. */
static void list_victim(struct tw_stealing *st, tw_worker w)
{
	const struct tw_stealing_deque *d = &st->deques[w];
	tw_id_set_put(&st->victims, w, d->busy && d->tasks.n_tasks > 0);
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
	st->n_tasks++;
	list_victim(st, w);
	tw_wake(s, TW_ALL);
}

static tw_task take(struct tw_stealing *st, struct tw_sched *s, tw_worker from, tw_task task)
{
	if (task != TW_NONE) {
		tw_task_queue_remove(&st->deques[from].tasks, task, tw_task_priority(s, task));
		st->n_tasks--;
	}
	list_victim(st, from);
	return task;
}

tw_task tw_stealing_pop_own(struct tw_stealing *st, struct tw_sched *s, tw_worker worker)
{
	struct tw_stealing_deque *own = &st->deques[worker];
	tw_task task = tw_task_queue_oldest(&own->tasks);
	own->busy = task != TW_NONE;
	return take(st, s, worker, task);
}

tw_task tw_stealing_rob(struct tw_stealing *st, struct tw_sched *s, tw_worker thief, tw_worker victim)
{
	tw_task task = tw_task_queue_newest_for(&st->deques[victim].tasks, s, thief);
	tw_looked_at(s, 1);
	st->deques[thief].busy = task != TW_NONE;
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

tw_task tw_stealing_pop_in_turn(struct tw_stealing *st, struct tw_sched *s, tw_worker worker)
{
	tw_worker *next = &st->deques[worker].next_victim, victim;
	tw_task task = tw_stealing_pop_own(st, s, worker);
	if (task != TW_NONE)
		return task;
	task = tw_stealing_rob_circle(st, s, worker, *next, NULL, &victim);
	*next = ((task == TW_NONE ? *next : victim) + 1) % st->n;
	return task;
}

uint64_t tw_stealing_pops_in_vain(struct tw_sched *s, void *state, tw_worker first, uint64_t who)
{
	struct tw_stealing *st = state;
	(void)s;
	if (st->n_tasks)
		return 0;
	for (uint64_t left = who; left; left &= left - 1) {
		struct tw_stealing_deque *own = &st->deques[first + __builtin_ctzll(left)];
		own->busy = false;
		own->next_victim = own->next_victim + 1 < st->n ? own->next_victim + 1 : 0;
	}
	return who;
}
