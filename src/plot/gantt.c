/* The Gantt chart of a trace: workers over time. Numbers are printed as integers or by tw__print_seconds, so that the
 * locale does not matter. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/gantt.h"
#include "plot/visible.h"

/* Prints a duration with three decimals, as in "12.346 s" or "1.235 ms". */
static void print_duration(FILE *f, double seconds)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
	int i = seconds >= 1 || seconds <= 0 ? 0 : seconds >= 1e-3 ? 1 : 2;
	int64_t thousandths = (int64_t)llround(seconds / units[i].unit * 1000);
	fprintf(f, "%" PRId64 ".%03" PRId64 " %s", thousandths / 1000, thousandths % 1000, units[i].name);
}

/* Returns the share of the makespan in which n workers were idle, from 0 to 1. */
static double idle_share(const struct tw__gantt *g, double busy_ns, int n)
{
	return g->s->end > 0 ? fmax(0, 1 - busy_ns / (double)g->s->end / n) : 0;
}

/* Prints the subtitle: workload, policy, and the mean idle share of each kind of worker, in the order of their first
 * workers. */
static void print_subtitle(struct tw__gantt *g)
{
	const struct tw__schedule *s = g->s;
	char *names, *text, kind[TW__KIND_BYTES], other[TW__KIND_BYTES];
	size_t size;
	FILE *f = tw__text_open(&names, &size);
	if (s->workload)
		fprintf(f, "%s%s%s", s->workload, s->policy ? ", " : "", s->policy ? s->policy : "");
	tw__text_close(f);
	f = tw__text_open(&text, &size);
	fputs(s->workload ? ": idle" : "idle", f);
	for (int w = 0; w <= s->platform->n_workers; w++) { /* the last round: all workers together */
		bool all = w == s->platform->n_workers, is_first = true;
		double idle = 0;
		int n = 0;
		if (!all)
			tw__worker_kind(s->platform, w, kind);
		for (int v = 0; v < s->platform->n_workers; v++) {
			tw__worker_kind(s->platform, v, other);
			if (!all && strcmp(kind, other) != 0)
				continue;
			is_first = is_first && (all || v >= w);
			idle += idle_share(g, g->rows.busy_ns[v], 1);
			n++;
		}
		if (!is_first || n == 0)
			continue;
		int tenths = (int)lround(1000 * idle / n);
		if (all)
			fprintf(f, " all %d.%d %%", tenths / 10, tenths % 10);
		else
			fprintf(f, " %d x %s %d.%d %%,", n, kind, tenths / 10, tenths % 10);
	}
	tw__text_close(f);
	int room = (WIDTH - g->left) / CHARACTER - (int)tw__text_length(text);
	fputs("set label ", g->f);
	tw__gnuplot_text(g->f, names, room > 20 ? room : 20);
	fputs(".", g->f);
	tw__gnuplot_text(g->f, text, 140);
	fputs(" at ", g->f);
	tw__gantt_at(g, g->left, TITLE + SUBTITLE / 2 - 2);
	fputs(" left textcolor rgb '#333333'\n", g->f);
	free(names);
	free(text);
}

/* Counts the tasks, and the executions that were cancelled. Of several executions of one task, all but the last were
 * cancelled. A parallel task has boxes of one execution, one behind the other. */
static void count_tasks(struct tw__gantt *g)
{
	const struct tw__schedule *s = g->s;
	int last = 0;
	for (size_t i = 0; i < s->n_boxes; i++)
		last = s->boxes[i].task > last ? s->boxes[i].task : last;
	bool *is_counted = tw__arena_alloc(&g->arena, (size_t)last + 1, sizeof *is_counted);
	for (size_t i = 0; i < s->n_boxes; i++) {
		const struct tw__box *box = &s->boxes[i];
		bool *task = &is_counted[box->task],
		     is_same = i > 0 && box[-1].task == box->task && box[-1].start == box->start;
		g->n_tasks += !*task;
		g->n_cancelled += *task && !is_same;
		*task = true;
	}
}

