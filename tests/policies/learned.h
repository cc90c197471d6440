/* What the automatic Heteroprio has to know and how it has to sort, by the definitions of learned_order.h: plain sums over a run. */
#ifndef LEARNED_H
#define LEARNED_H

#include <tilewright/task_queue.h>

#include "policies/support/learned_order.h"

/* "both" is four times as fast on the GPU, "even" as fast on both, "alone" runs on the GPU only. */
enum { BOTH, EVEN, ALONE, N_KERNELS };

/* A policy's state: what it learns, and what it should. */
struct learning {
	struct tw_learned_order order;
	struct tw_task_queue ready;
	struct tw_task_link *links;
	int operation_of[N_KERNELS];
	int n_sorted, n_done, n_run[N_KERNELS][TW_N_UNITS];
	double part[N_KERNELS]; /* of operations */
	double released[N_KERNELS][TW_N_UNITS];
	int n_pushed[N_KERNELS];
};

bool is_near(double a, double b);
/* What a push adds to the means: parts of all tasks, and what the task releases. Counts it. */
bool push_is_learnt(struct learning *, const struct tw_sched *, tw_task, int operation);
/* Accelerators may always take; processors what they are not slower at, else when there is enough for each accelerator. */
bool is_held_back_rightly(const struct tw_learned_order *);
/* By the scores of what was known before. */
bool is_sorted(const struct tw_learned_order *, const struct tw_learned_order *before);

#endif
