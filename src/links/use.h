/* The use of links over time. From the starts of transfers, it computes the rates of links and memories at each moment,
 * what each link could pass then, and the bytes that have passed. Rates are those of the model (shares.h). */
#ifndef TW__USE_H
#define TW__USE_H

#include "base/date.h"
#include "links/shares.h"

/* The use of a link, or of one direction of a memory. */
struct tw__passed {
	double bytes; /* bytes passed since the last tw__use_clear; a transfer that crosses a link twice counts twice */
	double rate;  /* bytes/s, at the last tw__use_look */
	/* Bytes/s that the link could pass, at the last tw__use_look: its shared_bandwidth while several transfers are
	 * on it. A fat pipe can pass its bandwidth once for each flowing transfer, so nothing while it is idle. A link
	 * that limits its transfers passes all that it can. Memories: 0. */
	double capacity;
	double idle, bandwidth; /* private to use.c: capacity while nothing passes; bandwidth of a link */
	bool listed;
};

/* Return the index in tw__use.of of a memory inwards, of a memory outwards, of a link. */
static inline int tw__passed_in(tw_node n) { return n; }
static inline int tw__passed_out(const struct tw__platform *p, tw_node n) { return p->n_nodes + n; }
static inline int tw__passed_link(const struct tw__platform *p, int link) { return 2 * p->n_nodes + link; }

struct tw__use {
	const struct tw__platform *platform;
	bool links_only; /* the use of memories is not counted */
	bool rates_only; /* nor are bytes; the caller may set it after tw__use_init */
	struct tw__shares shares;
	struct tw__passed *of; /* [2 * n_nodes + n_links] each memory inwards, each outwards, each link */
	/* [n_listed] indices in `of` of all that pass, have passed, or can pass another rate than while idle. Each
	 * stays in the list until the second tw__use_clear after that. */
	int *listed, n_listed;
	/* Private to use.c: all that the lane of each number passes, the two memories first. The fat pipes among these
	 * come a second time. */
	struct tw__use_lane {
		struct tw__passed **first, **pipes, **end;
		uint64_t looks; /* n_looks, if the lane had flowing transfers at the last one: so all are listed */
	} * lanes;
	uint64_t n_looks;
	struct tw__arena memory; /* of the arrays and of all transfers */
	struct tw__user *unused;
	tw__ns origin; /* date that second 0 of `shares` stands for */
	double date;   /* date until which bytes are counted, in seconds from `origin` */
};

/* Prepares for a platform, without transfers, at date 0. The platform must live as long. `weights`
 * are read only in this call. `links_only`: does not count the use of memories. */
void tw__use_init(struct tw__use *, const struct tw__platform *, const struct tw__weights *weights, bool links_only);
void tw__use_finish(struct tw__use *);

/* Begins a transfer at the date until which bytes are counted. There must be a route. */
void tw__use_begin(struct tw__use *, tw_node from, tw_node to, uint64_t bytes);

/* Returns the next date at which a rate changes, rounded up to a nanosecond. TW__NEVER: no transfer is under way. */
tw__ns tw__use_next(const struct tw__use *);

/* Counts the bytes until `date`, which must not be before that of an earlier call. */
void tw__use_run(struct tw__use *, tw__ns date);

/* Sets `rate` and `capacity` of all links and memories to those of this moment. */
void tw__use_look(struct tw__use *);

/* Sets the bytes of all links and memories to 0. */
void tw__use_clear(struct tw__use *);

#endif
