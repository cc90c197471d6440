#include "calibrate/calibrate.h"

#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { WARM_UPS = 3, ENOUGH = 30 };
static const double narrow = 0.01;

/* For normally distributed samples, the standard deviation is 1.4826 times the median absolute deviation (MAD). */
static const double deviations_per_mad = 1.4826;

struct scale {
	double median, deviation;
};

/* Executions of a kernel with their current verdicts. */
struct judged {
	const struct tw__execution *executions;
	enum tw__verdict *verdicts;
	size_t n;
};

/* Writes to `sorted` the durations of the executions that count, from index `first` on. Returns their number. */
static size_t sort_counted(const struct judged *j, size_t first, double *sorted)
{
	size_t n = 0;
	for (size_t i = first; i < j->n; i++)
		if (j->verdicts[i] == TW__COUNTS)
			sorted[n++] = j->executions[i].seconds;
	gsl_sort(sorted, 1, n);
	return n;
}

static struct scale scale_of(const struct judged *j, size_t first, double *room)
{
	size_t n = sort_counted(j, first, room);
	struct scale s = {.median = gsl_stats_median_from_sorted_data(room, 1, n)};
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(room[i] - s.median);
	gsl_sort(room, 1, n);
	s.deviation = deviations_per_mad * gsl_stats_median_from_sorted_data(room, 1, n);
	return s;
}

static bool any_counts(const struct judged *j)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->verdicts[i] == TW__COUNTS)
			return true;
	return false;
}

/* If no execution counts any more, lets those with verdict `verdict` count again. */
static void take_back(struct judged *j, enum tw__verdict verdict)
{
	if (any_counts(j))
		return;
	for (size_t i = 0; i < j->n; i++)
		if (j->verdicts[i] == verdict)
			j->verdicts[i] = TW__COUNTS;
}

/* Drops a worker's first WARM_UPS executions, and those directly after them that are slow: longer than `slow_s`
 * seconds. */
static void drop_start(struct judged *j, int worker, double slow_s)
{
	int n = 0;
	for (size_t i = 0; i < j->n; i++) {
		const struct tw__execution *e = &j->executions[i];
		if (e->worker != worker || e->is_warm)
			continue;
		if (n++ >= WARM_UPS && e->seconds <= slow_s)
			return;
		j->verdicts[i] = TW__SLOW_START;
	}
}

static void drop_starts(struct judged *j, double slow_s)
{
	int last = 0;
	for (size_t i = 0; i < j->n; i++)
		last = j->executions[i].worker > last ? j->executions[i].worker : last;
	for (int worker = 0; worker <= last; worker++)
		drop_start(j, worker, slow_s);
	take_back(j, TW__SLOW_START);
}

static void drop_interrupted(struct judged *j)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->verdicts[i] == TW__COUNTS && j->executions[i].interrupted)
			j->verdicts[i] = TW__INTERRUPTED;
	take_back(j, TW__INTERRUPTED);
}

static void drop_outliers(struct judged *j, struct scale s)
{
	double most_s = s.median + fmax(10 * s.deviation, 0.5 * s.median);
	for (size_t i = 0; i < j->n; i++)
		if (j->verdicts[i] == TW__COUNTS && j->executions[i].seconds > most_s && !j->executions[i].is_warm)
			j->verdicts[i] = TW__OUTLIER;
}

/* Returns the width of the 95 % confidence interval of the median, relative to the median; INFINITY: too few samples.
 * Two of the sorted samples bound the interval. Their ranks follow from the number of samples below the median, which
 * is binomial, close to normal. */
static double median_interval(const double *sorted, size_t n)
{
	double half = 1.96 * sqrt((double)n) / 2;
	double low = floor((double)n / 2 - half), high = ceil((double)n / 2 + half);
	if (low < 1 || high > (double)n)
		return INFINITY;
	double median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	return (sorted[(size_t)high - 1] - sorted[(size_t)low - 1]) / median;
}

static void summarise(struct tw__estimate *e, const struct judged *j, double *room)
{
	*e = (struct tw__estimate){0};
	for (size_t i = 0; i < j->n; i++) {
		e->n[j->verdicts[i]]++;
		if (j->verdicts[i] == TW__OUTLIER)
			e->worst_s = fmax(e->worst_s, j->executions[i].seconds);
	}
	size_t n = sort_counted(j, 0, room);
	e->mean_s = gsl_stats_mean(room, 1, n);
	e->stddev_s = n > 1 ? gsl_stats_sd_m(room, 1, n, e->mean_s) : 0;
	e->median_s = gsl_stats_median_from_sorted_data(room, 1, n);
	e->interval = median_interval(room, n);
}

void tw__estimate(struct tw__estimate *e, const struct tw__execution *executions, size_t n, enum tw__verdict *verdicts,
                  double *room)
{
	struct judged j = {executions, verdicts, n};
	for (size_t i = 0; i < n; i++)
		verdicts[i] = TW__COUNTS;
	struct scale s =
		/* median and deviation of the later half only: a slow start may be most of the first half */
		scale_of(&j, n / 2, room);
	drop_starts(&j, s.median + fmax(3.5 * s.deviation, 0.02 * s.median));
	drop_interrupted(&j);
	drop_outliers(&j, scale_of(&j, 0, room));
	summarise(e, &j, room);
}

bool tw__estimate_is_wide(const struct tw__estimate *e) { return e->n[TW__COUNTS] < ENOUGH || !(e->interval < narrow); }