static void print_head(struct tw__gantt *g)
{
	fputs("set label ", g->f);
	tw__gnuplot_text(g->f, tw__trace_name(g->request->trace), 60);
	fputs(".': makespan ", g->f); /* in gnuplot '.' joins strings */
	print_duration(g->f, tw__seconds(g->s->end));
	fputs(", ", g->f);
	tw__print_count(g->f, (int64_t)g->n_tasks);
	fprintf(g->f, " tasks on %d workers", g->s->platform->n_workers);
	if (g->rows.n_shown < g->s->platform->n_workers)
		fprintf(g->f, " (%d shown)", g->rows.n_shown);
	if (g->n_cancelled > 0) {
		fputs(", ", g->f);
		tw__print_count(g->f, (int64_t)g->n_cancelled);
		fputs(" executions cancelled", g->f);
	}
	fputs("' at ", g->f);
	tw__gantt_at(g, g->left, TITLE / 2 + 2);
	fputs(" left font ',16'\n", g->f);
	print_subtitle(g);
	int rows = tw__gantt_kernel_legend(g, TITLE + SUBTITLE + LEGEND_ROW / 2, true);
	tw__gantt_why_legend(g, TITLE + SUBTITLE + LEGEND_ROW / 2 + rows * LEGEND_ROW, true);
}

/* Prints the names of rows. Where rows are low, some have none. */
static void print_labels(struct tw__gantt *g, int every)
{
	bool is_first = true;
	fprintf(g->f, "set yrange [-0.65:%d-0.35]\nset ytics scale 0 (", g->rows.units);
	for (int r = 0; r < g->rows.n; r++) {
		const struct tw__gantt_row *row = &g->rows.list[r];
		if (r % every && row->band == TW_NONE)
			continue;
		fputs(is_first ? "" : ", ", g->f);
		tw__gnuplot_tick(g->f, row->label, MAX_NAME);
		fprintf(g->f, " %d", tw__row_centre(row));
		is_first = false;
	}
	fputs(g->row_px < 16 ? ") font ',9'\n" : ")\n", g->f);
}

/* Prints the rows. A grey band shows the idle time of a row; at its right end stands the idle share. */
static void print_rows(struct tw__gantt *g)
{
	int every = (11 + g->row_px) / g->row_px;
	print_labels(g, every);
	for (int r = 0; r < g->rows.n; r++)
		fprintf(g->f,
		        "set object rectangle from graph 0, first %d-0.4 to graph 1, first %d+0.4 "
		        "fillcolor rgb '#eeeeee' fillstyle solid 1 noborder behind\n",
		        g->rows.list[r].y, g->rows.list[r].y + g->rows.list[r].units - 1);
	for (int r = 0; r < g->rows.n; r++) {
		const struct tw__gantt_row *row = &g->rows.list[r];
		if (r % every && row->band == TW_NONE)
			continue;
		fprintf(g->f,
		        "set label '%d %%' at graph 1, first %d offset character 0.6,0 left textcolor rgb '#555555' "
		        "font ',%d'\n",
		        (int)lround(100 * idle_share(g, row->busy_ns, row->n_workers)), tw__row_centre(row),
		        g->row_px < 16 ? 9 : 11);
	}
	fputs("set label 'idle' at graph 1, graph 1 offset character 0.6,0.7 left textcolor rgb '#555555' font ',11'\n",
	      g->f);
}

static void print_script(struct tw__gantt *g)
{
	tw__ns end = g->s->end > 0 ? g->s->end : tw__ns_of(1);
	tw__gantt_print_boxes(g);
	tw__gantt_why_print(g);
	tw__gantt_print_panels(g);
	fputs("set multiplot\nunset key\nset border 1 linecolor rgb '#888888'\nset tics nomirror "
	      "textcolor rgb 'black'\nset xrange [0:",
	      g->f);
	tw__print_seconds(g->f, end);
	fputs("]\n", g->f);
	print_head(g);
	print_rows(g);
	tw__gantt_print_arrivals(g);
	tw__gantt_margins(g, WORKERS_PANEL);
	int n = tw__gantt_why_plot_idle(g, 0);
	n = tw__gantt_plot_boxes(g, n);
	n = tw__gantt_why_plot_chain(g, n);
	fputs(n ? "\n" : "plot NaN notitle\n", g->f);
	tw__gantt_plot_panels(g);
	fputs("unset multiplot\n", g->f);
}

