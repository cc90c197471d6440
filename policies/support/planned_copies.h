/* Copies of handles in a schedule under construction, and the dates when the data of a task can be in each memory. For
 * policies that plan ahead. A handle without a copy in a memory is transferred from the memory from which it arrives
 * first. The copy then stays there until a task writes the handle. The model assumes unbounded memories and links
 * without contention.
 *
 * Dates are whole nanoseconds, as in a run, so that sums do not depend on the order of their terms. They are in
 * doubles, which are exact up to 2^53. */
#ifndef TILEWRIGHT_PLANNED_COPIES_H
#define TILEWRIGHT_PLANNED_COPIES_H

#include <tilewright/sched.h>

struct tw_planned_copy {
	double date; /* when the copy is on the node */
	tw_node node;
	int32_t next; /* the handle's next copy in ascending order of dates; TW_NONE: there is none */
};

/* Transfer times of one size, in nanoseconds. */
struct tw_planned_transfers {
	uint64_t bytes;
	double *ns; /* [from * nodes + to]; below 0 for to = 0: the times from this node are not computed; or NULL */
};

enum { TW_PLANNED_SIZES = 16 };

struct tw_planned_copies {
	const struct tw_sched *s;
	size_t n_nodes;
	int32_t *first; /* [data] the handle's earliest copy; TW_NONE: there is none */
	struct tw_planned_copy *copies;
	size_t n, capacity;
	int32_t unused; /* list of the entries of `copies` that are not in use */
	/* [reads * nodes] for the task at hand: the date of each handle that it reads, on each node. INFINITY: the
	 * handle has no copy yet, because a task outside the plan writes it. */
	double *dates;
	size_t dates_capacity;
	struct tw_planned_transfers transfers[TW_PLANNED_SIZES]; /* by a hash of the size */
};

/* Starts with the copies that are valid at the begin of the run. tw_planned_copies_finish frees the memory. */
void tw_planned_copies_init(struct tw_planned_copies *, const struct tw_sched *);
void tw_planned_copies_finish(struct tw_planned_copies *);

/* Fills arrival[nodes] with the dates when all data that the task reads can be on each node. */
void tw_planned_copies_arrivals(struct tw_planned_copies *, tw_task, double *arrival);

/* The end of a task that is placed for trial. */
struct tw_planned_end {
	tw_task task;
	tw_node node;
	double date;
};

/* As tw_planned_copies_arrivals, behind tasks that are placed for trial. version[accesses]: which task writes the
 * version that the task reads. It is an index in `ends`, TW_PLANNED_NOW (a task that is placed, or none), or
 * TW_PLANNED_OPEN (one that is not placed: the access does not count). */
enum { TW_PLANNED_NOW = -1, TW_PLANNED_OPEN = -2 };
void tw_planned_copies_arrivals_behind(struct tw_planned_copies *, tw_task, const int *version,
                                       const struct tw_planned_end *ends, double *arrival);

/* Adds the copies that the task fetches to its memory, and those that it writes there at its end. The task must be that
 * of the last call of tw_planned_copies_arrivals. */
void tw_planned_copies_add(struct tw_planned_copies *, tw_task, tw_node, double end);

#endif
