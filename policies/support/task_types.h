/* Tasks by type, which is their kernel, and workers by resource, which is their arch, numbered from 0: what affinity.h
 * and HeteroPrio for several resources are about. */
#ifndef TILEWRIGHT_TASK_TYPES_H
#define TILEWRIGHT_TASK_TYPES_H

#include <tilewright/sched.h>

struct tw_task_types {
	int n, n_resources;
	int *type;        /* [kernels] -1: it has no task in the graph */
	int *resource_of; /* [archs] -1: it has no worker */
	tw_worker *first; /* [n_resources] */
	tw_task n_tasks;  /* of the graph */
};

/* Of the graph's tasks, in the order of submission, and the run's workers. TW_NOMEM: finish it all the same. */
int tw_task_types_init(struct tw_task_types *, const struct tw_sched *);
void tw_task_types_finish(struct tw_task_types *);

/* Fills tables that are zeroed: the mean time of a type's tasks on a resource, seconds[type * n_resources + resource]; how many
 * tasks[n] and workers[n_resources] there are. */
void tw_task_types_measure(const struct tw_task_types *, const struct tw_sched *, double *seconds, double *tasks,
                           double *workers);

#endif
