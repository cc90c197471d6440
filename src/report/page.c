/* Writes the report page, from its head to its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "report/assets.h"
#include "report/html.h"
#include "report/parts.h"
#include "request/identity.h"
#include "results/columns.h"

bool tw__column_is_constant(const struct tw__rows *rows, int column)
{
	for (int row = 1; row < rows->n_rows; row++)
		if (strcmp(tw__rows_text(rows, row, column), tw__rows_text(rows, 0, column)) != 0)
			return false;
	return true;
}

bool tw__column_is_numeric(const struct tw__rows *rows, int column)
{
	bool any = false;
	struct tw_error err;
	double value;
	if (column >= 0 && !strcmp(rows->names[column], "identity"))
		return false;
	for (int row = 0; row < rows->n_rows; row++) {
		const char *text = tw__rows_text(rows, row, column);
		if (*text && tw__parse_real(&value, text, &err) < 0)
			return false;
		any = any || *text;
	}
	return any;
}

const char *tw__report_row_name(const struct tw__page *p, int row, char *text, size_t size)
{
	const struct tw__rows *rows = &p->all;
	snprintf(text, size, "row %d (%.80s, %.60s)", p->number[row],
	         tw__rows_text(rows, row, tw__rows_column(rows, "workload")),
	         tw__rows_text(rows, row, tw__rows_column(rows, "policy")));
	return text;
}

int tw__report_temporary(char path[TW__TEMPORARY_PATH], const char *ending, struct tw_error *err)
{
	const char *folder = getenv("TMPDIR");
	snprintf(path, TW__TEMPORARY_PATH, "%s/tilewright-XXXXXX%s", folder && *folder ? folder : P_tmpdir, ending);
	int fd = mkostemps(path, (int)strlen(ending), O_CLOEXEC);
	return fd >= 0 ? fd : tw_fail(err, TW_FAILED, "%s: no temporary file: %s", path, strerror(errno));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Prints the Content-Security-Policy: the page loads nothing and runs only its own scripts, whatever the results
 * contain. */
static void print_policy(FILE *f)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	      "'unsafe-inline'; script-src",
	      f);
	for (const struct tw__asset *a = tw__assets; a->name; a++)
		if (strstr(a->name, ".js"))
			fprintf(f, " '%s'", a->digest);
	fputs("\">\n", f);
}

/* Prints a style or script file. Scripts get their own elements; the style is inside one already. */
static void print_asset(FILE *f, const char *name)
{
	const struct tw__asset *a = tw__assets;
	while (strcmp(a->name, name) != 0)
		a++;
	fputs(strstr(name, ".js") ? "<script>" : "", f);
	fwrite(a->bytes, 1, a->n, f);
	fputs(strstr(name, ".js") ? "</script>\n" : "", f);
}

static void print_head(const struct tw__page *p, const char *style, FILE *f)
{
	const char *name = base_name(p->request->results);
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", f);
	print_policy(f);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", f);
	tw__html_text(f, name);
	fputs(" – Tilewright</title>\n<style>\n", f);
	print_asset(f, "report.css");
	fputs(style, f);
	fputs("</style>\n", f);
	print_asset(f, "start.js");
	fputs("</head>\n<body>\n<header>\n<h1><span class=\"by\">Tilewright</span> <span class=\"file\">", f);
	tw__html_text(f, name);
	fputs("</span></h1>\n<nav aria-label=\"Sections\"><a href=\"#runs\">Runs</a>", f);
	if (p->n_figures > 0)
		fprintf(f, "<a href=\"#figures\">Figures</a>");
	if (p->n_schedules > 0)
		fputs("<a href=\"#schedules\">Schedules</a>", f);
	if (tw__report_has_means(p))
		fputs("<a href=\"#means\">Means</a>", f);
	fputs("<a href=\"#rows\">Rows</a></nav>\n</header>\n<main>\n", f);
}

static void print_end(const struct tw__page *p, FILE *f)
{
	int n = 0;
	const char *const *warnings = p->request->warnings ? p->request->warnings(&n) : NULL;
	if (n > 0)
		fputs("<section id=\"notes\"><h2>Notes</h2>\n<ul>\n", f);
	for (int i = 0; i < n; i++) {
		fputs("<li>", f);
		tw__html_text(f, warnings[i]);
		fputs("</li>\n", f);
	}
	if (n > 0)
		fputs("</ul></section>\n", f);
	fputs("</main>\n<footer>Made by tilewright ", f);
	tw__html_text(f, tw__results_version());
	fputs(" from ", f);
	tw__html_text(f, base_name(p->request->results));
	fputs(".</footer>\n", f);
	print_asset(f, "table.js");
	print_asset(f, "gantt_data.js");
	print_asset(f, "gantt_draw.js");
	print_asset(f, "gantt_why.js");
	print_asset(f, "gantt.js");
	fputs("</body>\n</html>\n", f);
}

