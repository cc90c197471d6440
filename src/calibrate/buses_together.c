/* Measures simultaneous copies on sets of routes between memories: pairs of routes, groups that pairs with a shared
 * link connect, all routes of one direction, and all routes. If copies on a set are slower than the links known so far
 * explain, the routes of the set share one more link. The bandwidth of this link follows from the measurement. */
#include "calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#define SECONDS_TOGETHER 0.02 /* each copy would take about this long alone, seconds */
enum { LEAST_BYTES = 4096, COPIES_TOGETHER = 6, BISECTIONS = 40 };

/* The routes of a set share one more link if they copy less than this part of the bytes that the known links
 * explain. */
static const double as_expected = 0.95;
/* Bandwidths within this factor count as equal. */
static const double alike = 1.03;

/* --- rates of copies that share links ----------------------------------------------------------------------------- */

/* Rates follow from max-min fairness, as in simulations. */

/* Returns the bandwidth that a shared link leaves for each of its routes without a rate yet, in equal shares. INFINITY:
 * all its routes have a rate. */
static double level_of(const struct tw__bus_shared *shared, int n_ways, const bool *set, const double *rates)
{
	double left = shared->bandwidth;
	int n = 0;
	for (int w = 0; w < n_ways; w++) {
		if (!set[w] || !shared->has[w])
			continue;
		n += rates[w] < 0;
		left -= fmax(rates[w], 0);
	}
	return n ? fmax(left, 0) / n : INFINITY;
}

/* Finds the tightest limit: a route's own bandwidth, or its share of a shared link. Sets the rate of all routes that
 * this limit binds. False: all routes already have a rate. */
static bool bind_tightest(const struct tw__buses *b, const bool *set, double *rates)
{
	const struct tw__bus_shared *tightest = NULL;
	double least = INFINITY;
	int alone = -1;
	for (int w = 0; w < b->n_ways; w++)
		if (set[w] && rates[w] < 0 && b->ways[w].line.bandwidth < least) {
			least = b->ways[w].line.bandwidth;
			alone = w;
		}
	for (int i = 0; i < b->n_shared; i++) {
		double level = level_of(&b->shared[i], b->n_ways, set, rates);
		if (level < least) {
			least = level;
			tightest = &b->shared[i];
		}
	}
	for (int w = 0; tightest && w < b->n_ways; w++)
		if (set[w] && rates[w] < 0 && tightest->has[w])
			rates[w] = least;
	if (!tightest && alone >= 0)
		rates[alone] = least;
	return tightest || alone >= 0;
}

void tw__buses_rates(const struct tw__buses *b, const bool *set, double *rates)
{
	for (int w = 0; w < b->n_ways; w++)
		rates[w] = set[w] ? -1 : 0;
	while (bind_tightest(b, set, rates))
		;
}

double tw__buses_total(const struct tw__buses *b, const bool *set, double *rates)
{
	double total = 0;
	tw__buses_rates(b, set, rates);
	for (int w = 0; w < b->n_ways; w++)
		total += rates[w];
	return total;
}

/* --- copies on one set of routes ---------------------------------------------------------------------------------- */

/* Simultaneous copies on one set of routes between memories. */
struct together {
	bool *set;            /* [n_ways]: whether each route is in the set */
	struct tw__way *ways; /* [n]: the routes of the set that copy; the arrays [n] below have the same order */
	int *number;          /* [n]: the index of each route in tw__buses */
	int n;
	uint64_t *bytes;
	struct tw__timed_copy *copies; /* [n * COPIES_TOGETHER]: start and end of each copy, route by route */
	/* [2 * n * COPIES_TOGETHER]: dates at which the bytes of a copy begin or end to flow, sorted */
	double *dates;
	bool *flows;   /* [n_ways]: whether bytes flow on each route between two of the dates */
	double *rates; /* [n_ways]: room for the rates of routes */
};

/* Chooses the size of the copies on each route of the set. Alone, copies on all routes would take the same time, so
 * that they overlap from start to end. This time is much longer than the latencies. */
static void choose_bytes(const struct tw__buses *b, struct together *t, uint64_t most_bytes)
{
	double seconds = SECONDS_TOGETHER;
	for (int i = 0; i < t->n; i++)
		seconds = fmax(seconds, 100 * b->ways[t->number[i]].line.latency_s);
	for (int i = 0; i < t->n; i++)
		seconds = fmin(seconds, (double)most_bytes / b->ways[t->number[i]].line.bandwidth);
	for (int i = 0; i < t->n; i++)
		t->bytes[i] = (uint64_t)fmax(LEAST_BYTES, seconds * b->ways[t->number[i]].line.bandwidth);
}

/* Returns the date at which the bytes of a copy begin to flow: its start plus the latency of its route. */
static double flows_from(const struct tw__buses *b, const struct together *t, int copy)
{
	const struct tw__timed_copy *c = &t->copies[copy];
	return c->start + fmin(b->ways[t->number[copy / COPIES_TOGETHER]].line.latency_s, 0.9 * (c->end - c->start));
}

