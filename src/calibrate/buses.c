/* Measures each route from one memory to another alone, by copies of 4 KiB to 64 MiB. */
#include "calibrate/buses.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { LEAST_BYTES = 4096, MOST_COPIES = 20, LEAST_COPIES = 3, LEAST_SIZES = 6, MOST_SIZES = 24 };

#define SECONDS_PER_SIZE 0.05 /* the copies of one size take about this long in total, seconds */
#define MOST_SECONDS 0.25     /* if a copy takes longer than this, in seconds, larger sizes are not measured */

int tw__buses_init(struct tw__buses *b, const struct tw_platform *p, struct tw_error *err)
{
	*b = (struct tw__buses){0};
	b->ways = calloc((size_t)(p->n_nodes * p->n_nodes), sizeof *b->ways);
	if (!b->ways)
		return tw_fail(err, TW_NOMEM, "calibration: out of memory");
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++)
			if (tw__route_of(p, from, to)->n_links)
				b->ways[b->n_ways++].way = (struct tw__way){from, to};
	return TW_OK;
}

void tw__buses_finish(struct tw__buses *b)
{
	for (int i = 0; i < b->n_shared; i++)
		free(b->shared[i].has);
	free(b->shared);
	free(b->ways);
	*b = (struct tw__buses){0};
}

/* --- each route alone --------------------------------------------------------------------------------------------- */

static double median_duration(const struct tw__timed_copy *copies, int n)
{
	double seconds[MOST_COPIES];
	for (int i = 0; i < n; i++)
		seconds[i] = copies[i].end - copies[i].start;
	gsl_sort(seconds, 1, (size_t)n);
	return gsl_stats_median_from_sorted_data(seconds, 1, (size_t)n);
}

static int copies_within(double seconds, double one_s)
{
	return (int)fmin(MOST_COPIES, fmax(LEAST_COPIES, seconds / one_s));
}

/* Times copies of one size. `*one_s`, in seconds: the estimated time of a copy of this size; then set to the measured
 * median. */
static int measure_size(struct tw__bus_way *way, const struct tw__source *s, uint64_t bytes, double *one_s,
                        struct tw_error *err)
{
	struct tw__timed_copy copies[MOST_COPIES];
	int n = copies_within(SECONDS_PER_SIZE, *one_s);
	int status = s->copies(s->self, &way->way, &bytes, 1, n, copies, err);
	if (status < 0)
		return status;
	*one_s = fmax(1e-9, median_duration(copies, n));
	way->copies += n;
	return TW_OK;
}

/* Times copies of increasing size on one route, and fits a line to their times. The first copies are warm-ups: they
 * only estimate the time of one copy. */
static int measure_way(struct tw__bus_way *way, const struct tw__source *s, uint64_t most_bytes, struct tw_error *err)
{
	struct tw__copy_time points[MOST_SIZES];
	double one_s = SECONDS_PER_SIZE / LEAST_COPIES;
	int n = 0, status = measure_size(way, s, LEAST_BYTES, &one_s, err);
	way->copies = 0;
	for (uint64_t bytes = LEAST_BYTES; status == TW_OK && bytes <= most_bytes && n < MOST_SIZES; bytes *= 2) {
		if (n >= LEAST_SIZES && one_s > MOST_SECONDS)
			break;
		status = measure_size(way, s, bytes, &one_s, err);
		points[n++] = (struct tw__copy_time){(double)bytes, one_s};
	}
	if (status == TW_OK)
		tw__line_fit(&way->line, points, n);
	return status;
}

int tw__buses_measure(struct tw__buses *b, const struct tw__source *s, uint64_t most_bytes, struct tw_error *err)
{
	int status = TW_OK;
	for (int i = 0; i < b->n_shared; i++)
		free(b->shared[i].has);
	b->n_shared = 0;
	for (int w = 0; w < b->n_ways && status == TW_OK; w++)
		status = measure_way(&b->ways[w], s, most_bytes, err);
	return status == TW_OK ? tw__buses_measure_together(b, s, most_bytes, err) : status;
}
