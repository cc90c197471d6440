/* Steps of submitting a draft that depend on the order of the program: hints, and the order of a replay. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "readers/draft_steps.h"

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

/* Returns the jobs that become tasks, sorted by `compare`; the caller frees the list. NULL: out of memory. */
static int32_t *sort_tasks(struct tw__draft *d, int (*compare)(const void *, const void *, void *), int32_t *n)
{
	int32_t *list = malloc(((size_t)d->job_names.n + 1) * sizeof *list);
	*n = 0;
	for (int32_t j = 0; list && j < d->job_names.n; j++)
		if (d->jobs[j].kernel != TW_NONE)
			list[(*n)++] = j;
	if (list)
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
int tw__draft_place_hints(struct tw__draft *d, const struct tw__draft_accesses *a, struct tw_error *err)
{
	if (!d->n_hints)
		return TW_OK;
	size_t groups = count_groups(d);
	int32_t n, t = 0, *list = sort_tasks(d, by_order, &n);
	uint32_t *last_write = malloc(groups * sizeof *last_write);
	if (!list || !last_write) {
		free(list);
		free(last_write);
		return tw__draft_no_memory(d, err);
	}
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
	return TW_OK;
}

static int check_recorded(const struct tw__draft *d, struct tw_error *err)
{
	for (int32_t j = 0; j < d->job_names.n; j++) {
		const struct tw__draft_job *job = &d->jobs[j];
		if (job->kernel != TW_NONE && (job->worker == TW_NONE || job->start_ns < 0 || isnan(job->seconds)))
			return tw__draft_fail(d, job->line, err,
			                      "task '%.60s' has no recorded worker, start and end, expected them for "
			                      "replay=yes",
			                      tw__name_list_text(&d->job_names, j));
	}
	return TW_OK;
}

int tw__draft_order_as_recorded(struct tw__draft *d, struct tw_error *err)
{
	int status = check_recorded(d, err);
	if (status < 0)
		return status;
	int32_t n, number = 0, rank = TW_NONE, worker = TW_NONE, *list = sort_tasks(d, by_start, &n);
	if (!list)
		return tw__draft_no_memory(d, err);
	for (int32_t j = 0; j < d->job_names.n; j++)
		d->jobs[j].order = 0;
	for (int32_t i = 0; i < n; i++)
		d->jobs[list[i]].order = (uint64_t)i;
	free(list);
	list = sort_tasks(d, by_worker, &n);
	if (!list)
		return tw__draft_no_memory(d, err);
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
	return TW_OK;
}