static int order_dates(const struct tw__buses *b, struct together *t)
{
	int n = 0;
	for (int i = 0; i < t->n * COPIES_TOGETHER; i++) {
		t->dates[n++] = flows_from(b, t, i);
		t->dates[n++] = t->copies[i].end;
	}
	gsl_sort(t->dates, 1, (size_t)n);
	return n;
}

/* Returns how many bytes the known links would have carried while the copies were in flight. */
static double bytes_explained(const struct tw__buses *b, struct together *t)
{
	int n = order_dates(b, t);
	double bytes = 0;
	for (int d = 0; d + 1 < n; d++) {
		double seconds = t->dates[d + 1] - t->dates[d];
		if (seconds <= 0)
			continue;
		memset(t->flows, 0, (size_t)b->n_ways * sizeof *t->flows);
		for (int i = 0; i < t->n * COPIES_TOGETHER; i++)
			t->flows[t->number[i / COPIES_TOGETHER]] |=
				flows_from(b, t, i) <= t->dates[d] && t->copies[i].end >= t->dates[d + 1];
		bytes += seconds * tw__buses_total(b, t->flows, t->rates);
	}
	return bytes;
}

static double bytes_copied(const struct together *t)
{
	double bytes = 0;
	for (int i = 0; i < t->n; i++)
		bytes += COPIES_TOGETHER * (double)t->bytes[i];
	return bytes;
}

/* Chooses the routes of the set that copy: the fastest of each lane. */
static void choose_ways(const struct tw__buses *b, struct together *t)
{
	t->n = 0;
	for (int w = 0; w < b->n_ways; w++)
		if (t->set[w] && !tw__buses_has_faster(b, t->set, w)) {
			t->number[t->n] = w;
			t->ways[t->n++] = b->ways[w].way;
		}
}

/* Adds a link that the routes of the set share. A bisection chooses the bandwidth of the link so that the links explain
 * the copied bytes. The bandwidth is at least that of each route alone. */
static void add_shared(struct tw__buses *b, struct together *t)
{
	struct tw__bus_shared *shared = tw__buses_share(b, 0);
	memcpy(shared->has, t->set, (size_t)b->n_ways * sizeof *t->set);
	double low = 0, high = 0;
	for (int i = 0; i < t->n; i++) {
		low = fmax(low, b->ways[t->number[i]].line.bandwidth);
		high += b->ways[t->number[i]].line.bandwidth;
	}
	for (int step = 0; step < BISECTIONS; step++) {
		shared->bandwidth = (low + high) / 2;
		*(bytes_explained(b, t) > bytes_copied(t) ? &high : &low) = shared->bandwidth;
	}
}

/* Measures simultaneous copies on the routes of t->set. Adds a link that these routes share if the copies are slower
 * than the known links explain. */
static int try_set(struct tw__buses *b, struct together *t, const struct tw__source *s, uint64_t most_bytes,
                   struct tw_error *err)
{
	choose_ways(b, t);
	if (t->n < 2)
		return TW_OK;
	choose_bytes(b, t, most_bytes);
	int status = s->copies(s->bench, t->ways, t->bytes, t->n, COPIES_TOGETHER, t->copies, err);
	if (status == TW_OK && bytes_copied(t) < as_expected * bytes_explained(b, t))
		add_shared(b, t);
	return status;
}

/* --- which sets of routes are measured ---------------------------------------------------------------------------- */

static void clear(struct together *t, int n_ways) { memset(t->set, 0, (size_t)n_ways * sizeof *t->set); }

static bool is_host_way(const struct tw__buses *b, struct tw__way way)
{
	return tw__buses_has_main(b, way.from) || tw__buses_has_main(b, way.to);
}

/* Whether two routes are measured as a pair: both go to or from a main memory, or they have the same source or the same
 * destination, or they are opposite. */
static bool may_share(const struct tw__buses *b, struct tw__way one, struct tw__way other)
{
	return (is_host_way(b, one) && is_host_way(b, other)) || one.from == other.from || one.to == other.to ||
	       (one.from == other.to && one.to == other.from);
}

static int try_pairs(struct tw__buses *b, struct together *t, const struct tw__source *s, uint64_t most_bytes,
                     struct tw_error *err)
{
	int status = TW_OK;
	for (int i = 0; i < b->n_ways && status == TW_OK; i++)
		for (int j = i + 1; j < b->n_ways && status == TW_OK; j++) {
			if (!may_share(b, b->ways[i].way, b->ways[j].way))
				continue;
			clear(t, b->n_ways);
			t->set[i] = t->set[j] = true;
			status = try_set(b, t, s, most_bytes, err);
		}
	return status;
}

/* Sets `set` to the routes of shared link `first`, and to all routes that shared links of pairs connect with them. Only
 * those links count whose bandwidth is at most that of `first`. */
