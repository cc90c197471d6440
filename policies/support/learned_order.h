/* Orders of operations and speedup factors, as the automatic Heteroprio learns them during the run. For applications
 * that provide none (Flint, Paillat and Bramas 2022, PeerJ CS 8:e969). The score and the constants are the defaults of
 * StarPU 1.4. There are two types of processing units: processors and accelerators.
 *
 * For each operation, Heteroprio keeps means over at most about the last 256 tasks:
 * - The time of ended tasks on each type. The time begins when the worker's thread began the task, after the previous
 *   task and its releases. It ends when the thread noticed the end.
 * - The operation's part of all tasks.
 * - The part of the operation's tasks that each type has run.
 * - The useful released time (URT) of each type. It adds up the submitted successors of a task. A successor counts its
 *   time on the type, multiplied by the part of the successor's operation that this type runs. The product is divided
 *   by the successor's number of predecessors.
 *
 * Relative times are in units of the mean best time of all tasks. An unknown time counts as one millisecond. The score
 * of an operation on a type is
 *     (1 + own URT + other type's URT * part that the other type did not run) * (time on other type - own time).
 *
 * A large constant is added while the type has run the operation less than 16 times. An operation that one type cannot
 * run takes an endless time there, and that type has no URT. A type without workers is assumed to run every operation,
 * since StarPU's codelets have an implementation for it. The times and loads that StarPU remembers of earlier runs are
 * left out. */
#ifndef TILEWRIGHT_LEARNED_ORDER_H
#define TILEWRIGHT_LEARNED_ORDER_H

#include <tilewright/sched.h>

enum tw_unit { TW_PROCESSOR, TW_ACCELERATOR, TW_N_UNITS };

struct tw_learned_operation {
	bool runs_on[TW_N_UNITS];
	/* Means over tasks of the operation, for each type: time of a task; useful released time (URT) */
	double seconds[TW_N_UNITS], released[TW_N_UNITS];
	/* `part`: part of the operation in all tasks; the parts of all operations add up to 1. `taken`: part of the
	 * operation's tasks that each type has run; both add up to 1. */
	double part, taken[TW_N_UNITS];
	double held_back; /* factor by which processors are slower than accelerators; 0: accelerators are not faster */
	/* Numbers of values in the means `part`, `seconds`, `released` and `taken`; they stop at 256. */
	int32_t n_pushed, n_seconds[TW_N_UNITS], n_released, n_taken;
};

struct tw_learned_order {
	int n, capacity, since_sort;
	struct tw_learned_operation *of; /* [n] the operations, numbered in the order in which they were added */
	/* [type][n_ordered] operations in the order in which workers of the type take tasks */
	int *order[TW_N_UNITS];
	int n_ordered[TW_N_UNITS], n_workers[TW_N_UNITS];
	double *scores; /* [capacity] scratch of the sort: scores of the operations in the order */
	double *began;  /* [workers] date, in seconds, when the worker began its running task */
};

/* Initialises orders without operations, in memory of the run. */
void tw_learned_order_init(struct tw_learned_order *, const struct tw_sched *);

/* Adds an operation at the end of each order. runs_on[TW_N_UNITS] tells which types can run it. Returns its number.
 */
int tw_learned_order_add(struct tw_learned_order *, const struct tw_sched *, const bool *runs_on);

/* A function that returns the operation of any task of the graph, and adds the operation if it is new. */
typedef int (*tw_operation_of)(void *context, tw_task);

/* Notes that a task is ready. Returns the operation of the task. Recomputes the orders every 32 tasks, and then sets
 * *sorted to true, else to false. */
int tw_learned_order_push(struct tw_learned_order *, const struct tw_sched *, tw_task, tw_operation_of, void *context,
                          bool *sorted);
/* tw_learned_order_begin notes that a worker begins a task (`started` of the policy). tw_learned_order_end notes that
 * it has ended a task of the operation (`done`). */
void tw_learned_order_begin(struct tw_learned_order *, const struct tw_sched *, tw_worker);
void tw_learned_order_end(struct tw_learned_order *, const struct tw_sched *, int operation, tw_worker);

/* Whether processing units of the type may take one of the n_ready tasks of the operation. Accelerators always may, and
 * processors if they are faster. Slower processors may if there are enough tasks per accelerator: at least the slowdown
 * of processors, multiplied by `factor`. */
bool tw_learned_order_may_take(const struct tw_learned_order *, int operation, enum tw_unit, int n_ready,
                               double factor);

static inline enum tw_unit tw_unit_of(const struct tw_sched *s, tw_worker w)
{
	return tw_worker_is_accelerator(s, w) ? TW_ACCELERATOR : TW_PROCESSOR;
}

#endif
