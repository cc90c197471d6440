/* Writes two sections of the report: the overview of the runs, and the failed runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "report/html.h"
#include "report/parts.h"
#include "results/columns.h"

enum { MOST_VALUES = 16, MOST_MESSAGES = 50 };

struct value {
	const char *text;
	int rows, first;
};

/* Returns the distinct values of a column with their numbers of rows, in the order of their first rows. */
static struct value *values_of(struct tw__page *p, const struct tw__rows *rows, int column, int *n)
{
	int *group = tw__arena_alloc(&p->arena, (size_t)rows->n_rows, sizeof *group);
	*n = tw__rows_group(rows, &column, 1, group);
	struct value *values = tw__arena_alloc(&p->arena, (size_t)*n, sizeof *values);
	for (int row = 0; row < rows->n_rows; row++) {
		struct value *v = &values[group[row]];
		if (v->rows++ == 0)
			*v = (struct value){tw__rows_text(rows, row, column), 1, row};
	}
	return values;
}

static void tile(FILE *f, double value, const char *what)
{
	fputs("<li><b>", f);
	tw__html_number(f, value, 4);
	fprintf(f, "</b> %s</li>", what);
}

/* Prints one line of the overview: the title of a column and its values. */
static void print_values(struct tw__page *p, const struct tw__column *known)
{
	const bool is_size = !strcmp(tw__column_unit(known->key), "bytes");
	int n, column = tw__rows_column(&p->all, known->key);
	if (column < 0)
		return;
	const struct value *values = values_of(p, &p->all, column, &n);
	if (n == 1 && !*values[0].text)
		return;
	fprintf(p->f, "<tr><th scope=\"row\">%s</th><td>", known->title);
	for (int i = 0; i < n && i < MOST_VALUES; i++) {
		fputs("<span class=\"value\">", p->f);
		char memory[32];
		if (*values[i].text && is_size && strspn(values[i].text, "0123456789") == strlen(values[i].text))
			fputs(tw__memory_text(memory, sizeof memory, atof(values[i].text)), p->f);
		else if (*values[i].text)
			tw__html_brief(p->f, values[i].text, 120);
		else
			fputs("<i>not given</i>", p->f);
		if (n > 1)
			fprintf(p->f, " <small title=\"rows\">×%d</small>", values[i].rows);
		fputs("</span> ", p->f);
	}
	if (n > MOST_VALUES)
		fprintf(p->f, "and %d more", n - MOST_VALUES);
	fputs("</td></tr>\n", p->f);
}

/* Whether the overview has a line for the column: inputs with a title have one. */
static bool has_line(const struct tw__column *c) { return c && c->title && c->known == TW__ALWAYS; }

/* Prints the further columns that have the same value in all rows. The table of rows leaves these columns out. */
static void print_constants(struct tw__page *p)
{
	static const char *const elsewhere[] = {"status", "message", NULL};
	bool any = false;
	for (int c = 0; c < p->all.n_columns && p->all.n_rows > 1; c++) {
		const char *text = tw__rows_text(&p->all, 0, c);
		if (has_line(tw__column_named(p->all.names[c])) || tw__is_named(p->all.names[c], elsewhere) || !*text ||
		    !tw__column_is_constant(&p->all, c))
			continue;
		fputs(any ? "" : "<tr><th scope=\"row\">the same in all rows</th><td>", p->f);
		fputs("<span class=\"value\">", p->f);
		tw__html_brief(p->f, p->all.names[c], 60);
		fputs(" <b>", p->f);
		tw__html_brief(p->f, text, 120);
		fputs("</b></span> ", p->f);
		any = true;
	}
	fputs(any ? "</td></tr>\n" : "", p->f);
}

static double sum(const struct tw__rows *rows, const char *name)
{
	double total = 0, value;
	struct tw_error err;
	int column = tw__rows_column(rows, name);
	for (int row = 0; row < rows->n_rows; row++)
		if (tw__rows_number(rows, row, column, &value, &err) == TW_OK && isfinite(value))
			total += value;
	return total;
}

