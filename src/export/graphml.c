/* Writes a task graph as GraphML, for tools of network analysis. Nodes and edges have the attributes that DOT has. More
 * attributes keep the whole graph: reading the file back (workloads/readers/graphml.c) gives the same one.
 *
 * igraph, which writes GraphML, too, rounds numbers to 15 digits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xml_text.h"
#include "export/export.h"
#include "graph/edges.h"
#include "graph/reduction.h"

static const struct {
	const char *id, *of, *name, *type;
} keys[] = {
	{"kernel", "node", "kernel", "string"},
	{"size", "node", "size", "string"},
	{"precision", "node", "precision", "string"},
	{"archs", "node", "archs", "string"},
	{"flops", "node", "flops", "double"},
	{"priority", "node", "priority", "int"},
	{"critical", "node", "critical", "boolean"},
	{"seconds", "node", "seconds", "double"},
	{"on", "node", "on", "string"},
	{"cpu_seconds", "node", "cpu_seconds", "double"},
	{"gpu_seconds", "node", "gpu_seconds", "double"},
	{"arch_seconds", "node", "arch_seconds", "string"},
	{"accesses", "node", "accesses", "string"},
	{"data", "edge", "data", "int"},
	{"bytes", "edge", "bytes", "long"},
	{"ordered", "edge", "ordered", "boolean"},
	{"graph_flops", "graph", "flops", "double"},
	{"priorities", "graph", "priorities", "string"},
	{"handles", "graph", "handles", "string"},
	{"discarded", "graph", "discarded", "string"},
	{"homes", "graph", "homes", "string"},
	{"ends", "graph", "ends", "string"},
	{"reductions", "graph", "reductions", "string"},
};

static void put_text(FILE *f, const char *key, const char *text)
{
	fprintf(f, "<data key=\"%s\">", key);
	tw__xml_text(f, text);
	fputs("</data>", f);
}

static void put_number(FILE *f, const char *key, double number)
{
	fprintf(f, "<data key=\"%s\">%.17g</data>", key, number);
}

static void put_seconds_on(FILE *f, const struct tw_graph *g, tw_task t)
{
	const struct tw__arch_seconds *end, *first = tw__graph_seconds_on(g, t, &end);
	const char *before = "<data key=\"arch_seconds\">";
	for (const struct tw__arch_seconds *s = first; s < end; s++)
		if (tw__seconds_key(g, s))
			put_number(f, tw__seconds_key(g, s), s->seconds);
	for (const struct tw__arch_seconds *s = first; s < end; s++)
		if (!tw__seconds_key(g, s)) {
			fputs(before, f);
			tw__xml_text(f, g->arch_names[s->name]);
			fprintf(f, "=%.17g", s->seconds);
			before = ",";
		}
	if (*before == ',')
		fputs("</data>", f);
}

static void put_accesses(FILE *f, const struct tw_graph *g, tw_task t)
{
	const char *before = "<data key=\"accesses\">";
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		fprintf(f, "%s%d %d", before, (int)tw__access_data(g->access[a]),
		        (int)(g->access[a] & ((1u << TW__ACCESS_BITS) - 1)));
		before = " ";
	}
	if (*before == ' ')
		fputs("</data>", f);
}

static void put_task(FILE *f, const struct tw_graph *g, tw_task t)
{
	const struct tw__kernel *k = &g->kernels[g->kernel[t]];
	fprintf(f, "<node id=\"n%d\">", (int)t);
	put_text(f, "kernel", k->name);
	put_text(f, "size", k->size);
	put_text(f, "precision", k->precision);
	if (k->archs)
		put_text(f, "archs", k->archs);
	put_number(f, "flops", k->flops);
	put_number(f, "priority", g->priority[t]);
	if (g->critical[t])
		put_text(f, "critical", "true");
	if (g->seconds && !isnan(g->seconds[t]))
		put_number(f, "seconds", g->seconds[t]);
	if (k->recorded_on)
		put_text(f, "on", k->recorded_on);
	put_seconds_on(f, g, t);
	put_accesses(f, g, t);
	fputs("</node>\n", f);
}

/* Returns the handle to which `from` adds, and which `to` accesses when its reduction is done; or TW_NONE. */
static tw_data reduced(const struct tw_graph *g, const struct tw__edge *e)
{
	for (uint32_t a = g->access_start[e->from]; g->n_phases && a < g->access_start[e->from + 1]; a++)
		for (uint32_t b = g->access_start[e->to]; b < g->access_start[e->to + 1]; b++)
			if (tw__access_mode(g->access[a]) == TW_REDUX && (g->access[b] & TW_RW) &&
			    tw__access_data(g->access[a]) == tw__access_data(g->access[b]))
				return tw__access_data(g->access[a]);
	return TW_NONE;
}

/* Writes an edge. An edge with data follows from accesses; if its second task depends on the first directly all the
 * same, it is `ordered`. `orders`, [n]: such dependencies of the second task. */
