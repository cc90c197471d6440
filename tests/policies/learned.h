/* Expected values of the automatic Heteroprio, by the definitions of learned_order.h: plain sums over a run, and the
 * order of operations. */
#ifndef LEARNED_H
#define LEARNED_H

#include <tilewright/task_queue.h>

#include "policies/support/learned_order.h"

/* "both" is four times faster on the GPU, "even" is equally fast on both, "alone" runs on the GPU only. */
enum { BOTH, EVEN, ALONE, N_KERNELS };

/* The state of a policy: the learned values, and the expected ones. */
struct learning {
	struct tw_learned_order order;
	struct tw_task_queue ready;
	int operation_of[N_KERNELS];
	int n_sorted, n_done, n_run[N_KERNELS][TW_N_UNITS];
	double part[N_KERNELS]; /* [operations] */
	double released[N_KERNELS][TW_N_UNITS];
	int n_pushed[N_KERNELS];
};

bool is_near(double a, double b);
/* Whether the push updates the means as expected: parts of all tasks, and released times. Counts the task. */
bool push_is_learnt(struct learning *, const struct tw_sched *, tw_task, int operation);
/* Whether accelerators may always take, and processors if they are not slower or if each accelerator has enough
 * tasks. */
bool is_held_back_rightly(const struct tw_learned_order *);
/* Whether the operations are sorted by the scores of the values known `before`. */
bool is_sorted(const struct tw_learned_order *, const struct tw_learned_order *before);

#endif
