/* Which data would free which tasks: the quantities of DARTS (Gonthier, Thibault, Marchal 2024, A generic scheduler to foster
 * data locality for GPU and out-of-core task-based applications, section 5.3), kept up to date as tasks and data come and go.
 * A help for policies that choose data first, and then tasks.
 *
 * A unit is a memory node whose workers share one plan: accelerators or, in runs without any, cores; cores beside accelerators
 * belong to none, not even to one in the same memory. A task is
 *   ready     in the pool (the paper's readyTasks);
 *   planned   for a unit (plannedTasks_k): it can go back to the pool;
 *   taken     by the unit (taskBuffer_k, and what runs): until it ends.
 * For a unit a data is there if it is present in its memory, or accessed by a task that the unit has planned or taken, and so
 * about to be. A task's inputs are what it reads: what it only writes is not loaded.
 *
 * In the ratio a task counts for the time it takes, as in the paper. Where units differ, of which the paper says nothing, for the least of its
 * times, times how near the unit comes to that: else a unit would prefer what it is slowest at.
 *
 * Durations are counted in whole nanoseconds: sums are exact, whatever is added and removed between. A task or a transfer counts for
 * TW_LONGEST_NS, nearly three hours, at most, so that sums of 900,000 do not overflow. */
#ifndef TILEWRIGHT_DATA_TABLE_H
#define TILEWRIGHT_DATA_TABLE_H

#include <tilewright/containers.h>
#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/plan.h"

/* Of a data that is not there, for a unit: the paper's ratio, |S0|, max_prio, |S1| and task_left, in the order in which they
 * decide. S0: ready tasks that lack it alone; S1: those that lack it and one more. */
struct tw_data_score {
	double ratio;     /* predicted time of its transfer / what the tasks in S0 count for; INFINITY without any */
	int32_t s0;       /* |S0| */
	int32_t max_prio; /* the highest priority in S0, or in S1 if S0 is empty; INT32_MIN if both are */
	int32_t s1;       /* |S1| */
	int64_t left_ns;  /* task_left: of all ready tasks that use it */
};

/* The uses of a data by ready tasks are a list. */
struct tw_data_use {
	tw_data data;
	tw_task task;
	int32_t before, behind; /* other uses; TW_NONE at the ends */
};

struct tw_data_cell {               /* a data, for a unit */
	struct tw_data_score score; /* as it was last computed */
	int64_t computation_ns;
	int32_t s0, s1;
	bool present, there;
	bool stale; /* the score has to be computed again */
};

struct tw_data_unit {
	tw_node node;
	tw_worker *workers; /* one of each arch that computes there */
	int n_workers;
	int kind;                   /* units of the same archs are of one kind: a task takes as long there */
	struct tw_data_cell *cells; /* [data] */
	tw_data *
		best; /* a tournament: best[1] is the best of all data, best[i] the better of best[2i] and best[2i + 1] */
	tw_data *stale; /* data whose score has to be computed again */
	int32_t n_stale;
	struct tw_task_queue free; /* ready tasks that lack nothing */
	struct tw_task_link *links;
	int32_t n_queued; /* tasks that it has planned or taken */
};

enum { TW_READY = -1, TW_NOT_IN_TABLE = -2 };
#define TW_LONGEST_NS 1e13
#define TW_NOT_KNOWN INT64_MIN /* whatever is added to it, it is below 0 */

