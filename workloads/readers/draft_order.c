/* Finds a topological order of a draft's jobs (Kahn 1962); ties: the order of the program. Further steps depend on the
 * order of the program: hints, and the order of a replay. */
#include "readers/draft_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

struct tw__neighbours tw__neighbours_of(const struct tw__draft *d, bool predecessors)
{
	size_t jobs = (size_t)d->job_names.n;
	struct tw__neighbours n = {tw_alloc(jobs + 2, sizeof *n.start), tw_resize(NULL, d->n_edges, sizeof *n.job)};
	for (size_t e = 0; e < d->n_edges; e++)
		n.start[(predecessors ? d->edges[e].to : d->edges[e].from) + 2]++;
	for (size_t j = 2; j < jobs + 2; j++)
		n.start[j] += n.start[j - 1];
	/* start[j + 1] moves from the beginning of j's neighbours to their end, where those of j + 1 begin. */
	for (size_t e = 0; e < d->n_edges; e++) {
		int32_t of = predecessors ? d->edges[e].to : d->edges[e].from;
		n.job[n.start[of + 1]++] = predecessors ? d->edges[e].from : d->edges[e].to;
	}
	return n;
}

void tw__neighbours_finish(struct tw__neighbours *n)
{
	free(n->start);
	free(n->job);
}

/* Returns a predecessor of a job that is not in the sequence. */
static int32_t waits_for(const struct tw__neighbours *predecessors, const uint32_t *waiting, int32_t job)
{
	const int32_t *p = &predecessors->job[predecessors->start[job]];
	while (waiting[*p] == 0)
		p++;
	return *p;
}

/* Fails with a message about a cycle of dependencies. waiting[j] is the number of predecessors of j that are not in the
 * sequence. A walk back along such predecessors must return to a job that it has visited, which is on a cycle. */
static void fail_cycle(struct tw__draft *d, const struct tw__neighbours *predecessors, uint32_t *waiting)
{
	int32_t job = 0;
	while (waiting[job] == 0)
		job++;
	for (; waiting[job] != UINT32_MAX; job = waits_for(predecessors, waiting, job))
		waiting[job] = UINT32_MAX;
	int32_t before = waits_for(predecessors, waiting, job);
	const char *name = tw__name_list_text(&d->job_names, job);
	if (before == job)
		tw__draft_fail(d, d->jobs[job].line, "task '%.60s' waits for itself, expected no cycle", name);
	else
		tw__draft_fail(d, d->jobs[job].line,
		               "task '%.60s' waits for '%.60s', which depends on it: expected no cycle", name,
		               tw__name_list_text(&d->job_names, before));
}

/* Returns the score of a job in the heap `ready`: earlier jobs of the program have higher scores. */
static uint64_t score(const struct tw__draft *d, int32_t job) { return UINT64_MAX - d->jobs[job].order; }

int32_t *tw__draft_order(struct tw__draft *d, const struct tw__neighbours *predecessors)
{
	int32_t jobs = d->job_names.n, n = 0;
	struct tw__neighbours successors = tw__neighbours_of(d, false);
	struct tw_id_heap ready; /* jobs whose predecessors are all in the sequence */
	uint32_t *waiting = tw_resize(NULL, (size_t)jobs, sizeof *waiting);
	int32_t *sequence = tw_resize(NULL, (size_t)jobs, sizeof *sequence);
	tw_id_heap_init(&ready, jobs);
	for (int32_t j = 0; j < jobs; j++) {
		waiting[j] = predecessors->start[j + 1] - predecessors->start[j];
		if (waiting[j] == 0)
			tw_id_heap_put(&ready, j, score(d, j));
	}
	while (ready.n) {
		int32_t job = sequence[n++] = tw_id_heap_top(&ready);
		tw_id_heap_remove(&ready, job);
		for (uint32_t s = successors.start[job]; s < successors.start[job + 1]; s++)
			if (--waiting[successors.job[s]] == 0)
				tw_id_heap_put(&ready, successors.job[s], score(d, successors.job[s]));
	}
	if (n < jobs)
		fail_cycle(d, predecessors, waiting);
	tw__neighbours_finish(&successors);
	tw_id_heap_finish(&ready);
	free(waiting);
	return sequence;
}

