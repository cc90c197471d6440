/* Writes a task graph as Graphviz DOT, with the attributes that Tilewright's reader of DOT knows
 * (workloads/readers/dot.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "graph/edges.h"

/* Whether a backslash stands unpaired before a quote, or at the end. A quoted string of DOT cannot hold that: it takes
 * backslashes literally, but not the one of \", and reads them in pairs. */
static bool has_bare_backslash(const char *text)
{
	for (; *text; text++) {
		size_t n = strspn(text, "\\");
		text += n;
		if (n % 2 && (!*text || *text == '"'))
			return true;
		if (!*text)
			break;
	}
	return false;
}

/* Whether each < has its >, as within the < and > of DOT's other strings, which have no escapes. */
static bool is_balanced(const char *text)
{
	int depth = 0;
	for (; *text && depth >= 0; text++)
		depth += (*text == '<') - (*text == '>');
	return depth == 0;
}

static bool can_write(const char *text) { return !text || !has_bare_backslash(text) || is_balanced(text); }

static void write_text(FILE *f, const char *text)
{
	if (has_bare_backslash(text)) {
		fprintf(f, "<%s>", text);
		return;
	}
	fputc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\\%c" : "%c", *text);
	fputc('"', f);
}

static int check_texts(const struct tw_graph *g, struct tw_error *err)
{
	for (int i = 0; i < g->n_kernels; i++) {
		const struct tw__kernel *k = &g->kernels[i];
		if (!can_write(k->name) || !can_write(k->size) || !can_write(k->precision) ||
		    !can_write(k->recorded_on))
			return tw_fail(err, TW_FAILED,
			               "kernel '%.60s': DOT has no string for a backslash before a quote or at the "
			               "end, together with < or > alone: expected another name, or .json",
			               k->name);
	}
	return TW_OK;
}

/* Writes the task's seconds on some archs. */
static void write_seconds_on(FILE *f, const struct tw_graph *g, tw_task t)
{
	const struct tw__arch_seconds *end, *first = tw__graph_seconds_on(g, t, &end);
	const char *before = " arch_seconds=\"";
	for (const struct tw__arch_seconds *s = first; s < end; s++)
		if (tw__seconds_key(g, s))
			fprintf(f, " %s=\"%.17g\"", tw__seconds_key(g, s), s->seconds);
	for (const struct tw__arch_seconds *s = first; s < end; s++)
		if (!tw__seconds_key(g, s)) {
			fprintf(f, "%s%s=%.17g", before, g->arch_names[s->name], s->seconds);
			before = ",";
		}
	if (*before == ',')
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
	write_seconds_on(f, g, t);
	fputs("]\n", f);
}

int tw__export_dot(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	size_t n;
	int status = check_texts(g, err);
	if (status < 0)
		return status;
	struct tw__edge *edges = tw__graph_edges(&n, g);
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
