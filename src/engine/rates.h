/* Rates of transfers: weighted max-min sharing of links, by progressive filling.
 *
 * The transfers of one route form a lane, and all that flow have the same rate. Loads of links are updated as lanes
 * change; rates are recomputed after a change. */
#ifndef TW__RATES_H
#define TW__RATES_H

#include <stdbool.h>
#include <stdint.h>

/* The load of a link at one date. */
struct tw__load_state {
	int users;     /* transfers that have entered the link */
	int lanes;     /* lanes with flowing transfers */
	double demand; /* the weights of the flowing transfers, once per crossing */
};

struct tw__load {
	double bandwidth, shared_bandwidth;
	struct tw__load_state now, saved;
	uint64_t saves;    /* the number of saves when `saved` was set */
	double full_level; /* bandwidth / now.demand: the level at which the link is full, if all rates rise together */
	int place;         /* index among the used links */

	/* Used while rates are computed. */
	double room, demand; /* bandwidth left, in bytes/s; the weights of the transfers without a rate */
	double level;        /* room / demand */
	int open, tight;     /* lanes without a rate; of these, lanes whose narrowest link this is */
	uint64_t round;      /* in the first round: the computation that `tight` belongs to */
};

/* A link that a lane crosses, and how many times. */
struct tw__crossing {
	struct tw__load *load;
	double times;
};

/* The part of a lane that the computation of rates needs. */
struct tw__sharer {
	struct tw__crossing *crossings; /* one for each shared link of the route */
	int n_crossings;
	double weight;
	double most;  /* the level that the route's fat pipes allow */
	double level; /* the rate of each transfer, divided by its weight */
};

/* Loads of all links. `used` lists the links with users. */
struct tw__loads {
	struct tw__load *of; /* [links] */
	struct tw__load **used;
	int n_used, saved_n_used;
	uint64_t saves; /* the number of tw__loads_save */
	uint64_t round; /* the number of computations of rates */
};

/* Updates the loads of the sharer's links: `entered` more transfers are on them (negative: fewer). The number of
 * flowing transfers changes from `before` to `after`. */
void tw__loads_change(struct tw__loads *, const struct tw__sharer *, int entered, int before, int after);

/* The level that the sharer's links allow it, without its first link. */
double tw__sharer_level_beside(const struct tw__sharer *);

/* Whether no other flowing sharer crosses its links, the first one excepted. */
bool tw__sharer_is_alone(const struct tw__sharer *, bool flows);

/* Computes the levels of these sharers; they flow, and include all that share links with them. *beside_least and
 * *beside_most bound the levels that links other than their first allow them. False: the levels are wrong, because
 * some link has sharers with a narrower link; then call tw__loads_levels. */
bool tw__loads_full_levels(struct tw__loads *, struct tw__sharer *const *sharers, int n, double *beside_least,
                           double *beside_most);

/* Computes the levels of all flowing sharers; flowing[i] counts the transfers of sharers[i]. Reorders both arrays. */
void tw__loads_levels(struct tw__loads *, struct tw__sharer **sharers, int *flowing, int n);

/* Saves and restores the loads. In between, users may only be added. */
void tw__loads_save(struct tw__loads *);
void tw__loads_restore(struct tw__loads *);

#endif
