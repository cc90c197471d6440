/* Writes scripts of gnuplot: texts, and the look that a user chooses. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/spec.h"
#include "base/utf8.h"
#include "plot/plot.h"

int tw__gnuplot_terminal(FILE *f, const char *output, const struct tw__figure_style *style, int width, int height,
                         struct tw_error *err)
{
	static const struct tw__figure_style usual;
	style = style ? style : &usual;
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
		char *line = is_last ? NULL : tw_format("%.*s", (int)(blank - text), text);
		if (f)
			tw__gnuplot_text(f, line ? line : text, letters);
		if (f && line)
			fputs(".\"\\n\".", f);
		text = line ? blank + 1 : NULL;
		free(line);
	}
	return n < most ? n + 1 : n;
}

const struct tw__drawer tw__gnuplot = {
	.name = "gnuplot",
	/* -d: gnuplot ignores the user's settings. */
	.arguments = {"gnuplot", "-d", "-"},
	.script_ending = ".gp",
	.prompt = "gnuplot>",
};

void tw__print_count(FILE *f, int64_t n)
{
	if (n >= 1000) {
		tw__print_count(f, n / 1000);
		fprintf(f, ",%03d", (int)(n % 1000));
	} else {
		fprintf(f, "%d", (int)n);
	}
}

/* --- the look that a user chooses --------------------------------------------------------------------------------- */

enum { LEAST_PIXELS = 200, MOST_PIXELS = 10000, LEAST_POINTS = 4, MOST_POINTS = 72 };

const char *const tw__legend_names[] = {
	[TW__LEGEND_RIGHT] = "right",
	[TW__LEGEND_BELOW] = "below",
	[TW__LEGEND_ABOVE] = "above",
	[TW__LEGEND_TOP_LEFT] = "top-left",
	[TW__LEGEND_TOP_RIGHT] = "top-right",
	[TW__LEGEND_BOTTOM_LEFT] = "bottom-left",
	[TW__LEGEND_BOTTOM_RIGHT] = "bottom-right",
	[TW__LEGEND_NONE] = "none",
	NULL,
};

/* Parses the `length` characters at `text` as a whole number from `least` to `most`. */
static bool parse_number(int *value, const char *text, size_t length, int least, int most)
{
	char digits[8];
	int64_t number;
	struct tw_error ignored;
	if (length == 0 || length >= sizeof digits || !isdigit((unsigned char)*text))
		return false;
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (tw__parse_int(&number, digits, &ignored) < 0 || number < least || number > most)
		return false;
	*value = (int)number;
	return true;
}

int tw__style_size(struct tw__figure_style *style, const char *text, struct tw_error *err)
{
	const char *x = strchr(text, 'x');
	if (!x || !parse_number(&style->width, text, (size_t)(x - text), LEAST_PIXELS, MOST_PIXELS) ||
	    !parse_number(&style->height, x + 1, strlen(x + 1), LEAST_PIXELS, MOST_PIXELS))
		return tw_fail(err, TW_INVALID, "expected WIDTHxHEIGHT in pixels, each from %d to %d, as in 1000x600",
		               LEAST_PIXELS, MOST_PIXELS);
	return TW_OK;
}

/* Names go into strings of gnuplot, where other characters could end the string or be options of the font. */
static bool is_family(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr(" -_.", text[i]))
			return false;
	return length > 0 && text[0] != ' ';
}

int tw__style_font(struct tw__figure_style *style, const char *text, struct tw_error *err)
{
	size_t length = strcspn(text, ",");
	const char *size = text[length] ? text + length + 1 : NULL;
	if (length >= sizeof style->font || !is_family(text, length))
		return tw_fail(
			err, TW_INVALID,
			"expected the name of a font in letters, digits, blanks and '-', as in 'DejaVu Sans,13'");
	if (size && !parse_number(&style->font_points, size, strlen(size), LEAST_POINTS, MOST_POINTS))
		return tw_fail(err, TW_INVALID,
		               "expected NAME,SIZE with a size from %d to %d points, as in 'DejaVu Sans,13'",
		               LEAST_POINTS, MOST_POINTS);
	memcpy(style->font, text, length);
	style->font[length] = '\0';
	return TW_OK;
}

int tw__style_y_range(struct tw__figure_style *style, const char *text, struct tw_error *err)
{
	static const char expected[] = "expected LOW:HIGH, in the unit of the axis, as in 0:2000, :2000 or 500:";
	const char *colon = strchr(text, ':');
	char low[32];
	struct tw_error ignored;
	if (!colon || !text[1] || (size_t)(colon - text) >= sizeof low)
		return tw_fail(err, TW_INVALID, "%s", expected);
	snprintf(low, sizeof low, "%.*s", (int)(colon - text), text);
	style->has_low = *low;
	style->has_high = colon[1];
	if ((style->has_low && tw__parse_real(&style->low, low, &ignored) < 0) ||
	    (style->has_high && tw__parse_real(&style->high, colon + 1, &ignored) < 0) ||
	    fmax(fabs(style->low), fabs(style->high)) > 1e15 ||
	    (style->has_low && style->has_high && style->low >= style->high))
		return tw_fail(err, TW_INVALID, "%s", expected);
	return TW_OK;
}

double tw__style_points(const struct tw__figure_style *style, double points)
{
	return style->font_points ? points * style->font_points / TW__FONT_POINTS : points;
}