static void put_edge(FILE *f, const struct tw_graph *g, const struct tw__edge *e, const struct tw__edge *orders,
                     size_t n)
{
	tw_data data = e->data == TW_NONE ? reduced(g, e) : e->data;
	fprintf(f, "<edge source=\"n%d\" target=\"n%d\">", (int)e->from, (int)e->to);
	if (data != TW_NONE)
		fprintf(f, "<data key=\"data\">%d</data><data key=\"bytes\">%llu</data>", (int)data,
		        (unsigned long long)g->data_bytes[data]);
	for (size_t i = 0; data != TW_NONE && i < n; i++)
		if (orders[i].from == e->from)
			put_text(f, "ordered", "true");
	fputs("</edge>\n", f);
}

/* `orders`: the dependencies that do not follow from accesses. Both lists are sorted by their second tasks. */
static void put_edges(FILE *f, const struct tw_graph *g, const struct tw__edge *edges, size_t n,
                      const struct tw__edge *orders, size_t n_orders)
{
	size_t first = 0, end = 0;
	for (size_t i = 0; i < n; i++) {
		for (; first < n_orders && orders[first].to < edges[i].to; first++)
			;
		for (end = first; end < n_orders && orders[end].to == edges[i].to; end++)
			;
		put_edge(f, g, &edges[i], orders + first, end - first);
	}
}

/* Writes a line for each handle that tasks reduce: its number, and the kernel that combines its accumulators. Tabs
 * separate the parts of a line. */
static int put_reductions(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	tw_kernel *combine;
	int status = tw__graph_combiners(&combine, g, err);
	if (status < 0)
		return status;
	if (g->n_phases)
		fputs("<data key=\"reductions\">", f);
	for (tw_data d = 0; d < g->n_data; d++) {
		if (combine[d] == TW_NONE)
			continue;
		const struct tw__kernel *k = &g->kernels[combine[d]];
		const char *texts[] = {k->name, k->size, k->precision, k->archs ? k->archs : "",
		                       k->recorded_on ? k->recorded_on : ""};
		fprintf(f, "%d\t%.17g", (int)d, k->flops);
		for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
			fputc('\t', f);
			tw__xml_text(f, texts[i]);
		}
		fputc('\n', f);
	}
	if (g->n_phases)
		fputs("</data>\n", f);
	free(combine);
	return TW_OK;
}

static void put_discarded(FILE *f, const struct tw_graph *g)
{
	const char *before = "<data key=\"discarded\">";
	for (tw_data d = 0; d < g->n_data; d++)
		if (tw__data_use(g, d) == TW__USE_DISCARDED) {
			fprintf(f, "%s%d", before, (int)d);
			before = " ";
		}
	if (*before == ' ')
		fputs("</data>\n", f);
}

static void put_places(FILE *f, const struct tw_graph *g, enum tw__place place, const char *key)
{
	int n = 0;
	for (tw_data d = 0; d < g->n_data && g->data_places[place]; d++)
		if (tw__graph_place(g, place, d) != TW_NONE) {
			if (!n++)
				fprintf(f, "<data key=\"%s\">", key);
			fprintf(f, "%s%d %d", n > 1 ? " " : "", (int)d, (int)tw__graph_place(g, place, d));
		}
	if (n)
		fputs("</data>\n", f);
}

/* Whether the graph has what the key is for. */
static bool is_used(const struct tw_graph *g, const char *key)
{
	return strcmp(key, "discarded") == 0 ? tw__graph_discards(g)
	       : strcmp(key, "homes") == 0   ? g->data_places[TW__HOME] != NULL
	                                     : strcmp(key, "ends") != 0 || g->data_places[TW__END_PLACE];
}

static int put_nodes(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
	      f);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (is_used(g, keys[i].id))
			fprintf(f, "<key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", keys[i].id,
			        keys[i].of, keys[i].name, keys[i].type);
	fputs("<graph edgedefault=\"directed\">\n", f);
	put_number(f, "graph_flops", g->flops);
	put_text(f, "priorities", tw_priority_scope_name(g->priority_scope));
	fputs("\n<data key=\"handles\">", f);
	for (tw_data d = 0; d < g->n_data; d++)
		fprintf(f, "%s%llu", d ? d % 16 ? " " : "\n" : "", (unsigned long long)g->data_bytes[d]);
	fputs("</data>\n", f);
	put_discarded(f, g);
	put_places(f, g, TW__HOME, "homes");
	put_places(f, g, TW__END_PLACE, "ends");
	int status = put_reductions(f, g, err);
	for (tw_task t = 0; t < g->n_tasks && status == TW_OK; t++)
		put_task(f, g, t);
	return status;
}

int tw__export_graphml(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	struct tw__edge *orders = NULL;
	size_t n, n_orders;
	int status = put_nodes(f, g, err);
	struct tw__edge *edges = tw__graph_edges(&n, g);
	if (status == TW_OK)
		status = tw__graph_orders(&orders, &n_orders, g, err);
	if (status == TW_OK) {
		put_edges(f, g, edges, n, orders, n_orders);
		fputs("</graph>\n</graphml>\n", f);
	}
	free(edges);
	free(orders);
	return status;
}
