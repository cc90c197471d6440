/* Ready tasks from the view of cores beside accelerators, for policies that are about the accelerators: which of them a core
 * should take, so that it helps without being waited for. Those that no accelerator can run come first; the others are in classes by
 * how many times as long a core takes, an eighth of a doubling apart: those of the least first, by priority, then the newest. */
#ifndef TILEWRIGHT_SPARE_CORES_H
#define TILEWRIGHT_SPARE_CORES_H

#include <tilewright/task_queue.h>

enum { TW_SPARE_CLASSES = 128 };

struct tw_spare_cores {
	tw_worker core; /* whose times make the classes; TW_NONE: there are no such cores, and nothing is kept */
	struct tw_task_queue only; /* that no accelerator can run, the oldest first */
	struct tw_task_queue classes[TW_SPARE_CLASSES];
	struct tw_task_link *links;
};

/* TW_NOMEM: nothing is left allocated. */
int tw_spare_cores_init(struct tw_spare_cores *, const struct tw_sched *);
void tw_spare_cores_finish(struct tw_spare_cores *);

/* `length`: the seconds that the best accelerator takes, INFINITY if none can run it; the same at both. TW_NOMEM: not added. */
int tw_spare_cores_add(struct tw_spare_cores *, const struct tw_sched *, tw_task, double length);
void tw_spare_cores_remove(struct tw_spare_cores *, const struct tw_sched *, tw_task, double length);

/* The first task that no accelerator can run, or that the worker is predicted to end within so many seconds; TW_NONE: there is none. It
 * stays. Looks at one task of each class. */
tw_task tw_spare_cores_pick(const struct tw_spare_cores *, const struct tw_sched *, tw_worker, double seconds);

#endif
