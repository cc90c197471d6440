/* Runs gnuplot and writes its scripts. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "trace/text.h"

int tw__gnuplot_terminal(FILE *f, const char *output, int width, int height, struct tw_error *err)
{
	const char *ending = tw__ending_of(output);
	/* "noenhanced": underscores in names are literal. Sizes are in pixels; a page has 100 pixels per inch.
	 * `fontscale` converts font sizes from points to these pixels. */
	if (!strcmp(ending, ".svg") || !strcmp(ending, ".gp"))
		fprintf(f, "set terminal svg noenhanced size %d,%d font 'DejaVu Sans,13' background 'white'\n", width,
		        height);
	else if (!strcmp(ending, ".png"))
		fprintf(f,
		        "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,13' fontscale 0.78 "
		        "background 'white'\n",
		        width, height);
	else if (!strcmp(ending, ".pdf"))
		fprintf(f,
		        "set terminal pdfcairo noenhanced size %d.%02din,%d.%02din font 'DejaVu Sans,13' "
		        "fontscale 0.56 background 'white'\n",
		        width / 100, width % 100, height / 100, height % 100);
	else
		return tw_fail(err, TW_INVALID,
		               "%s: unknown kind of figure; expected a name that ends in .svg, .png, .pdf or .gp",
		               output);
	fputs("set encoding utf8\n", f);
	return TW_OK;
}

/* Writes a string: in single quotes if it has none, else in double quotes, where specials are octal escapes. (Of two
 * pairs of single quotes in a string gnuplot takes one only, and then expands '@name' and `command`.) `is_format`: the string is a format of printf, too. */
static void print_string(FILE *f, const char *s, int limit, bool is_format)
{
	const char *start = s;
	bool plain = !strchr(s, '\'');
	putc(plain ? '\'' : '"', f);
	for (int i = 0; *s; i++) {
		if (i == limit) {
			fputs("\xe2\x80\xa6", f); /* an ellipsis */
			break;
		}
		/* gnuplot copies the text into CDATA of SVG, which "]]>" would end: separate these characters. */
		if (s - start >= 2 && !strncmp(s - 2, "]]>", 3))
			putc(' ', f);
		if (*s == '%' && is_format)
			putc('%', f);
		if (!plain && strchr("'@`\"\\", *s)) {
			fprintf(f, "\\%03o", (unsigned)*s++);
			if (isdigit((unsigned char)*s))
				fputs("\".\"", f); /* gnuplot would take the digit for a part of the escape */
		} else {
			s += tw__print_character(f, s);
		}
	}
	putc(plain ? '\'' : '"', f);
}

void tw__gnuplot_text(FILE *f, const char *s, int limit) { print_string(f, s, limit, false); }

void tw__gnuplot_tick(FILE *f, const char *s, int limit) { print_string(f, s, limit, true); }

int tw__gnuplot_run(FILE *script, const char *output, struct tw_error *err)
{
	static const struct tw__drawer gnuplot = {
		.name = "gnuplot",
		/* -d: gnuplot ignores the user's settings. */
		.arguments = {"gnuplot", "-d", "-"},
		.script_ending = ".gp",
		.prompt = "gnuplot>",
	};
	return tw__draw(script, output, &gnuplot, err);
}

int tw__gnuplot_keep(FILE *script, const char *output, struct tw_error *err)
{
	const char *ending = tw__ending_of(output);
	char *path = NULL;
	if (asprintf(&path, "%.*s.gp", (int)(strlen(output) - strlen(ending)), output) < 0)
		return tw_fail(err, TW_NOMEM, "plot: out of memory");
	int status = tw__gnuplot_run(script, path, err);
	free(path);
	return status;
}
