/* Writes one schedule into the page: data for the page's script, and a table of workers for readers without it. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "plot/chart.h"
#include "plot/gantt.h"
#include "plot/visible.h"
#include "report/html.h"
#include "report/parts.h"
#include "results/columns.h"
#include "report/gantt_data.h"
#include "trace/usage.h"

/* Limits of reduce(). With more than MOST_BOXES boxes, boxes thinner than a column are merged (see plot/visible.h), to
 * keep the page small. The number of columns is the largest power of two that gives at most MOST_BOXES. */
enum { MOST_BOXES = 100000 };

/* Returns the number of columns that boxes were merged for. */
static int reduce(struct tw__schedule *s)
{
	int columns = TW__ALL_COLUMNS;
	tw__visible_boxes(s, columns);
	tw__visible_samples(s, &s->used, columns);
	for (int n = TW__MANY_COLUMNS; s->n_boxes > MOST_BOXES && n >= TW__COLUMNS; n /= 2)
		tw__visible_boxes(s, columns = n);
	for (int n = TW__MANY_COLUMNS; tw__samples_count(&s->used) > MOST_BOXES && n >= TW__COLUMNS; n /= 2)
		tw__visible_samples(s, &s->used, n);
	return columns;
}

static void print_names(FILE *f, const struct tw__schedule *s)
{
	fputs(",\n\"kernels\":[", f);
	for (int k = 0; k < s->n_kernels; k++) {
		fputs(k ? "," : "", f);
		tw__html_json(f, s->kernels[k]);
	}
	fputs("],\n\"memories\":[", f);
	for (tw_node n = 0; n < s->platform->n_nodes; n++) {
		fputs(n ? "," : "", f);
		tw__html_json(f, s->platform->nodes[n].name);
	}
	putc(']', f);
}

static void print_colours(FILE *f, const struct tw__gantt *g)
{
	fputs(",\n\"colours\":[", f);
	for (int k = 0; k < g->s->n_kernels; k++)
		fprintf(f, "%s\"#%06" PRIx32 "\"", k ? "," : "", tw__gantt_kernel_colour(g->rank[k]));
	fputs("],\n\"lines\":[", f);
	for (int m = 0; m < g->s->platform->n_nodes; m++)
		fprintf(f, "%s\"#%06" PRIx32 "\"", m ? "," : "",
		        tw__gantt_line_colour(m > g->first_memory ? m - g->first_memory : 0));
	putc(']', f);
}

static void print_rows(FILE *f, const struct tw__gantt_rows *rows)
{
	fputs(",\n\"workers\":[", f);
	for (int r = 0; r < rows->n; r++) {
		fputs(r ? "," : "", f);
		tw__html_json(f, rows->list[r].label);
	}
	putc(']', f);
}

static void print_arrivals(FILE *f, const struct tw__gantt *g)
{
	fputs(",\n\"arrivals\":[", f);
	for (int i = 0; i < g->n_arrivals; i++) {
		fprintf(f, "%s[%" PRId64 ",", i ? "," : "", g->arrivals[i].date);
		tw__html_json(f, g->arrivals[i].graph);
		putc(']', f);
	}
	putc(']', f);
}

/* Prints the boxes as one list for each row; rows of idle workers have none. Each box has four numbers: the gap before
 * it and its length (ns), kernel, and task. In place of the task, a merged box has minus its busy share in
 * thousandths. */
static void print_boxes(FILE *f, const struct tw__schedule *s, const struct tw__gantt_rows *rows)
{
	size_t i = 0;
	fputs(",\n\"boxes\":[", f);
	for (int r = 0; r < rows->n; r++) {
		int64_t at = 0;
		fputs(r ? ",\n[" : "[", f);
		for (bool first = true; i < s->n_boxes && rows->of[s->boxes[i].worker] == r; i++, first = false) {
			const struct tw__box *b = &s->boxes[i];
			tw__ns start = tw__latest(b->start, at), end = tw__latest(b->end, start);
			fprintf(f, "%s%" PRId64 ",%" PRId64 ",%d,%d", first ? "" : ",", start - at, end - start,
			        b->kernel, b->task >= 0 ? b->task : -(int)fmax(1, lround(b->share * 1000)));
			at = end;
		}
		putc(']', f);
	}
	putc(']', f);
}

