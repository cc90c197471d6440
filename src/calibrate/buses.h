/* The links of a machine, from copies alone and together. */
#ifndef TW__BUSES_H
#define TW__BUSES_H

#include "calibrate/line.h"
#include "calibrate/source.h"

/* Copies of one ordered pair of memories. */
struct tw__bus_way {
	struct tw__way way;
	struct tw__line line; /* alone */
	int copies;           /* timed for that */
};

/* Ways that get less together than each alone: they share a link. */
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

/* All ways for which the platform has a route, none of them measured. TW_NOMEM. */
int tw__buses_init(struct tw__buses *, const struct tw_platform *, struct tw_error *err);
void tw__buses_finish(struct tw__buses *);

/* Measures all. `most_bytes`: of a copy. */
int tw__buses_measure(struct tw__buses *, const struct tw__source *, uint64_t most_bytes, struct tw_error *err);

/* The parts of it: each way has been measured alone. */
int tw__buses_measure_together(struct tw__buses *, const struct tw__source *, uint64_t most_bytes,
                               struct tw_error *err);
/* Copies on all ways of the set at the same time: the rate of each, if each link gives its ways equal parts (max-min). `rates`: [n_ways]. */
void tw__buses_rates(const struct tw__buses *, const bool *set, double *rates);
double tw__buses_total(const struct tw__buses *, const bool *set, double *rates); /* their sum */

/* Gives the platform these links instead of its own. TW_NOMEM. */
int tw__buses_apply(const struct tw__buses *, struct tw_platform *, struct tw_error *err);

#endif
