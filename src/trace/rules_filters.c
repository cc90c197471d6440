/* The rule FILTER: a task accesses a divided handle, or a part, only while it is usable, and alone if it writes. A
 * handle is divided where it is valid, and joined where all its parts are. */
#include "trace/replay.h"

static const struct tw__lineage *lineage_of(const struct tw__replay *r, tw_data d) { return &r->graph->lineages[d]; }

/* Whether the state allows the access to the whole, or to parts. A write needs the others to be unusable. */
static bool allows(const struct tw__replay *r, tw_data d, enum tw__usable what, bool writes)
{
	return writes ? r->usable[d] == what : r->usable[d] & what;
}

static int check_access(struct tw__replay *r, const struct tw__event *e, tw__access access)
{
	const tw_data d = tw__access_data(access);
	const bool writes = access & TW_W;
	const char *kernel = r->graph->kernels[r->graph->kernel[e->task]].name;
	if (lineage_of(r, d)->n_parts && !allows(r, d, TW__WHOLE, writes))
		return tw__violation(r, TW__RULE_FILTER, "task %d (%s) starts while data %d, which it %s, is divided",
		                     (int)e->task, kernel, (int)d, writes ? "writes" : "reads");
	for (tw_data part = d, whole; (whole = lineage_of(r, part)->parent) != TW_NONE; part = whole)
		if (!allows(r, whole, TW__PARTS, writes))
			return tw__violation(
				r, TW__RULE_FILTER,
				"task %d (%s) starts while data %d, of which it %s a part, is not divided%s",
				(int)e->task, kernel, (int)whole, writes ? "writes" : "reads",
				r->usable[whole] == TW__BOTH ? " for a writer" : "");
	return TW_OK;
}

int tw__replay_usable(struct tw__replay *r, const struct tw__event *start)
{
	const struct tw_graph *g = r->graph;
	int status = TW_OK;
	for (uint32_t a = g->access_start[start->task]; a < g->access_start[start->task + 1] && status == TW_OK; a++)
		if (tw__graph_lineage(g, tw__access_data(g->access[a])))
			status = check_access(r, start, g->access[a]);
	return status;
}

/* A handle, or a part of it, whose content the change reads: it is valid in the memory. */
static int check_read(struct tw__replay *r, const struct tw__event *e, tw_data d)
{
	if (tw__copy_of(r, d, e->node)->valid == r->data[d].version && r->data[d].writer == TW_NONE)
		return TW_OK;
	return tw__violation(r, TW__RULE_FILTER, "data %d is %s in %s, where data %d is not valid", (int)e->data,
	                     e->data == d ? "divided" : "joined", tw__node_name(r, e->node), (int)d);
}

/* A handle that the change writes, or makes unusable: its other copies become invalid at this date. */
static int write_here(struct tw__replay *r, const struct tw__event *e, tw_data d)
{
	struct tw__data_state *data = &r->data[d];
	struct tw__copy *copy = tw__copy_of(r, d, e->node);
	bool used = data->writer != TW_NONE;
	const tw_node *memories;
	const int n_memories = tw__memories_of(r, d, &memories);
	for (int i = 0; i < n_memories; i++)
		used |= tw__copy_of(r, d, memories[i])->readers > 0;
	if (used)
		return tw__violation(r, TW__RULE_FILTER, "data %d is divided or joined while a task uses data %d",
		                     (int)e->data, (int)d);
	data->version++;
	data->commit_node = e->node;
	data->commit_date = e->date;
	if (copy->valid)
		copy->valid = data->version;
	tw__touch(r, d);
	return TW_OK;
}

/* The parts of a handle that is joined, or whose parts become unusable: none is divided itself. */
static int check_parts(struct tw__replay *r, const struct tw__event *e, enum tw__usable becomes)
{
	const struct tw__lineage *lineage = lineage_of(r, e->data);
	for (tw_data part = lineage->first_part; part < lineage->first_part + lineage->n_parts; part++)
		if (lineage_of(r, part)->n_parts && !allows(r, part, TW__WHOLE, !(becomes & TW__PARTS)))
			return tw__violation(r, TW__RULE_FILTER, "data %d is joined while its part %d is divided",
			                     (int)e->data, (int)part);
	return TW_OK;
}

int tw__replay_filter(struct tw__replay *r, const struct tw__event *e)
{
	if (e->data >= r->graph->n_lineages || !lineage_of(r, e->data)->n_parts)
		return tw__violation(r, TW__RULE_FILTER, "data %d is divided or joined, but has no parts",
		                     (int)e->data);
	const struct tw__lineage *lineage = lineage_of(r, e->data);
	const enum tw__usable was = r->usable[e->data], becomes = (enum tw__usable)e->offset;
	const bool divides = !(was & TW__PARTS), joins = !(was & TW__WHOLE);
	const tw_data first = lineage->first_part, end = first + lineage->n_parts;
	int status = TW_OK;
	if (was == becomes || !tw__is_main(r->in->platform, e->node))
		return tw__violation(r, TW__RULE_FILTER, "data %d is divided or joined %s", (int)e->data,
		                     was == becomes ? "without effect" : "outside of main memory");
	if (divides)
		status = check_read(r, e, e->data);
	for (tw_data part = first; joins && part < end && status == TW_OK; part++)
		status = check_read(r, e, part);
	if (status == TW_OK && !divides)
		status = check_parts(r, e, becomes);
	for (tw_data part = first; (divides || !(becomes & TW__PARTS)) && part < end && status == TW_OK; part++)
		status = write_here(r, e, part);
	if (status == TW_OK && (joins || !(becomes & TW__WHOLE)))
		status = write_here(r, e, e->data);
	r->usable[e->data] = (uint8_t)becomes;
	return status;
}
