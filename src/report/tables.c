/* Writes the tables of means and of rows. The page's script sorts and filters both; without it they are plain
 * tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "report/html.h"
#include "report/parts.h"

/* Starts a table with this name, up to its first head cell. `hidden`: columns that the page's script hides at first. */
static void begin(FILE *f, const char *name, const char *caption, const char *hidden)
{
	fprintf(f,
	        "<div class=\"wide\"><table class=\"data\" id=\"table-%s\" data-hidden=\"%s\"><caption>%s</caption>"
	        "<thead><tr>",
	        name, hidden, caption);
}

/* Writes the head cell of column i, from 1. Numbers are aligned right. On narrow screens the policy stays in sight
 * while a table scrolls. */
static void head(struct tw__page *p, const char *table, int i, const char *key, bool numeric)
{
	FILE *f = p->f;
	if (numeric)
		fprintf(p->style, "#table-%s td:nth-child(%d) { text-align: right; white-space: nowrap; }\n", table, i);
	if (!strcmp(key, "policy"))
		fprintf(p->style,
		        "@media (max-width: 45rem) { #table-%s tr > :nth-child(%d) { position: sticky; left: 0; "
		        "z-index: 1; background: inherit; } }\n",
		        table, i);
	fprintf(f, "<th scope=\"col\"%s>", numeric ? " class=\"n\"" : "");
	tw__html_text(f, key);
	fputs("</th>", f);
}

static void end(FILE *f) { fputs("</tbody></table></div>\n</section>\n", f); }

/* A metric of the table of means: a value of each run, of which points show the mean. */
struct metric {
	const char *key, *column;
	double scale; /* factor that converts the column's values */
	bool over_bound;
};
static const struct metric metrics[] = {
	{"makespan_s", "makespan_s", 1, false},
	{"gflops", "gflops", 1, false},
	{"ratio_to_bound", "makespan_s", 1, true},
	{"idle_percent", "idle_ratio", 100, false},
	{"idle_CPU_percent", "idle_ratio_cpu", 100, false},
	{"idle_GPU_percent", "idle_ratio_gpu", 100, false},
	{"transferred_GB", "transferred_bytes", 1e-9, false},
	{"loads", "loads", 1, false},
	{"evictions", "evictions", 1, false},
};
enum { N_METRICS = sizeof metrics / sizeof *metrics };

struct means {
	struct tw__page *p;
	int columns[TW__MAX_POINT_COLUMNS], n_columns; /* indices of the columns that identify a point */
	int n_points;
	int *group; /* [rows] number of each row's point */
	/* [n_points + 1] where points start in `order`; [rows] rows sorted by point. */
	int *start, *order;
	/* shown: whether the table has the point column; known: whether any row has a value of the metric. */
	bool shown[TW__MAX_POINT_COLUMNS], known[N_METRICS];
	double *values[N_METRICS]; /* [rows] values of each metric */
	double *some;              /* [rows] values of the rows of one point */
};

static int fill_metric(struct means *m, int k, struct tw_error *err)
{
	const struct tw__rows *rows = &m->p->good;
	int column = tw__rows_column(rows, metrics[k].column), status = TW_OK;
	int area = tw__rows_column(rows, "bound_area_s"), path = tw__rows_column(rows, "bound_critical_path_s");
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++) {
		double value, area_s = NAN, path_s = NAN;
		status = tw__rows_number(rows, row, column, &value, err);
		if (status == TW_OK && metrics[k].over_bound)
			status = tw__rows_number(rows, row, area, &area_s, err);
		if (status == TW_OK && metrics[k].over_bound)
			status = tw__rows_number(rows, row, path, &path_s, err);
		double bound_s = fmax(area_s, path_s); /* one of the two may be NAN: fmax ignores it */
		value *= metrics[k].over_bound ? bound_s > 0 ? 1 / bound_s : NAN : metrics[k].scale;
		m->values[k][row] = status == TW_OK ? value : NAN;
		m->known[k] = m->known[k] || isfinite(m->values[k][row]);
	}
	return status;
}

static int prepare(struct means *m, struct tw_error *err)
{
	const struct tw__rows *rows = &m->p->good;
	size_t n = (size_t)rows->n_rows + 1;
	m->n_columns = tw__point_columns_of(rows, NULL, m->columns);
	m->group = calloc(n, sizeof *m->group);
	m->order = calloc(n, sizeof *m->order);
	m->start = calloc(n + 1, sizeof *m->start);
	m->some = calloc(n, sizeof *m->some);
	bool ok = m->group && m->order && m->start && m->some;
	for (int k = 0; k < N_METRICS; k++) {
		m->values[k] = calloc(n, sizeof *m->values[k]);
		ok = ok && m->values[k];
	}
	m->n_points = ok ? tw__rows_group(rows, m->columns, m->n_columns, m->group, err)
	                 : tw_fail(err, TW_NOMEM, "report: out of memory");
	if (m->n_points < 0)
		return m->n_points;
	int status = TW_OK;
	for (int k = 0; k < N_METRICS && status == TW_OK; k++)
		status = fill_metric(m, k, err);
	for (int row = 0; row < rows->n_rows; row++)
		m->start[m->group[row] + 1]++;
	for (int i = 0; i < m->n_points; i++)
		m->start[i + 1] += m->start[i];
	for (int row = rows->n_rows; row-- > 0;)
		m->order[--m->start[m->group[row] + 1]] = row;
	/* Now start[i + 1] is where point i starts in `order`. */
	memmove(m->start, m->start + 1, (size_t)m->n_points * sizeof *m->start);
	m->start[m->n_points] = rows->n_rows;
	for (int c = 0; c < m->n_columns; c++) {
		const char *name = rows->names[m->columns[c]];
		m->shown[c] = !tw__column_is_constant(rows, m->columns[c]) || !strcmp(name, "workload") ||
		              !strcmp(name, "policy");
	}
	return status;
}

