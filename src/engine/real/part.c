#include "engine/real/bench_state.h"

#include <stdlib.h>

#include <tilewright/containers.h>

struct builder {
	const struct tw_graph *whole;
	struct tw__part *part;
	tw_data *handle; /* [handles of `whole`] the handle in the first set; TW_NONE: no task accesses it */
	size_t origin_capacity, mode_capacity, n_modes;
	uint64_t bytes; /* bytes of one set of handles */
	bool failed;
};

/* Adds a handle to the part's first set. `origin`: the workload's handle, or TW_NONE. */
static tw_data add_handle(struct builder *b, uint64_t bytes, tw_data origin)
{
	struct tw__part *p = b->part;
	if (!TW_HAS_ROOM(p->origin, b->origin_capacity, (size_t)p->n_handles + 1)) {
		b->failed = true;
		return 0;
	}
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
	if (TW_HAS_ROOM(b->part->mode, b->mode_capacity, b->n_modes + 1))
		b->part->mode[b->n_modes++] = mode;
	else
		b->failed = true;
}

/* Adds a task of the workload to the part. Accumulators and scratch become plain handles, because one worker at a time
 * uses a set. */
static void add_task(struct builder *b, tw_task t)
{
	const struct tw_graph *g = b->whole;
	struct tw_access accesses[TW_MAX_ACCESSES];
	int n = 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		unsigned mode = tw__access_mode(g->access[a]);
		accesses[n].data = handle_for(b, tw__access_data(g->access[a]));
		accesses[n++].mode = mode & (TW_REDUX | TW_SCRATCH) ? TW_RW : (enum tw_mode)mode;
		add_mode(b, mode & TW_REDUX ? TW_REDUX | TW_RW : mode);
	}
	tw_graph_submit(b->part->graph, g->kernel[t], 0, accesses, n);
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
	tw_graph_submit(b->part->graph, phase->combine, 0, accesses, 2);
}

static void add_tasks(struct builder *b, const struct tw__part_setup *setup)
{
	const struct tw_graph *g = b->whole;
	int *n_of = calloc((size_t)g->n_kernels + 1, sizeof *n_of);
	b->failed |= !n_of;
	for (tw_task t = 0; t < g->n_tasks && !b->failed; t++)
		if (n_of[g->kernel[t]]++ < setup->least_tasks || b->bytes < setup->enough_bytes)
			add_task(b, t);
	for (int p = 0; p < g->n_phases && !b->failed; p++)
		if (n_of[g->phases[p].combine]++ == 0)
			add_combination(b, &g->phases[p]);
	free(n_of);
}

/* Adds the handles of the other sets, and the rooms. */
static void add_copies(struct builder *b, const struct tw__part_setup *setup)
{
	struct tw__part *p = b->part;
	const tw_data n = p->n_handles;
	size_t all = (size_t)n * (size_t)setup->n_sets + (size_t)setup->n_rooms;
	if (p->graph->n_data < n) /* out of memory: tw_graph_finish reports it */
		return;
	if (b->failed || !TW_HAS_ROOM(p->origin, b->origin_capacity, all + 1)) {
		b->failed = true;
		return;
	}
	for (tw_data d = n; d < n * setup->n_sets; d++) {
		p->origin[d] = p->origin[d % n];
		tw_graph_data(p->graph, p->graph->data_bytes[d % n]);
	}
	for (int room = 0; room < setup->n_rooms; room++) {
		p->origin[n * setup->n_sets + room] = TW_NONE;
		tw_graph_data(p->graph, setup->room_bytes);
	}
}

static void mark_written(struct builder *b)
{
	const struct tw_graph *g = b->part->graph;
	b->part->is_written = calloc((size_t)b->part->n_handles + 1, sizeof *b->part->is_written);
	b->failed |= !b->part->is_written;
	for (uint32_t a = 0; a < g->access_start[g->n_tasks] && !b->failed; a++)
		b->part->is_written[tw__access_data(g->access[a])] |= (tw__access_mode(g->access[a]) & TW_W) != 0;
}

static int build(struct builder *b, const struct tw__part_setup *setup, struct tw_error *err)
{
	const struct tw_graph *g = b->whole;
	for (tw_data d = 0; d < g->n_data; d++)
		b->handle[d] = TW_NONE;
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		tw_graph_kernel(b->part->graph, g->kernels[k].name, g->kernels[k].size, g->kernels[k].precision,
		                g->kernels[k].flops);
	add_tasks(b, setup);
	add_copies(b, setup);
	int status = tw_graph_finish(b->part->graph, err);
	if (status == TW_OK && !b->failed)
		mark_written(b);
	return b->failed ? tw_fail(err, TW_NOMEM, "out of memory for a part of the task graph") : status;
}

int tw__part_create(struct tw__part *part, const struct tw__part_setup *setup, struct tw_error *err)
{
	*part = (struct tw__part){.graph = tw_graph_create(), .n_sets = setup->n_sets, .n_rooms = setup->n_rooms};
	struct builder b = {.whole = setup->graph, .part = part};
	b.handle = calloc((size_t)setup->graph->n_data + 1, sizeof *b.handle);
	int status = part->graph && b.handle ? build(&b, setup, err)
	                                     : tw_fail(err, TW_NOMEM, "out of memory for a part of the task graph");
	free(b.handle);
	return status;
}

void tw__part_finish(struct tw__part *p)
{
	tw_graph_destroy(p->graph);
	free(p->origin);
	free(p->mode);
	free(p->is_written);
	*p = (struct tw__part){0};
}
