/* Writes the report page, from its head to its end. */
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "report/html.h"
#include "report/parts.h"
#include "request/identity.h"

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
	const char *name = tw__trace_name(p->request->results);
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
	tw__html_text(f, tw__trace_name(p->request->results));
	fputs(".</footer>\n", f);
	print_asset(f, "table.js");
	print_asset(f, "gantt_data.js");
	print_asset(f, "gantt_draw.js");
	print_asset(f, "gantt_why.js");
	print_asset(f, "gantt.js");
	fputs("</body>\n</html>\n", f);
}

/* Writes the whole page to f. Makes figures and schedules first, in memory: the head must know whether there are
 * any. */
static int write_parts(struct tw__page *p, FILE *f, struct tw_error *err)
{
	char *text, *style;
	size_t size, style_size;
	p->f = tw__text_open(&text, &size);
	p->style = tw__text_open(&style, &style_size);
	tw__report_figures(p);
	int status = tw__report_schedules(p, err);
	if (status == TW_OK)
		status = tw__report_means(p, err);
	tw__report_rows(p);
	tw__text_close(p->f);
	tw__text_close(p->style);
	p->f = f;
	if (status == TW_OK) {
		print_head(p, style, f);
		tw__report_overview(p);
		tw__report_failures(p);
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
	int status = tw__page_open(&p, err);
	if (status == TW_OK)
		status = write_parts(&p, f, err);
	*left_out = p.left_out;
	tw__page_close(&p);
	return status;
}
