/* The look of a figure that a user chooses: size, font, place of the legend. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "plot/plot.h"

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
