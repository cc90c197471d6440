/* Writes a task graph as Graphviz DOT, with the attributes that Tilewright's reader of DOT knows
 * (workloads/readers/dot_attributes.c). */
#include <math.h>
#include <stdlib.h>

#include "export/export.h"
#include "graph/edges.h"

static void write_text(FILE *f, const char *text)
{
	fputc('"', f);
	/* escapes '"', and a backslash before '"' or at the end; DOT takes other backslashes literally */
	for (; *text; text++)
		fprintf(f, *text == '"' || (*text == '\\' && (!text[1] || text[1] == '"')) ? "\\%c" : "%c", *text);
	fputc('"', f);
}

static void write_task(FILE *f, const struct tw_graph *g, tw_task t)
{
	const struct tw__kernel *k = &g->kernels[g->kernel[t]];
	fprintf(f, "\t%d [kernel=", (int)t);
	write_text(f, k->name);
	fputs(" size=", f);
	write_text(f, k->size);
	fputs(" precision=", f);
	write_text(f, k->precision);
	if (k->flops > 0)
		fprintf(f, " flops=\"%.17g\"", k->flops);
	if (g->priority[t])
		fprintf(f, " priority=%d", (int)g->priority[t]);
	if (g->seconds && !isnan(g->seconds[t])) {
		fprintf(f, " seconds=\"%.17g\"", g->seconds[t]);
		if (k->recorded_on) {
			fputs(" on=", f);
			write_text(f, k->recorded_on);
		}
	}
	fputs("]\n", f);
}

int tw__export_dot(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	struct tw__edge *edges;
	size_t n;
	int status = tw__graph_edges(&edges, &n, g, err);
	if (status < 0)
		return status;
	fputs("digraph {\n", f);
	for (tw_task t = 0; t < g->n_tasks; t++)
		write_task(f, g, t);
	for (size_t i = 0; i < n; i++) {
		fprintf(f, "\t%d -> %d", (int)edges[i].from, (int)edges[i].to);
		if (edges[i].data != TW_NONE)
			fprintf(f, " [size=%llu data=%d]", (unsigned long long)g->data_bytes[edges[i].data],
			        (int)edges[i].data);
		fputc('\n', f);
	}
	fputs("}\n", f);
	free(edges);
	return TW_OK;
}
