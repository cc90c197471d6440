/* Dates at which further graphs of a run with several graphs arrive, in a Gantt chart. */
#include <stdio.h>

#include "base/spec.h"
#include "plot/gantt.h"
#include "plot/plot.h"

void tw__gantt_find_arrivals(struct tw__gantt *g)
{
	struct tw__graph_words words = {0};
	struct tw_error ignored;
	if (g->s->workload && tw__graph_words_init(&words, g->s->workload, &ignored) == TW_OK)
		for (int i = 1; i < words.n; i++) {
			struct tw__gantt_arrival *a = &g->arrivals[g->n_arrivals++];
			a->date = tw__ns_of(words.of[i].arrival_s);
			snprintf(a->graph, sizeof a->graph, "%s", words.of[i].spec);
		}
	tw__graph_words_finish(&words);
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
