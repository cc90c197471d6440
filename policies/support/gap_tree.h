/* The idle gaps of equal workers in a schedule under construction, with a tree that finds the worker on which a task
 * ends first. For static policies that insert tasks into gaps (insertion of HEFT, Topcuoglu, Hariri, Wu 2002). Dates
 * and lengths must be integers below 2^53 (such as nanoseconds), so that sums are exact. With other numbers, the
 * search may miss a gap into which the task just fits. */
#ifndef TILEWRIGHT_GAP_TREE_H
#define TILEWRIGHT_GAP_TREE_H

#include <tilewright/sched.h>

/* --- the gaps of one worker --------------------------------------------------------------------------------------- */

struct tw_gap {
	/* Dates between which the worker is idle, in the caller's unit; the last gap ends at INFINITY. */
	double from, to;
};

struct tw_gaps {
	struct tw_gap *of; /* [n] the gaps in ascending order of dates */
	size_t n, capacity;
	double longest; /* upper bound of the lengths of all gaps but the last */
};

/* Starts with one gap, from date 0 to INFINITY, in memory of the run. */
void tw_gaps_init(struct tw_gaps *, const struct tw_sched *);

/* Returns the earliest start, not before the date `ready`, of a task of this length in a gap; fills `*gap` with the
 * gap's index. With `insertion` any gap counts, without it only the last. O(log gaps), plus one step per gap that is
 * too short. */
double tw_gaps_earliest(const struct tw_gaps *, double ready, double length, bool insertion, size_t *gap);

/* Removes the time from `start` to `end` from the gap, which must contain it. */
void tw_gaps_fill(struct tw_gaps *, const struct tw_sched *, size_t gap, double start, double end);

/* --- the gaps of equal workers ------------------------------------------------------------------------------------ */

/* A node of the tree: bounds over the gaps of the workers that the node covers. */
struct tw_gap_node {
	double last;    /* the least date from which one of the workers stays idle */
	double closed;  /* the greatest end of a gap of the workers, except of endless gaps */
	double longest; /* upper bound of the lengths of the workers' gaps, except of endless gaps */
};

struct tw_gap_tree {
	const struct tw_sched *s;
	int n, n_leaves;      /* number of workers; number of leaves: a power of 2, at least n */
	struct tw_gaps *gaps; /* [n] the gaps of each worker */
	/* [2 n_leaves] node i covers the workers of its children, 2i and 2i + 1; node 1 is the root */
	struct tw_gap_node *nodes;
};

/* Starts with n workers, all idle from date 0 on, in memory of the run. */
void tw_gap_tree_init(struct tw_gap_tree *, const struct tw_sched *, int n);

void tw_gap_tree_clear(struct tw_gap_tree *); /* makes all workers idle again */

/* A place for a task in the schedule under construction. */
struct tw_gap_place {
	int worker; /* index of the worker, from 0; TW_NONE: no place was found */
	size_t gap;
	double start, end;
};

/* Finds the place where a task of this length ends first. The task cannot start before the date `ready`. Candidates are
 * the workers that stay idle from `idle_at` or earlier. With `insertion`, the task may go into any gap; without it,
 * only behind all tasks placed so far. Ties: the first worker.
 *
 * On entry, place->end is a limit: only a lesser end counts. Returns whether such a place was found, in `place`. O(log
 * workers), plus one step per worker whose gaps may fit but do not. */
bool tw_gap_tree_earliest(const struct tw_gap_tree *, double ready, double length, bool insertion, double idle_at,
                          struct tw_gap_place *place);

/* As tw_gap_tree_earliest, for one worker. */
bool tw_gap_tree_earliest_on(const struct tw_gap_tree *, int worker, double ready, double length, bool insertion,
                             struct tw_gap_place *place);

/* Places the task: removes its time from the idle gap that contains the place. */
void tw_gap_tree_fill(struct tw_gap_tree *, const struct tw_gap_place *);

/* A place that is filled for trial, and what the worker's gaps were before. */
struct tw_gap_trial {
	struct tw_gap_place place;
	struct tw_gap gap;
	double longest;
};

/* Fills the place as tw_gap_tree_fill does, and takes that back. The last trial is taken back first. */
struct tw_gap_trial tw_gap_tree_try(struct tw_gap_tree *, const struct tw_gap_place *);
void tw_gap_tree_take_back(struct tw_gap_tree *, const struct tw_gap_trial *);

#endif