/* Prints the used memory as one list for each memory: dates (ns) and bytes, as differences to the previous sample. */
static void print_samples(FILE *f, const struct tw__schedule *s, int first_memory)
{
	fputs(",\n\"samples\":[", f);
	for (int m = 0; m < s->platform->n_nodes; m++) {
		int64_t at = 0;
		double bytes = 0;
		fputs(m ? ",\n[" : "[", f);
		for (size_t i = 0; i < s->used.of[m].n && m >= first_memory; i++) {
			const struct tw__sample *sample = &s->used.of[m].list[i];
			fprintf(f, "%s%" PRId64 ",%.0f", i ? "," : "", sample->date - at, sample->value - bytes);
			at = sample->date;
			bytes = sample->value;
		}
		putc(']', f);
	}
	putc(']', f);
}

static void print_table(FILE *f, const struct tw__schedule *s)
{
	size_t i = 0;
	fprintf(f,
	        "<details><summary>Workers as a table</summary><div class=\"wide\"><table><thead><tr><th "
	        "scope=\"col\">worker</th>%s"
	        "<th scope=\"col\" class=\"n\">executions</th><th scope=\"col\" class=\"n\">busy (s)</th>"
	        "<th scope=\"col\" class=\"n\">busy (%%)</th></tr></thead><tbody>\n",
	        s->domains.n > 0 ? "<th scope=\"col\">domain</th>" : "");
	for (int w = 0; w < s->platform->n_workers; w++) {
		double busy_ns = 0;
		char domains[TW__DOMAINS_TEXT];
		int n = 0;
		for (; i < s->n_boxes && s->boxes[i].worker == w; i++, n++)
			busy_ns += (double)(s->boxes[i].end - s->boxes[i].start);
		fputs("<tr><th scope=\"row\">", f);
		tw__html_text(f, s->platform->workers[w].name);
		fputs("</th>", f);
		if (s->domains.n > 0) {
			fputs("<td>", f);
			tw__html_text(f, tw__domains_text(domains, &s->domains, tw__domains_of_worker(&s->domains, w)));
			fputs("</td>", f);
		}
		fprintf(f, "<td class=\"n\">%d</td><td class=\"n\">", n);
		tw__html_number(f, busy_ns / TW__NS_PER_S, 4);
		fputs("</td><td class=\"n\">", f);
		tw__html_number(f, s->end > 0 ? 100 * busy_ns / (double)s->end : 0, 3);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div></details>\n", f);
}

/* --- links ------------------------------------------------------------------------------------------------------- */

static bool is_shown(const struct tw__gantt *g, int link)
{
	for (int i = 0; i < g->n_links; i++)
		if (g->links[i] == link)
			return true;
	return false;
}

/* Leaves out the samples of all other links. */
static void keep_shown(const struct tw__gantt *g, struct tw__samples *use)
{
	for (int link = 0; link < use->n_counters; link++)
		if (!is_shown(g, link))
			use->of[link].n = 0;
}

/* Returns for how many nanoseconds each link was saturated. */
static double *saturated_ns(struct tw__gantt *g)
{
	const struct tw__schedule *s = g->s;
	double *ns = tw__arena_alloc(&g->arena, (size_t)s->n_links, sizeof *ns);
	for (int link = 0; link < s->n_links; link++) {
		const struct tw__series *use = &s->use.of[link];
		for (size_t i = 0; i < use->n; i++) {
			tw__ns until = i + 1 < use->n ? use->list[i + 1].date : s->end;
			if (use->list[i].value >= TW__SATURATED)
				ns[link] += (double)(until - use->list[i].date);
		}
	}
	return ns;
}

static void print_link_table(FILE *f, struct tw__gantt *g)
{
	const double *saturated = saturated_ns(g);
	fputs("<details><summary>Links as a table</summary><div class=\"wide\"><table><thead><tr><th "
	      "scope=\"col\">link</th><th scope=\"col\" class=\"n\">use (%)</th>"
	      "<th scope=\"col\" class=\"n\">saturated (%)</th></tr></thead><tbody>\n",
	      f);
	for (int i = 0; i < g->n_links; i++) {
		int link = g->links[i];
		fputs("<tr><th scope=\"row\">", f);
		tw__html_text(f, tw__schedule_link(g->s, link));
		fputs("</th><td class=\"n\">", f);
		tw__html_number(f, 100 * g->link_share[link], 3);
		fputs("</td><td class=\"n\">", f);
		tw__html_number(f, 100 * (saturated[link] / (double)g->s->end), 3);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div></details>\n", f);
}

/* Chooses the links to show, the most used ones, and writes them as a table; nothing if no link was used. Afterwards
 * the schedule has the use of these links alone. There are at most about MOST_BOXES samples: means over parts of the
 * time. */
static void print_links(FILE *f, struct tw__gantt *g, struct tw__schedule *s)
{
	tw__gantt_choose_links(g);
	if (g->n_links == 0)
		return;
	print_link_table(f, g);
	keep_shown(g, &s->use);
	for (int n = TW__MANY_COLUMNS; tw__samples_count(&s->use) > MOST_BOXES && n >= TW__COLUMNS; n /= 2)
		tw__visible_means(s, &s->use, n);
}

/* Prints the use of a link as dates (ns) and thousandths, both as differences to the sample before. */
static void print_use(FILE *f, const struct tw__series *use)
{
	int64_t at = 0;
	int share = 0;
	bool first = true;
	for (size_t i = 0; i < use->n; i++) {
		const struct tw__sample *sample = &use->list[i];
		int now = (int)lround(1000 * sample->value);
		if (now == share && !first)
			continue;
		fprintf(f, "%s%" PRId64 ",%d", first ? "" : ",", sample->date - at, now - share);
		at = sample->date;
		share = now;
		first = false;
	}
}

static void print_links_data(FILE *f, const struct tw__gantt *g)
{
	fputs(",\n\"links\":[", f);
	for (int i = 0; i < g->n_links; i++) {
		fputs(i ? "," : "", f);
		tw__html_json(f, tw__schedule_link(g->s, g->links[i]));
	}
	fprintf(f, "],\n\"otherLinks\":%d,\n\"use\":[", g->n_other_links);
	for (int i = 0; i < g->n_links; i++) {
		fputs(i ? ",\n[" : "[", f);
		print_use(f, &g->s->use.of[g->links[i]]);
		putc(']', f);
	}
	putc(']', f);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* Prints the values that distinguish the row from others of its workload and policy: ", 2 GPUs, 100 MiB a GPU,
 * repetition 3". */
static void print_differences(struct tw__page *p, int row)
{
	const struct tw__rows *rows = &p->all;
	int columns[TW__MAX_POINT_COLUMNS + 1], n = tw__point_columns_of(rows, NULL, columns);
	int repeat = tw__rows_column(rows, "repeat");
	for (int c = 0; c < n; c++) {
		const char *name = rows->names[columns[c]];
		char text[TW__CHART_LABEL];
		if (!strcmp(name, "workload") || !strcmp(name, "policy") || tw__column_is_constant(rows, columns[c]))
			continue;
		tw__column_text(text, sizeof text, name, tw__rows_text(rows, row, columns[c]));
		fputs(", ", p->f);
		tw__html_text(p->f, text);
	}
	if (repeat >= 0 && !tw__column_is_constant(rows, repeat)) {
		fputs(", repetition ", p->f);
		tw__html_text(p->f, tw__rows_text(rows, row, repeat));
	}
}

static void print_caption(struct tw__page *p, int row, const char *why, const struct tw__schedule *s)
{
	FILE *f = p->f;
	char name[200];
	fputs("<figcaption><b>", f);
	tw__html_text(f, tw__report_row_name(p, row, name, sizeof name));
	print_differences(p, row);
	fprintf(f, "</b>%s%s: makespan ", *why ? "; " : "", why);
	tw__html_number(f, tw__seconds(s->end), 5);
	fputs(" s, ", f);
	tw__html_number(f, (double)s->n_boxes, 9);
	fprintf(f,
	        " executions on %d workers; simulated again for this page, with the makespan of the "
	        "row.</figcaption>\n",
	        s->platform->n_workers);
}

static void print_data(struct tw__page *p, int row, const struct tw__gantt *g, size_t n_boxes, int columns)
{
	FILE *f = p->f;
	char name[200];
	double bound = NAN;
	struct tw_error err;
	if (tw__rows_number(&p->all, row, tw__rows_column(&p->all, "gpu_mem_bytes"), &bound, &err) < 0 || !(bound > 0))
		bound = NAN;
	fputs("<script type=\"application/json\">{\"name\":", f);
	tw__html_json(f, tw__report_row_name(p, row, name, sizeof name));
	fprintf(f, ",\"end\":%" PRId64, g->s->end);
	if (isfinite(bound))
		fprintf(f, ",\"bound\":%.0f", bound);
	fprintf(f, ",\"binary\":%s",
	        tw__are_sizes_binary(g->s->capacity_bytes, g->s->platform->n_nodes) ? "true" : "false");
	if (columns != TW__ALL_COLUMNS)
		fprintf(f, ",\"merged\":%zu,\"column\":%" PRId64, n_boxes,
		        (int64_t)llround((double)g->s->end / columns));
	print_rows(f, &g->rows);
	print_arrivals(f, g);
	print_names(f, g->s);
	print_colours(f, g);
	print_boxes(f, g->s, &g->rows);
	print_samples(f, g->s, g->first_memory);
	print_links_data(f, g);
	tw__report_why_data(f, g->why, &g->rows);
	fputs("}</script>\n", f);
}

static int print(struct tw__page *p, int row, const char *why, struct tw__schedule *s, struct tw__gantt_why *causes,
                 struct tw_error *err)
{
	static const struct tw__trace_request all = {.fold = TW__FOLD_IDLE};
	struct tw__gantt g = {.request = &all, .f = p->f, .s = s, .why = causes};
	size_t n_boxes = s->n_boxes;
	/* This call only sorts the boxes, for the table; reduce() merges them afterwards. */
	tw__visible_boxes(s, TW__ALL_COLUMNS);
	int status = tw__gantt_init(&g, err);
	if (status == TW_OK) {
		fprintf(p->f, "<figure class=\"schedule\" id=\"schedule-%d\">", p->n_schedules);
		print_caption(p, row, why, s);
		tw__report_why_sentences(p->f, causes);
		fputs("<div class=\"chart\"><noscript><p>The schedule is drawn by the page's "
		      "script.</p></noscript></div>\n",
		      p->f);
		tw__report_why_table(p->f, causes, &s->domains, p->n_schedules);
		tw__report_nodes(p->f, &causes->explanation, s->platform);
		print_table(p->f, s);
		print_links(p->f, &g, s);
		int columns = reduce(s);
		tw__gantt_colours(&g);
		g.first_memory = tw__gantt_first_memory(s);
		print_data(p, row, &g, n_boxes, columns);
		fputs("</figure>\n", p->f);
	}
	tw__arena_finish(&g.arena);
	return status;
}

int tw__report_schedule(struct tw__page *p, int row, const char *why, const char *trace, struct tw_error *err)
{
	struct tw__past past;
	struct tw__schedule schedule = {0};
	struct tw__gantt_why causes = {0};
	int status = tw__past_open_whole(&past, trace, err);
	if (status == TW_OK) {
		const struct tw__explained_run run = tw__past_explained(&past);
		const struct tw__traced traced = tw__past_traced(&past);
		status = tw__gantt_why_of(&causes, &schedule, &traced, &run, TW__ALL_COLUMNS, err);
	}
	if (status == TW_OK)
		status = print(p, row, why, &schedule, &causes, err);
	tw__gantt_why_finish(&causes);
	tw__schedule_finish(&schedule);
	tw__past_close(&past);
	return status;
}
