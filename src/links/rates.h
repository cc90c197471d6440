/* Rates of transfers: weighted max-min sharing of links, by progressive filling.
 *
 * The transfers of one route form a lane. All flowing transfers of a lane have the same rate. A level is a rate divided
 * by the lane's weight. Loads of links are updated as lanes change; rates are recomputed after a change. */
#ifndef TW__RATES_H
#define TW__RATES_H

#include <stdbool.h>
#include <stdint.h>

/* The transfers on a link at one date. */
struct tw__load_state {
	int users; /* number of transfers that have entered the link */
	int lanes; /* number of lanes with flowing transfers on the link */
	/* The sum of the weights of the flowing transfers, once per crossing. `rest` is its rounding error: otherwise a
	 * heavy flow that comes and goes would change the rates of light ones. */
	double demand, rest;
};

struct tw__load {
	double bandwidth, shared_bandwidth;
	struct tw__load_state now, saved;
	uint64_t saves;    /* value of tw__loads.saves when `saved` was set */
	double full_level; /* bandwidth / now.demand: the level of a full link, if all levels rise together */
	int place;         /* index of the link in tw__loads.used */

	/* The members below are used while rates are computed. */
	double room, demand; /* bandwidth left, in bytes/s; sum of the weights of transfers without a final rate */
	double level;        /* room / demand: the level at which the rest of the link is full */
	int open, tight;     /* lanes without a final rate; of these, lanes whose narrowest link this is */
	uint64_t round;      /* in the first round: number of the computation that `tight` belongs to */
};

/* A link that a lane crosses, and how often its route lists the link. */
struct tw__crossing {
	struct tw__load *load;
	int times;
};

/* The part of a lane that the computation of rates needs. */
struct tw__sharer {
	struct tw__crossing *crossings; /* one for each shared link of the lane's route */
	int n_crossings;
	double weight;
	double most;  /* the greatest level that the fat pipes of the route allow */
	double level; /* result: the rate of each transfer of the lane, divided by the lane's weight */
};

/* The loads of all links. `used` lists the links that have users. */
struct tw__loads {
	struct tw__load *of; /* [links]: the load of each link */
	struct tw__load **used;
	int n_used, saved_n_used;
	uint64_t saves; /* number of calls of tw__loads_save so far */
	uint64_t round; /* number of computations of rates so far */
};

/* Updates the loads of the links of a lane: `entered` more transfers are on them (negative: fewer). The number of
 * flowing transfers of the lane changes from `before` to `after`. */
void tw__loads_change(struct tw__loads *, const struct tw__sharer *, int entered, int before, int after);

/* Sets *level to the level that a lane's links, except for the first one, allow the lane. Returns whether no other lane
 * with flowing transfers crosses these links. `flows`: whether the lane itself has flowing transfers. */
bool tw__sharer_is_alone(const struct tw__sharer *, bool flows, double *level);

/* Computes the levels of n lanes. All must flow, and the list must include all lanes that share links with them. Sets
 * *beside_least and *beside_most to the least and the greatest level that links other than its first allow a lane.
 * Returns false if the levels are wrong, because a lane that crosses another lane's narrowest link has a narrower one.
 * Then call tw__loads_levels. */
bool tw__loads_full_levels(struct tw__loads *, struct tw__sharer *const *sharers, int n, double *beside_least,
                           double *beside_most);

/* Computes the levels of all flowing lanes; flowing[i] counts the flowing transfers of sharers[i]. Reorders both
 * arrays. */
void tw__loads_levels(struct tw__loads *, struct tw__sharer **sharers, int *flowing, int n);

/* Saves and restores the loads. Between the two calls, users may only be added. */
void tw__loads_save(struct tw__loads *);
void tw__loads_restore(struct tw__loads *);

#endif