static void connect(const struct tw__buses *b, bool *set, int first, int n_pairs)
{
	double most = alike * b->shared[first].bandwidth;
	memcpy(set, b->shared[first].has, (size_t)b->n_ways * sizeof *set);
	for (bool grows = true; grows;) {
		grows = false;
		for (int i = 0; i < n_pairs; i++) {
			bool touches = false, adds = false;
			for (int w = 0; w < b->n_ways && b->shared[i].bandwidth <= most; w++) {
				touches |= b->shared[i].has[w] && set[w];
				adds |= b->shared[i].has[w] && !set[w];
			}
			for (int w = 0; w < b->n_ways && touches && adds; w++)
				set[w] |= b->shared[i].has[w];
			grows |= touches && adds;
		}
	}
}

static bool is_known(const struct tw__buses *b, const bool *set)
{
	for (int i = 0; i < b->n_shared; i++)
		if (memcmp(b->shared[i].has, set, (size_t)b->n_ways * sizeof *set) == 0)
			return true;
	return false;
}

/* Measures each group of routes that pairs connect, because all routes through one PCI bridge share this bridge. */
static int try_groups(struct tw__buses *b, struct together *t, const struct tw__source *s, uint64_t most_bytes,
                      struct tw_error *err)
{
	int status = TW_OK, n_pairs = b->n_shared;
	for (int i = 0; i < n_pairs && status == TW_OK; i++) {
		connect(b, t->set, i, n_pairs);
		if (!is_known(b, t->set))
			status = try_set(b, t, s, most_bytes, err);
	}
	return status;
}

/* The sets of all routes of a direction: from main memories to cards and back, both, between cards, between main
 * memories. */
enum direction { TO_CARDS, FROM_CARDS, BOTH, CARDS, MAINS, ALL, N_DIRECTIONS };

static bool goes(const struct tw__buses *b, struct tw__way way, enum direction direction)
{
	const bool from_main = tw__buses_has_main(b, way.from), to_main = tw__buses_has_main(b, way.to);
	switch (direction) {
	case TO_CARDS:
		return from_main && !to_main;
	case FROM_CARDS:
		return to_main && !from_main;
	case BOTH:
		return from_main != to_main;
	case CARDS:
		return !from_main && !to_main;
	case MAINS:
		return from_main && to_main;
	default:
		return true;
	}
}

static int try_directions(struct tw__buses *b, struct together *t, const struct tw__source *s, uint64_t most_bytes,
                          struct tw_error *err)
{
	int status = TW_OK;
	for (enum direction d = TO_CARDS; d < N_DIRECTIONS && status == TW_OK; d++) {
		for (int w = 0; w < b->n_ways; w++)
			t->set[w] = goes(b, b->ways[w].way, d);
		if (!is_known(b, t->set))
			status = try_set(b, t, s, most_bytes, err);
	}
	return status;
}

/* Whether shared link i is redundant: another shared link has all routes of link i, and no more bandwidth. */
static bool is_implied(const struct tw__buses *b, int i)
{
	for (int j = 0; j < b->n_shared; j++) {
		bool covers = j != i && b->shared[j].bandwidth <= alike * b->shared[i].bandwidth;
		for (int w = 0; w < b->n_ways && covers; w++)
			covers = b->shared[j].has[w] || !b->shared[i].has[w];
		if (covers)
			return true;
	}
	return false;
}

static void drop_implied(struct tw__buses *b)
{
	for (int i = b->n_shared - 1; i >= 0; i--) {
		if (!is_implied(b, i))
			continue;
		free(b->shared[i].has);
		memmove(&b->shared[i], &b->shared[i + 1], (size_t)(b->n_shared - i - 1) * sizeof *b->shared);
		b->n_shared--;
	}
}

int tw__buses_measure_together(struct tw__buses *b, const struct tw__source *s, uint64_t most_bytes,
                               struct tw_error *err)
{
	size_t n = (size_t)b->n_ways;
	struct together t = {
		.set = tw_alloc(n, sizeof *t.set),
		.ways = tw_alloc(n, sizeof *t.ways),
		.number = tw_alloc(n, sizeof *t.number),
		.bytes = tw_alloc(n, sizeof *t.bytes),
		.copies = tw_alloc(n * COPIES_TOGETHER, sizeof *t.copies),
		.dates = tw_alloc(2 * n * COPIES_TOGETHER, sizeof *t.dates),
		.flows = tw_alloc(n, sizeof *t.flows),
		.rates = tw_alloc(n, sizeof *t.rates),
	};
	tw__buses_share_lanes(b);
	int status = try_pairs(b, &t, s, most_bytes, err);
	if (status == TW_OK)
		status = try_groups(b, &t, s, most_bytes, err);
	if (status == TW_OK)
		status = try_directions(b, &t, s, most_bytes, err);
	if (status == TW_OK)
		drop_implied(b);
	free(t.set);
	free(t.ways);
	free(t.number);
	free(t.bytes);
	free(t.copies);
	free(t.dates);
	free(t.flows);
	free(t.rates);
	return status;
}
