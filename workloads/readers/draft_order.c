/* Topological order (Kahn 1962), the first in the program first. */
#include "readers/draft_steps.h"

#include <stdlib.h>

int tw__neighbours_init(struct tw__neighbours *n, const struct tw__draft *d, bool predecessors, struct tw_error *err)
{
	size_t jobs = (size_t)d->job_names.n;
	*n = (struct tw__neighbours){calloc(jobs + 2, sizeof *n->start), malloc((d->n_edges + 1) * sizeof *n->job)};
	if (!n->start || !n->job) {
		tw__neighbours_finish(n);
		return tw__draft_no_memory(d, err);
	}
	for (size_t e = 0; e < d->n_edges; e++)
		n->start[(predecessors ? d->edges[e].to : d->edges[e].from) + 2]++;
	for (size_t j = 2; j < jobs + 2; j++)
		n->start[j] += n->start[j - 1];
	/* start[j + 1] moves from the begin of j's neighbours to their end, which is where those of j + 1 begin. */
	for (size_t e = 0; e < d->n_edges; e++) {
		int32_t of = predecessors ? d->edges[e].to : d->edges[e].from;
		n->job[n->start[of + 1]++] = predecessors ? d->edges[e].from : d->edges[e].to;
	}
	return TW_OK;
}

void tw__neighbours_finish(struct tw__neighbours *n)
{
	free(n->start);
	free(n->job);
	*n = (struct tw__neighbours){0};
}

/* The jobs that wait for nobody: a heap, the first of the program on top. */
struct heap {
	const struct tw__draft_job *jobs;
	int32_t *of, n;
};

static bool is_before(const struct heap *h, int32_t a, int32_t b)
{
	return h->jobs[a].order != h->jobs[b].order ? h->jobs[a].order < h->jobs[b].order : a < b;
}

static void heap_add(struct heap *h, int32_t job)
{
	int32_t i = h->n++;
	for (; i > 0 && is_before(h, job, h->of[(i - 1) / 2]); i = (i - 1) / 2)
		h->of[i] = h->of[(i - 1) / 2];
	h->of[i] = job;
}

static int32_t heap_take(struct heap *h)
{
	int32_t top = h->of[0], last = h->of[--h->n], i = 0;
	for (int32_t child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && is_before(h, h->of[child + 1], h->of[child]))
			child++;
		if (!is_before(h, h->of[child], last))
			break;
		h->of[i] = h->of[child];
	}
	h->of[i] = last;
	return top;
}

/* `waiting[j]`: the predecessors of j that are not in the sequence. From one that waits, back along such predecessors, the
 * way must come to a job that it has met before. */
static int fail_cycle(const struct tw__draft *d, const struct tw__neighbours *predecessors, uint32_t *waiting,
                      struct tw_error *err)
{
	int32_t job = 0, before;
	while (waiting[job] == 0)
		job++;
	for (uint32_t met = UINT32_MAX; waiting[job] != met;) {
		waiting[job] = met;
		const int32_t *p = &predecessors->job[predecessors->start[job]];
		while (waiting[*p] == 0)
			p++;
		job = *p;
	}
	const int32_t *p = &predecessors->job[predecessors->start[job]];
	while (waiting[*p] == 0)
		p++;
	before = *p;
	const char *name = tw__name_list_text(&d->job_names, job);
	if (before == job)
		return tw__draft_fail(d, d->jobs[job].line, err, "task '%.60s' waits for itself, expected no cycle",
		                      name);
	return tw__draft_fail(d, d->jobs[job].line, err,
	                      "task '%.60s' waits for '%.60s', which waits for it, if only through others: expected no "
	                      "cycle",
	                      name, tw__name_list_text(&d->job_names, before));
}

int tw__draft_order(int32_t **sequence, const struct tw__draft *d, const struct tw__neighbours *predecessors,
                    struct tw_error *err)
{
	int32_t jobs = d->job_names.n, n = 0;
	struct tw__neighbours successors;
	*sequence = NULL;
	int status = tw__neighbours_init(&successors, d, false, err);
	if (status < 0)
		return status;
	struct heap ready = {d->jobs, malloc(((size_t)jobs + 1) * sizeof *ready.of), 0};
	uint32_t *waiting = malloc(((size_t)jobs + 1) * sizeof *waiting);
	int32_t *order = malloc(((size_t)jobs + 1) * sizeof *order);
	if (!ready.of || !waiting || !order)
		status = tw__draft_no_memory(d, err);
	for (int32_t j = 0; status == TW_OK && j < jobs; j++) {
		waiting[j] = predecessors->start[j + 1] - predecessors->start[j];
		if (waiting[j] == 0)
			heap_add(&ready, j);
	}
	while (status == TW_OK && ready.n) {
		int32_t job = order[n++] = heap_take(&ready);
		for (uint32_t s = successors.start[job]; s < successors.start[job + 1]; s++)
			if (--waiting[successors.job[s]] == 0)
				heap_add(&ready, successors.job[s]);
	}
	if (status == TW_OK && n < jobs)
		status = fail_cycle(d, predecessors, waiting, err);
	tw__neighbours_finish(&successors);
	free(ready.of);
	free(waiting);
	if (status < 0)
		free(order);
	else
		*sequence = order;
	return status;
}
