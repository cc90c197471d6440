/* Queues of copies over links that have no hardware: those of emulated accelerators, and of timed mode. For each
 * ordered pair of memories, one copy is under way at a time. Copies that are under way share the platform's links. */
#include <stdlib.h>

#include "engine/real/real.h"

void tw__copy_queues_init(struct tw__copy_queues *q, const struct tw_platform *p, enum tw__link_shares shares)
{
	q->n_nodes = p->n_nodes;
	q->of = tw_alloc((size_t)p->n_nodes * (size_t)p->n_nodes, sizeof *q->of);
	tw__dated_init(&q->links, p, tw__weight_unit(p, shares));
}

void tw__copy_queues_finish(struct tw__copy_queues *q)
{
	tw__dated_finish(&q->links);
	free(q->of);
}

struct tw__copy_queue *tw__copy_queue_put(struct tw__copy_queues *q, struct tw__job *job)
{
	struct tw__copy_queue *queue = &q->of[job->from * q->n_nodes + job->to];
	tw__queue_put(&queue->waiting, job);
	return queue;
}

struct tw__job *tw__copy_queue_start(struct tw__copy_queues *q, struct tw__copy_queue *queue, tw__ns date)
{
	if (queue->job || !queue->waiting.first)
		return NULL;
	struct tw__job *job = queue->job = tw__queue_take(&queue->waiting);
	job->start = date;
	tw__dated_begin(&q->links, &queue->share, job->from, job->to, (double)job->bytes, date);
	q->n_under_way++;
	return job;
}

struct tw__job *tw__copy_queue_end(struct tw__copy_queues *q, struct tw__copy_queue **queue)
{
	tw__ns date = tw__copy_queues_next(q);
	struct tw__share *share = tw__dated_end(&q->links);
	*queue = (struct tw__copy_queue *)((char *)share - offsetof(struct tw__copy_queue, share));
	struct tw__job *job = (*queue)->job;
	job->end = tw__latest(job->start, date);
	(*queue)->job = NULL;
	q->n_under_way--;
	return job;
}
