/* Tasks in orders fixed before the run: one list for each worker, or for several workers that share it. For static
 * policies. A list gives its tasks strictly in order, each when it is ready. A relaxed list gives its first ready
 * task. Both cost O(1), plus one step per ready task that the worker cannot run, and 1/64 step per task in between
 * that is not ready. */
#ifndef TILEWRIGHT_TASK_LISTS_H
#define TILEWRIGHT_TASK_LISTS_H

#include <tilewright/sched.h>

struct tw_task_list {
	int32_t begin, end; /* indexes in tw_task_lists.tasks */
	int32_t first;      /* relaxed: no task ahead of it is ready and not taken; otherwise: the next task */
	bool relaxed;       /* set it after tw_task_lists_fill */
};

struct tw_task_lists {
	int n;
	tw_task n_tasks;
	struct tw_task_list *lists;
	tw_task *tasks;  /* list by list */
	int32_t *slot;   /* [tasks] index in `tasks` */
	int32_t *of;     /* [tasks] its list */
	uint64_t *ready; /* one bit per slot */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_task_lists_init(struct tw_task_lists *, int n_lists, tw_task n_tasks);
void tw_task_lists_finish(struct tw_task_lists *);

/* Fills the lists: task t goes into list of[t], in the given order of all tasks. */
void tw_task_lists_fill(struct tw_task_lists *, const tw_task *order, const int32_t *of);

/* Checks that the run cannot deadlock: dependencies, submission window and orders do not wait for each other.
 * TW_INVALID: `stuck` is a task that would wait forever. Reductions are assumed to wait for no task. */
int tw_task_lists_check(struct tw_task_lists *, const struct tw_sched *, tw_task *stuck);

void tw_task_lists_ready(struct tw_task_lists *, tw_task);

/* The first task that the list gives now and that the worker can run (TW_NONE: any worker); TW_NONE: there is none. */
tw_task tw_task_lists_first(struct tw_task_lists *, const struct tw_sched *, int list, tw_worker);
/* Removes the task from its list. */
void tw_task_lists_take(struct tw_task_lists *, tw_task);

#endif
