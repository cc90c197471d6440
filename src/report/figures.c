/* Which figures these rows are for. A figure holds lines that can be told apart: rows are split, platforms first, until
 * each part has few enough. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/facts.h"
#include "plot/chart.h"
#include "plot/plot.h"
#include "report/html.h"
#include "report/parts.h"
#include "report/svg.h"

enum { MOST_LINES = 12, MOST_FIGURES = 40, MOST_BARS = 8, MOST_COUNTERS = 4, MANY_CONFIGURATIONS = 8 };

struct figures {
	struct tw__page *p;
	struct tw__fact_book *book;
	struct tw__rows rows; /* the good ones, with their workloads' families in a column of their own */
	char **families;      /* [rows] */
	int family;           /* that column */
	bool begun, no_gnuplot;
	int over; /* figures that there was no room for */
};

/* Columns by which rows are split, in this order. */
static const char *const splits[] = {"platform",      "(family)", "gpus",  "gpu_mem_bytes", "cpus",
                                     "cpu_groups",    "runtime",  "noise", "engine",        "belief_error",
                                     "communication", "eviction", NULL};
enum { N_SPLITS = sizeof splits / sizeof *splits - 1 };

/* The columns that name a line, but `without`; -1 in place of the workload where its size is on the axis. */
static int line_columns(const struct figures *g, const char *const *without, bool sizes_differ, int *columns)
{
	int n = tw__point_columns_of(&g->rows, without, columns);
	int workload = tw__rows_column(&g->rows, "workload");
	for (int c = 0; c < n && sizes_differ; c++)
		if (columns[c] == workload)
			columns[c] = g->family;
	return n;
}

/* How many different rows there are, as far as these columns go; negative: out of memory. */
static int count(const struct tw__rows *rows, const int *columns, int n_columns, struct tw_error *err)
{
	int *group = calloc((size_t)rows->n_rows + 1, sizeof *group);
	int n = group ? tw__rows_group(rows, columns, n_columns, group, err)
	              : tw_fail(err, TW_NOMEM, "report: out of memory");
	free(group);
	return n;
}

static int count_values(const struct tw__rows *rows, const char *name, struct tw_error *err)
{
	int column = tw__rows_column(rows, name);
	return column < 0 ? 1 : count(rows, &column, 1, err);
}

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
	request->output = path;
	int status = tw__plot_rows(request, rows, g->book, err);
	FILE *svg = status == TW_OK ? fdopen(fd, "r") : NULL;
	if (svg) {
		begin(g);
		snprintf(prefix, sizeof prefix, "f%d-", g->p->n_figures++);
		fputs("<figure>", g->p->f);
		status = tw__svg_inline(g->p->f, svg, prefix, caption, err); /* it writes a whole one, or nothing */
		fputs("<figcaption>", g->p->f);
		tw__html_text(g->p->f, caption);
		fputs("</figcaption></figure>\n", g->p->f);
		fclose(svg);
	} else {
		close(fd);
	}
	unlink(path);
	return status;
}

/* What cannot be drawn is told in its place, and by a warning; it is no reason to have no page. */
static int draw(struct figures *g, const struct tw__rows *rows, const char *kind, enum tw__figure_x x,
                const char *counter, const char *caption)
{
	struct tw__figure_request request = {
		.kind = kind, .results = g->p->request->results, .x = x, .counter = counter};
	struct tw_error err;
	if (g->no_gnuplot)
		return TW_OK;
	if (g->p->n_figures >= MOST_FIGURES) {
		g->over++;
		return TW_OK;
	}
	if (draw_to(g, rows, &request, caption, &err) == TW_OK)
		return TW_OK;
	g->no_gnuplot = strstr(err.message, "is not installed");
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
	return TW_OK;
}

static int draw_counters(struct figures *g, const struct tw__rows *rows, const char *of)
{
	char names[MOST_COUNTERS][64], caption[300];
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
		snprintf(caption, sizeof caption, "Counter %s%s", names[k], of);
		draw(g, rows, "counters", TW__X_WORKING_SET, names[k], caption);
	}
	g->over += more > 0;
	return TW_OK;
}

/* Rows of the workload with most tasks move to the front; `*largest` has those alone. */
static void find_largest(const struct tw__rows *rows, struct tw__rows *largest)
{
	size_t n_columns = (size_t)rows->n_columns;
	int workload = tw__rows_column(rows, "workload"), tasks = tw__rows_column(rows, "tasks"), n = 0;
	const char *most = NULL;
	double most_tasks = -1, n_tasks;
	struct tw_error err;
	for (int row = 0; row < rows->n_rows; row++)
		if (tw__rows_number(rows, row, tasks, &n_tasks, &err) == TW_OK && n_tasks > most_tasks) {
			most_tasks = n_tasks;
			most = tw__rows_text(rows, row, workload);
		}
	for (int row = 0; most && row < rows->n_rows; row++)
		if (!strcmp(tw__rows_text(rows, row, workload), most)) {
			for (size_t c = 0; c < n_columns && row > n; c++) {
				char **a = &rows->cells[(size_t)row * n_columns + c];
				char **b = &rows->cells[(size_t)n * n_columns + c], *cell = *a;
				*a = *b;
				*b = cell;
			}
			int line = rows->lines[row];
			rows->lines[row] = rows->lines[n];
			rows->lines[n++] = line;
		}
	*largest = *rows;
	largest->n_rows = n;
}

