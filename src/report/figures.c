/* Chooses the figures of a report that its rows allow, and draws them. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plot/chart.h"
#include "plot/plot.h"
#include "report/html.h"
#include "report/parts.h"
#include "results/facts.h"

enum { MOST_FIGURES = 60, MOST_BARS = 8, MOST_COUNTERS = 4 };

/* The passes in which figures are drawn, the most important first. Each pass covers all parts of the rows. If there are
 * too many figures, those of the last passes are left out. */
enum pass { SPEED, OVER_MEMORY, TRANSFERS, RATIO, COUNTERS, N_PASSES };

struct figures {
	struct tw__page *p;
	struct tw__fact_book *book;
	struct tw__rows rows; /* of successful runs, with families of workloads */
	bool begun, no_gnuplot;
	int over; /* number of figures and counters left out, because there are too many */
};

static void begin(struct figures *g)
{
	if (!g->begun)
		fputs("<section id=\"figures\"><h2>Figures</h2>\n<div class=\"figures\">\n", g->p->f);
	g->begun = true;
}

static int draw_to(struct figures *g, const struct tw__rows *rows, struct tw__figure_request *request,
                   const char *caption, struct tw_error *err)
{
	char path[TW__TEMPORARY_PATH], prefix[32];
	int fd = tw__report_temporary(path, ".svg", err);
	if (fd < 0)
		return fd;
	close(fd); /* the figure replaces this file */
	struct tw__tips tips = {0};
	request->output = path;
	request->tips = &tips;
	int status = tw__plot_rows(request, rows, g->book, err);
	FILE *svg = status == TW_OK ? fopen(path, "re") : NULL;
	if (status == TW_OK && !svg)
		status = tw_fail(err, TW_FAILED, "%s: cannot be read: %s", path, strerror(errno));
	if (svg) {
		begin(g);
		snprintf(prefix, sizeof prefix, "f%d-", g->p->n_figures++);
		fputs("<figure>", g->p->f);
		/* It writes a complete figure, or nothing. */
		status = tw__svg_inline(g->p->f, svg, prefix, caption, &tips, err);
		fputs("<figcaption>", g->p->f);
		tw__html_text(g->p->f, caption);
		fputs("</figcaption></figure>\n", g->p->f);
		fclose(svg);
	}
	unlink(path);
	tw__tips_finish(&tips);
	/* Remove the name of the temporary file from the message: it means nothing to users, and differs from run to
	 * run. */
	size_t n = strlen(path);
	if (status < 0 && !strncmp(err->message, path, n) && !strncmp(err->message + n, ": ", 2))
		memmove(err->message, err->message + n + 2, strlen(err->message + n + 2) + 1);
	return status;
}

/* Draws a figure. If drawing fails, the page and a warning say so, and the page goes on without that figure. */
static void draw(struct figures *g, const struct tw__rows *rows, const char *kind, enum tw__figure_x x,
                 const char *counter, const char *caption)
{
	struct tw__figure_request request = {
		.kind = kind, .results = g->p->request->results, .x = x, .counter = counter, .of_colours = &g->p->good};
	struct tw_error err;
	if (g->no_gnuplot)
		return;
	if (g->p->n_figures >= MOST_FIGURES) {
		g->over++;
		return;
	}
	if (draw_to(g, rows, &request, caption, &err) == TW_OK)
		return;
	g->no_gnuplot = strstr(err.message, "is not installed");
	if (g->no_gnuplot)
		err.message[strcspn(err.message, ";")] = '\0'; /* the rest of the message is about names of files */
	begin(g);
	fprintf(g->p->f, "<p class=\"left-out\">%s %s left out: ", g->no_gnuplot ? "Figures" : "A figure",
	        g->no_gnuplot ? "are" : "is");
	if (!g->no_gnuplot) {
		tw__html_text(g->p->f, caption);
		fputs(": ", g->p->f);
	}
	tw__html_text(g->p->f, err.message);
	fputs("</p>\n", g->p->f);
	tw_log(TW_LOG_WARNING, "report: %s left out: %s", g->no_gnuplot ? "figures are" : caption, err.message);
}

static void draw_counters(struct figures *g, const struct tw__rows *rows, const char *of)
{
	char names[MOST_COUNTERS][64], caption[400];
	int n = 0, more = 0, column = tw__rows_column(rows, "counters");
	for (int row = 0; row < rows->n_rows && column >= 0; row++)
		for (const char *at = tw__rows_text(rows, row, column); *at; at += strcspn(at, ";"), at += *at == ';') {
			char name[64];
			int k = 0;
			snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "=;"), at);
			while (k < n && strcmp(names[k], name) != 0)
				k++;
			if (k == n && n < MOST_COUNTERS)
				memcpy(names[n++], name, sizeof name);
			else if (k == n)
				more++;
		}
	for (int k = 0; k < n; k++) {
		snprintf(caption, sizeof caption, "Counter %.63s%s", names[k], of);
		draw(g, rows, "counters", TW__X_WORKING_SET, names[k], caption);
	}
	g->over += more > 0;
}

/* Differences between the rows of a part: how many values are distinct, and which figures these allow. */
struct variety {
	/* Numbers of points, and of lines in figures over the working set and over memory. */
	int points, lines, lines_of_memory;
	int categories, schedulers, gpus;
	bool sizes, memories, cloud;
};

