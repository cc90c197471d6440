/* Packages of tasks, and the bytes that packages share: the state of tw_pack(), which merges packages (packing.h). A
 * package has a number: that of its first task among the tasks to be packed, from 0. When two packages merge, the lower
 * number remains. */
#ifndef TILEWRIGHT_PACKAGES_H
#define TILEWRIGHT_PACKAGES_H

#include "policies/support/packing.h"
#include "policies/support/sharing.h"

/* The ends of a package: the two sub-packages that it was merged from. In a package of a single task, this task is both
 * ends. */
enum tw__end { TW__START, TW__END };
enum { TW__BOTH_ENDS = 1 << TW__START | 1 << TW__END };

/* A handle of a package, which tasks of the package use. */
struct tw__held {
	tw_data data;
	int32_t entry; /* index of the package among the holders of the handle: the packages that have it */
};

/* A package that has a handle: package name[holder]. A package that gets another number keeps its holders. */
struct tw__holder {
	int32_t holder, place; /* place: index of the handle in `held` of the package */
};

/* One end of a package. */
struct tw__package_end {
	int32_t task : 31; /* the first or the last task, as index in tw__package_set.tasks */
	bool fits : 1;     /* whether the handles of the sub-package at this end fit in the memory */
};

struct tw__package {
	/* [n_data] The handles of the package; there is room for held_room. First come those of the larger sub-package
	 * alone. From both_from on follow those of both, and from small_from on those of the smaller one alone. In a
	 * package of a single task all are those of both. */
	struct tw__held *held;
	int32_t n_data, held_room, both_from, small_from;
	struct tw__package_end ends[2];
	/* Number of tasks of the first sub-package; 0: the package has a single task. */
	int32_t split;
	int32_t holder : 31; /* number of the package in the lists of holders: its own number is name[holder] */
	bool large_last : 1; /* whether the larger sub-package is at the end of the package */
};

/* Returns the ends of package p that have held[place]: bit e is set if the sub-package at end e (enum tw__end) does. */
static inline uint8_t tw__held_ends(const struct tw__package *p, int32_t place)
{
	uint8_t large = (uint8_t)(1 << (p->large_last ? TW__END : TW__START));
	if (place >= p->small_from)
		return TW__BOTH_ENDS ^ large;
	return place >= p->both_from ? (uint8_t)TW__BOTH_ENDS : large;
}

/* The most bytes that a package shares with another one (tw__package_set_rank), and its value in the last count. The
 * caller may use `most` for a number of its own between ranks. */
struct tw__rank {
	uint64_t most;
	uint64_t counted; /* counted_from + the bytes of the last count; not above counted_from: no bytes */
};

struct tw__package_set {
	const struct tw_sharing *sh;
	const tw_task *tasks; /* [n] the tasks to be packed */
	/* [n] The tasks of each package are a chain. Each element is the exclusive or of 1 + the indexes of both
	 * neighbours of the task in its chain (0: none), so a chain can be walked from both ends. */
	uint32_t *chain;
	struct tw__package *packages;
	int32_t *n_tasks;      /* [packages] number of tasks of each package; 0: it was merged into another package */
	uint64_t *bytes;       /* [packages] bytes of all handles of the package */
	uint64_t memory_bytes; /* sub-packages beyond this size do not fit in the memory */
	int32_t n, n_alive;
	/* The holders of each handle d, which are the packages that have the handle: n_holders[d] entries of `holders`
	 * from index sh->first_task[d] on. The first n_open[d] of them are open (tw__package_set_close). */
	struct tw__holder *holders;
	int32_t *n_holders, *n_open, *name;
	tw_data *closed; /* [n_closed] all handles with closed holders; some may come twice */
	size_t n_closed, closed_capacity;
	/* [data] index of the handle in `held` of the package listed last (tw__package_set_list); any value for other
	 * handles */
	int32_t *place;
	int32_t listed; /* the package listed last; TW_NONE: none is */
	int64_t steps;  /* number of holders that lookups may have visited since then */
	/* The result of the last tw__package_set_look(): the packages that share data with the package looked at. The
	 * bytes are a count (tw__package_set_counted). */
	int32_t looked_at; /* the package looked at; TW_NONE: the result is out of date */
	int32_t *sharing, n_sharing;
	size_t sharing_capacity;
	struct tw__rank *ranks; /* [packages] */
	/* The values of the last count lie between these two. The values of earlier counts are at most counted_from. */
	uint64_t counted_from, counted_to;
	int64_t looks; /* number of holders of handles that looks, ranks and counts have visited so far */
};

