/* Jobs: created in a turn, and reused once another turn has got their completion. In timed mode, which computes nothing
 * during the run, jobs that have ended are logged instead, for afterwards.c. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/real/office.h"

struct tw__job *tw__job_get(struct tw__engine *e, uint64_t token)
{
	struct tw__job *job = e->unused;
	if (job) {
		e->unused = job->next;
	} else {
		TW_RESERVE(e->jobs, e->jobs_capacity, e->n_jobs + 1);
		job = e->jobs[e->n_jobs++] = tw__arena_alloc(&e->memory, 1, sizeof *job);
		job->operands = tw__arena_alloc(&e->memory, (size_t)e->most_operands, sizeof *job->operands);
	}
	*job = (struct tw__job){.token = token, .given = e->now, .operands = job->operands};
	e->n_busy++;
	return job;
}

void tw__job_ended(struct tw__engine *e, struct tw__job *job) { tw__baton_post(e->baton, &job->post); }

static void tell_failure(struct tw__engine *e, const struct tw__job *job)
{
	const struct tw__platform *p = e->platform;
	if (job->is_message)
		snprintf(e->why, sizeof e->why, "%s", job->why);
	else if (job->is_copy)
		snprintf(e->why, sizeof e->why, "copy of data %d from '%s' to '%s': %s",
		         (int)tw__program_data(e, job->data), p->nodes[job->from].name, p->nodes[job->to].name,
		         job->why);
	else if (job->why)
		snprintf(e->why, sizeof e->why, "kernel '%s' of task %d on worker '%s': %s", job->codelet->kernel,
		         (int)tw__program_task(e, job->task), p->workers[job->worker].name, job->why);
	else
		snprintf(e->why, sizeof e->why, "kernel '%s' of task %d on worker '%s' returned %d",
		         job->codelet->kernel, (int)tw__program_task(e, job->task), p->workers[job->worker].name,
		         job->code);
}

struct tw__completion tw__job_complete(struct tw__engine *e, struct tw__job *job)
{
	struct tw__completion c = {.token = job->token,
	                           .sequence = job->sequence,
	                           .start = job->start,
	                           .end = job->end,
	                           .call = job->call,
	                           .interrupted = job->interrupted};
	if (job->code || job->why) {
		if (!*e->why)
			tell_failure(e, job);
		c.status = TW_FAILED;
		c.why = e->why;
	}
	if (job->call > 0) {
		struct tw__device_calls *calls = job->is_copy ? &e->issues : &e->launches;
		if ((size_t)calls->n < sizeof calls->took_s / sizeof *calls->took_s)
			calls->took_s[calls->n++] = tw__clock_seconds(&e->clock, 0, job->call);
	}
	job->given = TW__NEVER;
	e->n_busy -= !job->is_message;
	if (e->logs) {
		tw__queue_put(&e->logged, job);
	} else {
		job->next = e->unused;
		e->unused = job;
	}
	return c;
}

/* --- queues of copies --------------------------------------------------------------------------------------------- */

void tw__copy_queues_init(struct tw__copy_queues *q, const struct tw__platform *p, enum tw__link_shares shares)
{
	q->n_nodes = p->n_nodes;
	q->of = tw_alloc((size_t)p->n_nodes * (size_t)p->n_nodes, sizeof *q->of);
	struct tw__weights weights;
	tw__weights_init(&weights, p, shares);
	tw__dated_init(&q->links, p, &weights);
	tw__weights_finish(&weights);
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
