/* Reductions while a graph is built. Consecutive accesses with TW_REDUX to one handle are a reduction (phase). Its
 * contributors depend on earlier accesses, and not on each other. Later accesses depend on the reduction. */
#include <stdlib.h>
#include <string.h>

#include "graph/build.h"

static bool open_phase(struct tw_graph *g, struct tw__data_build *data, tw_data d, tw_task first)
{
	struct tw__graph_build *b = g->build;
	size_t n = (size_t)g->n_phases + 1;
	if (!TW__HAS_ROOM(g->phases, b->phases_capacity, n) ||
	    !TW__HAS_ROOM(b->phase_mark, b->phase_mark_capacity, n)) {
		tw__build_fail_memory(g);
		return false;
	}
	g->phases[g->n_phases] = (struct tw__phase){.data = d, .combine = data->combine, .first = first};
	b->phase_mark[g->n_phases] = TW_NONE;
	data->phase = g->n_phases++;
	return true;
}

void tw__build_contribute(struct tw_graph *g, tw_task task, tw_data d, uint32_t place)
{
	struct tw__graph_build *b = g->build;
	struct tw__data_build *data = &b->data[d];
	if (data->phase == TW_NONE && !open_phase(g, data, d, task))
		return;
	if (!TW__HAS_ROOM(g->contributions, b->contributions_capacity, (size_t)g->n_contributions + 1)) {
		tw__build_fail_memory(g);
		return;
	}
	g->contributions[g->n_contributions++] = (struct tw__contribution){place, data->phase};
	g->phases[data->phase].n_contributors++;
	for (uint32_t cell = data->readers; cell != TW__NOBODY; cell = b->readers[cell].next)
		tw__build_depend(g, task, b->readers[cell].task);
	if (data->readers == TW__NOBODY && data->last_writer != TW_NONE)
		tw__build_depend(g, task, data->last_writer);
}

void tw__build_end_phase(struct tw_graph *g, struct tw__data_build *data)
{
	if (data->phase == TW_NONE)
		return;
	tw__build_forget_readers(g, data);
	data->last_writer = tw__phase_task(data->phase);
	data->phase = TW_NONE;
}

int tw__build_link_phases(struct tw_graph *g)
{
	const struct tw__graph_build *b = g->build;
	if (g->n_phases == 0)
		return TW_OK;
	size_t n = 0;
	for (size_t i = 0; i < b->n_predecessors; i++)
		n += tw__is_phase(b->predecessors[i]);
	g->phase_successor_start = calloc((size_t)g->n_phases + 2, sizeof *g->phase_successor_start);
	g->phase_successor = malloc((n + 1) * sizeof *g->phase_successor);
	if (!g->phase_successor_start || !g->phase_successor)
		return TW_NOMEM;
	uint32_t *start = g->phase_successor_start;
	for (size_t i = 0; i < b->n_predecessors; i++)
		if (tw__is_phase(b->predecessors[i]))
			start[tw__phase_number(b->predecessors[i]) + 2]++;
	for (int32_t p = 2; p <= g->n_phases; p++)
		start[p] += start[p - 1];
	size_t i = 0;
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t p = 0; p < b->in_degree[t]; p++, i++)
			if (tw__is_phase(b->predecessors[i]))
				g->phase_successor[start[tw__phase_number(b->predecessors[i]) + 1]++] = t;
	return TW_OK;
}

/* --- how tasks use handles ---------------------------------------------------------------------------------------- */

static enum tw__data_use use_of(struct tw_graph *g, tw_data d)
{
	struct tw__data_build *data = &g->build->data[d];
	const unsigned scratch = 1u << TW__USE_SCRATCH, redux = 1u << TW__USE_REDUX;
	const unsigned discarded = 1u << TW__USE_DISCARDED;
	const bool ends = data->place[TW__END_PLACE];
	if (ends && data->used_as & (discarded | scratch))
		TW__REFUSE(g, "data %d must be in a memory at the end: expected no scratch or discarded handle",
		           (int)d);
	if (data->used_as & discarded && data->used_as & (scratch | redux))
		TW__REFUSE(g, "data %d is discarded: expected no accesses to it with TW_SCRATCH or TW_REDUX", (int)d);
	const bool divided = data->lineage.parent != TW_NONE || data->lineage.first_part != TW_NONE;
	if (divided && (ends || data->used_as & (discarded | scratch | redux) ||
	                (data->lineage.parent != TW_NONE && data->place[TW__HOME])))
		TW__REFUSE(g,
		           "data %d is divided or a part: expected no TW_SCRATCH or TW_REDUX, not to be discarded, "
		           "no memory at the end, and of parts none at the start",
		           (int)d);
	if (data->used_as & (scratch | redux))
		return data->used_as & redux ? TW__USE_REDUX : TW__USE_SCRATCH;
	enum tw__discards discards = g->build->discards;
	bool dies = discards == TW__DISCARDS_ALL || (discards == TW__DISCARDS_READ && data->readers != TW__NOBODY);
	return (dies && !ends && !divided) || data->used_as & discarded ? TW__USE_DISCARDED : TW__USE_PLAIN;
}

bool tw__graph_discards(const struct tw_graph *g)
{
	return g->data_uses && memchr(g->data_uses, TW__USE_DISCARDED, (size_t)g->n_data);
}

int tw__build_data_places(struct tw_graph *g, enum tw__place place)
{
	uint16_t *memory = NULL;
	for (tw_data d = 0; d < g->n_data; d++) {
		if (!g->build->data[d].place[place])
			continue;
		if (!memory && !(memory = g->data_places[place] = calloc((size_t)g->n_data, sizeof *memory)))
			return TW_NOMEM;
		memory[d] = g->build->data[d].place[place];
	}
	return TW_OK;
}

int tw__build_data_uses(struct tw_graph *g)
{
	tw_data plain = 0;
	while (plain < g->n_data && use_of(g, plain) == TW__USE_PLAIN)
		plain++;
	if (plain >= g->n_data)
		return TW_OK;
	g->data_uses = malloc((size_t)g->n_data);
	if (!g->data_uses)
		return TW_NOMEM;
	for (tw_data d = 0; d < g->n_data; d++)
		g->data_uses[d] = (uint8_t)(d < plain ? TW__USE_PLAIN : use_of(g, d));
	return TW_OK;
}
