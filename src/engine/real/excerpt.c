#include "engine/real/bench_state.h"

#include <stdlib.h>

struct builder {
	const struct tw_graph *whole;
	struct tw__excerpt *excerpt;
	struct tw_access *accesses; /* of one task */
	tw_data *handle;            /* [handles of `whole`] the handle in the first set; TW_NONE: no task accesses it */
	size_t origin_capacity, mode_capacity, n_modes;
	uint64_t bytes; /* bytes of one set of handles */
};

/* Adds a handle to the excerpt's first set. `origin`: the workload's handle, or TW_NONE. */
static tw_data add_handle(struct builder *b, uint64_t bytes, tw_data origin)
{
	struct tw__excerpt *p = b->excerpt;
	TW_RESERVE(p->origin, b->origin_capacity, (size_t)p->n_handles + 1);
	p->origin[p->n_handles++] = origin;
	b->bytes += bytes;
	return tw_graph_data(p->graph, bytes);
}

static tw_data handle_for(struct builder *b, tw_data whole)
{
	bool is_scratch = tw__data_use(b->whole, whole) == TW__USE_SCRATCH;
	if (b->handle[whole] == TW_NONE)
		b->handle[whole] = add_handle(b, b->whole->data_bytes[whole], is_scratch ? TW_NONE : whole);
	return b->handle[whole];
}

static void add_mode(struct builder *b, unsigned mode)
{
	TW_RESERVE(b->excerpt->mode, b->mode_capacity, b->n_modes + 1);
	b->excerpt->mode[b->n_modes++] = mode;
}

/* Adds a task of the workload to the excerpt. Accumulators and scratch become plain handles, because one worker at a
 * time uses a set. */
static void add_task(struct builder *b, tw_task t)
{
	const struct tw_graph *g = b->whole;
	int n = 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		unsigned mode = tw__access_mode(g->access[a]);
		b->accesses[n].data = handle_for(b, tw__access_data(g->access[a]));
		b->accesses[n++].mode = mode & (TW_REDUX | TW_SCRATCH) ? TW_RW : (enum tw_mode)mode;
		add_mode(b, mode & TW_REDUX ? TW_REDUX | TW_RW : mode);
	}
	tw_graph_submit(b->excerpt->graph, g->kernel[t], 0, b->accesses, n);
}

/* Adds a task of a reduction, as the runtime would append it: it adds an accumulator to the handle. */
static void add_combination(struct builder *b, const struct tw__phase *phase)
{
	struct tw_access accesses[2] = {
		{handle_for(b, phase->data), TW_RW},
		{add_handle(b, b->whole->data_bytes[phase->data], TW_NONE), TW_R},
	};
	add_mode(b, TW_RW);
	add_mode(b, TW_R);
	tw_graph_submit(b->excerpt->graph, phase->combine, 0, accesses, 2);
}

static void add_tasks(struct builder *b, const struct tw__excerpt_setup *setup)
{
	const struct tw_graph *g = b->whole;
	int *n_of = tw_alloc((size_t)g->n_kernels, sizeof *n_of);
	for (tw_task t = 0; t < g->n_tasks; t++)
		if (n_of[g->kernel[t]]++ < setup->least_tasks || b->bytes < setup->enough_bytes)
			add_task(b, t);
	for (int p = 0; p < g->n_phases; p++)
		if (n_of[g->phases[p].combine]++ == 0)
			add_combination(b, &g->phases[p]);
	free(n_of);
}

/* Adds the handles of the other sets, the rooms and the chunks. */
static void add_copies(struct builder *b, const struct tw__excerpt_setup *setup)
{
	struct tw__excerpt *p = b->excerpt;
	const tw_data n = p->n_handles;
	const tw_data n_rooms = setup->n_rooms + setup->n_chunks, first = n * setup->n_sets;
	size_t all = (size_t)first + (size_t)n_rooms;
	if (p->graph->n_data < n) /* out of memory: tw_graph_finish reports it */
		return;
	TW_RESERVE(p->origin, b->origin_capacity, all);
	for (tw_data d = n; d < first; d++) {
		p->origin[d] = p->origin[d % n];
		tw_graph_data(p->graph, p->graph->data_bytes[d % n]);
	}
	for (tw_data room = 0; room < n_rooms; room++) {
		p->origin[first + room] = TW_NONE;
		tw_graph_data(p->graph, room < setup->n_rooms ? setup->room_bytes : setup->chunk_bytes);
	}
}

static void mark_written(struct builder *b)
{
	const struct tw_graph *g = b->excerpt->graph;
	b->excerpt->is_written = tw_alloc((size_t)b->excerpt->n_handles, sizeof *b->excerpt->is_written);
	for (uint32_t a = 0; a < g->access_start[g->n_tasks]; a++)
		b->excerpt->is_written[tw__access_data(g->access[a])] |= (tw__access_mode(g->access[a]) & TW_W) != 0;
}

static int build(struct builder *b, const struct tw__excerpt_setup *setup, struct tw_error *err)
{
	const struct tw_graph *g = b->whole;
	for (tw_data d = 0; d < g->n_data; d++)
		b->handle[d] = TW_NONE;
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		tw_graph_kernel(b->excerpt->graph, g->kernels[k].name, g->kernels[k].size, g->kernels[k].precision,
		                g->kernels[k].flops);
	add_tasks(b, setup);
	add_copies(b, setup);
	int status = tw_graph_finish(b->excerpt->graph, err);
	if (status == TW_OK)
		mark_written(b);
	return status;
}

int tw__excerpt_create(struct tw__excerpt *excerpt, const struct tw__excerpt_setup *setup, struct tw_error *err)
{
	*excerpt = (struct tw__excerpt){.graph = tw_graph_create(),
	                                .n_sets = setup->n_sets,
	                                .n_rooms = setup->n_rooms,
	                                .n_chunks = setup->n_chunks};
	if (!excerpt->graph)
		return tw_fail(err, TW_NOMEM, "out of memory for an excerpt of the task graph");
	struct builder b = {.whole = setup->graph, .excerpt = excerpt};
	b.handle = tw_alloc((size_t)setup->graph->n_data, sizeof *b.handle);
	b.accesses = tw_alloc((size_t)tw_graph_most_accesses(setup->graph), sizeof *b.accesses);
	int status = build(&b, setup, err);
	free(b.handle);
	free(b.accesses);
	return status;
}

void tw__excerpt_finish(struct tw__excerpt *p)
{
	tw_graph_destroy(p->graph);
	free(p->origin);
	free(p->mode);
	free(p->is_written);
	*p = (struct tw__excerpt){0};
}
