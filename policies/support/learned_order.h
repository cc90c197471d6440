/* What the automatic Heteroprio learns of operations while it runs, and the orders and speedup factors it makes of that: for
 * applications of which nothing is known (Flint, Paillat and Bramas 2022, PeerJ CS 8:e969; the score and the constants are the
 * defaults of StarPU 1.4). There are two types of processing units, processors and accelerators. A help for policies.
 *
 * Per operation it keeps means of at most the last 256 tasks or so: how long tasks that have ended took on each type, from when the
 * worker's thread began them (behind the one before, and what that released) until it noticed their end; the part of all tasks
 * that it is; the part of its tasks that each type has run; and the useful released time (URT) of a type, for each successor that
 * has been submitted its time there times the part of its operation that this type runs, over the number of its predecessors.
 * Times count in units of the mean best time of all tasks; one that is not known yet is a millisecond. Score of an operation on a type:
 *     (1 + own URT + the other type's URT * the part that type did not run) * (time on the other type - own time)
 * and far more while the type has run it less than 16 times. What only one type can run takes an endless time on the other, which
 * has no URT. Of a type without workers it is taken that it could run everything, as StarPU's codelets have an implementation
 * for it. What StarPU remembers of earlier runs, times and how busy each type was, is left out. */
#ifndef TILEWRIGHT_LEARNED_ORDER_H
#define TILEWRIGHT_LEARNED_ORDER_H

#include <tilewright/sched.h>

enum tw_unit { TW_PROCESSOR, TW_ACCELERATOR, TW_N_UNITS };

struct tw_learned_operation {
	bool runs_on[TW_N_UNITS];
	double seconds[TW_N_UNITS], released[TW_N_UNITS]; /* means */
	double part, taken[TW_N_UNITS];                   /* of all tasks; of its own. Each sums up to 1 */
	double held_back;                                 /* how many times slower processors are; 0: they are faster */
	int32_t n_pushed, n_seconds[TW_N_UNITS], n_released, n_taken; /* what they are means of */
};

struct tw_learned_order {
	int n, capacity, since_sort;
	struct tw_learned_operation *of; /* [n] */
	int *order[TW_N_UNITS];          /* [n_ordered] operations, the first one first */
	int n_ordered[TW_N_UNITS], n_workers[TW_N_UNITS];
	double *scores; /* [capacity] */
	double *began;  /* [workers] when the task that runs began */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_learned_order_init(struct tw_learned_order *, const struct tw_sched *);
void tw_learned_order_finish(struct tw_learned_order *);

/* A new operation, the last of each order. `runs_on` has TW_N_UNITS entries. TW_NONE: out of memory. */
int tw_learned_order_add(struct tw_learned_order *, const bool *runs_on);

/* The operation of any task of the graph; added if it is new. TW_NONE: out of memory. */
typedef int (*tw_operation_of)(void *context, tw_task);

/* A task is ready: its operation, or TW_NONE: out of memory. Orders are made anew every 32 tasks, which `sorted` tells. */
int tw_learned_order_push(struct tw_learned_order *, const struct tw_sched *, tw_task, tw_operation_of, void *context,
                          bool *sorted);
/* A worker begins to run a task (a policy's `started`); it has ended one of the operation (`done`). */
void tw_learned_order_begin(struct tw_learned_order *, const struct tw_sched *, tw_worker);
void tw_learned_order_end(struct tw_learned_order *, const struct tw_sched *, int operation, tw_worker);

/* Whether that type may take one of so many ready tasks: accelerators always, processors if they are the faster ones, or if
 * there are, for each accelerator, at least as many tasks as processors are slower, times `factor`. */
bool tw_learned_order_may_take(const struct tw_learned_order *, int operation, enum tw_unit, int n_ready,
                               double factor);

static inline enum tw_unit tw_unit_of(const struct tw_sched *s, tw_worker w)
{
	return tw_worker_is_accelerator(s, w) ? TW_ACCELERATOR : TW_PROCESSOR;
}

#endif