/* All figures of one part. `of`: " on mirage, ...". */
static int draw_part(struct figures *g, const struct tw__rows *rows, const char *of, struct tw_error *err)
{
	static const char *const no_memory[] = {"gpu_mem_bytes", NULL}, *const no_policy[] = {"policy", "eviction",
	                                                                                      NULL};
	int columns[TW__MAX_POINT_COLUMNS], who[2], n;
	char caption[300];
	struct tw__rows largest;
	find_largest(rows, &largest);
	n = line_columns(g, NULL, true, columns);
	int lines = count(rows, columns, n, err);
	n = line_columns(g, NULL, false, columns);
	int points = count(rows, columns, n, err);
	n = line_columns(g, no_memory, false, columns);
	int lines_of_memory = count(rows, columns, n, err);
	n = line_columns(g, no_policy, false, columns);
	int categories = count(rows, columns, n, err);
	who[0] = tw__rows_column(rows, "policy");
	who[1] = tw__rows_column(rows, "eviction");
	int schedulers = count(rows, who, 2, err), gpus = count_values(rows, "gpus", err);
	who[0] = tw__rows_column(rows, "cpus");
	who[1] = tw__rows_column(rows, "cpu_groups");
	int configurations = count(rows, who, 2, err);
	if (lines < 0 || points < 0 || lines_of_memory < 0 || categories < 0 || schedulers < 0 || gpus < 0 ||
	    configurations < 0)
		return TW_NOMEM;
	static const struct {
		const char *kind, *what;
		enum tw__figure_x x;
	} of_lines[] = {{"gflops", "Performance over the working set", TW__X_WORKING_SET},
	                {"ratio", "Makespan over its lower bound", TW__X_WORKING_SET},
	                {"transfers", "Transferred data over the working set", TW__X_WORKING_SET},
	                {"gflops", "Performance over the memory of a GPU", TW__X_MEMORY},
	                {"transfers", "Transferred data over the memory of a GPU", TW__X_MEMORY}};
	bool cloud = configurations >= MANY_CONFIGURATIONS, sizes = points > lines && !cloud;
	bool memories = points > lines_of_memory && !cloud;
	for (size_t i = 0; i < sizeof of_lines / sizeof *of_lines; i++) {
		bool over_memory = of_lines[i].x == TW__X_MEMORY, one = over_memory && lines_of_memory > MOST_LINES;
		snprintf(caption, sizeof caption, "%s%s%s", of_lines[i].what, of, one ? "; the largest workload" : "");
		if (over_memory ? memories : sizes)
			draw(g, one ? &largest : rows, of_lines[i].kind, of_lines[i].x, NULL, caption);
	}
	snprintf(caption, sizeof caption, "Performance%s", of);
	if (!cloud && categories <= MOST_BARS && (points > categories || schedulers > 1) &&
	    (gpus > 1 || !(sizes || memories)))
		draw(g, rows, "bars", TW__X_WORKING_SET, NULL, caption);
	snprintf(caption, sizeof caption, "All configurations%s", of);
	if (cloud)
		draw(g, rows, "cloud", TW__X_WORKING_SET, NULL, caption);
	snprintf(caption, sizeof caption, "The best tenth of the configurations%s", of);
	if (cloud && points > lines)
		draw(g, rows, "best", TW__X_WORKING_SET, NULL, caption);
	return sizes ? draw_counters(g, rows, of) : TW_OK;
}

/* Chooses the columns to split by; group[row] is the part that the row is in. Returns how many parts, or TW_NOMEM. */
static int split(struct figures *g, int *by, int *n_by, int *group, struct tw_error *err)
{
	int columns[TW__MAX_POINT_COLUMNS], n_columns = line_columns(g, NULL, true, columns);
	int configuration[2] = {tw__rows_column(&g->rows, "cpus"), tw__rows_column(&g->rows, "cpu_groups")};
	int *line = calloc((size_t)g->rows.n_rows + 1, sizeof *line), *lines = NULL;
	int n_lines = line ? tw__rows_group(&g->rows, columns, n_columns, line, err)
	                   : tw_fail(err, TW_NOMEM, "report: out of memory");
	int configurations = n_lines < 0 ? n_lines : count(&g->rows, configuration, 2, err);
	int parts = configurations < 0 ? configurations : 1;
	bool fits = false, cloud = configurations >= MANY_CONFIGURATIONS; /* which takes all of a platform */
	*n_by = 0;
	for (int s = 0; s < N_SPLITS && parts >= 0 && !fits && !(cloud && s > 0); s++) {
		int column = s == 1 ? g->family : tw__rows_column(&g->rows, splits[s]);
		if (column < 0)
			continue;
		int values = count(&g->rows, &column, 1, err);
		if (values > 1)
			by[(*n_by)++] = column;
		parts = values < 0 ? values : tw__rows_group(&g->rows, by, *n_by, group, err);
		lines = parts < 0 ? NULL : calloc((size_t)parts + 1, sizeof *lines);
		fits = lines;
		/* Each line is in one part. */
		for (int row = 0, next = 0; lines && row < g->rows.n_rows; row++)
			if (line[row] == next) {
				next++;
				fits = ++lines[group[row]] <= MOST_LINES && fits;
			}
		if (parts >= 0 && !lines)
			parts = tw_fail(err, TW_NOMEM, "report: out of memory");
		free(lines);
	}
	free(line);
	return parts;
}

