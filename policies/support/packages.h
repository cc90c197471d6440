/* Packages of tasks, and which bytes they share: what tw_pack() starts from and merges. They have the numbers of the tasks to be
 * packed, from 0; two that merge keep the lower. */
#ifndef TILEWRIGHT_PACKAGES_H
#define TILEWRIGHT_PACKAGES_H

#include "policies/support/sharing.h"

/* The sub-packages that a package was merged of; a single task is both. */
enum tw__end { TW__START, TW__END };
enum { TW__BOTH_ENDS = 1 << TW__START | 1 << TW__END };

/* A data of a package. */
struct tw__held {
	tw_data data;
	int32_t entry;   /* which of its holders this package is */
	uint8_t in_ends; /* bit e: the sub-package at that end has it */
};

struct tw__package {
	tw_task *tasks;
	struct tw__held *held; /* [n_data] in no order */
	int32_t split;         /* its sub-packages: the tasks before `split`, the others; 0: it is a single task */
	int32_t n_data;
	uint64_t end_bytes[2];
};

struct tw__package_set {
	const struct tw_sharing *sh;
	struct tw__package *packages;
	int32_t *n_tasks; /* [packages] 0: it has merged into another */
	uint64_t *bytes;  /* [packages] of its data */
	int32_t n, n_alive;
	/* The packages of each data: those of data d from sh->first_task[d] on, n_open[d] open ones first, in no other order. */
	int32_t *holders, *n_holders, *n_open;
	int32_t *in_holder; /* of each holder: which of its data this is */
	bool any_closed;
	int32_t *place; /* [data] where it stands in the package whose data were listed last; of other data anything */
	/* The packages that share data with the one looked at last. */
	int32_t looked_at; /* TW_NONE: not as it would be now */
	uint64_t *shared;  /* [packages] bytes; 0 for all others */
	int32_t *sharing, n_sharing;
};

/* Each task is a package. TW_NOMEM: finish it all the same. */
int tw__package_set_init(struct tw__package_set *, const struct tw_sharing *, const tw_task *tasks, int32_t n);
void tw__package_set_finish(struct tw__package_set *);

/* Of two packages the one with more data, `i` of equals. */
int32_t tw__package_set_larger(const struct tw__package_set *, int32_t i, int32_t j);
/* Lists the data of a package: fills `place`. */
void tw__package_set_list(struct tw__package_set *, int32_t p);

/* Where the data stands in the package whose data were listed last; TW_NONE: nowhere. */
static inline int32_t tw__package_place(const struct tw__package_set *set, const struct tw__package *p, tw_data d)
{
	return set->place[d] < p->n_data && p->held[set->place[d]].data == d ? set->place[d] : (int32_t)TW_NONE;
}

/* The bytes that p shares with the package whose data were listed last. */
uint64_t tw__package_set_shared(const struct tw__package_set *, int32_t p, int32_t listed);

/* Two packages that share so much have at most so many bytes of data. */
static inline bool tw__packages_fit(const struct tw__package_set *set, int32_t p, int32_t q, uint64_t shared,
                                    uint64_t limit)
{
	return set->bytes[p] + set->bytes[q] - shared <= limit;
}

/* Closes a package, which is open: until all are opened again, looks at open packages do not see it, or only as a holder of data that
 * it gets by a merge. At first all are open. Takes a step for each of its data. */
void tw__package_set_close(struct tw__package_set *, int32_t p);
void tw__package_set_open_all(struct tw__package_set *);

/* Fills `sharing` and `shared` for a package, with those that are open. They stay as they are when packages merge. */
void tw__package_set_look(struct tw__package_set *, int32_t p);
/* Adds those that are closed to the look just taken. */
void tw__package_set_look_at_closed(struct tw__package_set *);

/* Raises most[p] to the most bytes that p shares with an open package such that both fit below the limit, and most[q] of
 * each such package q to the bytes that it shares with p. Forgets the last look. */
void tw__package_set_rank(struct tw__package_set *, int32_t p, uint64_t limit, uint64_t *most);

/* The tasks of i, then those of j, each reversed or not, become one package; returns its number. The data of the
 * larger one have been listed; those of the new one are then. */
int32_t tw__package_set_merge(struct tw__package_set *, int32_t i, bool i_reversed, int32_t j, bool j_reversed);

#endif
