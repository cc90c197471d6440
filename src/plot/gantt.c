/* Workers over time. Every number is printed as an integer or through tw__print_seconds, so that no locale has a say. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/gantt_layout.h"
#include "plot/plot.h"
#include "plot/visible.h"
#include "trace/text.h"

static void print_seconds(struct tw__gantt *g, double s) { tw__print_seconds(g->f, tw__nanoseconds(s)); }

static void margins(struct tw__gantt *g, int top, int bottom)
{
	fprintf(g->f, "set lmargin at screen %d./%d\nset rmargin at screen 1-%d./%d\n", g->left, WIDTH, RIGHT, WIDTH);
	fprintf(g->f, "set tmargin at screen 1-%d./%d\nset bmargin at screen 1-%d./%d\n", top, g->height, bottom,
	        g->height);
}

/* "12.346 s", "1.235 ms": three decimals. */
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

/* "100,000" */
static void print_count(FILE *f, size_t n)
{
	if (n >= 1000) {
		print_count(f, n / 1000);
		fprintf(f, ",%03zu", n % 1000);
	} else {
		fprintf(f, "%zu", n);
	}
}

static void print_head(struct tw__gantt *g, const char *trace, size_t n_tasks)
{
	const char *slash = strrchr(trace, '/');
	fputs("set label ", g->f);
	tw__gnuplot_text(g->f, slash ? slash + 1 : trace, 60);
	fputs(".': makespan ", g->f); /* '.' joins strings */
	print_duration(g->f, g->s->end);
	fputs(", ", g->f);
	print_count(g->f, n_tasks);
	fprintf(g->f, " tasks on %d workers' at ", g->s->workers.n);
	tw__gantt_at(g, g->left, TITLE / 2 + 2);
	fputs(" left font ',16'\n", g->f);
	tw__gantt_kernel_legend(g, TITLE + LEGEND_ROW / 2, true);
	if (g->memory_bottom)
		tw__gantt_memory_legend(g, g->bottom + MEMORY_GAP / 2 + LEGEND_ROW / 2 + 2, true);
}

/* Grey bands show when a worker idles; at their right ends stands how busy it was. */
static void print_rows(struct tw__gantt *g)
{
	int n = g->s->workers.n, every = (11 + g->row_px) / g->row_px;
	fprintf(g->f, "set yrange [-0.65:%d-0.35]\nset ytics scale 0 (", n);
	for (int w = 0; w < n; w += every) {
		fputs(w ? ", " : "", g->f);
		tw__gnuplot_text(g->f, g->s->workers.list[w], MAX_NAME);
		fprintf(g->f, " %d", n - 1 - w);
	}
	fputs(g->row_px < 16 ? ") font ',9'\n" : ")\n", g->f);
	for (int w = 0; w < n; w++)
		fprintf(g->f,
		        "set object rectangle from graph 0, first %d-0.4 to graph 1, first %d+0.4 fillcolor rgb '#eeeeee' "
		        "fillstyle solid 1 noborder behind\n",
		        n - 1 - w, n - 1 - w);
	size_t i = 0;
	for (int w = 0; w < n; w++) {
		double busy = 0;
		for (; i < g->s->n_boxes && g->s->boxes[i].worker == w; i++)
			busy += (g->s->boxes[i].end - g->s->boxes[i].start) * g->s->boxes[i].share;
		if (w % every == 0 && g->s->end > 0)
			fprintf(g->f,
			        "set label '%d %%' at graph 1, first %d offset character 0.6,0 left textcolor rgb '#555555' font ',%d'\n",
			        (int)lround(100 * busy / g->s->end), n - 1 - w, g->row_px < 16 ? 9 : 11);
	}
	fputs("set label 'busy' at graph 1, graph 1 offset character 0.6,0.7 left textcolor rgb '#555555' font ',11'\n",
	      g->f);
}

/* Boxes wide enough for it get a thin white border, which tells tasks of one kernel apart. Merged ones do not. */
static bool is_wide(const struct tw__gantt *g, const struct tw__box *b)
{
	return b->share >= 1 && (b->end - b->start) / g->s->end * (WIDTH - RIGHT - g->left) >= 5;
}

/* One block of data per colour and width: start, end, row, share. Returns whether there are any. */
static bool print_boxes(struct tw__gantt *g, int colour, bool wide)
{
	size_t n = 0;
	for (size_t i = 0; i < g->s->n_boxes; i++) {
		const struct tw__box *b = &g->s->boxes[i];
		if (g->rank[b->kernel] != colour || is_wide(g, b) != wide)
			continue;
		if (n++ == 0)
			fprintf(g->f, "$%s%d << END\n", wide ? "wide" : "thin", colour);
		print_seconds(g, b->start);
		putc(' ', g->f);
		print_seconds(g, b->end);
		fprintf(g->f, " %d 0.%03d\n", g->s->workers.n - 1 - b->worker, (int)lround(b->share * 800));
	}
	if (n)
		fputs("END\n", g->f);
	return n > 0;
}

static void plot_boxes(struct tw__gantt *g)
{
	int n = 0;
	for (int i = 0; i < 2 * N_COLOURS; i++) {
		int colour = i / 2;
		bool wide = i % 2;
		if (!g->drawn[colour][wide])
			continue;
		fprintf(g->f,
		        "%s $%s%d using (($1+$2)/2):3:1:2:($3-0.4):($3-0.4+$4) with boxxyerror fillstyle solid 1 %s fillcolor rgb '#%06" PRIx32
		        "' notitle",
		        n++ ? "," : "plot", wide ? "wide" : "thin", colour,
		        wide ? "border rgb 'white' linewidth 0.7" : "noborder",
		        colour < MAX_COLOURED ? tw__colours[colour] : tw__grey);
	}
	fputs(n ? "\n" : "plot NaN notitle\n", g->f);
}

