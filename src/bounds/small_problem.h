/* A small scheduling problem as plain numbers, and partial schedules of it, for the search of an optimum.
 *
 * Workers of one arch at one memory are equal: a group. A partial schedule is built in the order of starts. A
 * task starts on a group as early as its data, the group's first free worker and the last start allow. Each schedule in
 * which no task can start earlier can be built so, also one where a worker waits on purpose. */
#ifndef TW__SMALL_PROBLEM_H
#define TW__SMALL_PROBLEM_H

#include "base/memory.h"
#include "bounds/optimum.h"

struct tw__group {
	tw_arch arch;
	tw_node node;
	int memory;    /* index of the node among those with workers */
	int n_workers; /* at most the number of tasks */
	int first;     /* index of its first worker among those of all groups */
	int alike;     /* the last group before it that it can change places with; -1: none */
};

/* Prices of a second on each group, as whole numbers. The area bound is the cost of the tasks, each where it is
 * cheapest, divided by the price of all workers. Any prices give a bound. */
struct tw__prices {
	int64_t *of_group; /* [groups] */
	int64_t *cost;     /* [tasks] price * duration where that is least */
};
enum { TW__N_PRICES = 2 };

struct tw__free {
	tw__ns at;
	int group;
};

/* Sets of tasks have bit t for task t. Times are in ns; TW__NEVER: a task cannot run there. */
struct tw__problem {
	struct tw__arena arena; /* has all arrays */
	int n_tasks, n_groups, n_memories, n_workers;
	tw__ns horizon; /* all tasks at their slowest, and all transfers, one after the other */
	struct tw__group *groups;
	uint64_t *before;   /* [tasks] the tasks that each waits for, directly */
	int *twin;          /* [tasks] the last task before it that it can change places with; -1: none */
	tw__ns *length;     /* [task * groups + group] duration */
	tw__ns *least;      /* [tasks] the least duration */
	tw__ns *initial;    /* [task * memories + memory] arrival of the data that no task writes before it */
	tw__ns *delay;      /* see tw__delay */
	tw__ns *tail;       /* [task * groups + group] least time from its end there to the end of the graph */
	tw__ns *least_tail; /* [tasks] the least over the groups that can run it */
	tw__ns *most_delay; /* [task * memories + memory] the greatest delay from its end there to another task */
	tw_task *by_tail;   /* all tasks, those with the greatest least_tail first */
	struct tw__prices prices[TW__N_PRICES];
	struct tw__free *order; /* [workers] scratch memory of tw__partial_bound */
};

/* Returns the time from the end of task i in memory `from` to the arrival of its data for task j in memory `to`. */
static inline tw__ns tw__delay(const struct tw__problem *p, tw_task i, tw_task j, int from, int to)
{
	return p->delay[((i * p->n_tasks + j) * p->n_memories + from) * p->n_memories + to];
}

int tw__problem_init(struct tw__problem *, const struct tw__bounded *, const char *workload, struct tw_error *err);
void tw__problem_finish(struct tw__problem *);

struct tw__partial {
	uint64_t done;
	tw__ns last;     /* the last start; no task starts earlier */
	tw__ns *free;    /* [workers] when each is free; those of a group are sorted */
	tw__ns *arrival; /* [task * memories + memory] arrival of the data from tasks that are done */
	bool *used;      /* [groups] whether a task has run there */
};

void tw__partial_init(struct tw__partial *, struct tw__problem *);
/* Makes `to` the schedule `from` with one more task, which starts at that date. */
void tw__partial_add(const struct tw__problem *, const struct tw__partial *from, struct tw__partial *to, tw_task, int g,
                     tw__ns start);
/* Returns the makespan so far. */
tw__ns tw__partial_makespan(const struct tw__problem *, const struct tw__partial *);

/* Returns a makespan that no schedule beats which begins like this one. Fills earliest[task * groups + group] with the
 * earliest start of each task that is not done; exact for those that wait for no such task. */
tw__ns tw__partial_bound(const struct tw__problem *, const struct tw__partial *, tw__ns *earliest);

#endif
