/* Two runs of one graph beside each other: where they part, and which tasks moved to other workers. It also tells the
 * transfers by cause, and splits the difference of their makespans into causes.
 *
 * Run 0 is called A, run 1 is called B. Differences are B minus A. The platforms may differ: workers, kinds of workers
 * and memories are the same if their names are. Tasks that reductions append have no counterpart in the other run, so
 * only the tasks of the graph are compared. On clusters, that is the graph of the program, before it is divided among
 * the nodes. docs/reference/diff.md defines each number. */
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

/* Transfers from one memory to another for one cause; messages are none. */
struct tw__diff_bytes {
	int from, to; /* positions in the list of memories */
	enum tw__cause cause;
	int64_t transfers[2];
	uint64_t bytes[2];
};

/* The messages that a node of a cluster sends, or receives. */
struct tw__diff_traffic {
	int64_t messages[2];
	uint64_t bytes[2];
	tw__ns time[2]; /* on the network: the sum over the messages */
};

/* Messages that are the same in both runs: of one content, between the same nodes. */
struct tw__diff_message {
	enum tw__message_content {
		TW__CONTENT_HANDLE,       /* a version of a handle */
		TW__CONTENT_CONTRIBUTION, /* what a node contributes to the reduction of a handle */
		TW__CONTENT_ORDER         /* word that a task has ended */
	} content;
	int32_t number;   /* of the handle or task, in the program */
	int32_t version;  /* of the handle: the program's writes that it has */
	int from, to;     /* positions in the list of nodes */
	int64_t times[2]; /* in each run */
	uint64_t bytes;   /* of one */
};

enum { TW__MOST_MOVED = 5 };

struct tw__diff {
	struct tw__arena memory; /* of names, tasks and bytes */
	const struct tw__explained_run *runs[2];
	struct tw__explanation
		of[2]; /* their chains sum to the makespans, so differences sum to that of the makespans */
	struct tw__diff_names workers, kinds, memories;
	struct tw__diff_names ranks; /* nodes of clusters */
	int *kind_of[2];             /* [workers] each worker's position in the list of kinds */

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

	/* Messages between nodes of clusters. */
	int64_t n_messages[2];
	struct tw__diff_traffic *sent, *received; /* [ranks.n] */
	struct tw__diff_message *alone;           /* that one run has more often than the other */
	size_t n_alone;
	int64_t n_both; /* messages of A that B has, too */
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

/* diff_messages.c: fills all members about messages. */
void tw__diff_messages(struct tw__diff *);

#endif
