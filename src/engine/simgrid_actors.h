/* Actors of the SimGrid engine. Each worker is one actor, with a queue of kernels. A pool of actors, which grows as
 * needed, does the transfers. A job's actor waits for the job's date, runs it, appends its completion and wakes the
 * runtime's actor. */
#ifndef TW__SIMGRID_ACTORS_H
#define TW__SIMGRID_ACTORS_H

#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

#include "engine/bridges.h"
#include "engine/engine.h"
#include "engine/flows.h"

struct job {
	struct job *next;     /* in a worker's queue, or in the list of unused jobs */
	tw__ns begin;         /* the date at which the runtime submitted it */
	tw__ns length;        /* of a kernel */
	tw__ns start, end;    /* of a kernel; recomputed if an earlier one is cancelled */
	uint64_t bytes;       /* of a transfer */
	struct tw__flow flow; /* of a transfer */
	uint64_t token, sequence;
	tw_node from, to;
	int place; /* index in engine->active */
	bool cancelled;
};

struct actor {
	struct tw__engine *engine;
	sg_sem_t wake;
	bool waits;     /* it has found its queue empty and waits for a job */
	sg_host_t host; /* of a worker */
	double speed;   /* of a worker, in flop/s */
	struct job *first, *last;
	struct actor *next;  /* in the list of idle transfer actors */
	struct job *current; /* of a worker */
	tw__ns free_at;      /* of a worker: when its last kernel ended, or when one was cancelled */
	sg_actor_t actor;
};

struct ended {
	struct tw__completion completion;
	uint64_t sequence;
};

struct tw__engine {
	struct tw_platform platform; /* the routes list only links that can limit a transfer */
	double unit;                 /* for weights by latency; 0: links are shared equally */
	tw__ns now;                  /* the runtime's clock; at or ahead of SimGrid's clock, up to rounding */
	sg_sem_t wake;               /* wakes the runtime's actor */
	bool runtime_sleeps, over;
	sg_host_t *memory; /* [n_nodes] */
	struct tw__bridges bridges;
	struct actor *workers;
	struct actor *idle; /* transfer actors without work */
	struct actor **transfer_actors;
	int n_transfer_actors;
	size_t transfer_capacity;
	struct job *unused;
	struct job **active; /* running or queued */
	int n_active;
	size_t active_capacity;
	uint64_t sequence;
	struct tw__flows flows;
	struct ended *ended;
	int n_ended;
	size_t ended_capacity;
	struct tw__completion *told; /* the completions reported to the turn */
	size_t told_capacity;
	tw__turn *turn;
	void *arg;
	int status;
};

/* Returns a job that begins now, with an entry reserved for its completion. NULL: out of memory. */
struct job *tw__job_new(struct tw__engine *);
/* To be called when the job has ended or was cancelled. */
void tw__job_done(struct tw__engine *, struct job *);

void tw__actor_start(const char *name, sg_host_t, void (*code)(int, char **), struct actor *);
void tw__actor_append(struct actor *, struct job *);
void tw__actor_wake(struct actor *); /* if it waits for a job */
void tw__worker_actor(int argc, char **argv);
/* Computes the dates of a worker's kernels; they run one after the other. */
void tw__worker_plan(struct actor *);
/* Returns an idle transfer actor, or a new one. NULL: out of memory. */
struct actor *tw__transfer_actor_get(struct tw__engine *);

#endif