static struct variety find_variety(const struct tw__rows *rows)
{
	static const char *const no_memory[] = {"gpu_mem_bytes", NULL};
	static const char *const no_policy[] = {"policy", "eviction", NULL};
	int columns[TW__MAX_POINT_COLUMNS];
	const int policies[2] = {tw__rows_column(rows, "policy"), tw__rows_column(rows, "eviction")};
	const int workers[2] = {tw__rows_column(rows, "cpus"), tw__rows_column(rows, "cpu_groups")};
	const int gpus = tw__rows_column(rows, "gpus");
	struct variety v = {
		.points = tw__rows_count(rows, columns, tw__point_columns_of(rows, NULL, columns)),
		.lines = tw__rows_count(rows, columns, tw__family_columns(rows, NULL, columns)),
		.lines_of_memory = tw__rows_count(rows, columns, tw__point_columns_of(rows, no_memory, columns)),
		.categories = tw__rows_count(rows, columns, tw__point_columns_of(rows, no_policy, columns)),
		.schedulers = tw__rows_count(rows, policies, 2),
		.gpus = tw__rows_count(rows, &gpus, 1),
		.cloud = tw__rows_count(rows, workers, 2) >= TW__MANY_CONFIGURATIONS,
	};
	v.sizes = v.points > v.lines && !v.cloud;
	v.memories = v.points > v.lines_of_memory && !v.cloud;
	return v;
}

static void draw_speed(struct figures *g, const struct tw__rows *rows, const struct variety *v, const char *of)
{
	char caption[400];
	snprintf(caption, sizeof caption, "Performance, over the working set%s", of);
	if (v->sizes)
		draw(g, rows, "gflops", TW__X_WORKING_SET, NULL, caption);
	snprintf(caption, sizeof caption, "Performance%s", of);
	if (!v->cloud && v->categories <= MOST_BARS && (v->categories > 1 || v->schedulers > 1) &&
	    (v->gpus > 1 || !(v->sizes || v->memories)))
		draw(g, rows, "bars", TW__X_WORKING_SET, NULL, caption);
	snprintf(caption, sizeof caption, "All configurations%s", of);
	if (v->cloud)
		draw(g, rows, "cloud", TW__X_WORKING_SET, NULL, caption);
	snprintf(caption, sizeof caption, "The best tenth of the configurations%s", of);
	if (v->cloud && v->points > v->lines)
		draw(g, rows, "best", TW__X_WORKING_SET, NULL, caption);
}

static void draw_over_set(struct figures *g, const struct tw__rows *rows, const char *kind, const char *what,
                          const char *of)
{
	char caption[400];
	snprintf(caption, sizeof caption, "%s, over the working set%s", what, of);
	draw(g, rows, kind, TW__X_WORKING_SET, NULL, caption);
}

/* Draws the figures over the memory of a GPU. If workloads differ, draws only the largest: for small ones memory is
 * seldom scarce. */
static void draw_over_memory(struct figures *g, struct tw__rows *rows, const char *of)
{
	struct tw__rows largest = *rows;
	char caption[400];
	int workload = tw__rows_column(rows, "workload");
	const char *name = "";
	if (!tw__column_is_constant(rows, workload)) {
		largest.n_rows = tw__largest_first(rows);
		name = tw__rows_text(rows, 0, workload);
	}
	snprintf(caption, sizeof caption, "Performance, over the memory of a GPU%s%s%.80s", of, *name ? ", " : "",
	         name);
	draw(g, &largest, "gflops", TW__X_MEMORY, NULL, caption);
	snprintf(caption, sizeof caption, "Transferred data, over the memory of a GPU%s%s%.80s", of, *name ? ", " : "",
	         name);
	draw(g, &largest, "transfers", TW__X_MEMORY, NULL, caption);
}

static void draw_pass(struct figures *g, enum pass pass)
{
	struct tw__split split;
	tw__split_init(&split, &g->rows, pass == OVER_MEMORY);
	for (int i = 0; i < split.n; i++) {
		char of[200];
		tw__split_choose(&split, i, of, sizeof of);
		const struct variety v = find_variety(&split.rows);
		if (pass == SPEED)
			draw_speed(g, &split.rows, &v, of);
		else if (pass == OVER_MEMORY && v.memories)
			draw_over_memory(g, &split.rows, of);
		else if (pass == TRANSFERS && v.sizes)
			draw_over_set(g, &split.rows, "transfers", "Transferred data", of);
		else if (pass == RATIO && v.sizes)
			draw_over_set(g, &split.rows, "ratio", "Makespan over its lower bound", of);
		else if (pass == COUNTERS && v.sizes)
			draw_counters(g, &split.rows, of);
	}
	tw__split_finish(&split);
}

void tw__report_figures(struct tw__page *p)
{
	struct figures g = {.p = p};
	if (p->good.n_rows == 0)
		return;
	g.book = tw__fact_book_create();
	tw__rows_share(&g.rows, &p->good);
	for (int row = 0; row < p->good.n_rows; row++)
		tw__rows_add(&g.rows, &p->good, row);
	tw__families_add(&g.rows, NULL);
	if (p->good.of_validation)
		draw(&g, &g.rows, "validation", TW__X_WORKING_SET, NULL, "Simulated and real makespans");
	for (int pass = 0; pass < N_PASSES && !p->good.of_validation; pass++)
		draw_pass(&g, (enum pass)pass);
	if (g.over > 0) {
		begin(&g);
		fprintf(p->f,
		        "<p class=\"left-out\">A page has at most %d figures and %d counters: %d more are "
		        "left out. "
		        "'tilewright plot' draws them; --where selects rows.</p>\n",
		        MOST_FIGURES, MOST_COUNTERS, g.over);
	}
	if (g.begun)
		fputs("</div>\n</section>\n", p->f);
	tw__rows_finish(&g.rows);
	tw__fact_book_destroy(g.book);
}
