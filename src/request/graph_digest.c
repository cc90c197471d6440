/* The fingerprint of a task graph in memory: of everything in it that results depend on. Graphs are equal if they have
 * the same tasks with the same predecessors, however they were built. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/parts.h"
#include "request/digest.h"

#define ADD(d, value) tw__digest_bytes(d, &(value), sizeof(value))
#define ADD_ARRAY(d, array, n) tw__digest_bytes(d, array, (size_t)(n) * sizeof *(array))

static void add_kernel(struct tw__digest *d, const struct tw__kernel *k)
{
	tw__digest_word(d, k->name);
	tw__digest_word(d, k->size);
	tw__digest_word(d, k->precision);
	tw__digest_word(d, k->archs);
	tw__digest_word(d, k->recorded_on);
	ADD(d, k->flops);
}

static void add_tasks(struct tw__digest *d, const struct tw_graph *g)
{
	const uint32_t accesses = g->access_start[g->n_tasks], successors = g->successor_start[g->n_tasks];
	ADD(d, g->n_tasks);
	ADD_ARRAY(d, g->kernel, g->n_tasks);
	ADD_ARRAY(d, g->priority, g->n_tasks);
	ADD_ARRAY(d, g->critical, g->n_tasks);
	ADD_ARRAY(d, g->access_start, g->n_tasks + 1);
	ADD_ARRAY(d, g->access, accesses);
	ADD_ARRAY(d, g->successor_start, g->n_tasks + 1);
	ADD_ARRAY(d, g->successor, successors);
}

static void add_reductions(struct tw__digest *d, const struct tw_graph *g)
{
	ADD(d, g->n_phases);
	if (!g->n_phases)
		return;
	for (int p = 0; p < g->n_phases; p++) {
		ADD(d, g->phases[p].data);
		ADD(d, g->phases[p].combine);
	}
	for (uint32_t c = 0; c < g->n_contributions; c++) {
		ADD(d, g->contributions[c].access);
		ADD(d, g->contributions[c].phase);
	}
	ADD_ARRAY(d, g->phase_successor_start, g->n_phases + 1);
	ADD_ARRAY(d, g->phase_successor, g->phase_successor_start[g->n_phases]);
}

/* Adds the seconds of a task on archs, in the order of their names: the order of the calls does not matter. */
static void add_seconds_on(struct tw__digest *d, const struct tw_graph *g, tw_task t)
{
	const struct tw__arch_seconds *end, *first = tw__graph_seconds_on(g, t, &end);
	const char *last = NULL;
	for (ptrdiff_t i = 0; i < end - first; i++) {
		const struct tw__arch_seconds *next = NULL;
		for (const struct tw__arch_seconds *s = first; s < end; s++) {
			const char *name = g->arch_names[s->name];
			if ((!last || strcmp(name, last) > 0) && (!next || strcmp(name, g->arch_names[next->name]) < 0))
				next = s;
		}
		last = g->arch_names[next->name];
		ADD(d, t);
		tw__digest_word(d, last);
		ADD(d, next->seconds);
	}
}

static void add_discarded(struct tw__digest *d, const struct tw_graph *g)
{
	for (tw_data data = 0; g->data_uses && data < g->n_data; data++)
		if (tw__data_use(g, data) == TW__USE_DISCARDED) {
			tw__digest_word(d, "discarded");
			ADD(d, data);
		}
}

static void add_places(struct tw__digest *d, const struct tw_graph *g, enum tw__place place, const char *word)
{
	for (tw_data data = 0; g->data_places[place] && data < g->n_data; data++)
		if (g->data_places[place][data]) {
			tw__digest_word(d, word);
			ADD(d, data);
			ADD(d, g->data_places[place][data]);
		}
}

static void add_lineages(struct tw__digest *d, const struct tw_graph *g)
{
	for (tw_data data = 0; data < g->n_lineages; data++)
		if (g->lineages[data].n_parts) {
			tw__digest_word(d, "parts");
			ADD(d, data);
			ADD(d, g->lineages[data].first_part);
			ADD(d, g->lineages[data].n_parts);
		}
}

static void add_insides(struct tw__digest *d, const struct tw_graph *g)
{
	for (tw_task t = 0; g->inside_end && t < g->n_tasks; t++)
		if (g->inside_end[t]) {
			tw__digest_word(d, "inside");
			ADD(d, t);
			ADD(d, g->inside_end[t]);
		}
}

static void add_records(struct tw__digest *d, const struct tw_graph *g)
{
	for (tw_task t = 0; t < g->n_tasks; t++) {
		const struct tw_recorded_place *place = tw_graph_recorded_place(g, t);
		if (g->seconds && !isnan(g->seconds[t])) {
			tw__digest_word(d, "seconds");
			ADD(d, t);
			ADD(d, g->seconds[t]);
		}
		if (place) {
			tw__digest_word(d, "place");
			ADD(d, t);
			ADD(d, place->accelerator);
			ADD(d, place->worker);
			ADD(d, place->order);
		}
		if (g->n_arch_seconds)
			add_seconds_on(d, g, t);
	}
}

static void add_parts(struct tw__digest *d, const struct tw_graph *g)
{
	for (int i = 0; i < g->n_parts; i++) {
		tw__digest_word(d, "part");
		ADD(d, g->parts[i].first);
		ADD(d, g->parts[i].arrival);
		ADD(d, g->parts[i].priority_scope);
		tw__digest_word(d, g->parts[i].domain);
	}
}

void tw__digest_graph(struct tw__digest *d, const struct tw_graph *g)
{
	ADD(d, g->flops);
	ADD(d, g->priority_scope);
	ADD(d, g->priorities);
	ADD(d, g->n_kernels);
	for (int k = 0; k < g->n_kernels; k++)
		add_kernel(d, &g->kernels[k]);
	ADD(d, g->n_data);
	ADD_ARRAY(d, g->data_bytes, g->n_data);
	add_tasks(d, g);
	add_reductions(d, g);
	add_discarded(d, g);
	add_places(d, g, TW__HOME, "home");
	add_places(d, g, TW__END_PLACE, "end");
	add_lineages(d, g);
	add_insides(d, g);
	add_records(d, g);
	add_parts(d, g);
}

void tw__digest_tiles(struct tw__digest *d, const struct tw_graph *g)
{
	for (tw_data data = 0; data < g->n_tiles; data++)
		if (g->tiles[data].row != TW_NONE) {
			tw__digest_word(d, "tile");
			ADD(d, data);
			ADD(d, g->tiles[data].row);
			ADD(d, g->tiles[data].column);
		}
	for (int32_t i = 0; i < g->n_flushes; i++) {
		tw__digest_word(d, "flush");
		ADD(d, g->flushes[i].before);
		ADD(d, g->flushes[i].data);
	}
}