static void print_mean(FILE *f, const struct tw__stats *s)
{
	if (s->n == 0) {
		fputs("<td></td>", f);
		return;
	}
	fprintf(f, "<td data-v=\"%.9g\">", s->mean);
	tw__html_mean(f, s->mean, s->n > 1 ? s->ci95 : NAN);
	fputs("</td>", f);
}

static void print_points(struct means *m)
{
	const struct tw__rows *rows = &m->p->good;
	FILE *f = m->p->f;
	bool numeric[TW__MAX_POINT_COLUMNS];
	int n_heads = 0;
	for (int c = 0; c < m->n_columns; c++) {
		numeric[c] = tw__column_is_numeric(rows, m->columns[c]);
		if (m->shown[c])
			head(m->p, "means", ++n_heads, rows->names[m->columns[c]], numeric[c]);
	}
	head(m->p, "means", ++n_heads, "runs", true);
	for (int k = 0; k < N_METRICS; k++)
		if (m->known[k])
			head(m->p, "means", ++n_heads, metrics[k].key, true);
	fputs("</tr></thead>\n<tbody>\n", f);
	for (int i = 0; i < m->n_points; i++) {
		int from = m->start[i], n = m->start[i + 1] - from;
		fputs("<tr>", f);
		for (int c = 0; c < m->n_columns; c++)
			if (m->shown[c])
				tw__html_cell(f, tw__rows_text(rows, m->order[from], m->columns[c]), numeric[c]);
		fprintf(f, "<td>%d</td>", n);
		for (int k = 0; k < N_METRICS; k++) {
			for (int j = 0; j < n; j++)
				m->some[j] = m->values[k][m->order[from + j]];
			struct tw__stats s = tw__stats_of(m->some, n);
			if (m->known[k])
				print_mean(f, &s);
		}
		fputs("</tr>\n", f);
	}
}

bool tw__report_has_means(const struct tw__page *p) { return p->good.n_rows > 0 && !p->good.of_validation; }

int tw__report_means(struct tw__page *p, struct tw_error *err)
{
	struct means m = {.p = p};
	if (!tw__report_has_means(p))
		return TW_OK;
	int status = prepare(&m, err);
	if (status == TW_OK) {
		fputs("<section id=\"means\"><h2>Means of repetitions</h2>\n", p->f);
		begin(p->f, "means",
		      "One line for each point: runs that differ only in seed and repetition. ± is half the width "
		      "of the 95 % "
		      "confidence interval of the mean (Student). The bound is the larger of area and critical path.",
		      "");
		print_points(&m);
		end(p->f);
	}
	free(m.group);
	free(m.order);
	free(m.start);
	free(m.some);
	for (int k = 0; k < N_METRICS; k++)
		free(m.values[k]);
	return status;
}

int tw__report_rows(struct tw__page *p, struct tw_error *err)
{
	static const char *const always[] = {
		"workload",       "policy",       "makespan_s", "gflops", "makespan_real_s", "makespan_simulated_s",
		"makespan_error", "largest_part", "status",     NULL};
	const struct tw__rows *rows = &p->all;
	bool *shown = calloc((size_t)rows->n_columns + 1, sizeof *shown);
	bool *numeric = calloc((size_t)rows->n_columns + 1, sizeof *numeric);
	if (!shown || !numeric) {
		free(shown);
		free(numeric);
		return tw_fail(err, TW_NOMEM, "report: out of memory");
	}
	fputs("<section id=\"rows\"><h2>Rows</h2>\n", p->f);
	begin(p->f, "rows",
	      "Columns in which rows differ, as in the file. docs/reference/results.md explains them; for "
	      "validate-model, docs/reference/validate-model.md.",
	      "repeat tasks flops gpu_tasks transfers h2d_bytes d2h_bytes p2p_bytes writebacks bound_critical_path_s "
	      "bound_area_s working_set_bytes wall_s tasks_per_s peak_rss_bytes validated counters kernel_model "
	      "identity "
	      "makespan_real_least_s makespan_real_most_s simulated_low_s simulated_high_s transferred_real_bytes "
	      "transferred_simulated_bytes kernels");
	int n_heads = 1;
	head(p, "rows", 1, "row", true);
	for (int c = 0; c < rows->n_columns; c++) {
		shown[c] = !tw__column_is_constant(rows, c) || tw__is_named(rows->names[c], always);
		numeric[c] = shown[c] && tw__column_is_numeric(rows, c);
		if (shown[c])
			head(p, "rows", ++n_heads, rows->names[c], numeric[c]);
	}
	fputs("</tr></thead>\n<tbody>\n", p->f);
	for (int row = 0; row < rows->n_rows; row++) {
		fprintf(p->f, "<tr><td>%d</td>", p->number[row]);
		for (int c = 0; c < rows->n_columns; c++)
			if (shown[c])
				tw__html_cell(p->f, tw__rows_text(rows, row, c), numeric[c]);
		fputs("</tr>\n", p->f);
	}
	end(p->f);
	free(shown);
	free(numeric);
	return TW_OK;
}