struct tw_data_table {
	struct tw_sched *s;
	int n_units, n_kinds;
	bool by_count; /* set it before the first task: |S0| alone decides, then the lowest number, as in the first DARTS */
	bool scores; /* somebody has asked for the best data; until then S0 and S1 are not counted */
	struct tw_data_unit *units;
	struct tw_id_set unqueued;          /* units that have nothing planned or taken */
	int *unit_of_node, *unit_of_worker; /* TW_NONE: it belongs to none */
	int32_t first_leaf;                 /* of the tournaments */
	tw_data n_data, first_accumulator;
	struct tw_data_use *uses;
	size_t n_uses, capacity;
	int32_t *ready_uses; /* [data] the first use by a ready task */
	int64_t *left_ns;    /* [data * n_kinds + kind] of all ready tasks that use it */
	int64_t *queued_ns;  /* [unit] of what it has planned or taken */
	int64_t all_queued_ns;
	double *bring_s;    /* [data * n_units + unit] slowed down by other transfers; the first below 0: not asked */
	double *seconds;    /* [nodes] for a moment */
	int32_t *first_use; /* [task] its uses are one behind the other */
	int32_t *n_inputs;  /* [task] */
	int16_t *unit_of;   /* [task] whose it is; TW_READY; TW_NOT_IN_TABLE */
	int64_t *length_ns; /* [task * n_kinds + kind]; -1: units of that kind cannot run it */
	int64_t *least_ns;  /* [task] of its lengths; INT64_MAX: no unit can run it */
	int32_t *missing;   /* [task * n_units + unit] inputs that are not there */
	int64_t *need_ns; /* [task * n_units + unit] to bring these and run it; TW_NOT_KNOWN: not added up, or cannot */
	uint64_t version; /* another one whenever what units would end when may have changed */
	struct tw_plan plan; /* of all memory nodes: what is planned and taken; takes and ends in other nodes, too */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_data_table_init(struct tw_data_table *, struct tw_sched *, struct tw_error *err);
void tw_data_table_finish(struct tw_data_table *);

/* Whether each unit has room for all data of the graph, accumulators included. */
bool tw_data_table_all_fits(const struct tw_data_table *);

/* The task is ready, for the first time. Ends the run if memory is short. */
void tw_data_table_add(struct tw_data_table *, tw_task);
void tw_data_table_plan(struct tw_data_table *, tw_task, int unit); /* it was ready */
void tw_data_table_unplan(struct tw_data_table *, tw_task);         /* ready again */
void tw_data_table_take(struct tw_data_table *, tw_task);           /* it was planned */
/* It is nobody's any more: it was taken, or leaves the pool for workers that are no unit. */
void tw_data_table_drop(struct tw_data_table *, tw_task);
/* The same, and what the task has read and written is where it is now: the worker has run it. */
void tw_data_table_end(struct tw_data_table *, tw_task, tw_worker);

/* The data has come into the unit's memory, or has left it. */
void tw_data_table_set_present(struct tw_data_table *, tw_data, int unit, bool present);
/* The data has got other copies: the time to transfer it may have changed. */
void tw_data_table_moved(struct tw_data_table *, tw_data);

/* Inputs of a ready task that are not there. */
static inline int32_t tw_data_table_missing(const struct tw_data_table *t, tw_task task, int unit)
{
	return t->missing[(size_t)task * (size_t)t->n_units + (size_t)unit];
}

static inline int64_t tw_data_table_length(const struct tw_data_table *t, tw_task task, int unit)
{
	return t->length_ns[(size_t)task * (size_t)t->n_kinds + (size_t)t->units[unit].kind];
}

/* Predicted: how long it takes until the unit, behind all that it has planned and taken, has ended a ready task that it can run, whose
 * inputs are brought one after the other; slowed down by other transfers by a factor of 12 at most. */
int64_t tw_data_table_completion_ns(struct tw_data_table *, tw_task, int unit);

/* Called by tw_data_table_moved(): transfers of the data may take longer or shorter, and so what ready tasks need. */
void tw_data_table_ask_again(struct tw_data_table *, tw_data);

/* Where a ready task lacks nothing; of several units the first to end it. TW_NONE: nowhere. */
int tw_data_table_holder(const struct tw_data_table *, tw_task);
/* The same, but of several units that with the fewest queued tasks. */
int tw_data_table_holder_of_fewest(const struct tw_data_table *, tw_task);

/* The unit that is predicted to end a ready task first, if each has more_ns[] to do beside what it has queued; of equals `unit`, which
 * can run it. */
int tw_data_table_first(struct tw_data_table *, tw_task, int unit, const int64_t *more_ns);
/* The same, but of equals the lowest. `unit`: one that can run it. `*end_ns`: when it ends it. */
int tw_data_table_first_of_all(struct tw_data_table *, tw_task, int unit, const int64_t *more_ns, int64_t *end_ns);

/* Called by tw_data_table_best(): from now on S0 and S1 are counted. */
void tw_data_table_score(struct tw_data_table *);

/* The data with the least ratio; among equals by |S0|, max_prio, |S1|, task_left; then the lowest number. Only of data that are
 * not there and that ready tasks use. By count: only of those with an S0, whose size is all that the score tells. TW_NONE: there
 * is none. */
tw_data tw_data_table_best(struct tw_data_table *, int unit, struct tw_data_score *score);

/* The ready tasks that lack `data` and `others` more on the unit (0: S0, 1: S1), by priority, then by number. Returns how many
 * there are; at most `max` are written. */
int tw_data_table_set(const struct tw_data_table *, tw_data, int unit, int others, tw_task *tasks, int max);

/* The first of the tasks planned for the unit and not taken that use the data; TW_NONE: there is none. */
tw_task tw_data_table_planned(const struct tw_data_table *, tw_data, int unit);

#endif
