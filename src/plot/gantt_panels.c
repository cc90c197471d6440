/* The panels of counters below the workers: used memories as lines, ready tasks as a line, links as rows. All share the
 * time axis. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/spec.h"
#include "plot/gantt.h"
#include "plot/plot.h"

/* Prints a block of values for each counter: dates in seconds, and values. */
static void print_samples(struct tw__gantt *g, const struct tw__samples *s, const char *name)
{
	for (int c = 0; c < s->n_counters; c++) {
		const struct tw__series *of = &s->of[c];
		if (of->n == 0)
			continue;
		fprintf(g->f, "$%s%d << END\n", name, c);
		for (size_t i = 0; i < of->n; i++) {
			tw__print_seconds(g->f, of->list[i].date);
			fprintf(g->f, " %.0f\n", of->list[i].value);
		}
		tw__print_seconds(g->f, g->s->end);
		fprintf(g->f, " %.0f\nEND\n", of->list[of->n - 1].value);
	}
}

/* Prints the values of the link in row `row`, counted from below: start, end, use in thousandths. */
static void print_link(struct tw__gantt *g, int row)
{
	const struct tw__series *s = &g->s->use.of[g->links[g->n_links - 1 - row]];
	for (size_t i = 0; i < s->n; i++) {
		int share = (int)lround(1000 * fmin(1, s->list[i].value));
		if (share == 0)
			continue;
		tw__print_seconds(g->f, s->list[i].date);
		putc(' ', g->f);
		tw__print_seconds(g->f, i + 1 < s->n ? s->list[i + 1].date : g->s->end);
		fprintf(g->f, " %d %d\n", row, share);
	}
}

void tw__gantt_print_panels(struct tw__gantt *g)
{
	print_samples(g, &g->s->used, "memory");
	print_samples(g, &g->s->tasks, "tasks");
	if (g->n_links == 0)
		return;
	fputs("$links << END\n", g->f);
	for (int row = 0; row < g->n_links; row++)
		print_link(g, row);
	fputs("END\n", g->f);
}

static double most_of(const struct tw__samples *s, int first, int end)
{
	double most = 0;
	for (int c = first; c < end; c++)
		for (size_t i = 0; i < s->of[c].n; i++)
			most = fmax(most, s->of[c].list[i].value);
	return most;
}

/* Prints a y axis from 0 with four or five marks. `most` is in bytes or tasks; `least_step`, the least distance of
 * marks, is in tenths of `unit`. */
static void print_axis(struct tw__gantt *g, double most, double unit, int least_step, const char *label)
{
	static const int steps[] = {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};
	enum { N_STEPS = sizeof steps / sizeof *steps };
	int step = 0;
	while (step < N_STEPS - 1 && (steps[step] < least_step || steps[step] * 4.2 * unit < most * 10))
		step++;
	fprintf(g->f, "set yrange [0:%.0f./%.0f*1.06]\nset ylabel '%s'\n", most > 0 ? most : 1, unit, label);
	if (most >= 1 && step < N_STEPS - 1)
		fprintf(g->f, "set ytics scale 0.5 %d./10 font ',12'\n", steps[step]);
	else
		fputs("set ytics scale 0.5 auto font ',12'\n", g->f);
	fputs("set grid ytics linecolor rgb '#dddddd' linewidth 0.5\n", g->f);
}

/* Adds the samples of a counter to those of another. */
static void add_series(struct tw__series *to, struct tw__series *from)
{
	struct tw__series sum = {0};
	for (size_t i = 0, j = 0; i < to->n || j < from->n;) {
		const tw__ns date = tw__earliest(i < to->n ? to->list[i].date : INT64_MAX,
		                                 j < from->n ? from->list[j].date : INT64_MAX);
		while (i < to->n && to->list[i].date == date)
			i++;
		while (j < from->n && from->list[j].date == date)
			j++;
		tw__series_add(&sum, date, (i > 0 ? to->list[i - 1].value : 0) + (j > 0 ? from->list[j - 1].value : 0));
	}
	free(to->list);
	*to = sum;
	from->n = 0;
}

void tw__gantt_sum_memories(struct tw__gantt *g)
{
	struct tw__schedule *s = g->s;
	const struct tw__platform *p = s->platform;
	for (int m = 0, first = 0; m < p->n_nodes; m++) {
		if (!tw__is_card(p, m))
			continue;
		if (!tw__is_card(p, first) || p->nodes[first].rank != p->nodes[m].rank) {
			first = m;
			continue;
		}
		add_series(&s->used.of[first], &s->used.of[m]);
		s->capacity_bytes[first] += s->capacity_bytes[m];
		s->capacity_bytes[m] = 0;
	}
}

/* Returns the least capacity of the drawn memories, in bytes; 0: none is known. */
static double least_capacity(const struct tw__gantt *g)
{
	double least = 0;
	for (int m = g->first_memory; m < g->s->platform->n_nodes; m++) {
		double bytes = g->s->capacity_bytes[m];
		if (bytes > 0 && (least <= 0 || bytes < least))
			least = bytes;
	}
	return least;
}

