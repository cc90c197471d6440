/* How the transfers under way share the platform's links, in virtual time. A transfer first waits for the latency of
 * its route. From then on, weighted max-min sharing gives it a rate. Rates are constant until another transfer starts
 * to flow or ends, so ends are exact.
 *
 * The caller may be late: each change has its own date. Dates do not depend, to the last bit, on how often the caller
 * asks.
 *
 * The transfers of one route form a lane; all that flow have the same rate (rates.h). Lanes that share links,
 * directly or through other lanes, form a part. A change costs O(busy lanes of its part and their links), whatever
 * the number of transfers. Dates are those of the SimGrid engine (simgrid.c). */
#ifndef TW__SHARES_H
#define TW__SHARES_H

#include "engine/rates.h"
#include "platform/weights.h"

/* One transfer. The caller owns the memory, and keeps it until the transfer has ended or been dropped. */
struct tw__share {
	double end; /* the date of the end; set when tw__shares_end returns the transfer */

	/* The other members are private to shares.c. */
	struct tw__lane *lane;
	struct tw__share *before, *next; /* in its lane, or among the ended transfers */
	double begin;                    /* when its latency has passed: it flows from then on */
	double bytes;
	double until; /* it ends when its lane's `served` reaches this */
	uint64_t sequence;
	bool ended;
};

/* The state of a lane at one date. */
struct tw__lane_state {
	int entered; /* transfers that bridges count (engine/bridges.h) */
	int flowing; /* of these, transfers that take bandwidth */
	/* The next transfer to enter, and to flow; all behind it in the lane follow later. */
	struct tw__share *enters, *flows;
	double rate;   /* bytes/s of each flowing transfer */
	double served; /* bytes per flowing transfer since the lane was last empty, counted until `since` */
	double since;  /* the last date at which the rate or the transfers changed */
	double least;  /* `until` of the transfer that ends first */
	double end;    /* the date of that end */
	double start;  /* the date at which the next transfer enters or flows */
};

struct tw__lane {
	struct tw__sharer sharer;
	double latency;
	double lead;                    /* seconds from entering bridges to flowing */
	struct tw__share *first, *last; /* in the order of begin */
	struct tw__part *part;
	int place, part_place; /* indices among all busy lanes, and among the part's */
	struct tw__lane_state now, saved;
	uint64_t saved_ahead; /* equal to n_ahead while the shares are ahead: `saved` is the state before that */
};

/* Lanes that share links, directly or through other lanes. A transfer of one part changes no rate in another part. */
struct tw__part {
	struct tw__lane **busy; /* lanes with transfers */
	int n_busy, n_lanes;
	int place;            /* index among the active parts */
	double start, end;    /* of its next change */
	bool changed;         /* since its levels were last computed */
	uint64_t saved_ahead; /* equal to n_ahead while the shares are ahead: it has saved lanes */
	struct tw__load *hub; /* a link that all lanes of the part cross first; or NULL */
	double beside;        /* lower bound on the level that links other than the hub allow a lane */
	double beside_most;   /* upper bound on the same, if levels_known */
	bool levels_known;    /* since the hub was last narrowest for no lane, only lanes alone on their links changed */
	double one_level;     /* the level of all lanes; 0: each lane has its own */
};

struct tw__shares {
	int n_nodes;
	struct tw__lane *lanes; /* [from * n_nodes + to] */
	struct tw__crossing *crossings;
	struct tw__loads loads;
	struct tw__lane **busy; /* lanes with transfers */
	int n_busy;
	struct tw__lane **due; /* [lanes] the lanes that the current change affects */
	/* [links + 1] each at one of its links; the last one: lanes without shared links. */
	struct tw__part *parts;
	struct tw__lane **parts_busy; /* [lanes] the memory of all parts' `busy`, one part after the other */
	struct tw__part **active;     /* parts with busy lanes */
	int n_active;
	struct tw__sharer **sharers; /* [lanes] the flowing lanes, while rates are computed */
	int *flowing;
	struct tw__share *first_ended, *last_ended; /* not yet returned; by date, then in the order of begin */
	uint64_t sequence;

	double date;       /* of the last change */
	double start, end; /* of the next change: a transfer enters or flows; a transfer ends */
	/* `date` may lie in the future, if only starts came since. Changed lanes have saved their states from before
	 * these starts. */
	bool ahead;
	uint64_t n_ahead; /* how often the shares have run ahead */
	double saved_date, saved_start, saved_end;
};

static inline bool tw__lane_is_saved(const struct tw__shares *s, const struct tw__lane *lane)
{
	return s->ahead && lane->saved_ahead == s->n_ahead;
}

/* `unit` is for weights (platform/weights.h); 0: all are equal. The platform may be one of platform/bottlenecks.h,
 * which gives the same shares at less cost. It is read only in this call. Returns TW_NOMEM on failure; call finish
 * even then. */
int tw__shares_init(struct tw__shares *, const struct tw_platform *, double unit);
void tw__shares_finish(struct tw__shares *);

/* Begins a transfer at `now`; its latency starts then. There must be a route. Dates never go back, here and below. */
void tw__shares_begin(struct tw__shares *, struct tw__share *, tw_node from, tw_node to, double bytes, double now);

/* The date of the next end that tw__shares_end has not returned. INFINITY: nothing is under way. */
double tw__shares_next(struct tw__shares *);

/* Removes and returns the first transfer that ended at or before `now`; NULL: none. Ends come by date, then in the
 * order of begin. Dates that differ by no more than rounding are one. */
struct tw__share *tw__shares_end(struct tw__shares *, double now);

/* Moves the origin of dates: all stored dates become less by `seconds`. */
void tw__shares_shift(struct tw__shares *, double seconds);

#endif