static void print_samples(struct tw__gantt *g)
{
	size_t i = 0;
	for (int m = 0; m < g->s->memories.n; m++) {
		if (i == g->s->n_samples || g->s->samples[i].memory != m)
			continue;
		fprintf(g->f, "$memory%d << END\n", m);
		double bytes = 0;
		for (; i < g->s->n_samples && g->s->samples[i].memory == m; i++) {
			bytes = g->s->samples[i].bytes;
			print_seconds(g, g->s->samples[i].date);
			fprintf(g->f, " %.0f\n", bytes);
		}
		print_seconds(g, g->s->end);
		fprintf(g->f, " %.0f\nEND\n", bytes);
	}
}

static void plot_samples(struct tw__gantt *g)
{
	static const struct {
		double bytes;
		const char *name;
	} units[] = {{1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}, {1, "B"}};
	double most = 0;
	for (size_t i = 0; i < g->s->n_samples; i++)
		if (g->s->samples[i].memory >= g->first_memory && g->s->samples[i].bytes > most)
			most = g->s->samples[i].bytes;
	int unit = 0, step = 0;
	while (unit < 3 && most < 2 * units[unit].bytes)
		unit++;
	/* Four or five marks; in tenths of the unit. */
	static const int steps[] = {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
	while (step < 9 && steps[step] * units[unit].bytes * 4.2 < most * 10)
		step++;
	fprintf(g->f, "unset label\nunset object\nset yrange [0:%.0f./%.0f*1.06]\nset ylabel 'used (%s)'\n",
	        most > 0 ? most : 1, units[unit].bytes, units[unit].name);
	if (most >= 1 && most < 2000 * units[unit].bytes)
		fprintf(g->f, "set ytics scale 0.5 %d./10 font ',12'\n", steps[step]);
	else
		fputs("set ytics scale 0.5 auto font ',12'\n", g->f);
	fputs("set grid ytics linecolor rgb '#dddddd' linewidth 0.5\n", g->f);
	int n = 0;
	for (int m = g->first_memory; m < g->s->memories.n; m++)
		if (tw__gantt_has_samples(g->s, m))
			fprintf(g->f,
			        "%s $memory%d using 1:($2/%.0f.) with steps linewidth 1.5 linecolor rgb '#%06" PRIx32
			        "' notitle",
			        n++ ? "," : "plot", m, units[unit].bytes, tw__gantt_line_colour(m - g->first_memory));
	fputs("\n", g->f);
}

static void print_script(struct tw__gantt *g, const char *trace, size_t n_tasks)
{
	double end = g->s->end > 0 ? g->s->end : 1;
	for (int i = 0; i < 2 * N_COLOURS; i++)
		g->drawn[i / 2][i % 2] = print_boxes(g, i / 2, i % 2);
	print_samples(g);
	fputs("set multiplot\nunset key\nset border 1 linecolor rgb '#888888'\nset tics nomirror textcolor rgb 'black'\nset xrange [0:",
	      g->f);
	print_seconds(g, end);
	fputs("]\n", g->f);
	print_head(g, trace, n_tasks);
	print_rows(g);
	margins(g, g->top, g->bottom);
	fputs(g->memory_bottom ? "set xtics scale 0.5 format ''\n"
	                       : "set xtics scale 0.5 format '%g'\nset xlabel 'time (s)' offset 0,0.5\n",
	      g->f);
	plot_boxes(g);
	if (g->memory_bottom) {
		margins(g, g->memory_top, g->memory_bottom);
		fputs("set border 3\nset xtics format '%g'\nset xlabel 'time (s)' offset 0,0.5\n", g->f);
		plot_samples(g);
	}
	fputs("unset multiplot\n", g->f);
}

static int draw(struct tw__schedule *s, const char *trace, FILE *script, const char *output, struct tw_error *err)
{
	size_t n_tasks = s->n_boxes;
	if (s->workers.n > MAX_WORKERS)
		return tw_fail(err, TW_INVALID, "%s: %d workers are more than a figure has room for (%d)", trace,
		               s->workers.n, MAX_WORKERS);
	struct tw__gantt g = {.f = script, .s = s};
	g.total_s = calloc((size_t)s->kernels.n + 1, sizeof *g.total_s);
	g.rank = calloc((size_t)s->kernels.n + 1, sizeof *g.rank);
	int status = TW_OK;
	if (!g.total_s || !g.rank || !tw__visible_boxes(s, TW__COLUMNS) || !tw__visible_samples(s, TW__COLUMNS))
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", trace);
	if (status == TW_OK) {
		tw__gantt_colours(&g);
		tw__gantt_lay_out(&g);
		status = tw__gnuplot_terminal(script, output, WIDTH, g.height, err);
	}
	if (status == TW_OK) {
		print_script(&g, trace, n_tasks);
		status = tw__gnuplot_run(script, output, err);
	}
	free(g.total_s);
	free(g.rank);
	return status;
}

int tw__plot_gantt(const char *trace, const char *output, struct tw_error *err)
{
	struct tw__schedule schedule;
	tw__schedule_init(&schedule);
	int status = tw__schedule_read(&schedule, trace, err);
	if (status == TW_OK) {
		FILE *script = tmpfile();
		if (script) {
			status = draw(&schedule, trace, script, output, err);
			fclose(script);
		} else {
			status = tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
		}
	}
	tw__schedule_finish(&schedule);
	return status;
}
