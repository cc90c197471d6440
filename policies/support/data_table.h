/* A table that tells, for each unit, which data handles would free which tasks if loaded. It holds the quantities of
 * DARTS and updates them as tasks and data come and go. The paper is Gonthier, Thibault, Marchal 2024, section 5.3 ("A
 * generic scheduler to foster data locality for GPU and out-of-core task-based applications"). Policies that choose
 * data first, and then tasks, use the table.
 *
 * A unit is a memory node whose workers share one plan. Units are the memories of accelerators or, in runs without
 * accelerators, of cores. Cores beside accelerators belong to no unit, not even to one in the same memory. A task is
 * - ready: in the pool (the paper's readyTasks);
 * - planned: for a unit (plannedTasks_k); it can go back to the pool;
 * - taken: by the unit (taskBuffer_k, and running tasks), until it ends.
 *
 * A handle is *there* for a unit if it is valid in the unit's memory. It is also there if a task that the unit has
 * planned or taken uses it. The inputs of a task are the handles that it reads. Data that a task only writes are not
 * loaded.
 *
 * DARTS chooses by a ratio, the transfer time of a handle over the time of the tasks that it frees. The head of
 * policies/darts.c tells how much of its time a task counts if units differ in speed.
 *
 * Durations are whole nanoseconds, so that sums stay exact when terms are added and removed. A task or a transfer
 * counts TW_LONGEST_NS (nearly three hours) at most, so that sums of 900,000 terms do not overflow. */
#ifndef TILEWRIGHT_DATA_TABLE_H
#define TILEWRIGHT_DATA_TABLE_H

#include <tilewright/containers.h>
#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/plan.h"

/* The score of a handle that a unit lacks. The members are in the order in which they decide. S0: the ready tasks that
 * lack only this handle. S1: the ready tasks that lack this handle and one more. */
struct tw_data_score {
	double ratio;     /* predicted transfer time over the computation time of S0; INFINITY: S0 is empty */
	int32_t s0;       /* number of tasks in S0 */
	int32_t max_prio; /* the highest priority of tasks in S0; if S0 is empty, in S1; INT32_MIN: both are empty */
	int32_t s1;       /* number of tasks in S1 */
	int64_t left_ns;  /* task_left in the paper: time of all ready tasks that use the handle */
};

/* A task that is in the table: from when it becomes ready until it is dropped. Entries have numbers from 1. A free one
 * keeps its uses, for a task with as many accesses. */
struct tw_data_task {
	tw_task task;      /* of a free entry: the next free one with as many accesses; 0: none */
	int32_t first_use; /* index in `uses` of the task's first use; its other uses follow */
	int32_t n_inputs;  /* number of inputs of the task */
	int32_t unit_of;   /* unit that planned or took the task; or TW_READY; or TW_NOT_IN_TABLE */
	int64_t least_ns;  /* time of the task on its fastest unit; INT64_MAX: no unit can run it */
};

/* One use of a handle by a task. The uses of one handle by ready tasks form a linked list. */
struct tw_data_use {
	tw_data data;
	int32_t entry;          /* of the task */
	int32_t before, behind; /* neighbours in the list of uses of the handle; TW_NONE at the ends */
};

/* The state of one handle for one unit (a GPU, or all cores). */
struct tw_data_state {
	bool present : 1, there : 1;
	bool stale : 1; /* the score is out of date: compute it again before the next choice */
};

/* The scores of one handle for one unit. */
struct tw_data_cell {
	struct tw_data_score score; /* the score as last computed */
	int64_t computation_ns;
	int32_t s0, s1;
};

struct tw_data_unit {
	tw_node node;
	tw_worker *workers; /* [n_workers] one worker of each arch of the unit */
	int n_workers;
	/* Units with the same archs have the same kind: a task takes the same time on them. */
	int kind;
	struct tw_data_state *states; /* [data] the state of each handle for this unit; small, as every task reads it */
	struct tw_data_cell *cells;   /* [data] unused until tw_data_table_best() is called */
	/* The tournament among the handles: best[1] is the best handle to load, and best[i] the better of best[2i] and
	 * best[2i + 1]. */
	tw_data *best;
	int32_t n_candidates; /* number of handles in the tournament */
	tw_data *stale;       /* [n_stale] the handles whose `stale` is true */
	int32_t n_stale;
	struct tw_task_queue free; /* ready tasks all of whose inputs the unit has */
	int32_t n_queued;          /* number of tasks that the unit has planned or taken */
};

