/* How the transfers under way share the platform's links, in virtual time. A transfer first waits for the latency of
 * its route. From then on, weighted max-min sharing gives it a rate. Rates are constant until another transfer starts
 * to flow or ends, so the dates of ends are exact.
 *
 * The caller may be late: each change has its own date. Dates do not depend, to the last bit, on how often the caller
 * asks.
 *
 * The transfers of one route form a lane, and lanes that share links form a part (lanes.h). A change costs at most
 * O(busy lanes of its part and their links), whatever the number of transfers, and O(log(parts)). While one link is the
 * narrowest of many lanes, it costs O(lanes that change and their links). Dates are those of the SimGrid engine
 * (simgrid.c). */
#ifndef TW__SHARES_H
#define TW__SHARES_H

#include "base/heap.h"
#include "base/memory.h"
#include "links/lanes.h"
#include "platform/weights.h"

struct tw__shares {
	struct tw__arena memory; /* of all arrays */
	int n_nodes;
	struct tw__lane *lanes; /* [n_lanes] one for each route, in their order */
	int n_lanes;
	int *lane_of; /* [from * n_nodes + to] index in `lanes`; without a route: that of the next one */
	struct tw__crossing *crossings;
	struct tw__loads loads;
	struct tw__lane **busy; /* [n_busy] all lanes that have transfers */
	int n_busy;
	struct tw__lane **due; /* [lanes] the lanes that have a start or an end in the current change */
	/* [links + 1] each part has the index of one of its links; the last part has the lanes without shared links. */
	struct tw__part *parts;
	struct tw__lane **parts_busy;  /* [lanes] memory for `busy` of all parts, one part after the other */
	struct tw__heap parts_by_date; /* the parts that have busy lanes; the one that changes first is on top */
	struct tw__part **due_parts;   /* [n_due_parts] the parts in the current change: they are not in the heap */
	int n_due_parts;
	struct tw__sharer **sharers; /* [lanes] the flowing lanes, used while rates are computed */
	int *flowing;
	struct tw__share_list ended; /* ended and not yet returned; by date, then in the order of begin */
	uint64_t sequence;

	double date; /* date, in seconds, at which a transfer has last entered, begun to flow, or ended */
	/* Whether `date` may lie in the caller's future. Then only starts came since. Changed lanes and parts have
	 * saved their states from before these starts. */
	bool ahead;
	uint64_t n_ahead; /* how often `ahead` has become true */
	/* While ahead: the lanes and the parts that have saved states, linked by next_saved. */
	struct tw__lane *first_saved;
	struct tw__part *first_saved_part;
	double saved_date;
};

/* Returns the part that changes first; NULL: no transfer is under way. */
static inline struct tw__part *tw__shares_first(const struct tw__shares *s)
{
	struct tw__heap_item *top = tw__heap_top(&s->parts_by_date);
	return top ? TW__CONTAINER(top, struct tw__part, in_heap) : NULL;
}

/* Return whether lane->saved or part->saved is the state from before the shares ran ahead. */
static inline bool tw__lane_is_saved(const struct tw__shares *s, const struct tw__lane *lane)
{
	return s->ahead && lane->saved_ahead == s->n_ahead;
}

static inline bool tw__part_is_saved(const struct tw__shares *s, const struct tw__part *part)
{
	return s->ahead && part->saved_ahead == s->n_ahead;
}

/* Makes lanes and parts for the platform's routes. The platform may be one of platform/bottlenecks.h, which gives the
 * same shares at less cost; the weights are those of the original. Both are read only in this call. */
void tw__shares_init(struct tw__shares *, const struct tw__platform *, const struct tw__weights *);
void tw__shares_finish(struct tw__shares *);

/* Begins a transfer at `now`. There must be a route from `from` to `to`. Dates never go back, neither here nor in the
 * functions below. The latency of the route counts from `since`, at most `now`. This is the date at which the caller
 * asked for the transfer; other transfers may have ended at a later fraction of that nanosecond. */
void tw__shares_begin_since(struct tw__shares *, struct tw__share *, tw_node from, tw_node to, double bytes,
                            double since, double now);

static inline void tw__shares_begin(struct tw__shares *s, struct tw__share *share, tw_node from, tw_node to,
                                    double bytes, double now)
{
	tw__shares_begin_since(s, share, from, to, bytes, now, now);
}

/* Returns the date of the next end that tw__shares_end has not returned. INFINITY: no transfer is under way. */
double tw__shares_next(struct tw__shares *);

/* Removes and returns the first transfer that ended at or before `now`; NULL: there is none. Ends come by date, then in
 * the order of begin. Dates that differ by no more than rounding are one date. */
struct tw__share *tw__shares_end(struct tw__shares *, double now);

/* Returns the date at which a rate next changes: a transfer enters, flows or ends. INFINITY: there is none. Only for
 * callers that never call tw__shares_next, which looks ahead. They must take the transfers that have ended before they
 * call this again. */
static inline double tw__shares_change(const struct tw__shares *s)
{
	const struct tw__part *part = tw__shares_first(s);
	return part ? tw__part_change(part) : INFINITY;
}

/* Moves the origin of dates: all stored dates become less by `seconds`. */
void tw__shares_shift(struct tw__shares *, double seconds);

/* --- plan.c: for the files of src/links/ alone -------------------------------------------------------------------- */

/* Save the state of a lane, with its part, or of a part, if the shares are ahead. Called before the state changes. */
static inline void tw__part_save(struct tw__shares *s, struct tw__part *part)
{
	if (!s->ahead || part->saved_ahead == s->n_ahead)
		return;
	part->saved = part->now;
	part->saved_ahead = s->n_ahead;
	part->next_saved = s->first_saved_part;
	s->first_saved_part = part;
}

static inline void tw__lane_save(struct tw__shares *s, struct tw__lane *lane)
{
	if (!s->ahead || lane->saved_ahead == s->n_ahead)
		return;
	lane->saved = lane->now;
	lane->saved_ahead = s->n_ahead;
	lane->next_saved = s->first_saved;
	s->first_saved = lane;
	tw__part_save(s, lane->part);
}

/* Returns where on a part's scale the current date is, after reading the clock if the part has one. Called while the
 * part's level is still that of the time before. */
static inline double tw__part_read(const struct tw__shares *s, struct tw__part *part)
{
	struct tw__part_state *now = &part->now;
	if (!(now->level > 0))
		return s->date;
	now->clock += now->level * (s->date - now->since);
	now->since = s->date;
	return now->clock;
}

/* Updates the rates of the due parts, and the dates of their next start and end. Called after each change. The first n
 * lanes of `due` have changed, and have no rate. */
void tw__plan(struct tw__shares *, int n_due);

#endif
