/* Types of tasks and resources, numbered from 0, for affinity.h and HeteroPrio for several resource types. The type
 * of a task is its kernel, and the resource of a worker is its arch. */
#ifndef TILEWRIGHT_TASK_TYPES_H
#define TILEWRIGHT_TASK_TYPES_H

#include <tilewright/sched.h>

struct tw_task_types {
	int n, n_resources;
	int *type;        /* [kernels] -1: no task in the graph */
	int *resource_of; /* [archs] -1: no worker */
	tw_worker *first; /* [n_resources] its first worker */
	tw_task n_tasks;  /* of the graph */
};

/* Numbers the types of the graph's tasks, in the order of submission, and the resources of the run's workers.
 * TW_NOMEM: call finish all the same. */
int tw_task_types_init(struct tw_task_types *, const struct tw_sched *);
void tw_task_types_finish(struct tw_task_types *);

/* Fills tables that must be zeroed. seconds[type * n_resources + resource]: mean time of the type's tasks on the
 * resource. tasks[n] and workers[n_resources]: numbers of tasks and workers. */
void tw_task_types_measure(const struct tw_task_types *, const struct tw_sched *, double *seconds, double *tasks,
                           double *workers);

#endif
