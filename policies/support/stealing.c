#include <tilewright/stealing.h>

#include <math.h>
#include <stdlib.h>

int tw_stealing_init(struct tw_stealing *st, const struct tw_sched *s, struct tw_error *err)
{
	tw_worker n = tw_n_workers(s);
	*st = (struct tw_stealing){n, 1 % n, calloc((size_t)n, sizeof *st->deques), tw_task_links_create(s)};
	if (!st->deques || !st->links) {
		tw_stealing_finish(st);
		return tw_fail(err, TW_NOMEM, "out of memory for the queues of %d workers", (int)n);
	}
	for (tw_worker w = 0; w < n; w++)
		tw_task_queue_init(&st->deques[w].tasks, st->links);
	return TW_OK;
}

void tw_stealing_finish(struct tw_stealing *st)
{
	for (tw_worker w = 0; st->deques && w < st->n; w++)
		tw_task_queue_finish(&st->deques[w].tasks);
	free(st->deques);
	free(st->links);
	*st = (struct tw_stealing){0};
}

void tw_stealing_push(struct tw_stealing *st, struct tw_sched *s, tw_task task, tw_worker released_by)
{
	tw_worker w = released_by;
	if (w == TW_NONE) {
		w = st->next_submitted;
		st->next_submitted = (w + 1) % st->n;
	}
	while (isinf(tw_task_length(s, task, w))) /* the next that can run it */
		w = (w + 1) % st->n;
	if (tw_task_queue_add(&st->deques[w].tasks, task, tw_task_priority(s, task)))
		tw_abort_run(s, "out of memory for the queue of a worker");
	tw_wake(s, TW_ALL);
}

static tw_task take(struct tw_sched *s, struct tw_stealing_deque *d, tw_task task)
{
	if (task != TW_NONE)
		tw_task_queue_remove(&d->tasks, task, tw_task_priority(s, task));
	return task;
}

static tw_task take_own(struct tw_stealing *st, struct tw_sched *s, tw_worker worker)
{
	struct tw_stealing_deque *own = &st->deques[worker];
	own->busy = false; /* it cannot steal from itself */
	tw_task task = take(s, own, tw_task_queue_oldest(&own->tasks));
	own->busy = task != TW_NONE;
	return task;
}

static tw_task rob(struct tw_stealing *st, struct tw_sched *s, tw_worker thief, tw_worker victim)
{
	struct tw_stealing_deque *d = &st->deques[victim];
	tw_task task = d->busy ? take(s, d, tw_task_queue_newest_for(&d->tasks, s, thief)) : TW_NONE;
	st->deques[thief].busy = task != TW_NONE;
	return task;
}

tw_task tw_stealing_pop(struct tw_stealing *st, struct tw_sched *s, tw_worker worker, const tw_worker *victims)
{
	tw_task task = take_own(st, s, worker);
	for (tw_worker i = 0; task == TW_NONE && i < st->n; i++)
		task = rob(st, s, worker, victims[i]);
	return task;
}

tw_task tw_stealing_pop_in_turn(struct tw_stealing *st, struct tw_sched *s, tw_worker worker)
{
	tw_worker *next = &st->deques[worker].next_victim;
	tw_task task = take_own(st, s, worker);
	if (task != TW_NONE)
		return task;
	for (tw_worker i = 0; task == TW_NONE && i < st->n; i++) {
		task = rob(st, s, worker, *next);
		*next = (*next + 1) % st->n;
	}
	if (task == TW_NONE)
		*next = (*next + 1) % st->n;
	return task;
}
