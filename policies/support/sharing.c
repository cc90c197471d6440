#include "policies/support/sharing.h"

#include <stdlib.h>

static bool shared(const struct tw_graph *g, tw_task t, int i, tw_data *data)
{
	struct tw_access access = tw_graph_access(g, t, i);
	*data = access.data;
	return access.mode & (TW_RW | TW_REDUX);
}

/* Fills the lists of handles of each task from the lists of tasks of each handle, so that both are ascending. */
static void list_data(struct tw_sharing *sh)
{
	for (tw_data d = 0; d < sh->n_data; d++)
		for (size_t i = sh->first_task[d]; i < sh->first_task[d + 1]; i++)
			sh->data[sh->first_data[sh->tasks[i]]++] = d;
	for (tw_task t = sh->n_tasks; t > 0; t--) /* first_data[t] has moved on to the start of the next task */
		sh->first_data[t] = sh->first_data[t - 1];
	sh->first_data[0] = 0;
}

static void list_tasks(struct tw_sharing *sh, const struct tw_graph *g)
{
	tw_data d;
	for (tw_task t = 0; t < sh->n_tasks; t++)
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
			if (shared(g, t, i, &d))
				sh->tasks[sh->first_task[d]++] = t;
	for (d = sh->n_data; d > 0; d--)
		sh->first_task[d] = sh->first_task[d - 1];
	sh->first_task[0] = 0;
}

struct tw_sharing tw_sharing_of(const struct tw_graph *g)
{
	size_t n_tasks = (size_t)tw_graph_n_tasks(g), n_data = (size_t)tw_graph_n_data(g), n = 0;
	tw_data d;
	struct tw_sharing sh = {
		.n_tasks = (tw_task)n_tasks,
		.n_data = (tw_data)n_data,
		.first_data = tw_alloc(n_tasks + 1, sizeof *sh.first_data),
		.first_task = tw_alloc(n_data + 1, sizeof *sh.first_task),
		.bytes = tw_alloc(n_data, sizeof *sh.bytes),
	};
	for (tw_task t = 0; t < sh.n_tasks; t++) {
		sh.first_data[t] = n;
		for (int i = 0; i < tw_graph_n_accesses(g, t); i++)
			if (shared(g, t, i, &d)) {
				sh.first_task[d]++;
				n++;
			}
	}
	sh.first_data[n_tasks] = n;
	size_t before = 0;
	for (d = 0; d <= sh.n_data; d++) {
		size_t of_data = sh.first_task[d];
		sh.first_task[d] = before;
		before += of_data;
		if (d < sh.n_data)
			sh.bytes[d] = tw_graph_data_bytes(g, d);
	}
	sh.data = tw_resize(NULL, n, sizeof *sh.data);
	sh.tasks = tw_resize(NULL, n, sizeof *sh.tasks);
	list_tasks(&sh, g);
	list_data(&sh);
	return sh;
}

void tw_sharing_finish(struct tw_sharing *sh)
{
	free(sh->first_data);
	free(sh->data);
	free(sh->first_task);
	free(sh->tasks);
	free(sh->bytes);
}
