/* Dates at which the graphs of a run with several graphs arrive, in a Gantt chart. */
#include <stdio.h>

#include "graph/parts.h"
#include "plot/gantt.h"
#include "plot/plot.h"

void tw__gantt_find_arrivals(struct tw__gantt *g)
{
	const struct tw_graph *graph = g->s->graph;
	for (int i = 0; i < graph->n_parts; i++) {
		const struct tw__graph_part *part = &graph->parts[i];
		if (i == 0 && part->arrival == 0)
			continue; /* the run begins with it */
		struct tw__gantt_arrival *a = &g->arrivals[g->n_arrivals++];
		a->date = part->arrival;
		snprintf(a->graph, sizeof a->graph, "%s", part->name);
	}
}

/* Prints the name of the graph beside its line, above the rows: to the left of late lines. */
static void print_name(struct tw__gantt *g, const struct tw__gantt_arrival *a, bool is_late)
{
	fputs("set label ", g->f);
	tw__gnuplot_text(g->f, a->graph, (int)sizeof a->graph);
	fputs(" at first ", g->f);
	tw__print_seconds(g->f, a->date);
	fprintf(g->f, ", graph 1 offset character 0,0.7 %s font ',11'\n", is_late ? "right" : "left");
}

void tw__gantt_print_arrivals(struct tw__gantt *g)
{
	double px_per_ns = (WIDTH - RIGHT - g->left) / (double)tw__latest(g->s->end, 1);
	double free_from = 0; /* pixels from the left edge of the rows, behind the last name */
	for (int i = 0; i < g->n_arrivals; i++) {
		const struct tw__gantt_arrival *a = &g->arrivals[i];
		fputs("set arrow from first ", g->f);
		tw__print_seconds(g->f, a->date);
		fputs(", graph 0 to first ", g->f);
		tw__print_seconds(g->f, a->date);
		fputs(", graph 1 nohead linewidth 1.2 dashtype 2 linecolor rgb '#000000' front\n", g->f);
		double at = px_per_ns * (double)a->date, width = 0.85 * CHARACTER * (double)tw__text_length(a->graph);
		bool is_late = at + width > WIDTH - RIGHT - g->left;
		double left = is_late ? at - width : at;
		if (left < free_from)
			continue; /* the name of another graph is in the way */
		print_name(g, a, is_late);
		free_from = left + width;
	}
}