/* Keeps the boxes of workers that have rows of their own. */
static void drop_boxes(struct tw__gantt *g)
{
	struct tw__schedule *s = g->s;
	size_t n = 0;
	for (size_t i = 0; i < s->n_boxes; i++) {
		int row = g->rows.of[s->boxes[i].worker];
		if (row != TW_NONE && g->rows.list[row].band == TW_NONE)
			s->boxes[n++] = s->boxes[i];
	}
	s->n_boxes = n;
}

/* Counts tasks, makes the rows, and reduces the schedule to what they show. */
static int look(struct tw__gantt *g, struct tw_error *err)
{
	struct tw__schedule *s = g->s;
	int status = tw__gantt_init(g, err);
	if (status < 0)
		return status;
	if (g->rows.n > MAX_ROWS)
		return tw_fail(err, TW_INVALID,
		               "%s: %d rows of workers: expected at most %d in a figure, as with --fold all",
		               g->request->trace, g->rows.n, MAX_ROWS);
	count_tasks(g);
	tw__gantt_colours(g);
	tw__bands_init(g, &g->busy, N_COLOURS, s, g->rank);
	if (g->why)
		tw__bands_init(g, &g->waits, TW__N_WHY, &g->why->idle, NULL);
	drop_boxes(g);
	if (g->by_nodes)
		tw__gantt_sum_memories(g);
	tw__visible_boxes(s, TW__COLUMNS);
	tw__visible_samples(s, &s->used, TW__COLUMNS);
	tw__visible_samples(s, &s->tasks, TW__COLUMNS);
	tw__visible_means(s, &s->use, TW__COLUMNS / 4);
	tw__gantt_choose_links(g);
	tw__gantt_lay_out(g);
	return TW_OK;
}

static int write_script(void *gantt, FILE *script, struct tw_error *err)
{
	struct tw__gantt *g = gantt;
	g->f = script;
	int status = look(g, err);
	if (status == TW_OK)
		status = tw__gnuplot_terminal(script, g->request->output, NULL, WIDTH, g->height, err);
	if (status == TW_OK)
		print_script(g);
	return status;
}

/* Reduces the schedule to what is visible, and draws it. */
static int draw(struct tw__schedule *s, struct tw__gantt_why *why, const struct tw__trace_request *request,
                struct tw_error *err)
{
	const struct tw__platform *p = s->platform;
	const bool is_large = p->n_ranks > 1 && p->n_workers > TW__MANY_WORKERS;
	struct tw__gantt g = {.request = request, .s = s, .why = why};
	g.by_nodes = request->fold == TW__FOLD_NODES ||
	             (request->fold == TW__FOLD_IDLE && !request->n_kinds && !request->n_workers && is_large);
	if (g.by_nodes && !p->rank_names)
		return tw_fail(err, TW_INVALID, "plot gantt: --fold nodes: %s: expected the run of a cluster",
		               request->trace);
	int status = tw__draw(&tw__gnuplot, request->output, request->keep_script, write_script, &g, err);
	tw__arena_finish(&g.arena);
	return status;
}

int tw__gantt_of_run(const struct tw__traced *run, const struct tw__explained_run *explained,
                     const struct tw__trace_request *request, struct tw_error *err)
{
	struct tw__schedule schedule = {0};
	struct tw__gantt_why why = {0};
	int status = TW_OK;
	if (explained)
		status = tw__gantt_why_of(&why, &schedule, run, explained, TW__COLUMNS, err);
	else
		tw__schedule_of(&schedule, run);
	if (status == TW_OK)
		status = draw(&schedule, explained ? &why : NULL, request, err);
	tw__gantt_why_finish(&why);
	tw__schedule_finish(&schedule);
	return status;
}

int tw__plot_gantt(const struct tw__trace_request *request, struct tw_error *err)
{
	struct tw__past past;
	int status = request->explains ? tw__past_open_whole(&past, request->trace, err)
	                               : tw__past_open_shown(&past, request->trace, err);
	if (status == TW_OK) {
		const struct tw__traced run = tw__past_traced(&past);
		struct tw__explained_run explained;
		if (request->explains)
			explained = tw__past_explained(&past);
		status = tw__gantt_of_run(&run, request->explains ? &explained : NULL, request, err);
	}
	tw__past_close(&past);
	return status;
}
