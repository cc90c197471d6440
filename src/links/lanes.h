/* Lanes: the transfers of one route. All flowing transfers of a lane have the same rate (rates.h), so they end in the
 * order of their bytes. Lanes that share links, directly or through other lanes, form a part.
 *
 * A lane counts bytes and its next end on the scale of its part. The scale is mostly seconds. While many lanes of the
 * part have one level, the scale is the part's clock: the integral of that level over time. When the level changes,
 * only the clock changes its speed, and the lanes stay as they are. */
#ifndef TW__LANES_H
#define TW__LANES_H

#include <math.h>
#include <stddef.h>

#include "base/heap.h"
#include "links/rates.h"

/* --- sorted lists ------------------------------------------------------------------------------------------------- */

/* Sorted lists of items, each with a number: the least number first. New items mostly have great numbers, so the search
 * for the place of an item begins at the end of the list. A zeroed item is in no list. */

/* An item, or the list itself, which is the item before the first and after the last one. */
struct tw__sorted {
	double at;
	struct tw__sorted *before, *next; /* NULL: the item is in no list */
};

static inline void tw__sorted_init(struct tw__sorted *list)
{
	*list = (struct tw__sorted){.at = -INFINITY, .before = list, .next = list};
}

static inline void tw__sorted_take(struct tw__sorted *item)
{
	if (!item->next)
		return;
	item->before->next = item->next;
	item->next->before = item->before;
	item->next = NULL;
}

/* Moves the item to the place of `at`; INFINITY: takes it out of the list. */
static inline void tw__sorted_put(struct tw__sorted *list, struct tw__sorted *item, double at)
{
	tw__sorted_take(item);
	if (at == INFINITY)
		return;
	struct tw__sorted *before = list->before;
	while (before->at > at)
		before = before->before;
	item->at = at;
	item->before = before;
	item->next = before->next;
	before->next->before = item;
	before->next = item;
}

/* Returns the least number in the list; INFINITY: the list is empty. */
static inline double tw__sorted_first(const struct tw__sorted *list)
{
	return list->next != list ? list->next->at : INFINITY;
}

/* --- lanes and parts ---------------------------------------------------------------------------------------------- */

/* One transfer. The caller owns the memory of this struct, and keeps it until the transfer has ended. */
struct tw__share {
	double end; /* date at which the transfer ends; valid once tw__shares_end has returned it */

	/* The other members are private to src/links/. */
	struct tw__lane *lane;
	struct tw__share *before, *next; /* neighbours in its lane, or in the list of ended transfers */
	double begin;                    /* date at which the latency has passed: the transfer flows from then on */
	double bytes;
	double until; /* the transfer ends when its lane's `served` reaches this number of bytes */
	uint64_t sequence;
	bool ended;
};

/* Transfers, in the order of the list. */
struct tw__share_list {
	struct tw__share *first, *last;
};

/* The state of a lane at one date. */
struct tw__lane_state {
	int entered; /* number of transfers that bridges count (engine/simgrid.h) */
	int flowing; /* of the entered transfers, number of those that take bandwidth */
	/* The next transfer to enter, and the next to flow, or NULL; those behind it in the lane follow later. */
	struct tw__share *enters, *flows;
	double rate;   /* rate of each flowing transfer, in bytes per unit of the part's scale */
	double served; /* bytes per flowing transfer since the lane was last empty, up to `since` */
	double since;  /* where on the part's scale `rate` or the flowing transfers last changed */
	double least;  /* `until` of the transfer that ends first; INFINITY: none flows */
	double end;    /* where on the part's scale that transfer ends */
	double start;  /* date at which the next transfer enters or flows */
};

struct tw__lane {
	struct tw__sharer sharer;
	/* The route's latency is the sum of two parts. A transfer first sleeps, and does not count on links. `wait` is
	 * the latency of the link for weights (platform/weights.h). */
	double sleep, wait;
	double lead;                     /* seconds from a transfer's entering of bridges to its flowing */
	struct tw__share_list transfers; /* in the order of `begin` */
	struct tw__part *part;
	int route;                      /* index of its route: from * n_nodes + to */
	int place, part_place;          /* indices in tw__shares.busy and in tw__part.busy */
	struct tw__sorted starts, ends; /* items of the part's lists: now.start and now.end */
	struct tw__lane_state now, saved;
	uint64_t saved_ahead; /* equal to n_ahead while the shares are ahead: `saved` is the state before that */
	struct tw__lane *next_saved;
};

/* The state of a part at one date. */
struct tw__part_state {
	double start, end; /* dates at which a transfer of the part next enters or flows; at which one next ends */
	double level;      /* the level of all lanes, if the part has a clock; 0: it has none */
	double clock;      /* the integral of `level` over time, up to `since`; it begins at 0 */
	double since;      /* date at which the clock was last read */
	double beside;     /* lower bound on the level that links other than the hub allow a lane */
};

/* Lanes that share links, directly or through other lanes. A transfer of one part changes no rate in another part. */
struct tw__part {
	struct tw__lane **busy; /* [n_busy] lanes of the part that have transfers */
	int n_busy, n_lanes;
	struct tw__heap_item in_heap;   /* item of tw__shares.parts_by_date, while the part has busy lanes */
	struct tw__sorted starts, ends; /* the busy lanes: by now.start; by now.end */
	struct tw__part_state now, saved;
	uint64_t saved_ahead; /* as in struct tw__lane */
	struct tw__part *next_saved;
	struct tw__load *hub; /* a link that all lanes of the part cross first; NULL: there is none */
	double beside_most;   /* upper bound on the level of now.beside; valid if levels_known */
	/* Whether the part has a hub, and the `level` of each lane that flows is the one that other links allow. So it
	 * is if the hub was the narrowest link of no lane, and since then only lanes changed that are alone on their
	 * other links. */
	bool levels_known;
	/* Results of a computation of levels: the next value of now.level; whether the levels of lanes without a change
	 * may have changed, too. */
	double next_level;
	bool all_changed;
	double last_due; /* during a change: where on the part's scale its last end is that is due */
};

/* Return whether a transfer of the part starts before one ends; the date of the part's next start or end. */
static inline bool tw__part_starts(const struct tw__part *part) { return part->now.start < part->now.end; }

static inline double tw__part_change(const struct tw__part *part)
{
	return tw__part_starts(part) ? part->now.start : part->now.end;
}

/* Returns the rate of each flowing transfer of a lane, in bytes/s. */
static inline double tw__lane_rate(const struct tw__lane *lane)
{
	return lane->part->now.level > 0 ? lane->part->now.level * lane->now.rate : lane->now.rate;
}

/* Adds the bytes that the lane has served until `at` on its part's scale. */
static inline void tw__lane_bring(struct tw__lane *lane, double at)
{
	lane->now.served += lane->now.rate * (at - lane->now.since);
	lane->now.since = at;
}

#endif
