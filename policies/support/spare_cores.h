/* Ready tasks as cores beside accelerators see them, for policies that focus on the accelerators. Finds the task that a
 * core should take, so that the core helps and no accelerator waits for it. Tasks that no accelerator can run come
 * first. The others are in classes by their slowdown on a core, in steps of an eighth of a doubling. The class of the
 * least slowdown goes first. Within a class, tasks go by priority, then the newest first. */
#ifndef TILEWRIGHT_SPARE_CORES_H
#define TILEWRIGHT_SPARE_CORES_H

#include <tilewright/task_queue.h>

enum { TW_SPARE_CLASSES = 128 };

struct tw_spare_cores {
	/* Example core, whose times define the classes; TW_NONE: there are no cores beside accelerators, so no task is
	 * kept. */
	tw_worker core;
	struct tw_task_queue only; /* tasks that no accelerator can run, the oldest first */
	struct tw_task_queue classes[TW_SPARE_CLASSES];
};

/* Initialises the struct; no task is kept yet. */
void tw_spare_cores_init(struct tw_spare_cores *, const struct tw_sched *);

/* tw_spare_cores_add adds a ready task, and tw_spare_cores_remove removes it. `length`: seconds of the task on the best
 * accelerator, INFINITY if none can run it; it must be the same in both calls. */
void tw_spare_cores_add(struct tw_spare_cores *, const struct tw_sched *, tw_task, double length);
void tw_spare_cores_remove(struct tw_spare_cores *, const struct tw_sched *, tw_task, double length);

/* Returns the task that the worker, a core, should take; TW_NONE: there is none. It is a task that no accelerator can
 * run, or the first one whose predicted time on the core is at most `seconds`. The task stays in its queue. Examines
 * one task of each class. */
tw_task tw_spare_cores_pick(const struct tw_spare_cores *, const struct tw_sched *, tw_worker, double seconds);

#endif
