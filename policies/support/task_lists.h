/* Tasks in orders that were fixed before the run, one list for each worker or for several that share it: a help for static
 * policies. A list gives its tasks in its order alone, waiting for each to be ready, or, relaxed, the first that is ready.
 * Both are O(1), but for ready tasks that the worker cannot run and 1/64 for each task between that is not ready. */
#ifndef TILEWRIGHT_TASK_LISTS_H
#define TILEWRIGHT_TASK_LISTS_H

#include <tilewright/sched.h>

struct tw_task_list {
	int32_t begin, end; /* of tw_task_lists.tasks */
	int32_t first;      /* none ahead of it is ready and not taken; without `relaxed`: the next */
	bool relaxed;       /* set it after tw_task_lists_fill */
};

struct tw_task_lists {
	int n;
	tw_task n_tasks;
	struct tw_task_list *lists;
	tw_task *tasks;  /* list by list */
	int32_t *slot;   /* [tasks] its place there */
	int32_t *of;     /* [tasks] its list */
	uint64_t *ready; /* a bit for each slot */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_task_lists_init(struct tw_task_lists *, int n_lists, tw_task n_tasks);
void tw_task_lists_finish(struct tw_task_lists *);

/* Each task goes into the list of[task], in that order of all. */
void tw_task_lists_fill(struct tw_task_lists *, const tw_task *order, const int32_t *of);

/* Whether each task can have its turn: whether the dependencies, the window of submission and the orders do not wait for
 * each other. TW_INVALID: the task that is `stuck` waits in vain. Reductions are taken to wait for nobody. */
int tw_task_lists_check(struct tw_task_lists *, const struct tw_sched *, tw_task *stuck);

void tw_task_lists_ready(struct tw_task_lists *, tw_task);

/* Of what the list gives now, the first that the worker can run (TW_NONE: any worker); TW_NONE: nothing. */
tw_task tw_task_lists_first(struct tw_task_lists *, const struct tw_sched *, int list, tw_worker);
/* That task leaves its list. */
void tw_task_lists_take(struct tw_task_lists *, tw_task);

#endif
