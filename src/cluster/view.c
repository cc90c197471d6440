/* The engine as a node of a cluster sees it: as if it had the engine alone. */
#include <string.h>

#include "base/memory.h"
#include "cluster/member.h"

/* struct tw__engine is the node itself. */
static struct tw__member *member_of(struct tw__engine *view) { return (struct tw__member *)(void *)view; }
struct tw__engine *tw__view_of(struct tw__member *m) { return (struct tw__engine *)(void *)m; }

/* --- jobs --------------------------------------------------------------------------------------------------------- */

struct tw__job *tw__job_begin(struct tw__cluster *c, struct tw__member *m)
{
	struct tw__job *job = c->unused;
	if (job)
		c->unused = job->next;
	else
		job = tw__arena_alloc(&c->memory, 1, sizeof *job);
	*job = (struct tw__job){.member = m, .next = m ? m->jobs : NULL};
	if (job->next)
		job->next->before = job;
	if (m)
		m->jobs = job;
	c->n_under_way++;
	return job;
}

void tw__job_end(struct tw__cluster *c, struct tw__job *job)
{
	if (job->member) {
		*(job->before ? &job->before->next : &job->member->jobs) = job->next;
		if (job->next)
			job->next->before = job->before;
	}
	job->next = c->unused;
	c->unused = job;
	c->n_under_way--;
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static struct tw__job *begin(struct tw__member *m, uint64_t token)
{
	struct tw__job *job = tw__job_begin(m->cluster, m);
	job->token = token;
	return job;
}

static void view_exec(struct tw__engine *view, const struct tw__launch *launch, uint64_t token)
{
	struct tw__member *m = member_of(view);
	tw_worker *workers = launch->n_workers
	                             ? tw__arena_alloc(&m->cluster->memory, (size_t)launch->n_workers, sizeof *workers)
	                             : NULL;
	struct tw__launch of = *launch;
	of.worker = m->workers[launch->worker];
	of.task += m->rank.first_task;
	for (int i = 0; i < launch->n_workers; i++)
		workers[i] = m->workers[launch->workers[i]];
	of.workers = workers;
	m->cluster->in->engine->exec(m->cluster->engine, &of, tw__job_token(begin(m, token)));
}

static void view_transfer(struct tw__engine *view, tw_node from, tw_node to, tw_data d, uint64_t bytes, uint64_t token)
{
	struct tw__member *m = member_of(view);
	m->cluster->in->engine->transfer(m->cluster->engine, m->nodes[from], m->nodes[to], d + m->rank.first_data,
	                                 bytes, tw__job_token(begin(m, token)));
}

/* Policies rarely cancel kernels, so this searches all that run. */
static int view_cancel(struct tw__engine *view, uint64_t token)
{
	struct tw__member *m = member_of(view);
	struct tw__job *job = m->jobs;
	while (job && job->token != token)
		job = job->next;
	if (!job)
		return TW_FAILED;
	int status = m->cluster->in->engine->cancel(m->cluster->engine, tw__job_token(job));
	if (status == TW_OK)
		tw__job_end(m->cluster, job);
	return status;
}

/* Other nodes may begin something at their next dates. */
static tw__ns view_next(struct tw__engine *view)
{
	struct tw__cluster *c = member_of(view)->cluster;
	const struct tw__heap_item *first = tw__heap_top(&c->due);
	const tw__ns other = first ? TW__CONTAINER(first, const struct tw__member, due)->date : TW__NEVER;
	return tw__earliest(c->in->engine->next(c->engine), other);
}

static void view_advance(struct tw__engine *view, tw__ns now)
{
	struct tw__cluster *c = member_of(view)->cluster;
	c->now = now;
	if (c->in->engine->advance)
		c->in->engine->advance(c->engine, now);
}

const struct tw__engine_ops tw__member_engine = {
	.name = "a node's",
	.summary = "one node's part of a cluster's engine",
	.caps = TW__ENGINE_CANCELS,
	.exec = view_exec,
	.transfer = view_transfer,
	.cancel = view_cancel,
	.next = view_next,
	.advance = view_advance,
};

const struct tw__engine_ops tw__member_engine_without_next = {
	.name = "a node's",
	.summary = "one node's part of a cluster's engine, which does not tell its next end",
	.caps = TW__ENGINE_CANCELS,
	.exec = view_exec,
	.transfer = view_transfer,
	.cancel = view_cancel,
};
