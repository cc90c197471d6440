/* Task lists in an order fixed before the run: one list for each worker, or for several workers that share it. For
 * static policies. A list gives its tasks strictly in order, each task when it is ready. A relaxed list gives its first
 * ready task.
 *
 * Both cost O(1), plus one step per ready task that the worker cannot run. A relaxed list also costs 1/64 step per task
 * in between that is not ready. */
#ifndef TILEWRIGHT_TASK_LISTS_H
#define TILEWRIGHT_TASK_LISTS_H

#include <tilewright/sched.h>

struct tw_task_list {
	int32_t begin, end; /* the tasks of the list: tw_task_lists.tasks[begin .. end - 1] */
	/* A list in strict order: slot of its next task; a relaxed list: no task before this slot is ready and not
	 * taken. */
	int32_t first;
	bool relaxed; /* the list may give tasks out of order; set it after tw_task_lists_fill */
};

struct tw_listed_task {
	int32_t list; /* number of the list that has the task */
	int32_t slot; /* index of the task in tw_task_lists.tasks */
};

struct tw_task_lists {
	int n;
	tw_task n_tasks;
	struct tw_task_list *lists;
	tw_task *tasks;                /* [n_tasks] the tasks by slot, list by list */
	struct tw_listed_task *listed; /* [tasks] where the task is */
	uint64_t *ready;               /* one bit per slot: whether its task is ready and not taken */
};

/* Initialises n_lists empty lists, in memory of the run. */
void tw_task_lists_init(struct tw_task_lists *, const struct tw_sched *, int n_lists, tw_task n_tasks);

/* Fills the lists: task t goes into list of[t]. The tasks of each list are in the order of order[], which has all
 * tasks. */
void tw_task_lists_fill(struct tw_task_lists *, const tw_task *order, const int32_t *of);

/* Checks that the run cannot deadlock: the dependencies, the submission window and the orders of the lists do not wait
 * for each other. Returns a task that would wait forever; TW_NONE: there is none. Reductions are assumed to wait for no
 * task. */
tw_task tw_task_lists_check(struct tw_task_lists *, const struct tw_sched *);

void tw_task_lists_ready(struct tw_task_lists *, tw_task);

/* Returns the first task that the list gives now and that the worker can run; TW_NONE: there is none. With worker =
 * TW_NONE, any worker may run the task. */
tw_task tw_task_lists_first(struct tw_task_lists *, const struct tw_sched *, int list, tw_worker);
/* Removes the task from its list. */
void tw_task_lists_take(struct tw_task_lists *, tw_task);

#endif
