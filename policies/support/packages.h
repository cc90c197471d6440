/* Packages of tasks, and the bytes that they share: tw_pack() starts from them and merges them. A package has the
 * number of its first task among the tasks to be packed, from 0. When two merge, the lower number remains. */
#ifndef TILEWRIGHT_PACKAGES_H
#define TILEWRIGHT_PACKAGES_H

#include "policies/support/packing.h"
#include "policies/support/sharing.h"

/* The ends of a package: the sub-packages that it was merged from. A single task is both. */
enum tw__end { TW__START, TW__END };
enum { TW__BOTH_ENDS = 1 << TW__START | 1 << TW__END };

/* A handle in a package. */
struct tw__held {
	tw_data data;
	int32_t entry;   /* index of this package among the holders of the handle */
	uint8_t in_ends; /* bit e: the sub-package at end e has the handle */
};

struct tw__package {
	tw_task *tasks;
	struct tw__held *held; /* [n_data], unordered */
	int32_t split;         /* sub-packages: the tasks before `split`, and the others; 0: a single task */
	int32_t n_data;
	uint64_t end_bytes[2];
};

/* The rank of a package, see tw__package_set_rank. */
struct tw__rank {
	uint64_t most;
	uint64_t counted; /* above `counted_from`: the bytes of the last count */
};

struct tw__package_set {
	const struct tw_sharing *sh;
	struct tw__package *packages;
	int32_t *n_tasks; /* [packages] 0: merged into another package */
	uint64_t *bytes;  /* [packages] bytes of its handles */
	int32_t n, n_alive;
	/* Packages of each handle (its holders): from sh->first_task[d] on, n_open[d] open ones first; unordered. */
	int32_t *holders, *n_holders, *n_open;
	int32_t *in_holder; /* of each holder: index of the handle in the package's `held` */
	bool any_closed;
	int32_t *place; /* [data] index in the package listed last; arbitrary for other handles */
	/* Packages that share data with the package of the last look: */
	int32_t looked_at; /* the package; TW_NONE: the result is out of date */
	uint64_t *shared;  /* [packages] shared bytes; 0 for all others */
	int32_t *sharing, n_sharing;
	struct tw__rank *ranks;            /* [packages] */
	uint64_t counted_from, counted_to; /* the last count lies between them; all earlier ones lie below */
};

/* Makes each task a package. TW_NOMEM: call finish all the same. */
int tw__package_set_init(struct tw__package_set *, const struct tw_sharing *, const tw_task *tasks, int32_t n);
void tw__package_set_finish(struct tw__package_set *);

/* The package with more handles; ties: i. */
int32_t tw__package_set_larger(const struct tw__package_set *, int32_t i, int32_t j);
/* Lists the handles of a package: fills `place`. */
void tw__package_set_list(struct tw__package_set *, int32_t p);

/* Index of the handle in the package listed last; TW_NONE: the package does not have it. */
static inline int32_t tw__package_place(const struct tw__package_set *set, const struct tw__package *p, tw_data d)
{
	return set->place[d] < p->n_data && p->held[set->place[d]].data == d ? set->place[d] : (int32_t)TW_NONE;
}

/* The bytes that p shares with the package listed last. */
uint64_t tw__package_set_shared(const struct tw__package_set *, int32_t p, int32_t listed);

/* Whether two packages that share so many bytes have at most `limit` bytes together. */
static inline bool tw__packages_fit(const struct tw__package_set *set, int32_t p, int32_t q, uint64_t shared,
                                    uint64_t limit)
{
	return set->bytes[p] + set->bytes[q] - shared <= limit;
}

/* Closes an open package until all are opened again. Looks at open packages ignore a closed one, except as holder of
 * handles that it gets in a merge. Initially all are open. O(handles of the package). */
void tw__package_set_close(struct tw__package_set *, int32_t p);
void tw__package_set_open_all(struct tw__package_set *);

/* Fills `sharing` and `shared` with the open packages that share data with p. They stay unchanged when packages
 * merge. */
void tw__package_set_look(struct tw__package_set *, int32_t p);
/* Adds the closed packages to the result of the last look. */
void tw__package_set_look_at_closed(struct tw__package_set *);

/* Raises the `most` of p to the most bytes that p shares with an open package such that both fit below the limit. Also
 * raises that of each such package to the bytes that it shares with p. */
void tw__package_set_rank(struct tw__package_set *, int32_t p, uint64_t limit);

/* For each open package q: counts the bytes of handles that it shares with one end of p, and that the other end of p
 * does not have. */
void tw__package_set_count(struct tw__package_set *, int32_t p, enum tw__end);
static inline uint64_t tw__package_set_counted(const struct tw__package_set *set, int32_t q)
{
	uint64_t counted = set->ranks[q].counted;
	return counted > set->counted_from ? counted - set->counted_from : 0;
}

/* flipping.c. Chooses which packages are reversed when i and j merge: merge->i_reversed and j_reversed, which were
 * false. ends[0] and ends[1] are scratch, [data]. Lists the larger package. */
void tw__flip(struct tw__package_set *, int32_t i, int32_t j, uint64_t memory_bytes, uint8_t *const ends[2],
              struct tw_merge *merge);

/* Merges into one package: the tasks of i, then those of j, each reversed or not. Returns its number or TW_NOMEM. The
 * larger package must have been listed; the merged package is listed on return. */
int32_t tw__package_set_merge(struct tw__package_set *, int32_t i, bool i_reversed, int32_t j, bool j_reversed);

#endif
