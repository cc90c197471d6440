/* Messages between the processes of a run, each of which has one node of a cluster (rank) and an engine of its own. The
 * module tilewright-mpi.so sends them over MPI.
 *
 * One thread at a time uses a transport. Only the functions of the last group wait for other processes. They poll and
 * sleep. */
#ifndef TW__TRANSPORT_H
#define TW__TRANSPORT_H

#include <tilewright/base.h>

#include "graph/ranks.h"

struct tw__transport;

/* Stands before the content of a message, for checks. */
struct tw__envelope {
	int64_t number;  /* of the message */
	int64_t version; /* the program's task that wrote the content; TW_NONE: none has */
	uint64_t sum;    /* checksum of the content */
};

enum { TW__TRANSPORT_MOST_VALUES = 4 };

struct tw__transport_ops {
	/* Joins the other processes. Sets the number of this process, and that of all. */
	int (*open)(struct tw__transport **, int *number, int *n, struct tw_error *);
	void (*close)(struct tw__transport *); /* waits until all others close theirs */
	int64_t (*most_messages)(const struct tw__transport *);
	bool (*is_one_machine)(const struct tw__transport *); /* all processes have one clock */

	/* Begins one end of a message, and returns a number for it, which no other end has that is under way. Sending
	 * ends only when the receiver has begun. Envelope and content must stay until this end has ended. */
	int (*begin)(struct tw__transport *, bool sends, int peer, int32_t message, struct tw__envelope *,
	             void *content, uint64_t bytes);
	/* Returns the numbers of ends that have ended since the last call. */
	const int *(*ended)(struct tw__transport *, int *n);
	/* Whether a message is there that no end under way takes. */
	bool (*finds)(struct tw__transport *, int *from, int32_t *message);

	/* Adds the n values of all processes, or takes the greatest of each. All processes call it in one order. The
	 * next call comes when is_combined has returned true. */
	void (*combine)(struct tw__transport *, bool greatest, const int64_t *own, int64_t *all, int n);
	bool (*is_combined)(struct tw__transport *);

	/* Returns when all processes have called it, in all at nearly one time. `bytes` become those of process 0. */
	void (*start)(struct tw__transport *, void *bytes, int n_bytes);
	void (*put)(struct tw__transport *, int to, const void *, uint64_t bytes);
	void (*get)(struct tw__transport *, int from, void *, uint64_t bytes);
};

/* The cluster, as far as an engine needs to know it, if its nodes are processes. */
struct tw__processes {
	const struct tw__transport_ops *ops;
	struct tw__transport *transport;
	int number, n;
	uint64_t seed;                  /* of the content of all handles */
	const struct tw_graph *program; /* the results are its */
	const struct tw_graph *whole;   /* with the graphs of all processes: graph/ranks.h */
	/* [tasks], [data] of this process: numbers in the program; TW_NONE: it has none */
	const tw_task *task_origin;
	const tw_data *data_origin;
	const tw_task *version; /* [messages] the version that each carries, as in the envelope */
	const tw_data *result;  /* [data of the program] where its result is, in `whole`; TW_NONE: no task writes it */
	uint64_t most_bytes;    /* of a message */
	int64_t received;       /* messages and bytes; the engine counts */
	uint64_t received_bytes;
};

#endif
