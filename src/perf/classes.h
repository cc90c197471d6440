/* Classes of tasks, by what a task can run on. The tasks of a class have one kernel, and can run on the same archs. The
 * class of a kernel has its tasks that run where the kernel has times. Tasks whose own seconds let them run on more
 * archs are in other classes. Code that treats tasks alike goes by their class, not by their kernel. */
#ifndef TW__CLASSES_H
#define TW__CLASSES_H

#include "perf/models.h"

struct tw__classes {
	int n; /* number of classes; the first ones are those of kernels, and may have no task */
	tw_task n_tasks;
	int32_t *of_task; /* [n_tasks] class of each task; NULL: all tasks are in the classes of their kernels */
};

/* Finds the classes of the graph's tasks on the archs with workers. */
void tw__classes_init(struct tw__classes *, const struct tw__times *, const struct tw__platform *,
                      const struct tw_graph *);
void tw__classes_finish(struct tw__classes *); /* the struct may be zeroed */

/* Returns the class of the task, a number from 0. The graph may also be one that a run has extended. */
static inline int tw__class_of(const struct tw__classes *classes, const struct tw_graph *g, tw_task t)
{
	return classes->of_task && t < classes->n_tasks ? classes->of_task[t] : g->kernel[t];
}

#endif
