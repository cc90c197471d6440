/* At which rate transfers flow: weighted max-min sharing of links, by progressive filling.
 *
 * The transfers of one route form a lane: all that flow have the same rate. Loads of links are kept up as lanes
 * change, and rates are computed anew after a change. */
#ifndef TW__RATES_H
#define TW__RATES_H

#include <stdbool.h>
#include <stdint.h>

/* How a link is loaded at one date. */
struct tw__load_state {
	int users;     /* transfers that have entered */
	int lanes;     /* with transfers that flow */
	double demand; /* the weights of these transfers, each as often as it crosses the link */
};

struct tw__load {
	double bandwidth, shared_bandwidth;
	struct tw__load_state now, saved;
	double full_level; /* at which it is full when all rates rise together: bandwidth / now.demand */
	int place;         /* among the used links */

	/* While rates are computed: */
	double room, demand; /* bytes/s that are not given away yet; weights of the transfers without a rate */
	double level;        /* room / demand */
	int open, tight;     /* lanes without a rate; of them, those whose narrowest link it is */
	uint64_t round;      /* the computation that `tight` belongs to, in the first round */
};

/* A link that a lane crosses, `times` in all. */
struct tw__crossing {
	struct tw__load *load;
	double times;
};

/* The part of a lane that rates are about. */
struct tw__sharer {
	struct tw__crossing *crossings; /* one for each shared link of the route */
	int n_crossings;
	double weight;
	double most;  /* the level that the route's fat pipes allow */
	double level; /* the rate of each transfer for a weight of 1 */
};

/* The links with users, in the order in which they got the first one. */
struct tw__loads {
	struct tw__load *of; /* [links] */
	struct tw__load **used;
	int n_used, saved_n_used;
	uint64_t round; /* how often rates were computed */
};

/* So many more transfers have entered the sharer's links (fewer, if negative); those that flow were `before`, and
 * are now `after`. */
void tw__loads_change(struct tw__loads *, const struct tw__sharer *, int entered, int before, int after);

/* The level that all links but the sharer's first allow it. */
double tw__sharer_level_beside(const struct tw__sharer *);

/* Computes the levels of these sharers, which flow, with all others that share links with them; and the least level that links beside
 * their first allow one. False: levels are wrong, for some link has sharers with a narrower one; tw__loads_levels is due. */
bool tw__loads_full_levels(struct tw__loads *, struct tw__sharer *const *sharers, int n, double *beside);

/* Computes the level of each of these sharers, which flow: all that do, flowing[i] transfers each. Orders both anew. */
void tw__loads_levels(struct tw__loads *, struct tw__sharer **sharers, int *flowing, int n);

/* Loads as they are now; restores them, when users have only come since. */
void tw__loads_save(struct tw__loads *);
void tw__loads_restore(struct tw__loads *);

#endif
