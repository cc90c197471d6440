/* The memories of a run: capacities, and what is kept of each. */
#include <stdlib.h>

#include "runtime/memory/memory.h"

void tw__run_capacities(const struct tw_platform *p, const struct tw__runtime_params *params, uint64_t *capacity)
{
	for (int n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		if (node->limit_bytes)
			capacity[n] = node->limit_bytes;
		else if (node->memory_bytes)
			capacity[n] = (uint64_t)(params->memory_fraction * (double)node->memory_bytes);
		else
			capacity[n] = UINT64_MAX;
	}
}

/* Only the memories of accelerators are given out in chunks. */
uint64_t tw__memory_chunk_bytes(const struct tw_platform *p, const struct tw__runtime_params *params, tw_node n)
{
	return n != TW_RAM && p->nodes[n].backing == TW_RAM ? params->chunk_bytes : 0;
}

tw_node tw__run_home(const struct tw_platform *p, const uint64_t *capacity)
{
	tw_node home = TW_RAM;
	while (capacity[home] != UINT64_MAX && p->nodes[home].backing != TW_NONE)
		home = p->nodes[home].backing;
	return home;
}

/* What may be reserved by several tasks at a time: data of one size that sum up to it find places, however they lie. */
static uint64_t admissible(const struct tw_sched *rt, tw_node n)
{
	const struct tw__room *room = &rt->memory[n].room;
	uint64_t least = UINT64_MAX, greatest = 0;
	for (tw_data d = 0; d < rt->graph->n_data; d++) {
		uint64_t bytes = tw__room_rounded(room, room_bytes(rt, d, n));
		least = bytes < least ? bytes : least;
		greatest = bytes > greatest ? bytes : greatest;
	}
	bool chunks = room->chunk_bytes > 0 && greatest <= room->chunk_data_bytes && greatest <= room->chunk_bytes;
	uint64_t piece = chunks ? room->chunk_bytes : room->capacity, pieces = chunks ? room->capacity / piece : 1;
	if (least == greatest)
		return pieces * (piece / greatest * greatest);
	return piece > greatest ? pieces * (piece - greatest) : 0;
}

int tw__memory_init(struct tw_sched *rt, const uint64_t *capacity)
{
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		struct memory *m = &rt->memory[n];
		m->capacity = capacity[n];
		m->victim = TW_NONE;
		m->changes = 1;
		if (!is_bounded(rt, n))
			continue;
		uint64_t chunk = tw__memory_chunk_bytes(rt->platform, rt->params, n);
		if (tw__room_init(&m->room, m->capacity, chunk, rt->params->chunk_data_bytes))
			return TW_NOMEM;
		m->room.chunk_found = rt->hooks.chunk_found;
		m->admissible = admissible(rt, n);
		uint8_t *kinds = calloc((size_t)rt->graph->n_data + 1, sizeof *m->kind);
		if (!kinds)
			return TW_NOMEM;
		m->kind = kinds + 1; /* kind[TW_NONE] stays, too */
		uint8_t *dirty = calloc((size_t)rt->graph->n_data + 1, sizeof *m->dirty);
		if (!dirty)
			return TW_NOMEM;
		m->dirty = dirty + 1;
		m->place = malloc(((size_t)rt->graph->n_data + 1) * sizeof *m->place);
		if (!m->place)
			return TW_NOMEM;
	}
	return TW_OK;
}

void tw__memory_finish(struct tw_sched *rt)
{
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		tw__room_finish(&rt->memory[n].room);
		if (rt->memory[n].kind)
			free(rt->memory[n].kind - 1);
		if (rt->memory[n].dirty)
			free(rt->memory[n].dirty - 1);
		free(rt->memory[n].place);
		for (int k = 0; k < N_KINDS; k++)
			free(rt->memory[n].of_kind[k].data);
	}
}
