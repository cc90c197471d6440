/* Writes Tilewright's own format, JSON that keeps everything in a task graph. Reading the file back
 * (workloads/readers/graph_json.c) gives the same graph. */
#include <math.h>
#include <stdlib.h>

#include "export/export.h"
#include "graph/edges.h"
#include "graph/parts.h"
#include "graph/reduction.h"

static void write_text(FILE *f, const char *text)
{
	fputc('"', f);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c == '"' || *c == '\\')
			fprintf(f, "\\%c", *c);
		else if (*c < ' ' || *c == 0x7f)
			fprintf(f, "\\u%04x", *c);
		else
			fputc(*c, f);
	fputc('"', f);
}

static void write_kernel(FILE *f, const struct tw__kernel *k)
{
	fputs("{\"name\":", f);
	write_text(f, k->name);
	fputs(",\"size\":", f);
	write_text(f, k->size);
	fputs(",\"precision\":", f);
	write_text(f, k->precision);
	fprintf(f, ",\"flops\":%.17g", k->flops);
	if (k->archs) {
		fputs(",\"archs\":", f);
		write_text(f, k->archs);
	}
	if (k->recorded_on) {
		fputs(",\"recorded_on\":", f);
		write_text(f, k->recorded_on);
	}
	fputc('}', f);
}

/* Writes the task's seconds on some archs. */
static void write_seconds_on(FILE *f, const struct tw_graph *g, tw_task t, const char **comma)
{
	const struct tw__arch_seconds *end, *first = tw__graph_seconds_on(g, t, &end);
	bool named = false;
	for (const struct tw__arch_seconds *s = first; s < end; s++) {
		const char *key = tw__seconds_key(g, s);
		if (key) {
			fprintf(f, "%s\"%s\":%.17g", *comma, key, s->seconds);
			*comma = ",";
		}
		named |= !key;
	}
	if (!named)
		return;
	fprintf(f, "%s\"arch_seconds\":{", *comma);
	*comma = "";
	for (const struct tw__arch_seconds *s = first; s < end; s++) {
		if (tw__seconds_key(g, s))
			continue;
		fputs(*comma, f);
		write_text(f, g->arch_names[s->name]);
		fprintf(f, ":%.17g", s->seconds);
		*comma = ",";
	}
	fputc('}', f);
	*comma = ",";
}

/* Writes the attributes that only some tasks have, as an object behind the numbers of the task. `orders`, [n]: the
 * dependencies of the task that do not follow from its handles. */
static void write_rest(FILE *f, const struct tw_graph *g, tw_task t, const struct tw__edge *orders, size_t n)
{
	const struct tw_recorded_place *place = tw_graph_recorded_place(g, t);
	const char *comma = "";
	bool recorded = g->seconds && !isnan(g->seconds[t]);
	const struct tw__arch_seconds *end;
	const tw_task n_inside = tw_graph_n_inside(g, t);
	if (!n && !recorded && !place && !g->critical[t] && !n_inside && tw__graph_seconds_on(g, t, &end) == end)
		return;
	fputs(",{", f);
	if (n) {
		fputs("\"after\":[", f);
		for (size_t i = 0; i < n; i++)
			fprintf(f, "%s%d", i ? "," : "", (int)orders[i].from);
		fputc(']', f);
		comma = ",";
	}
	if (recorded) {
		fprintf(f, "%s\"seconds\":%.17g", comma, g->seconds[t]);
		comma = ",";
	}
	write_seconds_on(f, g, t, &comma);
	if (place) {
		fprintf(f, "%s\"%s\":[%d,%d]", comma, place->accelerator ? "accelerator" : "processor",
		        (int)place->worker, (int)place->order);
		comma = ",";
	}
	if (g->critical[t]) {
		fprintf(f, "%s\"critical\":true", comma);
		comma = ",";
	}
	if (n_inside)
		fprintf(f, "%s\"inside\":%d", comma, (int)n_inside);
	fputc('}', f);
}

static void write_task(FILE *f, const struct tw_graph *g, tw_task t, const struct tw__edge *orders, size_t n)
{
	fprintf(f, "[%d,%d", (int)g->kernel[t], (int)g->priority[t]);
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		fprintf(f, ",%d,%d", (int)tw__access_data(g->access[a]),
		        (int)(g->access[a] & ((1u << TW__ACCESS_BITS) - 1)));
	write_rest(f, g, t, orders, n);
	fputc(']', f);
}

