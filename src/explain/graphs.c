/* Each of several graphs in the explanation of a run. */
#include "base/cell_table.h"
#include "explain/past_items.h"

void tw__explain_graphs(struct tw__explanation *e, const struct tw__past_items *items)
{
	for (size_t i = 0; i < items->n_runs; i++) {
		tw__ns *end = &e->graphs[tw__graph_part_of(items->graph, items->runs[i].task)].end;
		*end = tw__latest(*end, items->runs[i].end);
	}
	for (size_t i = 0; i < e->n_links; i++) {
		const struct tw__chain_link *l = &e->links[i];
		if (l->computes)
			e->graphs[tw__graph_part_of(items->graph, l->task)].on_chain += l->end - l->start;
	}
}

json_t *tw__graph_times_table(const struct tw__explanation *e, const struct tw_graph *g, FILE *f)
{
	static const struct cell_column columns[] = {
		{.key = "graph"},
		{.key = "name", .title = "graph"},
		{.key = "arrival_s", .title = "arrival", .unit = UNIT_DURATION, .align = 'r'},
		{.key = "end_s", .title = "end", .unit = UNIT_DURATION, .align = 'r'},
		{.key = "chain_s", .title = "chain", .unit = UNIT_DURATION, .align = 'r'},
		{0}};
	struct cell_table t = {.columns = columns, .is_json = !f, .indent = "  "};
	if (!g->n_parts)
		return NULL;
	for (int i = 0; i < g->n_parts; i++)
		tw__cells_add(&t, cell_integer(i), cell_text(g->parts[i].name), cell_ns(g->parts[i].arrival),
		              cell_ns(e->graphs[i].end), cell_ns(e->graphs[i].on_chain));
	if (f)
		fputs("\nGraphs, with the time of the chain in their kernels\n", f);
	if (!f)
		return tw__cells_array(&t);
	tw__cells_print(&t, f);
	return NULL;
}
