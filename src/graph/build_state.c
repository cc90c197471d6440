/* The state of a graph while it is built: the readers of handles, and the predecessors of the task that is being
 * submitted. */
#include "graph/build.h"

#include <stdlib.h>

struct tw__graph_build *tw__graph_build_create(void)
{
	struct tw__graph_build *b = calloc(1, sizeof *b);
	if (b)
		b->free_readers = TW__NOBODY;
	return b;
}

void tw__graph_build_destroy(struct tw__graph_build *b)
{
	if (!b)
		return;
	tw__kernel_entries_destroy(b->kernels);
	free(b->in_degree);
	free(b->predecessors);
	free(b->data);
	free(b->readers);
	free(b->mark);
	free(b->phase_mark);
	free(b->outside);
	free(b->insides);
	free(b->list);
	free(b);
}

bool tw__build_is_known(struct tw_graph *g, const char *what, tw_task task)
{
	if (tw__build_refuses(g))
		return false;
	if (task >= 0 && task < g->n_tasks)
		return true;
	TW__REFUSE(g, "%s task %d, expected one submitted before", what, (int)task);
	return false;
}

/* Makes `task`, which is being submitted, depend on `on`, unless it already does. */
void tw__build_depend(struct tw_graph *g, tw_task task, tw_task on)
{
	struct tw__graph_build *b = g->build;
	tw_task *mark = tw__is_phase(on) ? &b->phase_mark[tw__phase_number(on)] : &b->mark[on];
	if (*mark == task)
		return;
	*mark = task;
	if (!TW__HAS_ROOM(b->predecessors, b->predecessors_capacity, b->n_predecessors + 1)) {
		tw__build_fail_memory(g);
		return;
	}
	b->predecessors[b->n_predecessors++] = on;
	b->in_degree[task]++;
}

void tw__build_add_reader(struct tw_graph *g, struct tw__data_build *data, tw_task task)
{
	struct tw__graph_build *b = g->build;
	uint32_t cell = b->free_readers;
	if (cell != TW__NOBODY) {
		b->free_readers = b->readers[cell].next;
	} else {
		if (!TW__HAS_ROOM(b->readers, b->readers_capacity, (size_t)b->n_readers + 1)) {
			tw__build_fail_memory(g);
			return;
		}
		cell = b->n_readers++;
	}
	b->readers[cell] = (struct tw__reader){task, data->readers};
	data->readers = cell;
}

void tw__build_forget_readers(struct tw_graph *g, struct tw__data_build *data)
{
	struct tw__graph_build *b = g->build;
	uint32_t last = data->readers;
	if (last == TW__NOBODY)
		return;
	while (b->readers[last].next != TW__NOBODY)
		last = b->readers[last].next;
	b->readers[last].next = b->free_readers;
	b->free_readers = data->readers;
	data->readers = TW__NOBODY;
}
