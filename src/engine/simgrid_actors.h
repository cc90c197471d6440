/* Actors of the SimGrid engine. Each worker is one actor, with a queue of kernels. A pool of actors, which grows as
 * needed, does the transfers. The actor of a job waits for the job's date, runs the job, appends its completion and
 * wakes the runtime's actor. */
#ifndef TW__SIMGRID_ACTORS_H
#define TW__SIMGRID_ACTORS_H

#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

#include "engine/bridges.h"
#include "engine/engine.h"
#include "engine/flows.h"

/* A kernel or a transfer. */
struct job {
	struct job *next;     /* next job in a worker's queue, or in the list of unused jobs */
	tw__ns begin;         /* date at which the runtime submitted the job */
	tw__ns length;        /* a kernel's duration */
	tw__ns start, end;    /* dates of a kernel; recomputed if an earlier kernel is cancelled */
	uint64_t bytes;       /* a transfer's size */
	struct tw__flow flow; /* a transfer's flow */
	uint64_t token, sequence;
	tw_node from, to;
	int place; /* index of the job in engine->active */
	bool cancelled;
};

struct actor {
	struct tw__engine *engine;
	sg_sem_t wake;
	bool waits;     /* whether the actor has found its queue empty and waits for a job */
	sg_host_t host; /* a worker's host in SimGrid */
	double speed;   /* flop/s of a worker's host */
	struct job *first, *last;
	struct actor *next;  /* next actor in the list of idle transfer actors */
	struct job *current; /* the job that a worker runs, or NULL */
	tw__ns free_at;      /* date at which a worker's last kernel ended, or at which its kernel was cancelled */
	sg_actor_t actor;
};

struct ended {
	struct tw__completion completion;
	uint64_t sequence;
};

struct tw__engine {
	struct tw_platform platform; /* the platform; its routes list only links that can limit a transfer */
	double unit;                 /* the latency of weight 1 (platform/weights.h); 0: links are shared equally */
	tw__ns now;                  /* the runtime's date; equal to or ahead of SimGrid's clock, up to rounding */
	tw__ns origin;               /* the date of second 0 of SimGrid's clock: simgrid_clock.h */
	sg_sem_t wake;               /* semaphore that wakes the runtime's actor */
	bool runtime_sleeps, over;
	sg_host_t *memory; /* [n_nodes] SimGrid host of each memory */
	struct tw__bridges bridges;
	struct actor *workers;
	struct actor *idle; /* list of transfer actors without work */
	struct actor **transfer_actors;
	int n_transfer_actors;
	size_t transfer_capacity;
	struct job *unused;
	struct job **active; /* jobs that run or are queued */
	int n_active;
	size_t active_capacity;
	uint64_t sequence;
	struct tw__flows flows;
	struct ended *ended;
	int n_ended;
	size_t ended_capacity;
	struct tw__completion *told; /* completions that the next turn gets */
	size_t told_capacity;
	tw__turn *turn;
	void *arg;
	int status;
};

/* Returns a job that begins now, with an entry reserved for its completion. Returns NULL if out of memory. */
struct job *tw__job_new(struct tw__engine *);
/* Appends the job's completion, unless the job was cancelled, and frees the job for another use. */
void tw__job_done(struct tw__engine *, struct job *);

void tw__actor_start(const char *name, sg_host_t, void (*code)(int, char **), struct actor *);
void tw__actor_append(struct actor *, struct job *);
void tw__actor_wake(struct actor *); /* wakes the actor if it waits for a job */
void tw__worker_actor(int argc, char **argv);
/* Computes the dates of a worker's queued kernels, which run one after the other. */
void tw__worker_plan(struct actor *);
/* Returns an idle transfer actor, or a new one. Returns NULL if out of memory. */
struct actor *tw__transfer_actor_get(struct tw__engine *);

#endif
