/* A table that tells, for each unit, which data handles would free which tasks if loaded. It holds the quantities of
 * DARTS and updates them as tasks and data come and go. The paper is Gonthier, Thibault, Marchal 2024 (A generic
 * scheduler to foster data locality for GPU and out-of-core task-based applications), section 5.3. Policies that
 * choose data first, and then tasks, use it.
 *
 * A unit is a memory node whose workers share one plan. Units are the memories of accelerators or, in runs without
 * accelerators, of cores. Cores beside accelerators belong to no unit, not even to one in the same memory. A task is
 * - ready: in the pool (the paper's readyTasks);
 * - planned: for a unit (plannedTasks_k); it can go back to the pool;
 * - taken: by the unit (taskBuffer_k, and running tasks), until it ends.
 *
 * A handle is *there* for a unit if it is valid in the unit's memory, or if a task that the unit has planned or taken
 * uses it. The inputs of a task are the handles that it reads. Data that a task only writes are not loaded.
 *
 * In the ratio a task counts its predicted time, as in the paper, whose units are equal. If units differ, the task
 * counts its least time t_min multiplied by t_min / t on this unit. Otherwise a unit would prefer the tasks that it
 * is slowest at.
 *
 * Durations are whole nanoseconds, so that sums stay exact when terms are added and removed. A task or a transfer
 * counts TW_LONGEST_NS (nearly three hours) at most, so that sums of 900,000 do not overflow. */
#ifndef TILEWRIGHT_DATA_TABLE_H
#define TILEWRIGHT_DATA_TABLE_H

#include <tilewright/containers.h>
#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/plan.h"

/* The score of a handle that is not there, for a unit. The members are in the order in which they decide. S0: ready
 * tasks that lack only this handle. S1: ready tasks that lack it and one more. */
struct tw_data_score {
	double ratio;     /* predicted transfer time / computation time of the tasks in S0; INFINITY if S0 is empty */
	int32_t s0;       /* |S0| */
	int32_t max_prio; /* the highest priority in S0, or in S1 if S0 is empty; INT32_MIN if both are */
	int32_t s1;       /* |S1| */
	int64_t left_ns;  /* task_left: time of all ready tasks that use it */
};

/* One use of a handle by a task. The uses of a handle by ready tasks form a list. */
struct tw_data_use {
	tw_data data;
	tw_task task;
	int32_t before, behind; /* neighbours in the list; TW_NONE at the ends */
};

struct tw_data_cell {               /* a handle, for a unit */
	struct tw_data_score score; /* the score last computed */
	int64_t computation_ns;
	int32_t s0, s1;
	bool present, there;
	bool stale; /* the score must be computed again */
};

struct tw_data_unit {
	tw_node node;
	tw_worker *workers; /* one worker of each arch of the unit */
	int n_workers;
	int kind;                   /* units with the same archs are of one kind: a task takes the same time on them */
	struct tw_data_cell *cells; /* [data] */
	/* A tournament: best[1] is the best handle, best[i] the better of best[2i] and best[2i + 1]. */
	tw_data *best;
	tw_data *stale; /* handles whose score must be computed again */
	int32_t n_stale;
	struct tw_task_queue free; /* ready tasks whose inputs are all there */
	struct tw_task_link *links;
	int32_t n_queued; /* tasks planned or taken */
};

enum { TW_READY = -1, TW_NOT_IN_TABLE = -2 };
#define TW_LONGEST_NS 1e13
#define TW_NOT_KNOWN INT64_MIN /* stays below 0 whatever is added to it */

