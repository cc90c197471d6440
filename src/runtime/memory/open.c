/* Creates the state of memories and copies at the start of a run, and frees it at the end. */
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "graph/reduction.h"
#include "runtime/memory/memory_state.h"

/* Returns the bytes that several tasks may reserve together. If all handles have one size, handles of so many bytes
 * always find places, wherever the free parts are. With several sizes it is an estimate: see transfers/unjam.c. */
static uint64_t admissible(const struct tw__rt *rt, tw_node n)
{
	const struct tw__room *room = &rt->memory[n].room;
	uint64_t least = UINT64_MAX, greatest = 0, last = UINT64_MAX;
	for (tw_data d = 0; d < rt->graph->n_data; d++) {
		uint64_t bytes = room_bytes(rt, d, n);
		if (bytes == last) /* most handles have the size of the one before */
			continue;
		last = bytes;
		bytes = tw__room_rounded(room, bytes);
		least = bytes < least ? bytes : least;
		greatest = bytes > greatest ? bytes : greatest;
	}
	if (greatest == 0)
		return room->capacity;
	bool chunks = room->chunk_bytes > 0 && greatest <= room->chunk_data_bytes && greatest <= room->chunk_bytes;
	uint64_t piece = chunks ? room->chunk_bytes : room->capacity, pieces = chunks ? room->capacity / piece : 1;
	if (least == greatest)
		return pieces * (piece / greatest * greatest);
	return piece > greatest ? pieces * (piece - greatest) : 0;
}

/* Counts the accesses to discarded handles, if there are such handles. */
static void count_uses(struct tw__rt *rt)
{
	const struct tw_graph *g = rt->in->graph;
	if (!tw__graph_discards(g))
		return;
	rt->uses_left = tw_alloc((size_t)rt->graph->n_data, sizeof *rt->uses_left);
	for (uint32_t a = 0; a < g->access_start[g->n_tasks]; a++)
		rt->uses_left[tw__access_data(g->access[a])]++;
}

/* Creates the state of copies. At first each handle with content is valid in the run's home memory. Scratch handles and
 * accumulators have no content. */
static void open_copies(struct tw__rt *rt)
{
	const struct tw_graph *g = rt->graph;
	size_t n_data = (size_t)g->n_data, n_nodes = (size_t)rt->n_nodes;
	rt->data = tw_alloc(n_data, sizeof *rt->data);
	rt->node_sets = tw_alloc(n_data * N_NODE_SETS * rt->node_words, sizeof *rt->node_sets);
	if (n_data * n_nodes >= UINT32_MAX)
		tw__no_memory(n_data * n_nodes, sizeof *rt->replicates);
	rt->copy_numbers = tw_alloc(n_nodes, sizeof *rt->copy_numbers);
	rt->copy_numbers[0] = tw_alloc(n_data * n_nodes, sizeof *rt->copy_numbers[0]);
	rt->replicates = tw_alloc(n_data * n_nodes + 1, sizeof *rt->replicates);
	rt->copies = tw_alloc(n_nodes, sizeof *rt->copies);
	rt->copies[0] = tw_alloc(n_data * n_nodes, sizeof *rt->copies[0]);
	for (size_t n = 1; n < n_nodes; n++) {
		rt->copy_numbers[n] = rt->copy_numbers[n - 1] + n_data;
		rt->copies[n] = rt->copies[n - 1] + n_data;
	}
	rt->flag_changes = tw_alloc(n_nodes, sizeof *rt->flag_changes);
	for (tw_node n = 0; n < rt->n_nodes; n++)
		if (!is_bounded(rt, n))
			memset(rt->copies[n], COPY_ALLOCATED, n_data);
	for (tw_data d = 0; d < tw__graph_own_data(g); d++) {
		if (tw__data_use(g, d) == TW__USE_SCRATCH)
			continue;
		const tw_node home = tw__home_of(rt->homes, d);
		rt->data[d].n_valid = 1;
		tw__bit_put(nodes_of(rt, d, VALID_ON), home, true);
		*copy_flags(rt, d, home) |= COPY_VALID;
	}
}

