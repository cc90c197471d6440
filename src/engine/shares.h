/* How the transfers under way share the platform's links, in virtual time. A transfer waits for the latency of its
 * route. From then on, weighted max-min sharing gives it a rate. Rates are constant until another transfer starts
 * to flow or ends, so ends are exact.
 *
 * The caller may be late: each change has its own date, and dates do not depend on how often the caller asks, to
 * the last bit.
 *
 * The transfers of one route form a lane: all that flow have the same rate (rates.h). Lanes that share links,
 * directly or through others, form a part. So a change costs time by the busy lanes of its part and their links, not by transfers.
 * Dates are what the SimGrid engine computes (simgrid.c). */
#ifndef TW__SHARES_H
#define TW__SHARES_H

#include "engine/rates.h"
#include "platform/weights.h"

/* One transfer; the caller's memory until the transfer has ended or been dropped. */
struct tw__share {
	double end; /* the date, once tw__shares_end has returned the transfer */

	/* The rest is for shares.c alone. */
	struct tw__lane *lane;
	struct tw__share *before, *next; /* in its lane, or among those that have ended */
	double begin;                    /* its latency has passed: it flows from then on */
	double bytes;
	double until; /* it ends when its lane has served so many bytes */
	uint64_t sequence;
	bool ended;
};

/* How a lane is at one date. */
struct tw__lane_state {
	int entered;                      /* transfers that bridges count (engine/bridges.h) */
	int flowing;                      /* of these, transfers that take bandwidth */
	struct tw__share *enters, *flows; /* the next transfer to do so; all behind it follow, at their dates */
	double rate;                      /* bytes/s of each transfer that flows */
	double served; /* bytes that one has got which has flowed since the lane was last empty ... */
	double since;  /* ... until that date, the last at which the rate or the transfers changed */
	double least;  /* `until` of the transfer that ends first */
	double end;    /* the date of that end */
	double start;  /* the date at which the next transfer enters or flows */
};

struct tw__lane {
	struct tw__sharer sharer;
	double latency;
	double lead;                    /* its transfers enter bridges so many seconds before they flow */
	struct tw__share *first, *last; /* in the order of begin */
	struct tw__part *part;
	int place, part_place; /* among the busy lanes: all, and the part's */
	struct tw__lane_state now, saved;
};

/* Lanes that share links, directly or through other lanes. A transfer of one part changes no rate in another part. */
struct tw__part {
	struct tw__lane **busy; /* with transfers */
	int n_busy, n_lanes;
	int place;            /* among the active parts */
	double start, end;    /* of its next change */
	bool changed;         /* since its levels were computed */
	uint64_t saved_ahead; /* its lanes' states are saved when this is n_ahead, and the shares are ahead */
	struct tw__load *hub; /* the first link of all lanes; or NULL */
	double beside;        /* the least level, or less, that links beside the hub allow a lane */
	double one_level;     /* of all lanes; 0: each has its own */
};

struct tw__shares {
	int n_nodes;
	struct tw__lane *lanes; /* [from * n_nodes + to] */
	struct tw__crossing *crossings;
	struct tw__loads loads;
	struct tw__lane **busy; /* lanes with transfers */
	int n_busy;
	struct tw__lane **due;        /* [lanes] that change, during a change */
	struct tw__part *parts;       /* [links + 1] by one of their links; the last one: lanes without shared links */
	struct tw__lane **parts_busy; /* [lanes] theirs, one part's after the other's */
	struct tw__part **active;     /* with busy lanes */
	int n_active;
	struct tw__sharer **sharers; /* [lanes] those that flow, while rates are computed; and how many transfers */
	int *flowing;
	struct tw__share *first_ended, *last_ended; /* not yet returned; by date, then in the order of begin */
	uint64_t sequence;

	double date;       /* of the last change */
	double start, end; /* of the next change: a transfer enters or flows; a transfer ends */
	/* `date` may lie in the future, after nothing but starts. Parts that change have saved their states before these. */
	bool ahead;
	uint64_t n_ahead; /* how often the shares have gone ahead */
	double saved_date, saved_start, saved_end;
};

/* `unit`: of weights (platform/weights.h), 0: all are equal. The platform may be one of platform/bottlenecks.h: the shares are the
 * same, and cost less. It is read here alone. TW_NOMEM; finish is due even then. */
int tw__shares_init(struct tw__shares *, const struct tw_platform *, double unit);
void tw__shares_finish(struct tw__shares *);

/* A transfer from -> to, which have a route, begins at `now`, with its latency. Dates never go back, here and below. */
void tw__shares_begin(struct tw__shares *, struct tw__share *, tw_node from, tw_node to, double bytes, double now);

/* The date of the next end that tw__shares_end has not told; INFINITY: nothing is under way. */
double tw__shares_next(struct tw__shares *);

/* Takes out the first transfer that has ended at or before `now`; NULL: there is none. Ends come by date; those of one date in the
 * order of begin. Dates that differ by no more than rounding are one. */
struct tw__share *tw__shares_end(struct tw__shares *, double now);

/* Dates count from a later origin from now on: those that are known become less by `seconds`. */
void tw__shares_shift(struct tw__shares *, double seconds);

#endif
