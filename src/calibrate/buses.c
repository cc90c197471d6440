/* The links of a machine: measures each route from one memory to another alone, by copies of 4 KiB to 64 MiB, and makes
 * a platform's links. */
#include "calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

enum { LEAST_BYTES = 4096, MOST_COPIES = 20, LEAST_COPIES = 3, LEAST_SIZES = 6, MOST_SIZES = 24 };

#define SECONDS_PER_SIZE 0.05 /* the copies of one size take about this long in total, seconds */
#define MOST_SECONDS 0.25     /* if a copy takes longer than this, in seconds, larger sizes are not measured */

void tw__buses_init(struct tw__buses *b, const struct tw__platform *p)
{
	*b = (struct tw__buses){.n_mains = tw__n_mains(p),
	                        .ways = tw_alloc((size_t)(p->n_nodes * p->n_nodes), sizeof *b->ways)};
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++)
			if (tw__route_of(p, from, to)->n_links)
				b->ways[b->n_ways++].way = (struct tw__way){from, to};
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
	int status = s->copies(s->bench, &way->way, &bytes, 1, n, copies, err);
	if (status < 0)
		return status;
	*one_s = fmax(1e-9, median_duration(copies, n));
	way->copies += n;
	return TW_OK;
}

void tw__line_fit(struct tw__line *line, const double *x, const double *y, int n)
{
	double weights[MOST_SIZES] = {0};
	double latency, per_byte, cov00, cov01, cov11, chi2;
	for (int i = 0; i < n; i++)
		weights[i] = 1 / (y[i] * y[i]);
	gsl_fit_wlinear(x, 1, weights, 1, y, 1, (size_t)n, &latency, &per_byte, &cov00, &cov01, &cov11, &chi2);
	if (latency < 0) {
		latency = 0;
		gsl_fit_wmul(x, 1, weights, 1, y, 1, (size_t)n, &per_byte, &cov11, &chi2);
	}
	*line = (struct tw__line){.latency_s = latency, .bandwidth = 1 / per_byte};
	for (int i = 0; i < n; i++) {
		double fitted_s = latency + per_byte * x[i];
		line->residual = fmax(line->residual, fabs(y[i] - fitted_s) / fitted_s);
	}
}

/* Times copies of increasing size on one route, and fits a line to their times. The first copies are warm-ups: they
 * only estimate the time of one copy. */
static int measure_way(struct tw__bus_way *way, const struct tw__source *s, uint64_t most_bytes, struct tw_error *err)
{
	double sizes[MOST_SIZES], seconds[MOST_SIZES];
	double one_s = SECONDS_PER_SIZE / LEAST_COPIES;
	int n = 0, status = measure_size(way, s, LEAST_BYTES, &one_s, err);
	way->copies = 0;
	for (uint64_t bytes = LEAST_BYTES; status == TW_OK && bytes <= most_bytes && n < MOST_SIZES; bytes *= 2) {
		if (n >= LEAST_SIZES && one_s > MOST_SECONDS)
			break;
		status = measure_size(way, s, bytes, &one_s, err);
		sizes[n] = (double)bytes;
		seconds[n++] = one_s;
	}
	if (status == TW_OK)
		tw__line_fit(&way->line, sizes, seconds, n);
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

/* --- links of a platform ------------------------------------------------------------------------------------------ */

static void set_link(struct tw__link *link, char *name, double bandwidth, double latency_s)
{
	*link = (struct tw__link){.name = name,
	                          .bandwidth = bandwidth,
	                          .shared_bandwidth = bandwidth,
	                          .latency = latency_s,
	                          .sharing = TW__SHARED};
	for (enum tw__link_number n = 0; n < TW__N_LINK_NUMBERS; n++)
		link->origins[n] = tw__link_has(link, n) ? tw_copy_text("measured") : NULL;
}

static void finish_link(struct tw__link *link)
{
	for (enum tw__link_number n = 0; n < TW__N_LINK_NUMBERS; n++)
		free(link->origins[n]);
	free(link->name);
}

/* Makes the new links of the platform: first one for each route, then one for each set of routes that share
 * bandwidth. */
static void make_links(const struct tw__buses *b, struct tw__platform *p)
{
	for (int i = 0; i < p->n_links; i++)
		finish_link(&p->links[i]);
	free(p->links);
	p->n_links = b->n_ways + b->n_shared;
	p->links = tw_alloc((size_t)p->n_links, sizeof *p->links);
	for (int w = 0; w < b->n_ways; w++) {
		const struct tw__bus_way *way = &b->ways[w];
		char *name = tw_format("%s-%s", p->nodes[way->way.from].name, p->nodes[way->way.to].name);
		set_link(&p->links[w], name, way->line.bandwidth, way->line.latency_s);
	}
	for (int i = 0; i < b->n_shared; i++)
		set_link(&p->links[b->n_ways + i], tw_format("shared%d", i), b->shared[i].bandwidth, 0);
}

static void set_route(const struct tw__buses *b, int w, struct tw__route *route)
{
	route->links = tw_resize(route->links, (size_t)b->n_shared + 1, sizeof *route->links);
	route->n_links = 0;
	route->links[route->n_links++] = w;
	for (int i = 0; i < b->n_shared; i++)
		if (b->shared[i].has[w])
			route->links[route->n_links++] = b->n_ways + i;
}

void tw__buses_apply(const struct tw__buses *b, struct tw__platform *p)
{
	make_links(b, p);
	int *times = tw_alloc((size_t)p->n_links, sizeof *times);
	for (int w = 0; w < b->n_ways; w++) {
		struct tw__way way = b->ways[w].way;
		struct tw__route *route = &p->routes[way.from * p->n_nodes + way.to];
		set_route(b, w, route);
		tw__route_measure(p, route, times);
		route->predicted_bandwidth = route->bandwidth;
		route->predicted_latency = route->latency;
	}
	free(times);
}
