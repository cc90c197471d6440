/* How the transfers under way share the platform's links, in virtual time. A transfer first waits for the latency of
 * its route. From then on, weighted max-min sharing gives it a rate. Rates are constant until another transfer starts
 * to flow or ends, so the dates of ends are exact.
 *
 * The caller may be late: each change has its own date. Dates do not depend, to the last bit, on how often the caller
 * asks.
 *
 * The transfers of one route form a lane; all flowing transfers of a lane have the same rate (rates.h). Lanes that
 * share links, directly or through other lanes, form a part. A change costs O(busy lanes of its part and their links),
 * whatever the number of transfers. Dates are those of the SimGrid engine (simgrid.c). */
#ifndef TW__SHARES_H
#define TW__SHARES_H

#include "links/rates.h"
#include "platform/weights.h"

/* One transfer. The caller owns the memory of this struct, and keeps it until the transfer has ended. */
struct tw__share {
	double end; /* date at which the transfer ends; valid once tw__shares_end has returned it */

	/* The other members are private to shares.c. */
	struct tw__lane *lane;
	struct tw__share *before, *next; /* neighbours in its lane, or in the list of ended transfers */
	double begin;                    /* date at which the latency has passed: the transfer flows from then on */
	double bytes;
	double until; /* the transfer ends when its lane's `served` reaches this number of bytes */
	uint64_t sequence;
	bool ended;
};

/* The state of a lane at one date. */
struct tw__lane_state {
	int entered; /* number of transfers that bridges count (engine/bridges.h) */
	int flowing; /* of the entered transfers, number of those that take bandwidth */
	/* The next transfer to enter, and the next to flow, or NULL; those behind it in the lane follow later. */
	struct tw__share *enters, *flows;
	double rate;   /* rate of each flowing transfer, in bytes/s */
	double served; /* bytes per flowing transfer since the lane was last empty, up to the date `since` */
	double since;  /* the last date at which `rate` or the flowing transfers changed */
	double least;  /* `until` of the transfer that ends first; INFINITY: none flows */
	double end;    /* date at which that transfer ends */
	double start;  /* date at which the next transfer enters or flows */
};

struct tw__lane {
	struct tw__sharer sharer;
	double latency;
	double lead;                    /* seconds from a transfer's entering of bridges to its flowing */
	struct tw__share *first, *last; /* the lane's transfers, in the order of `begin` */
	struct tw__part *part;
	int place, part_place; /* indices in tw__shares.busy and in tw__part.busy */
	struct tw__lane_state now, saved;
	uint64_t saved_ahead; /* equal to n_ahead while the shares are ahead: `saved` is the state before that */
};

/* Lanes that share links, directly or through other lanes. A transfer of one part changes no rate in another part. */
struct tw__part {
	struct tw__lane **busy; /* [n_busy] lanes of the part that have transfers */
	int n_busy, n_lanes;
	int place;            /* index in tw__shares.active */
	double start, end;    /* dates at which a transfer of the part next enters or flows; at which one next ends */
	bool changed;         /* whether the part has changed since its levels were last computed */
	uint64_t saved_ahead; /* equal to n_ahead while the shares are ahead: lanes of the part have saved states */
	struct tw__load *hub; /* a link that all lanes of the part cross first; NULL: there is none */
	double beside;        /* lower bound on the level that links other than the hub allow a lane */
	double beside_most;   /* upper bound on that level; valid if levels_known */
	/* Whether each lane's `level` is the one that links other than the hub allow. So it is if the hub was the
	 * narrowest link of no lane, and since then only lanes changed that are alone on their other links. */
	bool levels_known;
	double one_level; /* the level of all lanes of the part; 0: each lane has its own */
};

struct tw__shares {
	int n_nodes;
	struct tw__lane *lanes; /* [from * n_nodes + to] the lane of each ordered pair of memories */
	struct tw__crossing *crossings;
	struct tw__loads loads;
	struct tw__lane **busy; /* [n_busy] all lanes that have transfers */
	int n_busy;
	struct tw__lane **due; /* [lanes] the lanes that have a start or an end in the current change */
	/* [links + 1] each part has the index of one of its links; the last part has the lanes without shared links. */
	struct tw__part *parts;
	struct tw__lane **parts_busy; /* [lanes] memory for `busy` of all parts, one part after the other */
	struct tw__part **active;     /* [n_active] parts that have busy lanes */
	int n_active;
	struct tw__sharer **sharers; /* [lanes] the flowing lanes, used while rates are computed */
	int *flowing;
	struct tw__share *first_ended, *last_ended; /* ended and not yet returned; by date, then in the order of
	                                             * begin */
	uint64_t sequence;

	double date;       /* date, in seconds, at which a transfer has last entered, begun to flow, or ended */
	double start, end; /* dates at which a transfer next enters or flows; at which one next ends */
	/* Whether `date` may lie in the caller's future. Then only starts came since, and changed lanes have saved
	 * their states from before these starts. */
	bool ahead;
	uint64_t n_ahead; /* how often `ahead` has become true */
	double saved_date, saved_start, saved_end;
};

/* Whether lane->saved is the lane's state from before the shares ran ahead. */
static inline bool tw__lane_is_saved(const struct tw__shares *s, const struct tw__lane *lane)
{
	return s->ahead && lane->saved_ahead == s->n_ahead;
}

/* Makes lanes and parts for the platform's routes. `unit` is the latency of weight 1 (platform/weights.h); 0: all
 * weights are equal. The platform may be one of platform/bottlenecks.h, which gives the same shares at less cost. It is
 * read only in this call. Returns TW_OK or TW_NOMEM; call tw__shares_finish even after a failure. */
int tw__shares_init(struct tw__shares *, const struct tw_platform *, double unit);
void tw__shares_finish(struct tw__shares *);

/* Begins a transfer at `now`; its latency starts then. There must be a route from `from` to `to`. Dates never go back,
 * neither here nor in the functions below. */
void tw__shares_begin(struct tw__shares *, struct tw__share *, tw_node from, tw_node to, double bytes, double now);

/* Returns the date of the next end that tw__shares_end has not returned. INFINITY: no transfer is under way. */
double tw__shares_next(struct tw__shares *);

/* Removes and returns the first transfer that ended at or before `now`; NULL: there is none. Ends come by date, then in
 * the order of begin. Dates that differ by no more than rounding are one date. */
struct tw__share *tw__shares_end(struct tw__shares *, double now);

/* Returns the date at which a rate next changes: a transfer enters, flows or ends. INFINITY: there is none. Only for
 * callers that never call tw__shares_next, which looks ahead. They must take the transfers that have ended before they
 * call this again. */
static inline double tw__shares_change(const struct tw__shares *s) { return s->start < s->end ? s->start : s->end; }

/* Moves the origin of dates: all stored dates become less by `seconds`. */
void tw__shares_shift(struct tw__shares *, double seconds);

#endif
