#include "policies/support/gaps.h"

#include <math.h>
#include <string.h>

void tw_gaps_init(struct tw_gaps *gaps, const struct tw_sched *s)
{
	*gaps = (struct tw_gaps){.of = tw_run_alloc(s, 1, sizeof *gaps->of), .n = 1, .capacity = 1};
	gaps->of[0] = (struct tw_gap){0, INFINITY};
}

/* Returns the index of the first gap that ends after the date. */
static size_t first_gap(const struct tw_gaps *gaps, double date)
{
	size_t low = 0, high = gaps->n - 1;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (gaps->of[middle].to > date)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static double latest(double a, double b) { return a > b ? a : b; }

double tw_gaps_earliest(const struct tw_gaps *gaps, double ready, double length, bool insertion, size_t *gap)
{
	size_t g = insertion ? first_gap(gaps, ready) : gaps->n - 1;
	double start;
	while ((start = latest(gaps->of[g].from, ready)) + length > gaps->of[g].to)
		g++;
	*gap = g;
	return start;
}

static void measure(struct tw_gaps *gaps)
{
	gaps->longest = 0;
	for (size_t g = 0; g + 1 < gaps->n; g++)
		gaps->longest = latest(gaps->longest, gaps->of[g].to - gaps->of[g].from);
}

/* The parts of the gap before `start` and after `end` remain gaps. */
void tw_gaps_fill(struct tw_gaps *gaps, const struct tw_sched *s, size_t g, double start, double end)
{
	struct tw_gap gap = gaps->of[g];
	bool is_last = g == gaps->n - 1;
	bool before = start > gap.from, behind = end < gap.to;
	if (before && behind) {
		if (gaps->n == gaps->capacity) {
			gaps->capacity = 2 * gaps->capacity + 8;
			gaps->of = tw_run_resize(s, gaps->of, gaps->capacity, sizeof *gaps->of);
		}
		memmove(&gaps->of[g + 1], &gaps->of[g], (gaps->n - g) * sizeof gap);
		gaps->n++;
		gaps->of[g].to = start;
		gaps->of[g + 1].from = end;
	} else if (before) {
		gaps->of[g].to = start;
	} else if (behind) {
		gaps->of[g].from = end;
	} else {
		memmove(&gaps->of[g], &gaps->of[g + 1], (gaps->n - g - 1) * sizeof gap);
		gaps->n--;
	}
	if (is_last && before)
		gaps->longest = latest(gaps->longest, start - gap.from);
	else if (!is_last && gap.to - gap.from >= gaps->longest)
		measure(gaps);
}
