/* The schedule of a run, from its record: what figures and reports show. It has the executions of tasks, and counters
 * of memories, links and tasks over time. */
#ifndef TW__SCHEDULE_H
#define TW__SCHEDULE_H

#include "trace/usage.h"
#include "trace/write.h"

struct tw__box { /* one execution of a task on a worker */
	int worker, kernel;
	tw__ns start, end;
	double share; /* busy share of the time from start to end: 1, until boxes are merged */
	int task;     /* number of the task; -1: several tasks */
};

struct tw__sample { /* value of a counter from `date` to its next sample */
	tw__ns date;
	double value;
};

struct tw__series { /* samples of a counter, sorted by date */
	struct tw__sample *list;
	size_t n, capacity;
};

struct tw__samples {           /* of several counters */
	struct tw__series *of; /* [n_counters] */
	int n_counters;
};

enum { TW__READY_TASKS, TW__SUBMITTED_TASKS, TW__N_TASK_COUNTERS }; /* counters in tw__schedule.tasks */

struct tw__schedule {
	const struct tw__platform *platform; /* its workers and memories */
	const struct tw_graph *graph;        /* without appended tasks; of a trace, with what its run section has */
	const char *workload, *policy;       /* NULL: unknown */
	struct tw__run_domains domains;
	/* [n_kernels] names of kernels, each once, in the order of the graph. A name that tasks of several graphs have
	 * is there for each of them, as in "gemm of graph 1". */
	const char **kernels;
	int n_kernels;
	char **made; /* [n_made] those with the number of a graph */
	int n_made;
	double *capacity_bytes; /* [n_nodes] usable bytes of each memory; 0: unbounded or unknown */
	int *links, n_links;    /* the platform's links that transfers used, in its order */
	struct tw__box *boxes;  /* in the order of their ends */
	size_t n_boxes, boxes_capacity;
	struct tw__samples used;  /* bytes used in each memory */
	struct tw__samples use;   /* of `links`: the share that each passed of what it could pass then, from 0 to 1 */
	struct tw__samples tasks; /* numbers of ready and of submitted tasks */
	tw__ns end;               /* makespan, or the date of the last event if that is later */
};

/* Makes the schedule of a run, and sorts its record. Platform, graph and texts must outlive the schedule. */
void tw__schedule_of(struct tw__schedule *, const struct tw__traced *);
/* The same, for callers that follow counters, too: `also` gets all that change, and saturated links. */
void tw__schedule_with(struct tw__schedule *, const struct tw__traced *, tw__usage_fn *also, void *context);
void tw__schedule_finish(struct tw__schedule *);

/* Add an execution or a sample. */
void tw__schedule_add_box(struct tw__schedule *, int worker, int kernel, int task, tw__ns start, tw__ns end);
void tw__series_add(struct tw__series *, tw__ns date, double value);

/* Prepares for `n` counters without samples. tw__schedule_finish frees the samples. */
void tw__samples_init(struct tw__samples *, int n);
/* Returns the number of samples of all counters. */
size_t tw__samples_count(const struct tw__samples *);

/* Returns the name of the i-th of the schedule's links. */
static inline const char *tw__schedule_link(const struct tw__schedule *s, int i)
{
	return s->platform->links[s->links[i]].name;
}

#endif
