/* Finds a topological order of a draft's jobs (Kahn 1962); ties: the order of the program. */
#include "readers/draft_steps.h"

#include <stdlib.h>

#include <tilewright/containers.h>

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
	/* start[j + 1] moves from the beginning of j's neighbours to their end, where those of j + 1 begin. */
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

/* Fails with a message about a cycle of dependencies. waiting[j] is the number of predecessors of j that are not in the
 * sequence. A walk back along such predecessors must return to a job that it has visited, which is on a cycle. */
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
	                      "task '%.60s' waits for '%.60s', which depends on it: expected no cycle", name,
	                      tw__name_list_text(&d->job_names, before));
}

/* Returns the score of a job in the heap `ready`: earlier jobs of the program have higher scores. */
static uint64_t score(const struct tw__draft *d, int32_t job) { return UINT64_MAX - d->jobs[job].order; }

int tw__draft_order(int32_t **sequence, const struct tw__draft *d, const struct tw__neighbours *predecessors,
                    struct tw_error *err)
{
	int32_t jobs = d->job_names.n, n = 0;
	struct tw__neighbours successors;
	*sequence = NULL;
	int status = tw__neighbours_init(&successors, d, false, err);
	if (status < 0)
		return status;
	struct tw_id_heap ready; /* jobs whose predecessors are all in the sequence */
	uint32_t *waiting = malloc(((size_t)jobs + 1) * sizeof *waiting);
	int32_t *order = malloc(((size_t)jobs + 1) * sizeof *order);
	if (tw_id_heap_init(&ready, jobs) || !waiting || !order)
		status = tw__draft_no_memory(d, err);
	for (int32_t j = 0; status == TW_OK && j < jobs; j++) {
		waiting[j] = predecessors->start[j + 1] - predecessors->start[j];
		if (waiting[j] == 0)
			tw_id_heap_put(&ready, j, score(d, j));
	}
	while (status == TW_OK && ready.n) {
		int32_t job = order[n++] = tw_id_heap_top(&ready);
		tw_id_heap_remove(&ready, job);
		for (uint32_t s = successors.start[job]; s < successors.start[job + 1]; s++)
			if (--waiting[successors.job[s]] == 0)
				tw_id_heap_put(&ready, successors.job[s], score(d, successors.job[s]));
	}
	if (status == TW_OK && n < jobs)
		status = fail_cycle(d, predecessors, waiting, err);
	tw__neighbours_finish(&successors);
	tw_id_heap_finish(&ready);
	free(waiting);
	if (status < 0)
		free(order);
	else
		*sequence = order;
	return status;
}