/* --- the order of the program ------------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b, void *draft)
{
	const struct tw__draft *d = draft;
	int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
	uint64_t oi = d->jobs[i].order, oj = d->jobs[j].order;
	return oi != oj ? (oi > oj) - (oi < oj) : (i > j) - (i < j);
}

static int by_start(const void *a, const void *b, void *draft)
{
	const struct tw__draft *d = draft;
	int64_t si = d->jobs[*(const int32_t *)a].start_ns, sj = d->jobs[*(const int32_t *)b].start_ns;
	return si != sj ? (si > sj) - (si < sj) : by_order(a, b, draft);
}

static int by_worker(const void *a, const void *b, void *draft)
{
	const struct tw__draft *d = draft;
	const struct tw__draft_job *i = &d->jobs[*(const int32_t *)a], *j = &d->jobs[*(const int32_t *)b];
	return i->accelerator != j->accelerator ? (int)i->accelerator - (int)j->accelerator
	       : i->rank != j->rank             ? (i->rank > j->rank) - (i->rank < j->rank)
	       : i->worker != j->worker         ? (i->worker > j->worker) - (i->worker < j->worker)
	                                        : by_order(a, b, draft);
}

/* Returns the jobs that become tasks, sorted by `compare`; the caller frees the list. */
static int32_t *sort_tasks(struct tw__draft *d, int (*compare)(const void *, const void *, void *), int32_t *n)
{
	int32_t *list = tw_resize(NULL, (size_t)d->job_names.n, sizeof *list);
	*n = 0;
	for (int32_t j = 0; j < d->job_names.n; j++)
		if (d->jobs[j].kernel != TW_NONE)
			list[(*n)++] = j;
	qsort_r(list, (size_t)*n, sizeof *list, compare, d);
	return list;
}

static int hint_by_order(const void *a, const void *b)
{
	const struct tw__draft_hint *h = a, *i = b;
	return (h->order > i->order) - (h->order < i->order);
}

static uint32_t count_groups(const struct tw__draft *d)
{
	int32_t most = 0;
	for (size_t i = 0; i < d->n_hints; i++)
		most = d->hints[i].group > most ? d->hints[i].group : most;
	for (int32_t i = 0; i < d->data_names.n; i++)
		most = d->data_group[i] > most ? d->data_group[i] : most;
	return (uint32_t)most + 1;
}

/* Applies each hint to the last task before the hint that writes the handle. */
void tw__draft_place_hints(struct tw__draft *d, const struct tw__draft_accesses *a)
{
	if (!d->n_hints)
		return;
	size_t groups = count_groups(d);
	int32_t n, t = 0, *list = sort_tasks(d, by_order, &n);
	uint32_t *last_write = tw_resize(NULL, groups, sizeof *last_write);
	memset(last_write, -1, groups * sizeof *last_write);
	qsort(d->hints, d->n_hints, sizeof *d->hints, hint_by_order);
	for (size_t h = 0; h < d->n_hints; h++) {
		for (; t < n && d->jobs[list[t]].order < d->hints[h].order; t++)
			for (uint32_t i = a->start[list[t]]; i < a->start[list[t] + 1]; i++)
				if (d->accesses[a->place[i]].mode & TW_W)
					last_write[d->data_group[d->accesses[a->place[i]].data]] = a->place[i];
		uint32_t write = last_write[d->hints[h].group];
		if (write != UINT32_MAX)
			d->accesses[write].mode |= TW__LAST_WRITE;
		else
			tw__draft_count(d, "hints left out, about data that no earlier task writes", 1);
	}
	free(list);
	free(last_write);
}

void tw__draft_order_as_recorded(struct tw__draft *d)
{
	for (int32_t j = 0; j < d->job_names.n; j++) {
		const struct tw__draft_job *job = &d->jobs[j];
		if (job->kernel != TW_NONE && (job->worker == TW_NONE || job->start_ns < 0 || isnan(job->seconds)))
			tw__draft_fail(
				d, job->line,
				"task '%.60s' has no recorded worker, start and end, expected them for replay=yes",
				tw__name_list_text(&d->job_names, j));
	}
	int32_t n, number = 0, rank = TW_NONE, worker = TW_NONE, *list = sort_tasks(d, by_start, &n);
	for (int32_t j = 0; j < d->job_names.n; j++)
		d->jobs[j].order = 0;
	for (int32_t i = 0; i < n; i++)
		d->jobs[list[i]].order = (uint64_t)i;
	free(list);
	list = sort_tasks(d, by_worker, &n);
	for (int32_t i = 0; i < n; i++) {
		struct tw__draft_job *job = &d->jobs[list[i]];
		if (i && job->accelerator != d->jobs[list[i - 1]].accelerator)
			number = 0;
		else if (i && (job->rank != rank || job->worker != worker))
			number++;
		rank = job->rank;
		worker = job->worker;
		job->worker = number;
	}
	free(list);
}