/* With homes=first_touch, handles are valid in several main memories until their first touch. */
static void open_untouched(struct tw__rt *rt)
{
	const tw_data n_data = tw__graph_own_data(rt->graph);
	rt->untouched = tw_alloc(tw__bit_words(n_data), sizeof *rt->untouched);
	for (tw_data d = 0; d < n_data; d++) {
		if (!rt->data[d].n_valid || !tw__touch_decides(rt->homes, d))
			continue;
		tw__bit_put(rt->untouched, d, true);
		rt->data[d].n_valid = (uint16_t)rt->homes.n;
		for (tw_node n = 0; n < rt->homes.n; n++) {
			tw__bit_put(nodes_of(rt, d, VALID_ON), n, true);
			*copy_flags(rt, d, n) |= COPY_VALID;
		}
	}
}

/* Creates the state that only a bounded memory has: its room, and its lists of copies by kind. */
static void open_bounded(struct tw__rt *rt, tw_node n)
{
	struct memory *m = &rt->memory[n];
	size_t n_data = (size_t)rt->graph->n_data;
	uint64_t chunk = tw__run_chunk_bytes(rt->platform, rt->params, n);
	tw__room_init(&m->room, rt->capacity[n], chunk, rt->params->chunk_data_bytes);
	m->room.overlooks = rt->params->chunk_overlooks;
	m->admissible = admissible(rt, n);
	uint8_t *kinds = tw_alloc(n_data + 1, sizeof *m->kind), *dirty = tw_alloc(n_data + 1, sizeof *m->dirty);
	m->kind = kinds + 1; /* so that kind[TW_NONE] exists; it is STAYS */
	m->dirty = dirty + 1;
}

/* Gives handles that start in the bounded memory their room. They are dirty, as if a task had written them. */
static void place_at_start(struct tw__rt *rt, tw_node n)
{
	const tw_data n_data = tw__graph_own_data(rt->graph);
	tw__access *there = tw_resize(NULL, (size_t)n_data, sizeof *there);
	int n_there = 0;
	for (tw_data d = 0; d < n_data; d++)
		if (tw__home_of(rt->homes, d) == n && rt->data[d].n_valid)
			there[n_there++] = (tw__access)d << TW__ACCESS_BITS | TW_R;
	tw__memory_place_all(rt, there, n_there, n, true);
	for (int i = 0; i < n_there && rt->status == TW_OK; i++)
		tw__copy_clean(rt, tw__access_data(there[i]), n, false);
	free(there);
}

void tw__memory_open(struct tw__rt *rt)
{
	open_copies(rt);
	if (rt->homes.first_touch)
		open_untouched(rt);
	count_uses(rt);
	rt->memory = tw_alloc((size_t)rt->n_nodes, sizeof *rt->memory);
	rt->pressure = tw_alloc((size_t)rt->n_nodes, sizeof *rt->pressure);
	tw_id_set_init(&rt->untidy, rt->n_nodes);
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		struct memory *m = &rt->memory[n];
		tw_node backing = rt->platform->nodes[n].backing;
		rt->pressure[n].victim = TW_NONE;
		m->changes = 1;
		if (backing != TW_NONE)
			rt->memory[backing].backs = true;
		if (is_bounded(rt, n))
			open_bounded(rt, n);
	}
	for (tw_node n = rt->n_mains; rt->graph->data_places[TW__HOME] && n < rt->n_nodes; n++)
		if (is_bounded(rt, n))
			place_at_start(rt, n);
}

static void close_memory(struct memory *m)
{
	tw__room_finish(&m->room);
	if (m->kind)
		free(m->kind - 1);
	if (m->dirty)
		free(m->dirty - 1);
	for (int k = 0; k < N_KINDS; k++)
		free(m->of_kind[k].data);
}

void tw__memory_close(struct tw__rt *rt)
{
	for (tw_node n = 0; rt->memory && n < rt->n_nodes; n++)
		close_memory(&rt->memory[n]);
	free(rt->memory);
	free(rt->pressure);
	tw_id_set_finish(&rt->untidy);
	free(rt->data);
	free(rt->uses_left);
	free(rt->untouched);
	free(rt->node_sets);
	if (rt->copy_numbers)
		free(rt->copy_numbers[0]);
	free(rt->copy_numbers);
	free(rt->replicates);
	if (rt->copies)
		free(rt->copies[0]);
	free(rt->copies);
	free(rt->flag_changes);
}