/* Copies the rows of successful runs to p->good, without duplicates. */
static int take_good(struct tw__page *p, struct tw_error *err)
{
	const struct tw__rows *all = &p->all;
	int status_column = tw__rows_column(all, "status"), n_good = 0;
	size_t n = (size_t)all->n_rows, n_cells = n * (size_t)all->n_columns;
	for (int row = 0; row < all->n_rows; row++)
		n_good += status_column < 0 || !strcmp(tw__rows_text(all, row, status_column), "ok");
	p->good = *all;
	p->good.cells = malloc((n_cells + 1) * sizeof *all->cells);
	p->good.lines = malloc((n + 1) * sizeof *all->lines);
	if (!p->good.cells || !p->good.lines)
		return tw_fail(err, TW_NOMEM, "report: out of memory");
	memcpy(p->good.cells, all->cells, n_cells * sizeof *all->cells);
	memcpy(p->good.lines, all->lines, n * sizeof *all->lines);
	p->good.n_rows = n_good > 0 ? all->n_rows : 0;
	return n_good > 0 ? tw__rows_choose(&p->good, NULL, err) : TW_OK;
}

/* Checks all numeric columns of results once. Otherwise figures and schedules would report a wrong number in different
 * ways. */
static int check_numbers(const struct tw__rows *rows, struct tw_error *err)
{
	double value;
	int status = TW_OK;
	for (int i = 0; i < rows->n_columns; i++) {
		const struct tw__column *c = tw__column_named(rows->names[i]);
		bool numeric = c && c->type >= TW__INT && c->type <= TW__DATE && (c->known != TW__ALWAYS || c->point);
		for (int row = 0; numeric && row < rows->n_rows && status == TW_OK; row++)
			status = tw__rows_number(rows, row, i, &value, err);
	}
	return status;
}

static int read_rows(struct tw__page *p, struct tw_error *err)
{
	struct tw__rows *rows = &p->all;
	int status = tw__rows_read(rows, p->request->results, err);
	if (status == TW_OK && rows->n_rows == 0)
		status = tw_fail(err, TW_INVALID, "%s: no rows: expected at least one", rows->path);
	if (status < 0)
		return status;
	int *lines = malloc((size_t)rows->n_rows * sizeof *lines), n = rows->n_rows;
	p->number = malloc((size_t)rows->n_rows * sizeof *p->number);
	if (!lines || !p->number) {
		free(lines);
		return tw_fail(err, TW_NOMEM, "report: out of memory");
	}
	memcpy(lines, rows->lines, (size_t)n * sizeof *lines);
	status = tw__rows_where(rows, p->request->where, err);
	for (int row = 0, number = 0; row < rows->n_rows && number < n; number++)
		if (lines[number] == rows->lines[row])
			p->number[row++] = number + 1;
	free(lines);
	if (status == TW_OK)
		status = take_good(p, err);
	return status < 0 ? status : check_numbers(&p->good, err);
}

/* Writes the whole page to f. Makes figures and schedules first, in memory: the head must know whether there are
 * any. */
static int write_parts(struct tw__page *p, FILE *f, struct tw_error *err)
{
	int (*const late[])(struct tw__page *, struct tw_error *) = {tw__report_figures, tw__report_schedules,
	                                                             tw__report_means, tw__report_rows};
	char *text = NULL, *style = NULL;
	size_t size = 0, style_size = 0;
	p->f = open_memstream(&text, &size);
	p->style = open_memstream(&style, &style_size);
	int status = p->f && p->style ? TW_OK : tw_fail(err, TW_NOMEM, "report: out of memory");
	for (size_t i = 0; i < sizeof late / sizeof *late && status == TW_OK; i++)
		status = late[i](p, err);
	bool whole = p->f && fclose(p->f) == 0;
	whole = p->style && fclose(p->style) == 0 && whole;
	p->f = f;
	if (status == TW_OK && !whole)
		status = tw_fail(err, TW_NOMEM, "report: out of memory");
	if (status == TW_OK) {
		print_head(p, style, f);
		status = tw__report_overview(p, err);
	}
	if (status == TW_OK)
		status = tw__report_failures(p, err);
	if (status == TW_OK) {
		fwrite(text, 1, size, f);
		print_end(p, f);
	}
	free(text);
	free(style);
	return status;
}

int tw__report_write(FILE *f, const struct tw__report_request *request, int *left_out, struct tw_error *err)
{
	struct tw__page p = {.request = request};
	int status = read_rows(&p, err);
	if (status == TW_OK)
		status = write_parts(&p, f, err);
	*left_out = p.left_out;
	free(p.good.cells);
	free(p.good.lines);
	free(p.number);
	if (p.all.text)
		tw__rows_finish(&p.all);
	return status;
}
