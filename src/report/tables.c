/* Writes the tables of means and of rows. The page's script sorts and filters both; without it they are plain
 * tables. */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/parts.h"
#include "results/columns.h"

static void list_hidden(FILE *f, const struct tw__column *table, unsigned traits)
{
	for (const struct tw__column *c = table; c->key; c++)
		if (c->traits & traits)
			fprintf(f, "%s ", c->key);
}

/* Starts a table with this name, up to its first head cell. The page's script hides columns with one of the traits at
 * first. */
static void begin(FILE *f, const char *name, const char *caption, unsigned hidden)
{
	fprintf(f, "<div class=\"wide\"><table class=\"data\" id=\"table-%s\" data-hidden=\"", name);
	list_hidden(f, tw__result_table, hidden);
	list_hidden(f, tw__validation_table, hidden);
	fprintf(f, "\"><caption>%s</caption><thead><tr>", caption);
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
	const char *head;
	double *values; /* [rows] */
	bool known;     /* whether any row has a value */
};

struct means {
	struct tw__page *p;
	int columns[TW__MAX_POINT_COLUMNS], n_columns; /* indices of the columns that identify a point */
	int n_points;
	int *group; /* [rows] number of each row's point */
	/* [n_points + 1] where points start in `order`; [rows] rows sorted by point. */
	int *start, *order;
	bool shown[TW__MAX_POINT_COLUMNS]; /* whether the table has the point column */
	struct metric metrics[TW__MAX_COLUMNS + 1];
	int n_metrics;
	double *some; /* [rows] values of the rows of one point */
};

/* Fills a metric with the column's values of all rows; those over the bound divided by the row's bound. */
static int add_metric(struct means *m, const char *head, const char *column, double scale, bool over_bound,
                      struct tw_error *err)
{
	const struct tw__rows *rows = &m->p->good;
	struct metric *metric = &m->metrics[m->n_metrics++];
	int area = tw__rows_column(rows, "bound_area_s"), path = tw__rows_column(rows, "bound_critical_path_s");
	int of = tw__rows_column(rows, column);
	int status = TW_OK;
	*metric = (struct metric){head, tw__arena_alloc(&m->p->arena, (size_t)rows->n_rows, sizeof(double)), false};
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++) {
		double value, area_s = NAN, path_s = NAN;
		status = tw__rows_number(rows, row, of, &value, err);
		if (status == TW_OK && over_bound)
			status = tw__rows_number(rows, row, area, &area_s, err);
		if (status == TW_OK && over_bound)
			status = tw__rows_number(rows, row, path, &path_s, err);
		double bound_s = fmax(area_s, path_s); /* one of the two may be NAN: fmax ignores it */
		value *= over_bound ? bound_s > 0 ? 1 / bound_s : NAN : scale;
		metric->values[row] = status == TW_OK ? value : NAN;
		metric->known |= isfinite(metric->values[row]);
	}
	return status;
}

static int add_metrics(struct means *m, struct tw_error *err)
{
	int status = TW_OK;
	for (const struct tw__column *c = tw__result_table; c->key && status == TW_OK; c++)
		if (c->mean)
			status = add_metric(m, c->mean, c->key, c->scale > 0 ? c->scale : 1, false, err);
	return status < 0 ? status : add_metric(m, "ratio_to_bound", "makespan_s", 1, true, err);
}

static int prepare(struct means *m, struct tw_error *err)
{
	const struct tw__rows *rows = &m->p->good;
	size_t n = (size_t)rows->n_rows;
	m->n_columns = tw__point_columns_of(rows, NULL, m->columns);
	m->group = tw__arena_alloc(&m->p->arena, n, sizeof *m->group);
	m->order = tw__arena_alloc(&m->p->arena, n, sizeof *m->order);
	m->start = tw__arena_alloc(&m->p->arena, n + 1, sizeof *m->start);
	m->some = tw__arena_alloc(&m->p->arena, n, sizeof *m->some);
	m->n_points = tw__rows_group(rows, m->columns, m->n_columns, m->group);
	int status = add_metrics(m, err);
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
	for (int k = 0; k < m->n_metrics; k++)
		if (m->metrics[k].known)
			head(m->p, "means", ++n_heads, m->metrics[k].head, true);
	fputs("</tr></thead>\n<tbody>\n", f);
	for (int i = 0; i < m->n_points; i++) {
		int from = m->start[i], n = m->start[i + 1] - from;
		fputs("<tr>", f);
		for (int c = 0; c < m->n_columns; c++)
			if (m->shown[c])
				tw__html_cell(f, tw__rows_text(rows, m->order[from], m->columns[c]), numeric[c]);
		fprintf(f, "<td>%d</td>", n);
		for (int k = 0; k < m->n_metrics; k++) {
			for (int j = 0; j < n; j++)
				m->some[j] = m->metrics[k].values[m->order[from + j]];
			struct tw__stats s = tw__stats_of(m->some, n);
			if (m->metrics[k].known)
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
	if (status < 0)
		return status;
	fputs("<section id=\"means\"><h2>Means of repetitions</h2>\n", p->f);
	begin(p->f, "means",
	      "One line for each point: runs that differ only in seed and repetition. ± is half the width of the 95 % "
	      "confidence interval of the mean (Student). The bound is the larger of area and critical path.",
	      0);
	print_points(&m);
	end(p->f);
	return TW_OK;
}

void tw__report_rows(struct tw__page *p)
{
	const struct tw__rows *rows = &p->all;
	bool *shown = tw__arena_alloc(&p->arena, (size_t)rows->n_columns, sizeof *shown);
	bool *numeric = tw__arena_alloc(&p->arena, (size_t)rows->n_columns, sizeof *numeric);
	fputs("<section id=\"rows\"><h2>Rows</h2>\n", p->f);
	begin(p->f, "rows",
	      "Columns in which rows differ, as in the file. docs/reference/results.md explains them; for "
	      "validate-model, docs/reference/validate-model.md.",
	      TW__MINOR);
	int n_heads = 1;
	head(p, "rows", 1, "row", true);
	for (int c = 0; c < rows->n_columns; c++) {
		const struct tw__column *known = tw__column_named(rows->names[c]);
		shown[c] = !tw__column_is_constant(rows, c) || (known && known->traits & TW__MAIN);
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
}
