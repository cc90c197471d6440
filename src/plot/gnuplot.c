/* Runs gnuplot and writes its scripts. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/plot.h"
#include "base/print.h"

int tw__style_terminal(FILE *f, const char *output, const struct tw__figure_style *style, int width, int height,
                       struct tw_error *err)
{
	const char *ending = tw__ending_of(output), *font = *style->font ? style->font : "DejaVu Sans";
	double points = tw__style_points(style, TW__FONT_POINTS);
	width = style->width ? style->width : width;
	height = style->height ? style->height : height;
	/* "noenhanced": underscores in names are literal. Sizes are in pixels; a page has 100 pixels per inch.
	 * `fontscale` converts font sizes from points to these pixels. */
	if (!strcmp(ending, ".svg") || !strcmp(ending, ".gp"))
		fprintf(f, "set terminal svg noenhanced size %d,%d font '%s,%g' background 'white'\n", width, height,
		        font, points);
	else if (!strcmp(ending, ".png"))
		fprintf(f,
		        "set terminal pngcairo noenhanced size %d,%d font '%s,%g' fontscale 0.78 background 'white'\n",
		        width, height, font, points);
	else if (!strcmp(ending, ".pdf"))
		fprintf(f,
		        "set terminal pdfcairo noenhanced size %d.%02din,%d.%02din font '%s,%g' fontscale 0.56 "
		        "background 'white'\n",
		        width / 100, width % 100, height / 100, height % 100, font, points);
	else
		return tw_fail(err, TW_INVALID,
		               "%s: unknown kind of figure; expected a name that ends in .svg, .png, .pdf or .gp",
		               output);
	fputs("set encoding utf8\n", f);
	return TW_OK;
}

int tw__gnuplot_terminal(FILE *f, const char *output, int width, int height, struct tw_error *err)
{
	return tw__style_terminal(f, output, &(struct tw__figure_style){0}, width, height, err);
}

/* Writes a string: in single quotes if it has none, else in double quotes, where specials are octal escapes. (Of two
 * pairs of single quotes in a string, gnuplot takes one only. Then it expands '@name' and `command`.) `is_format`: the
 * string is a format of printf, too. */
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

size_t tw__text_length(const char *text)
{
	size_t n = 0;
	for (; *text; n++) {
		int length = tw__utf8_length(text);
		text += length ? length : 1;
	}
	return n;
}

int tw__gnuplot_lines(FILE *f, const char *text, int letters, int most)
{
	int n = 0;
	while (text) {
		/* A line ends at the last blank within its letters, if there is one; the last line has all the rest. */
		const char *end = text, *blank = NULL;
		for (int i = 0; *end && i < letters; i++) {
			blank = *end == ' ' && end > text ? end : blank;
			int length = tw__utf8_length(end);
			end += length ? length : 1;
		}
		bool is_last = !*end || !blank || ++n == most;
		char *line = is_last ? NULL : strndup(text, (size_t)(blank - text));
		if (f)
			tw__gnuplot_text(f, line ? line : text, letters);
		if (f && line)
			fputs(".\"\\n\".", f);
		text = line ? blank + 1 : NULL;
		free(line);
	}
	return n < most ? n + 1 : n;
}

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