struct tw_data_table {
	struct tw_sched *s;
	int n_units, n_kinds;
	/* Set it before the first task: |S0| alone decides, then the lowest number, as in the first DARTS. */
	bool by_count;
	bool scores; /* tw_data_table_best() was called; until then S0 and S1 are not counted */
	struct tw_data_unit *units;
	struct tw_id_set unqueued;          /* units with no task planned or taken */
	int *unit_of_node, *unit_of_worker; /* TW_NONE: no unit */
	int32_t first_leaf;                 /* of the tournaments */
	tw_data n_data, first_accumulator;
	struct tw_data_use *uses;
	size_t n_uses, capacity;
	int32_t *ready_uses; /* [data] first use by a ready task */
	int64_t *left_ns;    /* [data * n_kinds + kind] time of all ready tasks that use the handle */
	int64_t *queued_ns;  /* [unit] time of its tasks planned or taken */
	int64_t all_queued_ns;
	double *bring_s;     /* [data * n_units + unit] transfer time with contention; unit 0 below 0: not asked yet */
	double *seconds;     /* [nodes] scratch */
	int32_t *first_use;  /* [task] index of its first use; the others follow */
	int32_t *n_inputs;   /* [task] */
	int16_t *unit_of;    /* [task] unit that planned or took it; TW_READY; TW_NOT_IN_TABLE */
	int64_t *length_ns;  /* [task * n_kinds + kind]; -1: units of that kind cannot run it */
	int64_t *least_ns;   /* [task] the least of its lengths; INT64_MAX: no unit can run it */
	int32_t *missing;    /* [task * n_units + unit] number of inputs that are not there */
	int64_t *need_ns;    /* [task * n_units + unit] to load these inputs and run the task, or TW_NOT_KNOWN */
	uint64_t version;    /* changes whenever predicted ends of tasks on units may have changed */
	struct tw_plan plan; /* all memory nodes: tasks planned and taken, also those that no unit took */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_data_table_init(struct tw_data_table *, struct tw_sched *, struct tw_error *err);
void tw_data_table_finish(struct tw_data_table *);

/* Whether all data of the graph, accumulators included, fit into the memory of each unit. */
bool tw_data_table_all_fits(const struct tw_data_table *);

/* Adds a task that becomes ready for the first time. Ends the run if memory is short. */
void tw_data_table_add(struct tw_data_table *, tw_task);
void tw_data_table_plan(struct tw_data_table *, tw_task, int unit); /* from ready */
void tw_data_table_unplan(struct tw_data_table *, tw_task);         /* to ready */
void tw_data_table_take(struct tw_data_table *, tw_task);           /* from planned */
/* Removes a task that was taken, or a ready task that a worker of no unit takes. */
void tw_data_table_drop(struct tw_data_table *, tw_task);
/* As tw_data_table_drop, when the worker has run the task: updates where its data are valid. */
void tw_data_table_end(struct tw_data_table *, tw_task, tw_worker);

/* The handle has become valid in the unit's memory, or has left it. */
void tw_data_table_set_present(struct tw_data_table *, tw_data, int unit, bool present);
/* The copies of the handle have changed, so its transfer time may have changed. */
void tw_data_table_moved(struct tw_data_table *, tw_data);

/* The number of inputs of a ready task that are not there. */
static inline int32_t tw_data_table_missing(const struct tw_data_table *t, tw_task task, int unit)
{
	return t->missing[(size_t)task * (size_t)t->n_units + (size_t)unit];
}

static inline int64_t tw_data_table_length(const struct tw_data_table *t, tw_task task, int unit)
{
	return t->length_ns[(size_t)task * (size_t)t->n_kinds + (size_t)t->units[unit].kind];
}

/* The predicted time until the unit ends a ready task that it can run, after all tasks planned or taken. Inputs are
 * loaded one after the other. Contention slows transfers by a factor of 12 at most. */
int64_t tw_data_table_completion_ns(struct tw_data_table *, tw_task, int unit);

/* Called by tw_data_table_moved(): asks for the transfer times of the handle again, and forgets need_ns that
 * changed. */
void tw_data_table_ask_again(struct tw_data_table *, tw_data);

/* The unit that has all inputs of a ready task; if several have, the one that ends it first. TW_NONE: there is
 * none. */
int tw_data_table_holder(const struct tw_data_table *, tw_task);
/* The same; if several have, the one with the fewest queued tasks. */
int tw_data_table_holder_of_fewest(const struct tw_data_table *, tw_task);

/* The unit predicted to end a ready task first, if each unit also has more_ns[] to do; ties: `unit`, which can run
 * the task. */
int tw_data_table_first(struct tw_data_table *, tw_task, int unit, const int64_t *more_ns);
/* The same; ties: the lowest unit. `unit` can run the task. `*end_ns`: the predicted end on the unit returned. */
int tw_data_table_first_of_all(struct tw_data_table *, tw_task, int unit, const int64_t *more_ns, int64_t *end_ns);

/* Called by tw_data_table_best(): starts counting S0 and S1. */
void tw_data_table_score(struct tw_data_table *);

/* The handle with the least ratio; ties by |S0|, max_prio, |S1|, task_left, then the lowest number. Candidates are
 * handles that are not there and that ready tasks use. With by_count, candidates are handles with an S0, and only
 * score.s0 is set. TW_NONE: there is none. */
tw_data tw_data_table_best(struct tw_data_table *, int unit, struct tw_data_score *score);

/* The ready tasks that lack `data` and `others` more handles on the unit (0: S0, 1: S1), by priority, then by number.
 * Writes at most `max`. Returns how many there are. */
int tw_data_table_set(const struct tw_data_table *, tw_data, int unit, int others, tw_task *tasks, int max);

/* The first task in the unit's plan that uses the handle and is not taken; TW_NONE: there is none. */
tw_task tw_data_table_planned(const struct tw_data_table *, tw_data, int unit);

#endif