static void name_part(const struct figures *g, int row, const int *by, int n_by, char *of, size_t size)
{
	size_t at = 0;
	*of = '\0';
	for (int i = 0; i < n_by && at < size; i++) {
		char text[TW__CHART_LABEL];
		tw__column_text(text, sizeof text, g->rows.names[by[i]], tw__rows_text(&g->rows, row, by[i]));
		at += (size_t)snprintf(of + at, size - at, "%s %s", at ? "," : ":", text);
	}
}

static int draw_parts(struct figures *g, struct tw_error *err)
{
	size_t n_rows = (size_t)g->rows.n_rows, n_columns = (size_t)g->rows.n_columns;
	int by[N_SPLITS], n_by = 0, *group = calloc(n_rows + 1, sizeof *group);
	struct tw__rows part = g->rows;
	part.cells = malloc(n_rows * n_columns * sizeof *part.cells);
	part.lines = malloc(n_rows * sizeof *part.lines);
	int n = group && part.cells && part.lines ? split(g, by, &n_by, group, err)
	                                          : tw_fail(err, TW_NOMEM, "report: out of memory");
	int status = n < 0 ? n : TW_OK;
	for (int i = 0; i < n && status == TW_OK; i++) {
		char of[200] = "";
		part.n_rows = 0;
		for (int row = 0; row < g->rows.n_rows; row++) {
			if (group[row] != i)
				continue;
			if (part.n_rows == 0)
				name_part(g, row, by, n_by, of, sizeof of);
			memcpy(part.cells + (size_t)part.n_rows * n_columns, g->rows.cells + (size_t)row * n_columns,
			       n_columns * sizeof *part.cells);
			part.lines[part.n_rows++] = g->rows.lines[row];
		}
		status = draw_part(g, &part, of, err);
	}
	free(group);
	free(part.cells);
	free(part.lines);
	return status;
}

/* The good rows with one column more, the family of their workload. */
static int add_families(struct figures *g, struct tw_error *err)
{
	const struct tw__rows *good = &g->p->good;
	size_t n = (size_t)good->n_rows, n_columns = (size_t)good->n_columns;
	int workload = tw__rows_column(good, "workload");
	g->rows = *good;
	g->rows.n_columns++;
	g->family = good->n_columns;
	g->rows.names = malloc((n_columns + 1) * sizeof *g->rows.names);
	g->rows.cells = malloc(n * (n_columns + 1) * sizeof *g->rows.cells);
	g->families = calloc(n + 1, sizeof *g->families);
	bool ok = g->rows.names && g->rows.cells && g->families;
	if (ok) {
		static char family[] = "(family)";
		memcpy(g->rows.names, good->names, n_columns * sizeof *g->rows.names);
		g->rows.names[n_columns] = family;
	}
	for (size_t row = 0; row < n && ok; row++) {
		char **cells = g->rows.cells + row * (n_columns + 1);
		memcpy(cells, good->cells + row * n_columns, n_columns * sizeof *cells);
		cells[n_columns] = g->families[row] = tw__workload_family(tw__rows_text(good, (int)row, workload));
		ok = g->families[row];
	}
	return ok ? TW_OK : tw_fail(err, TW_NOMEM, "report: out of memory");
}

int tw__report_figures(struct tw__page *p, struct tw_error *err)
{
	struct figures g = {.p = p, .book = tw__fact_book_create()};
	int status = TW_OK;
	if (p->good.n_rows > 0) {
		status = g.book ? add_families(&g, err) : tw_fail(err, TW_NOMEM, "report: out of memory");
		if (status == TW_OK)
			status = draw_parts(&g, err);
		if (g.over > 0) {
			begin(&g);
			fprintf(p->f,
			        "<p class=\"left-out\">There is room for %d figures and %d counters: %d more are left out; "
			        "'tilewright plot' draws them, and --where chooses rows.</p>\n",
			        MOST_FIGURES, MOST_COUNTERS, g.over);
		}
		if (g.begun)
			fputs("</div>\n</section>\n", p->f);
		for (int row = 0; g.families && row < p->good.n_rows; row++)
			free(g.families[row]);
		free(g.families);
		free(g.rows.names);
		free(g.rows.cells);
	}
	tw__fact_book_destroy(g.book);
	return status;
}