enum { TW_READY = -1, TW_NOT_IN_TABLE = -2 };
#define TW_LONGEST_NS 1e13
/* A time in need_ns that is not known; stays below 0 when any durations are added to it. */
#define TW_NOT_KNOWN INT64_MIN

struct tw_data_table {
	struct tw_sched *s;
	int n_units, n_kinds;
	/* Rule of the first DARTS: a unit loads the handle with the most ready tasks that lack only this handle. Ties:
	 * the lowest handle number. Set by_count before the first task. */
	bool by_count;
	bool scores; /* tw_data_table_best() was called once; until then the table counts no members of S0 and S1 */
	struct tw_data_unit *units;
	struct tw_id_set unqueued; /* units that have no task planned or taken */
	/* [nodes] unit of each memory; [workers] unit of each worker; TW_NONE: no unit */
	int *unit_of_node, *unit_of_worker;
	int32_t first_leaf; /* in each tournament, the leaf of handle d is best[first_leaf + d] */
	tw_data n_data, first_accumulator;
	int32_t *entry_of;          /* [tasks] entry of each task; 0: the task is not in the table */
	struct tw_data_task *tasks; /* entries of tasks; entry 0 is that of all tasks that are not in the table */
	int32_t n_entries, entry_capacity;
	int32_t *free_of; /* [accesses] first free entry of those for tasks with so many accesses; 0: none */
	struct tw_data_use *uses;
	size_t n_uses, capacity;
	int32_t *ready_uses; /* [data] first use of the handle by a ready task, an index in `uses`; TW_NONE: no use */
	/* [data * n_kinds + kind] time of all ready tasks that use the handle, on units of the kind */
	int64_t *left_ns;
	int64_t *queued_ns; /* [unit] time of the tasks that the unit has planned or taken */
	int64_t all_queued_ns;
	/* [data * n_units + unit] seconds to transfer the handle to the unit, with contention. While the value for unit
	 * 0 is below 0, the seconds for all units are not known. */
	double *bring_s;
	double *seconds; /* [nodes] scratch array: transfer times of one handle to all memories */
	/* [entry * n_kinds + kind] time of the task on units of the kind; -1: they cannot run it */
	int64_t *length_ns;
	int32_t *missing; /* [entry * n_units + unit] number of inputs of the task that the unit lacks */
	/* [entry * n_units + unit] time to load the inputs that the unit lacks, and to run the task; or TW_NOT_KNOWN */
	int64_t *need_ns;
	uint64_t version; /* increases whenever predicted ends of tasks on units may have changed */
	/* Plan of all memory nodes: the tasks planned and taken, also tasks that workers of no unit took. */
	struct tw_plan plan;
};

void tw_data_table_init(struct tw_data_table *, struct tw_sched *); /* initialises a table with no tasks */

/* Whether all data of the graph, accumulators included, fit into the memory of each unit. */
bool tw_data_table_all_fits(const struct tw_data_table *);

/* Adds a task that becomes ready for the first time. */
void tw_data_table_add(struct tw_data_table *, tw_task);
void tw_data_table_plan(struct tw_data_table *, tw_task, int unit); /* plans a ready task for the unit */
void tw_data_table_unplan(struct tw_data_table *, tw_task);         /* makes a planned task ready again */
void tw_data_table_take(struct tw_data_table *, tw_task);           /* notes that the unit takes a planned task */
/* Removes a task that was taken, or a ready task that a worker of no unit takes. */
void tw_data_table_drop(struct tw_data_table *, tw_task);
/* Removes a task that the worker has run. Also updates where the data of the task are valid. */
void tw_data_table_end(struct tw_data_table *, tw_task, tw_worker);

/* Notes that the handle has become valid in the unit's memory (`present`), or is no longer valid there. */
void tw_data_table_set_present(struct tw_data_table *, tw_data, int unit, bool present);
/* Notes that the copies of the handle have changed, so that its transfer times may have changed. */
void tw_data_table_moved(struct tw_data_table *, tw_data);

