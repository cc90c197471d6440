/* Ready tasks as seen by cores beside accelerators, for policies that focus on the accelerators. It finds the task
 * that a core should take, so that the core helps and no accelerator waits for it. Tasks that no accelerator can run
 * come first. The others are in classes by their slowdown on a core, in steps of an eighth of a doubling. The class
 * of the least slowdown goes first; within a class, by priority, then the newest. */
#ifndef TILEWRIGHT_SPARE_CORES_H
#define TILEWRIGHT_SPARE_CORES_H

#include <tilewright/task_queue.h>

enum { TW_SPARE_CLASSES = 128 };

struct tw_spare_cores {
	tw_worker core; /* example core whose times define the classes; TW_NONE: no such cores, nothing is kept */
	struct tw_task_queue only; /* tasks that no accelerator can run, the oldest first */
	struct tw_task_queue classes[TW_SPARE_CLASSES];
	struct tw_task_link *links;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_spare_cores_init(struct tw_spare_cores *, const struct tw_sched *);
void tw_spare_cores_finish(struct tw_spare_cores *);

/* `length`: seconds on the best accelerator, INFINITY if none can run it; the same value in both calls. TW_NOMEM: not
 * added. */
int tw_spare_cores_add(struct tw_spare_cores *, const struct tw_sched *, tw_task, double length);
void tw_spare_cores_remove(struct tw_spare_cores *, const struct tw_sched *, tw_task, double length);

/* The first task that no accelerator can run, or whose predicted time on the worker is at most `seconds`; TW_NONE:
 * there is none. The task stays in its queue. Examines one task of each class. */
tw_task tw_spare_cores_pick(const struct tw_spare_cores *, const struct tw_sched *, tw_worker, double seconds);

#endif
