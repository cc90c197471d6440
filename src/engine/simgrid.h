/* The SimGrid engine, a module that is linked with SimGrid: simgrid.c with the operations and the runtime's actor,
 * simgrid_actors.c with the other actors. The file flows.c bounds the ends of transfers. The file simgrid_load.c starts
 * SimGrid, and moves its clock. */
#ifndef TW__SIMGRID_H
#define TW__SIMGRID_H

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/semaphore.h>

#include "base/memory.h"
#include "engine/ended.h"
#include "platform/weights.h"

/* --- flows.c ------------------------------------------------------------------------------------------------------ */

/* A lower bound on the date of the next end of a transfer, for the SimGrid engine. With this bound the engine can move
 * its clock without asking SimGrid. Weighted max-min sharing gives each flow at least its fair share of its tightest
 * link. So a flow gets at most the bandwidth that the least shares of the other flows leave on each of its links. The
 * bound is exact where all flows share one bottleneck. */
struct tw__flow {
	const struct tw__route *route;
	double weight;      /* weight of the flow in the sharing of links */
	double begin;       /* date at which the flow's latency has passed: the flow takes bandwidth from then on */
	double entry;       /* date from which the flow counts as a user of bridges (below), at or before `begin` */
	double left;        /* lower bound on the bytes that the flow has left at tw__flows.date */
	double least, most; /* bounds on the flow's rate since tw__flows.date, in bytes/s */
	bool flowing, entered;
	int place;
};

struct tw__flows {
	const struct tw__platform *platform;
	struct tw__flow **flows;
	int n;
	size_t capacity;
	const struct tw__weights *weights;
	double *demand; /* [links] sum of the weights of the flows through the link, once per crossing */
	double *taken;  /* [links] sum of the least shares of the flows through the link, in bytes/s */
	int *users;     /* [links] number of flows that count as users of the link */
	double date;    /* date of the last update, in seconds */
};

void tw__flows_init(struct tw__flows *, const struct tw__platform *, const struct tw__weights *);
void tw__flows_finish(struct tw__flows *);

/* Adds a flow, which takes bandwidth from `begin` on. The caller owns the flow's memory, and keeps it until the flow is
 * removed. `begin` must not be before the date of any earlier call. */
void tw__flows_add(struct tw__flows *, struct tw__flow *, const struct tw__route *, double begin, double bytes);
void tw__flows_remove(struct tw__flows *, struct tw__flow *, double now);

/* Subtracts `seconds` from all dates. */
void tw__flows_shift(struct tw__flows *, double seconds);

/* Returns a date before which no flow ends, at least min(until, the true next end). Dates of calls must not go back. */
double tw__flows_horizon(struct tw__flows *, double until);

/* --- simgrid_actors.c --------------------------------------------------------------------------------------------- */

/* Actors of the SimGrid engine. Each worker is one actor, with a queue of kernels. A pool of actors, which grows as
 * needed, does the transfers. The actor of a job waits for the job's date, runs the job, appends its completion and
 * wakes the runtime's actor. */

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

/* A link whose bandwidth is lower while several copies share it. The engine counts the copies, and sets the bandwidth
 * in SimGrid. */
struct bridge {
	sg_link_t link; /* NULL: no bridge, the bandwidth is the same, shared or not */
	int users;
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

struct tw__engine {
	struct tw__arena all;         /* memory of all below that does not grow */
	struct tw__platform platform; /* the platform; its routes list only links that can limit a transfer */
	struct tw__weights weights;
	tw__ns now;    /* the runtime's date; equal to or ahead of SimGrid's clock, up to rounding */
	tw__ns origin; /* the date of second 0 of SimGrid's clock: simgrid_load.c */
	sg_sem_t wake; /* semaphore that wakes the runtime's actor */
	bool runtime_sleeps, over;
	sg_host_t *memory;      /* [n_nodes] SimGrid host of each memory */
	struct bridge *bridges; /* [n_links] */
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
	struct tw__ended ended;
	tw__turn *turn;
	void *arg;
	int status;
};

/* Returns a job that begins now. */
struct job *tw__job_new(struct tw__engine *);
/* Appends the job's completion, unless the job was cancelled, and frees the job for another use. */
void tw__job_done(struct tw__engine *, struct job *);

void tw__actor_start(const char *name, sg_host_t, void (*code)(int, char **), struct actor *);
void tw__actor_append(struct actor *, struct job *);
void tw__actor_wake(struct actor *); /* wakes the actor if it waits for a job */
void tw__worker_actor(int argc, char **argv);
/* Computes the dates of a worker's queued kernels, which run one after the other. */
void tw__worker_plan(struct actor *);
/* Returns an idle transfer actor, or a new one. */
struct actor *tw__transfer_actor_get(struct tw__engine *);

/* --- simgrid_load.c ----------------------------------------------------------------------------------------------- */

/* Starts SimGrid and loads a platform. Hosts W0, W1 ... are workers, hosts M0, M1 ... memories; L0, L1 ... are
 * links. */
int tw__simgrid_load(const struct tw__platform *, const struct tw__weights *, struct tw_error *err);

/* SimGrid's clock is a double, which counts seconds from the engine's origin. The origin follows the dates, so the
 * clock keeps its precision in runs of any length. */

/* Returns the date in seconds from the origin. */
static inline double tw__clock_seconds(const struct tw__engine *e, tw__ns date)
{
	return date == TW__NEVER ? INFINITY : tw__seconds(date - e->origin);
}

/* Returns the date of an event that SimGrid's clock shows at `seconds`. */
static inline tw__ns tw__clock_date(const struct tw__engine *e, double seconds)
{
	return tw__later(e->origin, tw__ns_after(seconds));
}

/* Moves the origin, and SimGrid's clock with it, if that clock is far from the origin. Call this when the runtime's
 * date is no longer behind SimGrid's clock, and before the turn of that date. */
void tw__clock_follow(struct tw__engine *);

#endif