static void plot_memories(struct tw__gantt *g)
{
	double most = most_of(&g->s->used, g->first_memory, g->s->platform->n_nodes), usable = least_capacity(g);
	bool is_full = usable > 0 && most > 0.6 * usable;
	int n = 0;
	char label[16];
	most = is_full ? fmax(most, usable) : most;
	struct tw__unit unit = tw__used_unit(most, tw__are_sizes_binary(g->s->capacity_bytes, g->s->platform->n_nodes));
	snprintf(label, sizeof label, "used (%s)", unit.name);
	print_axis(g, most, unit.bytes, 0, label);
	if (is_full)
		fprintf(g->f,
		        "set arrow from graph 0, first %.0f./%.0f to graph 1, first %.0f./%.0f nohead dashtype 3 "
		        "linewidth 1.2 linecolor rgb '#555555'\n"
		        "set label 'usable' at graph 1, first %.0f./%.0f offset character 0.6,0 left "
		        "textcolor rgb '#555555' font ',11'\n",
		        usable, unit.bytes, usable, unit.bytes, usable, unit.bytes);
	for (int m = g->first_memory; m < g->s->platform->n_nodes; m++)
		if (g->s->used.of[m].n > 0)
			fprintf(g->f,
			        "%s $memory%d using 1:($2/%.0f.) with steps linewidth 1.5 dashtype %d "
			        "linecolor rgb '#%06" PRIx32 "' notitle",
			        n++ ? "," : "plot", m, unit.bytes, tw__gantt_dash(m - g->first_memory),
			        tw__gantt_line_colour(m - g->first_memory));
	fputs("\n", g->f);
}

static void plot_tasks(struct tw__gantt *g)
{
	print_axis(g, most_of(&g->s->tasks, TW__READY_TASKS, TW__READY_TASKS + 1), 1, 10, "ready tasks");
	fprintf(g->f, "plot $tasks%d using 1:2 with steps linewidth 1.2 linecolor rgb '#333333' notitle\n",
	        TW__READY_TASKS);
}

/* Plots the panel of links. The height of a box is the link's use: the share that it passed of what it could pass at
 * that moment. The mean stands at the right end. */
static void plot_links(struct tw__gantt *g)
{
	fprintf(g->f, "unset grid\nset yrange [-0.6:%d-0.4]\nset ylabel ''\nset ytics scale 0 font ',11' (",
	        g->n_links);
	for (int i = 0; i < g->n_links; i++) {
		fputs(i ? ", " : "", g->f);
		tw__gnuplot_tick(g->f, tw__schedule_link(g->s, g->links[i]), MAX_NAME);
		fprintf(g->f, " %d", g->n_links - 1 - i);
	}
	fputs(")\n", g->f);
	for (int row = 0; row < g->n_links; row++) {
		fprintf(g->f,
		        "set object rectangle from graph 0, first %d-0.4 to graph 1, first %d+0.4 "
		        "fillcolor rgb '#eeeeee' fillstyle solid 1 noborder behind\n",
		        row, row);
		fprintf(g->f,
		        "set label '%d %%' at graph 1, first %d offset character 0.6,0 left textcolor rgb '#555555' "
		        "font ',11'\n",
		        (int)lround(100 * g->link_share[g->links[g->n_links - 1 - row]]), row);
	}
	fputs("set label 'mean' at graph 1, graph 1 offset character 0.6,0.7 left textcolor rgb '#555555' font ',11'\n",
	      g->f);
	fprintf(g->f, "set label 'links%s: use, as a share of what each can pass at the moment",
	        g->by_nodes ? " between nodes" : "");
	if (g->n_other_links > 0)
		fprintf(g->f, "; %d %s used less", g->n_other_links, g->n_other_links == 1 ? "link is" : "links are");
	fputs("' at ", g->f);
	tw__gantt_at(g, g->left, g->panels[LINKS_PANEL].top - LEGEND_ROW / 2 - 2);
	fputs(" left\nplot $links using (($1+$2)/2):3:1:2:($3-0.4):($3-0.4+0.0008*$4) with boxxyerror "
	      "fillstyle solid 1 noborder fillcolor rgb '#4d4d4d' notitle\n",
	      g->f);
}

void tw__gantt_plot_panels(struct tw__gantt *g)
{
	static void (*const plots[])(struct tw__gantt *) = {
		[MEMORY_USED_PANEL] = plot_memories, [READY_PANEL] = plot_tasks, [LINKS_PANEL] = plot_links};
	for (enum gantt_panel panel = MEMORY_USED_PANEL; panel < N_PANELS; panel++) {
		if (!g->panels[panel].bottom)
			continue;
		fprintf(g->f, "unset label\nunset object\nunset arrow\nset border %d\n", panel == LINKS_PANEL ? 1 : 3);
		tw__gantt_margins(g, panel);
		if (panel == MEMORY_USED_PANEL)
			tw__gantt_memory_legend(g, g->panels[WORKERS_PANEL].bottom + GAP / 2 + LEGEND_ROW / 2 + 2,
			                        true);
		plots[panel](g);
	}
}