/* Returns what the table knows of the task. */
static inline const struct tw_data_task *tw_data_table_task(const struct tw_data_table *t, tw_task task)
{
	return &t->tasks[t->entry_of[task]];
}

/* The next three functions know a task by its entry. They give its element in `missing`, in `need_ns`, and its time on
 * the unit. */
static inline int32_t *tw__data_missing(const struct tw_data_table *t, int32_t entry, int unit)
{
	return &t->missing[(size_t)entry * (size_t)t->n_units + (size_t)unit];
}

static inline int64_t *tw__data_need_ns(const struct tw_data_table *t, int32_t entry, int unit)
{
	return &t->need_ns[(size_t)entry * (size_t)t->n_units + (size_t)unit];
}

static inline int64_t tw__data_length_ns(const struct tw_data_table *t, int32_t entry, int unit)
{
	return t->length_ns[(size_t)entry * (size_t)t->n_kinds + (size_t)t->units[unit].kind];
}

/* Returns the number of inputs of a ready task that the unit lacks. */
static inline int32_t tw_data_table_missing(const struct tw_data_table *t, tw_task task, int unit)
{
	return *tw__data_missing(t, t->entry_of[task], unit);
}

static inline int64_t tw_data_table_length(const struct tw_data_table *t, tw_task task, int unit)
{
	return tw__data_length_ns(t, t->entry_of[task], unit);
}

/* Returns the predicted nanoseconds until the unit ends a ready task that it can run, after all its planned and taken
 * tasks. Missing inputs are loaded one after the other. Contention slows transfers by a factor of 12 at most. */
int64_t tw_data_table_completion_ns(struct tw_data_table *, tw_task, int unit);

/* Asks for the transfer times of the handle again, and forgets the entries of need_ns that have changed. Only
 * tw_data_table_moved() calls it. */
void tw_data_table_ask_again(struct tw_data_table *, tw_data);

/* Returns the unit that has all inputs of a ready task. If several units have, returns the one with the fewest queued
 * tasks (`fewest`), or the one that ends the task first. TW_NONE: no unit has all inputs. */
int tw_data_table_holder(const struct tw_data_table *, tw_task, bool fewest);

/* Returns the unit predicted to end a ready task first, if each unit k also has more_ns[k] to do. Ties: `unit`, which
 * must be able to run the task. */
int tw_data_table_first(struct tw_data_table *, tw_task, int unit, const int64_t *more_ns);
/* Returns the unit predicted to end a ready task first, if each unit k also has more_ns[k] to do. Ties: the lowest
 * unit. `unit` is any unit that can run the task. `*end_ns`: the predicted end on the unit returned. */
int tw_data_table_first_of_all(struct tw_data_table *, tw_task, int unit, const int64_t *more_ns, int64_t *end_ns);

/* Adds an entry, with room for as many uses as the task has accesses. In data_units.c. */
int32_t tw__data_make_entry(struct tw_data_table *, int n_accesses);

/* Starts the counting of S0 and S1 for all handles: the ready tasks that lack only the handle, or one more. Only
 * tw_data_table_best() calls it. */
void tw_data_table_score(struct tw_data_table *);

/* Returns the handle that the unit should load next: the one with the least ratio. Ties: by S0, max_prio, S1 and
 * left_ns, the greatest first, then the lowest handle number. Candidates are handles that the unit lacks and that ready
 * tasks use. With by_count, candidates are handles whose S0 is not empty, and only score->s0 is set. TW_NONE: there is
 * no candidate. The policy has then looked at all candidates (tw_looked_at). */
tw_data tw_data_table_best(struct tw_data_table *, int unit, struct tw_data_score *score);

/* Fills tasks[max] with ready tasks that lack `data` and `others` more handles on the unit (0: S0, 1: S1). They are in
 * the order of priority, then of task number. Returns how many such tasks there are, which may be more than `max`. */
int tw_data_table_set(const struct tw_data_table *, tw_data, int unit, int others, tw_task *tasks, int max);

/* Returns the first task in the unit's plan that uses the handle and that the unit has not taken; TW_NONE: there is
 * none. */
tw_task tw_data_table_planned(const struct tw_data_table *, tw_data, int unit);

#endif
