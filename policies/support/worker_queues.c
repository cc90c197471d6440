#include "policies/support/worker_queues.h"

#include <math.h>

void tw_worker_queues_init(struct tw_worker_queues *q, const struct tw_sched *s)
{
	tw_worker n = tw_n_workers(s);
	*q = (struct tw_worker_queues){n, tw_run_alloc(s, (size_t)n, sizeof *q->of), tw_task_links_create(s)};
	for (tw_worker w = 0; w < n; w++)
		tw_task_queue_init(&q->of[w], s, q->links);
}

void tw_worker_queues_give(struct tw_worker_queues *q, struct tw_sched *s, tw_task task, int32_t priority, tw_worker w)
{
	tw_task_queue_add(&q->of[w], task, priority);
	tw_wake(s, w);
}

void tw_worker_queues_give_back(struct tw_worker_queues *q, struct tw_sched *s, tw_task task, int32_t priority,
                                tw_worker released_by)
{
	tw_worker w = released_by == TW_NONE ? 0 : released_by;
	while (isinf(tw_task_length(s, task, w)))
		w = (w + 1) % q->n;
	tw_worker_queues_give(q, s, task, priority, w);
}

tw_task tw_worker_queues_pop(struct tw_sched *s, void *queues, tw_worker w)
{
	struct tw_worker_queues *q = queues;
	(void)s;
	tw_task task = tw_task_queue_oldest(&q->of[w]);
	if (task != TW_NONE) {
		const struct tw_task_level *highest = &q->of[w].levels[q->of[w].n_levels - 1];
		tw_task_queue_remove(&q->of[w], task, highest->priority);
	}
	return task;
}
