#include "cli/diff_cells.h"

#include <math.h>

#include "base/spec.h"

void diff_titles(struct grid *g, const char *const *titles)
{
	for (int i = 0; i < g->columns; i++)
		grid_add(g, "%s", titles[i]);
}

void diff_seconds(struct grid *g, double a, double b)
{
	char text[TW__DURATION_TEXT];
	const double seconds[2] = {a, b};
	for (int run = 0; run < 2; run++) {
		tw__duration_text(text, isnan(seconds[run]) ? 0 : seconds[run]);
		grid_add(g, "%s", isnan(seconds[run]) ? "-" : text);
	}
	tw__difference_text(text, isnan(a) || isnan(b) ? 0 : b - a);
	grid_add(g, "%s", isnan(a) || isnan(b) ? "-" : text);
}

void diff_megabytes(struct grid *g, const uint64_t bytes[2])
{
	grid_add(g, "%.4g", 1e-6 * (double)bytes[0]);
	grid_add(g, "%.4g", 1e-6 * (double)bytes[1]);
	grid_add(g, bytes[0] == bytes[1] ? "%.4g" : "%+.4g", 1e-6 * ((double)bytes[1] - (double)bytes[0]));
}