/* Prints the mean and the worst error of simulated makespans, compared with real runs. */
static void print_errors(struct tw__page *p)
{
	double total = 0, worst = 0, value;
	struct tw_error err;
	int n = 0, column = tw__rows_column(&p->good, "makespan_error");
	for (int row = 0; row < p->good.n_rows; row++)
		if (tw__rows_number(&p->good, row, column, &value, &err) == TW_OK && isfinite(value)) {
			total += fabs(value);
			worst = fmax(worst, fabs(value));
			n++;
		}
	if (n == 0)
		return;
	tile(p->f, 100 * total / n, "% mean error of the makespan");
	tile(p->f, 100 * worst, "% worst error");
}

void tw__report_overview(struct tw__page *p)
{
	int columns[TW__MAX_POINT_COLUMNS], failed = 0;
	int points = tw__rows_count(&p->good, columns, tw__point_columns_of(&p->good, NULL, columns));
	for (int row = 0; row < p->all.n_rows; row++)
		failed += !tw__rows_is_ok(&p->all, row);
	fputs("<section id=\"runs\"><h2>What was run</h2>\n<ul class=\"tiles\">", p->f);
	tile(p->f, p->all.n_rows, p->all.n_rows == 1 ? "row" : "rows");
	tile(p->f, points, points == 1 ? "point" : "points");
	if (points > 0 && p->good.n_rows > points)
		tile(p->f, (double)p->good.n_rows / points, "repetitions of each");
	tile(p->f, failed, failed == 1 ? "run failed" : "runs failed");
	if (sum(&p->all, "tasks") > 0)
		tile(p->f, sum(&p->all, "tasks"), "tasks");
	if (sum(&p->all, "wall_s") > 0)
		tile(p->f, sum(&p->all, "wall_s"), "s of computing");
	if (p->good.of_validation)
		print_errors(p);
	fputs("</ul>\n<div class=\"wide\"><table class=\"facts\">\n", p->f);
	for (const struct tw__column *c = tw__result_table; c->key; c++)
		if (has_line(c))
			print_values(p, c);
	print_constants(p);
	fputs("</table></div>\n</section>\n", p->f);
}

static int by_rows(const void *a, const void *b)
{
	const struct value *v = a, *w = b;
	return v->rows != w->rows ? w->rows - v->rows : v->first - w->first;
}

/* Writes the section of failed runs: their messages, most frequent first. */
void tw__report_failures(struct tw__page *p)
{
	struct tw__rows failed;
	char name[200];
	int n;
	tw__rows_share(&failed, &p->all);
	for (int row = 0; row < p->all.n_rows; row++)
		if (!tw__rows_is_ok(&p->all, row)) {
			tw__rows_add(&failed, &p->all, row);
			failed.lines[failed.n_rows - 1] = row; /* here, `lines` are indices of rows in p->all */
		}
	struct value *values = values_of(p, &failed, tw__rows_column(&p->all, "message"), &n);
	if (n > 0) {
		qsort(values, (size_t)n, sizeof *values, by_rows);
		fprintf(p->f,
		        "<section id=\"failures\"><h2>Failed runs</h2>\n<p><a href=\"#rows\" "
		        "data-filter=\"status!=ok\">%d of %d "
		        "rows</a> failed%s.</p>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">rows</th>"
		        "<th scope=\"col\">message</th><th scope=\"col\">the first</th></tr></thead><tbody>\n",
		        failed.n_rows, p->all.n_rows, n > 1 ? ", for these reasons" : "");
		for (int i = 0; i < n && i < MOST_MESSAGES; i++) {
			fprintf(p->f, "<tr><td class=\"n\">%d</td><td>", values[i].rows);
			tw__html_text(p->f, *values[i].text ? values[i].text : "(no message)");
			fputs("</td><td>", p->f);
			tw__html_text(p->f, tw__report_row_name(p, failed.lines[values[i].first], name, sizeof name));
			fputs("</td></tr>\n", p->f);
		}
		fputs("</tbody></table></div>\n", p->f);
		if (n > MOST_MESSAGES)
			fprintf(p->f, "<p>And %d more messages: see the rows.</p>\n", n - MOST_MESSAGES);
		fputs("</section>\n", p->f);
	}
	tw__rows_finish(&failed);
}
