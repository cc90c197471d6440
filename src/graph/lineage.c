/* Divided handles and their parts: dependencies between tasks that access the whole and tasks that access parts. */
#include <stdlib.h>

#include "graph/build.h"

static struct tw__lineage *lineage_of(const struct tw_graph *g, tw_data d) { return &g->build->data[d].lineage; }

/* Makes a task depend on tasks that access the handle, but not on those up to `known`: it depends on them already. */
static void depend_on_users(struct tw_graph *g, tw_task task, tw_data d, bool writes, tw_task known)
{
	const struct tw__graph_build *b = g->build;
	const struct tw__data_build *data = &b->data[d];
	if (data->last_writer > known)
		tw__build_depend(g, task, data->last_writer);
	for (uint32_t cell = data->readers; writes && cell != TW__NOBODY; cell = b->readers[cell].next)
		if (b->readers[cell].task > known)
			tw__build_depend(g, task, b->readers[cell].task);
}

/* Makes a task depend on tasks that access parts of the handle. After a write of the whole, later tasks depend on that
 * task in place of those. */
static void depend_on_parts(struct tw_graph *g, tw_task task, tw_data d, bool writes)
{
	const struct tw__lineage lineage = *lineage_of(g, d);
	for (tw_data part = lineage.first_part; part < lineage.first_part + lineage.n_parts; part++) {
		struct tw__data_build *data = &g->build->data[part];
		depend_on_users(g, task, part, writes, TW_NONE);
		depend_on_parts(g, task, part, writes);
		if (!writes)
			continue;
		tw__build_forget_readers(g, data);
		data->last_writer = TW_NONE;
	}
}

void tw__build_depend_on_lineage(struct tw_graph *g, tw_task task, tw_data d, bool writes)
{
	const tw_task known = g->build->data[d].last_writer;
	for (tw_data above = lineage_of(g, d)->parent; above != TW_NONE; above = lineage_of(g, above)->parent)
		depend_on_users(g, task, above, writes, known);
	depend_on_parts(g, task, d, writes);
}

/* Whether the task that is being submitted accesses a part of the handle. */
static bool uses_parts(const struct tw_graph *g, tw_data d)
{
	const struct tw__lineage *lineage = lineage_of(g, d);
	for (tw_data part = lineage->first_part; part < lineage->first_part + lineage->n_parts; part++)
		if (g->build->data[part].last_user == g->n_tasks || uses_parts(g, part))
			return true;
	return false;
}

const char *tw__build_wrong_lineage(const struct tw_graph *g, tw_data d, unsigned mode)
{
	const struct tw__lineage *lineage = lineage_of(g, d);
	if (lineage->parent == TW_NONE && lineage->first_part == TW_NONE)
		return NULL;
	if (mode & ~(unsigned)TW_RW)
		return "TW_R, TW_W or TW_RW for a divided handle or a part";
	bool both = uses_parts(g, d);
	for (tw_data above = lineage->parent; above != TW_NONE; above = lineage_of(g, above)->parent)
		both |= g->build->data[above].last_user == g->n_tasks;
	return both ? "no access to a handle and to a part of it in one task" : NULL;
}

int tw__build_lineages(struct tw_graph *g)
{
	if (!g->build->has_lineages)
		return TW_OK;
	g->lineages = malloc((size_t)g->n_data * sizeof *g->lineages);
	if (!g->lineages)
		return TW_NOMEM;
	g->n_lineages = g->n_data;
	for (tw_data d = 0; d < g->n_data; d++)
		g->lineages[d] = *lineage_of(g, d);
	return TW_OK;
}

void tw__lineages_append(struct tw_graph *to, const struct tw_graph *from_graph, tw_data data, tw_data n)
{
	const tw_data shift = to->n_data - data;
	if (!to->n_lineages && !from_graph->n_lineages)
		return;
	to->lineages = tw_resize(to->lineages, (size_t)(to->n_data + n), sizeof *to->lineages);
	for (tw_data d = to->n_lineages; d < to->n_data + n; d++) {
		const struct tw__lineage *from = d < to->n_data ? NULL : tw__graph_lineage(from_graph, d - shift);
		struct tw__lineage *lineage = &to->lineages[d];
		*lineage = from ? *from : (struct tw__lineage){TW_NONE, TW_NONE, 0};
		lineage->parent += lineage->parent == TW_NONE ? 0 : shift;
		lineage->first_part += lineage->first_part == TW_NONE ? 0 : shift;
	}
	to->n_lineages = to->n_data + n;
}

bool tw__build_is_part_newer(const struct tw_graph *g, tw_data d, tw_task writer)
{
	const struct tw__lineage *lineage = lineage_of(g, d);
	for (tw_data part = lineage->first_part; part < lineage->first_part + lineage->n_parts; part++)
		if (g->build->data[part].last_writer > writer || tw__build_is_part_newer(g, part, writer))
			return true;
	return false;
}
