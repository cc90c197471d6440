/* The orders and speedup factors that the automatic Heteroprio learns about operations during the run, for
 * applications that provide none (Flint, Paillat and Bramas 2022, PeerJ CS 8:e969). The score and the constants are
 * the defaults of StarPU 1.4. There are two types of processing units: processors and accelerators.
 *
 * For each operation it keeps means of at most about the last 256 tasks:
 * - The time of ended tasks on each type. It runs from when the worker's thread began the task, after the previous
 *   task and its releases, until the thread noticed the end.
 * - The operation's part of all tasks.
 * - The part of the operation's tasks that each type has run.
 * - The useful released time (URT) of each type. Each submitted successor counts its time on the type, multiplied by
 *   the part of its operation that this type runs, divided by its number of predecessors.
 *
 * Times are in units of the mean best time of all tasks; an unknown time counts as one millisecond. The score of an
 * operation on a type is
 *     (1 + own URT + other type's URT * part that the other type did not run) * (time on other type - own time) plus
 *     a large constant while the type has run the operation less than 16 times. An operation that one type cannot run
 *     takes an endless time there, and that type has no URT. A type without workers is assumed to run every
 *     operation, since StarPU's codelets have an implementation for it. The times and loads that StarPU remembers of
 *     earlier runs are left out. */
#ifndef TILEWRIGHT_LEARNED_ORDER_H
#define TILEWRIGHT_LEARNED_ORDER_H

#include <tilewright/sched.h>

enum tw_unit { TW_PROCESSOR, TW_ACCELERATOR, TW_N_UNITS };

struct tw_learned_operation {
	bool runs_on[TW_N_UNITS];
	double seconds[TW_N_UNITS], released[TW_N_UNITS]; /* means */
	double part, taken[TW_N_UNITS];                   /* of all tasks; of its own tasks. Each sums up to 1 */
	double held_back; /* factor by which processors are slower; 0: they are faster */
	int32_t n_pushed, n_seconds[TW_N_UNITS], n_released, n_taken; /* number of values in each mean */
};

struct tw_learned_order {
	int n, capacity, since_sort;
	struct tw_learned_operation *of; /* [n] */
	int *order[TW_N_UNITS];          /* [n_ordered] operations, the first to take first */
	int n_ordered[TW_N_UNITS], n_workers[TW_N_UNITS];
	double *scores; /* [capacity] */
	double *began;  /* [workers] date when its running task began */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_learned_order_init(struct tw_learned_order *, const struct tw_sched *);
void tw_learned_order_finish(struct tw_learned_order *);

/* Adds an operation, at the end of each order. `runs_on` has TW_N_UNITS entries. TW_NONE: out of memory. */
int tw_learned_order_add(struct tw_learned_order *, const bool *runs_on);

/* Returns the operation of any task of the graph, and adds it if it is new. TW_NONE: out of memory. */
typedef int (*tw_operation_of)(void *context, tw_task);

/* A task is ready. Returns its operation, or TW_NONE: out of memory. Recomputes the orders every 32 tasks, and sets
 * `sorted` then. */
int tw_learned_order_push(struct tw_learned_order *, const struct tw_sched *, tw_task, tw_operation_of, void *context,
                          bool *sorted);
/* A worker begins a task (`started` of the policy); it has ended a task of the operation (`done`). */
void tw_learned_order_begin(struct tw_learned_order *, const struct tw_sched *, tw_worker);
void tw_learned_order_end(struct tw_learned_order *, const struct tw_sched *, int operation, tw_worker);

/* Whether the type may take one of n_ready tasks. Accelerators always may, and processors if they are faster.
 * Otherwise there must be at least as many tasks per accelerator as the slowdown of processors, multiplied by
 * `factor`. */
bool tw_learned_order_may_take(const struct tw_learned_order *, int operation, enum tw_unit, int n_ready,
                               double factor);

static inline enum tw_unit tw_unit_of(const struct tw_sched *s, tw_worker w)
{
	return tw_worker_is_accelerator(s, w) ? TW_ACCELERATOR : TW_PROCESSOR;
}

#endif
