/* The types of tasks and the resources, both numbered from 0, for HeteroPrio with several resource types (affinity.h).
 * The type of a task is its class: its kernel, and what it can run on. The resource of a worker is its arch. */
#ifndef TILEWRIGHT_TASK_TYPES_H
#define TILEWRIGHT_TASK_TYPES_H

#include <tilewright/sched.h>

struct tw_task_types {
	int n, n_resources;
	int *type;        /* [classes] type of the tasks of each class; -1: the graph has no such task */
	int *resource_of; /* [archs] resource of each arch; -1: the arch has no worker */
	tw_worker *first; /* [n_resources] first worker of each resource */
	tw_task n_tasks;  /* number of tasks of the graph */
};

/* Numbers the types of the graph's tasks, in the order of submission, and the resources of the run's workers.
 * The struct has memory of the run. */
void tw_task_types_init(struct tw_task_types *, const struct tw_sched *);

/* Fills three tables, which must be zeroed before:
 * - seconds[type * n_resources + resource]: mean time of the type's tasks on the resource;
 * - tasks[n]: number of tasks of each type;
 * - workers[n_resources]: number of workers of each resource. */
void tw_task_types_measure(const struct tw_task_types *, const struct tw_sched *, double *seconds, double *tasks,
                           double *workers);

#endif
