/* Ticks of the x axis. Names of groups of bars that would touch stand at an angle, the steeper the closer they are.
 * Numbers are so far apart that they do not touch. */
#include <math.h>

#include "plot/chart_draw.h"

enum { MOST_LETTERS = 40, LEAST_DEGREES = 25 };
static const double least_gap = 8, line_spacing = 1.4;

struct tw__tick_space tw__chart_tick_space(const struct tw__chart *c, double width, double points)
{
	double spacing = width / c->n_ticks, longest = 0;
	for (int i = 0; i < c->n_ticks; i++)
		longest = fmax(longest, (double)tw__text_length(c->ticks[i]));
	longest = tw__text_width((size_t)fmin(longest, MOST_LETTERS), points);
	if (longest + least_gap <= spacing)
		return (struct tw__tick_space){.height = 1.7 * points};
	double angle = asin(fmin(1, line_spacing * points / spacing));
	angle = fmax(angle, LEAST_DEGREES * M_PI / 180);
	return (struct tw__tick_space){.degrees = (int)ceil(angle * 180 / M_PI),
	                               .height = longest * sin(angle) + 1.7 * points,
	                               .beyond = fmax(0, longest * cos(angle) - spacing / 2)};
}

void tw__chart_print_ticks(FILE *f, const struct tw__chart *c, const struct tw__tick_space *space, double points)
{
	fputs("set xtics scale 0 ", f);
	if (space->degrees)
		fprintf(f, "rotate by -%d left ", space->degrees);
	fprintf(f, "font ',%g' textcolor rgb 'black' (", points);
	for (int i = 0; i < c->n_ticks; i++) {
		fputs(i ? ", " : "", f);
		tw__gnuplot_tick(f, c->ticks[i], MOST_LETTERS);
		fprintf(f, " %d", i);
	}
	fputs(")\n", f);
}

void tw__chart_space_numbers(FILE *f, const struct tw__chart *c, const struct tw__axes *axes, double width,
                             double points)
{
	double low = axes->x.low / c->x_unit, high = axes->x.high / c->x_unit;
	/* Numbers have at most one decimal more than those of a whole step. */
	double digits = fmax(1, floor(log10(fmax(fabs(high), 1))) + 1) + (high - low < 8 ? 2 : 0);
	double most = fmax(2, width / (tw__text_width((size_t)digits, points) + 2 * least_gap));
	if (c->x_is_wide) {
		double octaves = log2(high / low);
		fprintf(f, "set xtics %.0f\n", exp2(fmax(1, ceil(octaves / most))));
		return;
	}
	double step = pow(10, floor(log10((high - low) / most)));
	static const double multiples[] = {1, 2, 5, 10};
	for (int i = 0; i < 4; i++)
		if ((high - low) / (multiples[i] * step) <= most) {
			fprintf(f, "set xtics %.6g\n", multiples[i] * step);
			return;
		}
}
