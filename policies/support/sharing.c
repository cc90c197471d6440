#include "policies/support/sharing.h"

#include <stdlib.h>

/* Returns the handle that the task shares by its i-th access; TW_NONE: that is scratch. */
static tw_data shared(const struct tw_graph *g, tw_task t, int i)
{
	struct tw_access access = tw_graph_access(g, t, i);
	return access.mode & (TW_RW | TW_REDUX) ? access.data : (tw_data)TW_NONE;
}

/* Turns numbers of items, first[2 .. n + 1], into the places of the first items of lists 0 .. n - 1. The place of list
 * i stands at first[i + 1]. If it moves on with each item that the list gets, all places are at first[i] at last. */
static void add_up(uint32_t *first, size_t n)
{
	for (size_t i = 2; i < n + 2; i++)
		first[i] += first[i - 1];
}

static size_t n_parts(size_t n_tasks)
{
	return n_tasks <= TW_SHARING_MOST ? 1 : (n_tasks + TW_SHARING_MOST - 1) / TW_SHARING_MOST;
}

/* Fills in the sizes of handles, which have their tasks already. Splits handles of many tasks into parts of about equal
 * numbers of tasks, each of which is then a handle. */
static void split(struct tw_sharing *sh, const struct tw_graph *g)
{
	size_t n = 0;
	uint32_t *first = sh->first_task;
	for (tw_data d = 0; d < sh->n_data; d++)
		n += n_parts(first[d + 1] - first[d]);
	sh->first_task = tw_alloc(n + 1, sizeof *sh->first_task);
	sh->bytes = tw_alloc(n, sizeof *sh->bytes);
	n = 0;
	for (tw_data d = 0; d < sh->n_data; d++) {
		size_t n_tasks = first[d + 1] - first[d], parts = n_parts(n_tasks);
		for (size_t part = 0; part < parts; part++) {
			sh->bytes[n] = tw_graph_data_bytes(g, d);
			sh->first_task[n++] = first[d] + (uint32_t)(part * n_tasks / parts);
		}
	}
	sh->first_task[n] = first[sh->n_data];
	sh->n_data = (tw_data)n;
	free(first);
}

struct tw_sharing tw_sharing_of(const struct tw_graph *g)
{
	size_t n_tasks = (size_t)tw_graph_n_tasks(g), n_data = (size_t)tw_graph_n_data(g);
	struct tw_sharing sh = {
		.n_tasks = (tw_task)n_tasks,
		.n_data = (tw_data)n_data,
		.first_data = tw_alloc(n_tasks + 2, sizeof *sh.first_data),
		.first_task = tw_alloc(n_data + 2, sizeof *sh.first_task),
	};
	tw_data d;
	for (tw_task t = 0; t < sh.n_tasks; t++)
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
			if ((d = shared(g, t, i)) != TW_NONE) {
				sh.first_data[t + 2]++;
				sh.first_task[d + 2]++;
			}
	add_up(sh.first_data, n_tasks);
	add_up(sh.first_task, n_data);
	sh.data = tw_resize(NULL, sh.first_data[n_tasks + 1], sizeof *sh.data);
	sh.tasks = tw_resize(NULL, sh.first_task[n_data + 1], sizeof *sh.tasks);
	for (tw_task t = 0; t < sh.n_tasks; t++)
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
			if ((d = shared(g, t, i)) != TW_NONE)
				sh.tasks[sh.first_task[d + 1]++] = t;
	split(&sh, g);
	for (d = 0; d < sh.n_data; d++)
		for (size_t i = sh.first_task[d]; i < sh.first_task[d + 1]; i++)
			sh.data[sh.first_data[sh.tasks[i] + 1]++] = d;
	return sh;
}

void tw_sharing_drop_tasks(struct tw_sharing *sh)
{
	free(sh->tasks);
	sh->tasks = NULL;
}

void tw_sharing_finish(struct tw_sharing *sh)
{
	free(sh->first_data);
	free(sh->data);
	free(sh->first_task);
	free(sh->tasks);
	free(sh->bytes);
}

int64_t tw_sharing_pairs(const struct tw_sharing *sh)
{
	int64_t pairs = 0;
	for (tw_data d = 0; d < sh->n_data; d++) {
		int64_t n = (int64_t)(sh->first_task[d + 1] - sh->first_task[d]);
		pairs += n * n;
	}
	return pairs;
}
