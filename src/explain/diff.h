/* Two runs of one graph beside each other: where they part, and which tasks moved to other workers. It also tells the
 * transfers by cause, and splits the difference of their makespans into causes.
 *
 * Run 0 is called A, run 1 is called B. Differences are B minus A. The platforms may differ: workers, kinds of workers
 * and memories are the same if their names are. Tasks that reductions append have no counterpart in the other run, so
 * only the tasks of the graph are compared. docs/reference/diff.md defines each number. */
#ifndef TW__EXPLAIN_DIFF_H
#define TW__EXPLAIN_DIFF_H

#include <stdio.h>

#include "base/memory.h"
#include "explain/explain.h"

/* The names that at least one of two runs has: first those of run 0, in its order, then those that only run 1 has. */
struct tw__diff_names {
	const char **list; /* [n] they belong to the platforms and the explanations */
	int n;
	int *in[2];     /* [n] the number that the name has in each run; TW_NONE: none */
	int *number[2]; /* [of the run] position in `list` */
};

/* The last execution of a task in one run. Dates are -1 if the record lacks them. */
struct tw__diff_task {
	tw__ns assign, start, end;
	/* How long the task kept its worker: from its assignment, or the end of the kernel before it on this worker if
	 * that is later, to its own end. */
	tw__ns held;
	tw_worker worker; /* TW_NONE: the task did not run */
	bool on_chain;    /* whether the makespan hangs on the task */
};

/* Tasks that ran at one place in run 0 and at another one in run 1. */
struct tw__diff_move {
	int from, to; /* positions in the list of kinds, or of workers */
	int64_t tasks;
};

/* Transfers from one memory to another for one cause. */
struct tw__diff_bytes {
	int from, to; /* positions in the list of memories */
	enum tw__cause cause;
	int64_t transfers[2];
	uint64_t bytes[2];
};

enum { TW__MOST_MOVED = 5 };

struct tw__diff {
	struct tw__arena memory; /* of names, tasks and bytes */
	const struct tw__explained_run *runs[2];
	struct tw__explanation
		of[2]; /* their chains sum to the makespans, so differences sum to that of the makespans */
	struct tw__diff_names workers, kinds, memories;
	int *kind_of[2]; /* [workers] each worker's position in the list of kinds */

	tw_task n_tasks;                /* of the graph */
	struct tw__diff_task *tasks[2]; /* [n_tasks] */
	tw_task n_appended[2];          /* tasks that reductions appended */

	bool same; /* whether all tasks and transfers are the same */
	/* The task with the earliest start, in either run, on another worker or at another date. TW_NONE: none. */
	tw_task first_start;
	/* The task with the earliest assignment, in either run, to another worker. TW_NONE: none. */
	tw_task first_assign;

	/* Numbers of tasks. Those on another worker do not count as being at another date. */
	tw_task n_other_worker, n_other_kind, n_other_date;
	struct tw__diff_move *kind_moves, *worker_moves; /* of tasks on another worker; most tasks first */
	size_t n_kind_moves, n_worker_moves;
	/* Tasks on another worker whose `held` differs most; the greatest difference first. */
	tw_task most[TW__MOST_MOVED];
	int n_most;

	struct tw__diff_bytes *bytes; /* by memory, by memory, by cause */
	size_t n_bytes;
};

/* Compares two runs. TW_INVALID: their graphs differ, and the message says in what, or
 * tw__explain_schedule has failed. The caller finishes it on success; the runs must outlive it. */
int tw__diff_init(struct tw__diff *, const struct tw__explained_run *a, const struct tw__explained_run *b,
                  struct tw_error *err);
void tw__diff_finish(struct tw__diff *);

/* The causes that have time in the chain of either makespan, the greatest difference first; returns their number. */
int tw__diff_order(const struct tw__diff *, enum tw__why order[TW__N_WHY]);
/* The same for the time of a kind of worker. `kind`: its position in the list of kinds. */
int tw__diff_kind_order(const struct tw__diff *, int kind, enum tw__why order[TW__N_WHY]);
/* Seconds that a worker of the kind spent so, on average; the sum over all causes is the makespan. NAN: the run has no
 * such worker. */
double tw__diff_kind_seconds(const struct tw__diff *, int run, int kind, enum tw__why);

/* Writes a few sentences in plain words, one a line: by how much B is slower or faster, why, where they part, and what
 * is transferred more or less. */
void tw__diff_sentences(FILE *, const struct tw__diff *);

/* diff_tasks.c. They fill all members about tasks, and about transfers. */
void tw__diff_tasks(struct tw__diff *);
void tw__diff_bytes(struct tw__diff *);

#endif
