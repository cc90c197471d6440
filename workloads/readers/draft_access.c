/* Lists the accesses of a draft, job by job. */
#include <stdlib.h>
#include <string.h>

#include "readers/draft_steps.h"

int tw__draft_accesses_init(struct tw__draft_accesses *a, const struct tw__draft *d, struct tw_error *err)
{
	size_t jobs = (size_t)d->job_names.n, data = (size_t)d->data_names.n;
	*a = (struct tw__draft_accesses){
		.start = calloc(jobs + 2, sizeof *a->start),
		.place = malloc((d->n_accesses + 1) * sizeof *a->place),
		.holder = malloc((data + 1) * sizeof *a->holder),
		.held = malloc((data + 1) * sizeof *a->held),
	};
	if (!a->start || !a->place || !a->holder || !a->held)
		return tw__draft_no_memory(d, err);
	memset(a->holder, -1, (data + 1) * sizeof *a->holder);
	for (size_t i = 0; i < d->n_accesses; i++)
		a->start[d->accesses[i].job + 2]++;
	for (size_t j = 2; j < jobs + 2; j++)
		a->start[j] += a->start[j - 1];
	for (size_t i = 0; i < d->n_accesses; i++)
		a->place[a->start[d->accesses[i].job + 1]++] = (uint32_t)i;
	return TW_OK;
}

void tw__draft_accesses_finish(struct tw__draft_accesses *a)
{
	free(a->start);
	free(a->place);
	free(a->holder);
	free(a->held);
	*a = (struct tw__draft_accesses){0};
}

struct sized {
	uint64_t bytes;
	int place;
};

static int greatest_first(const void *a, const void *b)
{
	const struct sized *i = a, *j = b;
	return i->bytes != j->bytes ? (i->bytes < j->bytes) - (i->bytes > j->bytes)
	                            : (i->place > j->place) - (i->place < j->place);
}

/* Shortens a task's list of accesses to the largest handles, in their order, if there are too many. The accesses left
 * out order tasks only if the file also has edges for them. */
static int keep_greatest(struct tw__draft *d, struct tw_access *list, int *n, struct tw_error *err)
{
	struct sized *sizes = malloc((size_t)*n * sizeof *sizes);
	if (!sizes)
		return tw__draft_no_memory(d, err);
	for (int i = 0; i < *n; i++)
		sizes[i] = (struct sized){tw_graph_data_bytes(d->graph, list[i].data), i};
	qsort(sizes, (size_t)*n, sizeof *sizes, greatest_first);
	for (int i = TW_MAX_ACCESSES; i < *n; i++)
		list[sizes[i].place].data = TW_NONE;
	free(sizes);
	tw__draft_count(d, "accesses left out, the smallest ones of tasks with more than 256",
	                (uint64_t)(*n - TW_MAX_ACCESSES));
	int kept = 0;
	for (int i = 0; i < *n; i++)
		if (list[i].data != TW_NONE)
			list[kept++] = list[i];
	*n = kept;
	return TW_OK;
}

int tw__draft_accesses_list(struct tw__draft_accesses *a, struct tw__draft *d, int32_t job, struct tw_access **list,
                            int *n, struct tw_error *err)
{
	*n = 0;
	*list = malloc((a->start[job + 1] - a->start[job] + 1) * sizeof **list);
	if (!*list)
		return tw__draft_no_memory(d, err);
	for (uint32_t i = a->start[job]; i < a->start[job + 1]; i++) {
		const struct tw__draft_access *access = &d->accesses[a->place[i]];
		enum tw_mode mode = (enum tw_mode)(access->mode & ~TW__LAST_WRITE);
		if (a->holder[access->data] == job) {
			(*list)[a->held[access->data]].mode |= mode;
			continue;
		}
		a->holder[access->data] = job;
		a->held[access->data] = (uint32_t)*n;
		(*list)[(*n)++] = (struct tw_access){access->data, mode};
	}
	return *n > TW_MAX_ACCESSES ? keep_greatest(d, *list, n, err) : TW_OK;
}