/* Makes a package of each of the n tasks. The array of tasks must outlive the packages. */
void tw__package_set_init(struct tw__package_set *, const struct tw_sharing *, const tw_task *tasks, int32_t n,
                          uint64_t memory_bytes);
void tw__package_set_finish(struct tw__package_set *);

/* Returns the neighbour of a task in its chain that is not `before`; TW_NONE: there is none. */
static inline int32_t tw__package_next(const struct tw__package_set *set, int32_t task, int32_t before)
{
	return (int32_t)(set->chain[task] ^ (uint32_t)(before + 1)) - 1;
}

/* Writes the tasks of package p to `tasks`, in order. */
void tw__package_set_tasks(const struct tw__package_set *, int32_t p, tw_task *tasks);

/* Returns the package with more handles, i or j; ties: i. */
int32_t tw__package_set_larger(const struct tw__package_set *, int32_t i, int32_t j);
/* Makes p the package listed last: fills `place` with the index of each handle in the package, unless it is so
 * already. */
void tw__package_set_list(struct tw__package_set *, int32_t p);
/* Prepares for lookups of all handles of package q in package p. Lists p, unless visits of holders take less time. So
 * merging a small package with a large one costs O(handles of the small one), if few packages have each handle. */
void tw__package_set_list_for(struct tw__package_set *, int32_t p, int32_t q);

/* Returns the index of the handle in `held` of package p; TW_NONE: the package does not have the handle. */
static inline int32_t tw__package_place(const struct tw__package_set *set, int32_t p, tw_data d)
{
	const struct tw__package *package = &set->packages[p];
	if (set->listed == p)
		return set->place[d] < package->n_data && package->held[set->place[d]].data == d ? set->place[d]
		                                                                                 : (int32_t)TW_NONE;
	const struct tw__holder *h = &set->holders[set->sh->first_task[d]], *end = h + set->n_holders[d];
	while (h < end && h->holder != package->holder)
		h++;
	return h < end ? h->place : (int32_t)TW_NONE;
}

/* Returns the bytes that packages p and q share. Looks up the handles of p in q. */
uint64_t tw__package_set_shared(struct tw__package_set *, int32_t p, int32_t q);

/* Whether the handles of packages p and q, which share `shared` bytes, take at most `limit` bytes together. */
static inline bool tw__packages_fit(const struct tw__package_set *set, int32_t p, int32_t q, uint64_t shared,
                                    uint64_t limit)
{
	return set->bytes[p] + set->bytes[q] - shared <= limit;
}

/* Closes an open package, until tw__package_set_open_all() opens all packages again. Looks ignore a closed package,
 * except for handles that it gets in a merge. Initially all packages are open. O(handles of the package). */
void tw__package_set_close(struct tw__package_set *, int32_t p);
void tw__package_set_open_all(struct tw__package_set *);

/* Looks at package p: fills `sharing` with the open packages that share data with p, and counts their bytes. The list
 * stays unchanged when packages merge later; the counts hold until the next count. */
void tw__package_set_look(struct tw__package_set *, int32_t p);
/* Adds the closed packages that share data with the package looked at to the result of the last look. */
void tw__package_set_look_at_closed(struct tw__package_set *);

/* Considers the open packages q that share data with package p and fit: both together have at most `limit` bytes.
 * Raises ranks[p].most to the most bytes that p shares with any of these q. Raises ranks[q].most of each q to the bytes
 * that q shares with p. */
void tw__package_set_rank(struct tw__package_set *, int32_t p, uint64_t limit);

/* Counts for each open package q the bytes that q shares with one end of p. Handles of p's other end do not count. The
 * function tw__package_set_counted then returns the count of a package. */
void tw__package_set_count(struct tw__package_set *, int32_t p, enum tw__end);
static inline uint64_t tw__package_set_counted(const struct tw__package_set *set, int32_t q)
{
	uint64_t counted = set->ranks[q].counted;
	return counted > set->counted_from ? counted - set->counted_from : 0;
}

/* Chooses which of the packages i and j are reversed when they merge. Sets merge->i_reversed and j_reversed, which must
 * be false before. ends[0] and ends[1] are scratch, one byte per handle each. In flipping.c. */
void tw__flip(struct tw__package_set *, int32_t i, int32_t j, uint8_t *const ends[2], struct tw_merge *merge);

/* Merges two packages into one: the tasks of i, each list reversed if told, then those of j. Returns the number of the
 * merged package. */
int32_t tw__package_set_merge(struct tw__package_set *, int32_t i, bool i_reversed, int32_t j, bool j_reversed);

#endif