static void write_discarded(FILE *f, const struct tw_graph *g)
{
	int n = 0;
	if (!tw__graph_discards(g))
		return;
	fputs("\"discarded\":[", f);
	for (tw_data d = 0; d < g->n_data; d++)
		if (tw__data_use(g, d) == TW__USE_DISCARDED)
			fprintf(f, "%s%d", n++ ? "," : "", (int)d);
	fputs("],\n", f);
}

static void write_places(FILE *f, const struct tw_graph *g, enum tw__place place, const char *key)
{
	int n = 0;
	if (!g->data_places[place])
		return;
	fprintf(f, "\"%s\":[", key);
	for (tw_data d = 0; d < g->n_data; d++)
		if (tw__graph_place(g, place, d) != TW_NONE)
			fprintf(f, "%s[%d,%d]", n++ ? "," : "", (int)d, (int)tw__graph_place(g, place, d));
	fputs("],\n", f);
}

static void write_lineages(FILE *f, const struct tw_graph *g)
{
	if (!g->n_lineages)
		return;
	int n = 0;
	fputs("\"parts\":[", f);
	for (tw_data part = 0; part < g->n_lineages; part++) {
		const tw_data whole = g->lineages[part].parent;
		if (whole != TW_NONE && g->lineages[whole].first_part == part)
			fprintf(f, "%s[%d,%d,%d]", n++ ? "," : "", (int)whole, (int)part,
			        (int)g->lineages[whole].n_parts);
	}
	fputs("],\n", f);
}

/* Writes the handles that tasks reduce, each with the kernel that combines its accumulators. */
static int write_reductions(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	tw_kernel *combine;
	bool any = false;
	int status = tw__graph_combiners(&combine, g, err);
	if (status < 0)
		return status;
	if (g->n_phases)
		fputs("\"reductions\":[\n", f);
	for (tw_data d = 0; d < g->n_data; d++)
		if (combine[d] != TW_NONE) {
			fprintf(f, "%s[%d,%d]", any ? "," : "", (int)d, (int)combine[d]);
			any = true;
		}
	if (g->n_phases)
		fputs("],\n", f);
	free(combine);
	return TW_OK;
}

/* Writes the members of a graph, without the brace that opens their object. */
static int write_graph(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	struct tw__edge *orders;
	size_t n, first = 0;
	int status = tw__graph_orders(&orders, &n, g, err);
	if (status < 0)
		return status;
	fprintf(f, "\"flops\":%.17g,\"priorities\":\"%s\",\n\"kernels\":[", g->flops,
	        tw_priority_scope_name(g->priority_scope));
	for (int k = 0; k < g->n_kernels; k++) {
		fputs(k ? ",\n" : "\n", f);
		write_kernel(f, &g->kernels[k]);
	}
	fputs("],\n\"data\":[", f);
	for (tw_data d = 0; d < g->n_data; d++)
		fprintf(f, "%s%llu", d ? d % 16 ? "," : ",\n" : "\n", (unsigned long long)g->data_bytes[d]);
	fputs("],\n", f);
	write_discarded(f, g);
	write_places(f, g, TW__HOME, "homes");
	write_places(f, g, TW__END_PLACE, "ends");
	write_lineages(f, g);
	status = write_reductions(f, g, err);
	fputs("\"tasks\":[", f);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		size_t end = first;
		while (end < n && orders[end].to == t)
			end++;
		fputs(t ? ",\n" : "\n", f);
		write_task(f, g, t, orders + first, end - first);
		first = end;
	}
	fputs("]}", f);
	free(orders);
	return status;
}

/* Writes one of several graphs. */
static int write_part(FILE *f, const struct tw_graph *whole, int i, struct tw_error *err)
{
	const struct tw__graph_part *part = &whole->parts[i];
	struct tw_graph *g = tw__graph_part(whole, i, false);
	fputs(i ? ",\n{\"name\":" : "{\"name\":", f);
	write_text(f, part->name);
	fprintf(f, ",\"arrival_s\":%.17g,", tw__seconds(part->arrival));
	if (part->domain) {
		fputs("\"domain\":", f);
		write_text(f, part->domain);
		fputc(',', f);
	}
	int status = write_graph(f, g, err);
	tw_graph_destroy(g);
	return status;
}

int tw__export_json(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	int status = TW_OK;
	fprintf(f, "{\"tilewright\":1,%s", g->n_parts ? "\"graphs\":[\n" : "");
	for (int i = 0; i < g->n_parts && status == TW_OK; i++)
		status = write_part(f, g, i, err);
	if (!g->n_parts)
		status = write_graph(f, g, err);
	fputs(g->n_parts ? "]}\n" : "\n", f);
	return status;
}
