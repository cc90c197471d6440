/* The links of a machine, measured by copies on each route between two memories alone, and on several routes at the
 * same time. */
#ifndef TW__BUSES_H
#define TW__BUSES_H

#include "calibrate/line.h"
#include "calibrate/source.h"

/* A route (in the code: way) from one memory to another, and the result of measuring copies on it. */
struct tw__bus_way {
	struct tw__way way;
	struct tw__line line; /* latency and bandwidth of copies on this route alone */
	int copies;           /* number of copies that were timed for `line` */
};

/* A link that several routes share: copies on these routes are slower together than alone. */
struct tw__bus_shared {
	bool *has; /* [n_ways]: whether each route crosses the link */
	double bandwidth;
};

struct tw__buses {
	int n_ways;
	struct tw__bus_way *ways;
	int n_shared;
	size_t shared_capacity;
	struct tw__bus_shared *shared;
};

/* Lists all routes of the platform, without measurements. TW_NOMEM: out of memory; no other errors. */
int tw__buses_init(struct tw__buses *, const struct tw_platform *, struct tw_error *err);
void tw__buses_finish(struct tw__buses *);

/* Measures copies on each route alone, then on several routes at the same time. `most_bytes`: size of the largest
 * copy. */
int tw__buses_measure(struct tw__buses *, const struct tw__source *, uint64_t most_bytes, struct tw_error *err);

/* Measures copies on several routes at the same time, to find the links that routes share. Each route must have been
 * measured alone. */
int tw__buses_measure_together(struct tw__buses *, const struct tw__source *, uint64_t most_bytes,
                               struct tw_error *err);
/* Computes the rates of simultaneous copies on a set of routes, bytes/s, with max-min fairness on shared links. `set`,
 * `rates`: [n_ways]; routes outside the set have rate 0. */
void tw__buses_rates(const struct tw__buses *, const bool *set, double *rates);
/* computes these rates, and returns their sum */
double tw__buses_total(const struct tw__buses *, const bool *set, double *rates);

/* Replaces the links of the platform by the measured ones. TW_NOMEM: out of memory; no other errors. */
int tw__buses_apply(const struct tw__buses *, struct tw_platform *, struct tw_error *err);

#endif
