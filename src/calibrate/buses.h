/* The links of a machine, measured by copies alone and together. */
#ifndef TW__BUSES_H
#define TW__BUSES_H

#include "calibrate/line.h"
#include "calibrate/source.h"

/* A way: copies from one memory to another. */
struct tw__bus_way {
	struct tw__way way;
	struct tw__line line; /* copies of this way alone */
	int copies;           /* number of copies timed for that */
};

/* Ways that are slower together than alone: they share a link. */
struct tw__bus_shared {
	bool *has; /* [n_ways] */
	double bandwidth;
};

struct tw__buses {
	int n_ways;
	struct tw__bus_way *ways;
	int n_shared;
	size_t shared_capacity;
	struct tw__bus_shared *shared;
};

/* All ways for which the platform has a route, unmeasured. TW_NOMEM. */
int tw__buses_init(struct tw__buses *, const struct tw_platform *, struct tw_error *err);
void tw__buses_finish(struct tw__buses *);

/* Measures all ways, alone and together. `most_bytes`: largest copy. */
int tw__buses_measure(struct tw__buses *, const struct tw__source *, uint64_t most_bytes, struct tw_error *err);

/* The second part of it; each way must have been measured alone. */
int tw__buses_measure_together(struct tw__buses *, const struct tw__source *, uint64_t most_bytes,
                               struct tw_error *err);
/* Rates of simultaneous copies on all ways of the set, if links are shared by max-min fairness. `rates`: [n_ways]. */
void tw__buses_rates(const struct tw__buses *, const bool *set, double *rates);
double tw__buses_total(const struct tw__buses *, const bool *set, double *rates); /* their sum */

/* Replaces the platform's links by these. TW_NOMEM. */
int tw__buses_apply(const struct tw__buses *, struct tw_platform *, struct tw_error *err);

#endif
