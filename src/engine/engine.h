/* The interface of engines, which make time pass. The runtime tells an engine "run this task on that worker" and
 * "copy this handle from here to there". The engine reports the kernels and transfers that have ended. The runtime does
 * not know which engine it has; it asks for capabilities.
 *
 * The engine drives a run. It calls the runtime's *turn* at date 0, whenever a kernel or transfer has ended, and at the
 * date that the last turn asked for. In a turn every worker that can act does so, and the runtime calls the operations
 * below. One turn runs at a time, in any thread of the engine. */
#ifndef TW__ENGINE_H
#define TW__ENGINE_H

#include <tilewright/params.h>

#include "base/date.h"
#include "graph/graph.h"
#include "platform/platform.h"

struct tw__engine; /* the state of an engine in a run; each engine defines its own */
struct tw__processes;

struct tw__completion {
	uint64_t token;
	uint64_t sequence; /* for the engine alone: the rank of its start */
	tw__ns start, end; /* dates of the kernel or transfer; at most the date of the turn */
	int status;        /* TW_OK, or a negative enum tw_status if the kernel or transfer failed */
	const char *why;   /* the reason of a failure, in one line; valid until the turn is over */
	tw__ns call;       /* how long the calls took that launched it on a GPU; 0: none, or not measured */
	bool interrupted;  /* a kernel's core was preempted for part of the time, as far as the engine knows */
};

enum tw__engine_caps {
	TW__ENGINE_CANCELS = 1, /* the engine has the operation `cancel` */
	/* Each run gets a process of its own, as a process can do one run only. If the engine computes, a process can
	 * do several, one after the other, unless one hangs. */
	TW__ENGINE_FORKS = 2,
	TW__ENGINE_COMPUTES = 4, /* it computes: exec needs operands, durations are measured; one run at a time */
	/* Transfers between an ordered pair of memories run one after another, in the order of issue. */
	TW__ENGINE_ONE_BY_ONE = 8,
	TW__ENGINE_ROUNDS = 16 /* transfer dates are doubles, so durations may be wrong by the spacing of doubles */
};

/* The runtime's turn: the engine calls it with `n` completions. Their dates are at most `now`; `now` never
 * decreases. Returns true while the run goes on, and sets *until to the next date at which the engine must call it
 * again. *until is TW__NEVER if only a completion can come next. Returns false when the run is over and no kernel or
 * transfer is under way.
 *
 * All completions of one date come in one turn, in the order in which the kernels and transfers were started.
 * Zero-length ones that a turn starts come in another turn of the same date. The completions are valid until the turn
 * calls an operation of the engine. */
typedef bool tw__turn(void *arg, tw__ns now, const struct tw__completion *, int n, tw__ns *until);

/* One access of a task, and the place of the handle's copy in the worker's memory. */
struct tw__placed {
	tw_data data; /* the handle; for a reduction, the worker's accumulator */
	/* Access mode (enum tw_mode). TW_REDUX | TW_W: the accumulator is still empty; TW_REDUX | TW_RW: it has
	 * content. */
	unsigned mode;
	uint64_t offset; /* offset of the copy in a bounded memory, in bytes; for scratch: of the worker's own part */
};

struct tw__launch {
	tw_worker worker;
	/* A parallel task computes on all of these, which are idle; `worker` is one of them. 0: on `worker` alone. The
	 * array is valid until the turn that gets the completion. */
	int n_workers;
	const tw_worker *workers;
	tw_task task;
	tw__ns length;  /* modelled duration of the kernel */
	int n_accesses; /* number of accesses in the graph; 0 for engines without TW__ENGINE_COMPUTES */
	const struct tw__placed *access;
};

struct tw__engine_setup {
	const struct tw__platform *platform;
	const struct tw_graph *graph; /* includes the accumulators of reductions; the run appends tasks to it */
	enum tw__link_shares shares;
	const uint64_t *capacity; /* [n_nodes] usable bytes of each memory; UINT64_MAX: unbounded */
	struct tw__homes homes;   /* the memories where handles are at date 0, and at the end */
	uint64_t seed;
	const void *config;              /* the engine's own configuration; NULL for engines without one */
	struct tw__processes *processes; /* the run is of one node of a cluster (engine/transport.h); NULL: it is not */
};

/* Runs on a quiet machine lose their cores for a lesser part of the time in kernels. */
#define TW__MOST_OFF_CPU 0.02

/* Measures of a run that only the engine has. NAN: not measured. */
struct tw__engine_report {
	double residual; /* relative error of the results: see tilewright/kernels.h */
	double turn_s;   /* seconds spent in turns of the runtime */
	double launch_s; /* seconds that a GPU's thread needs to launch a kernel, if undisturbed */
	double issue_s;  /* the same for issuing a copy */
	double off_cpu;  /* fraction of the kernels' wall time in which their cores were preempted, 0 to 1 */
};

struct tw__engine_ops {
	const char *name, *summary;
	unsigned caps;
	const struct tw_param *params; /* parameters, as in "real:mode=timed"; {0} ends the array; NULL: none */
	/* Optional: loads the module that implements the operations below. Returns the engine with all members; NULL:
	 * the module cannot be loaded. */
	const struct tw__engine_ops *(*load)(struct tw_error *err);
	/* Optional: checks the engine's parameters against each other. TW_INVALID: they contradict each other. */
	int (*check)(const struct tw_args *, struct tw_error *err);
	/* Opens the engine for a run. On failure *engine is NULL, or an engine for which `hangs` is true. */
	int (*open)(struct tw__engine **, const struct tw__engine_setup *, struct tw_error *err);
	/* Drives the run. Returns TW_OK when a turn has returned false; else a failure of the engine, with a
	 * message. */
	int (*drive)(struct tw__engine *, tw__turn *, void *arg, struct tw_error *err);
	/* Optional, for calls after a failure: whether a thread may be stuck in a turn or a kernel. Memory that such a
	 * thread may use must not be freed, and the process should end. */
	bool (*hangs)(const struct tw__engine *);

	/* The runtime calls the operations from here to `advance` in a turn. `token` comes back with the completion. */
	/* Optional: tells the engine that the copy of a handle now is at this offset of the memory. NULL: the engine
	 * does not need offsets. */
	void (*place)(struct tw__engine *, tw_node, tw_data, uint64_t offset, uint64_t bytes);
	/* Runs a task on its worker, after the tasks already queued on that worker. */
	void (*exec)(struct tw__engine *, const struct tw__launch *, uint64_t token);
	void (*transfer)(struct tw__engine *, tw_node from, tw_node to, tw_data, uint64_t bytes, uint64_t token);
	/* Optional, if nodes of a cluster are processes: starts this node's end of the message, which sends or receives
	 * the handle in main memory. */
	void (*message)(struct tw__engine *, int32_t message, tw_data, uint64_t token);
	int (*cancel)(struct tw__engine *, uint64_t token); /* optional: stops a kernel; no completion comes */
	/* Optional: returns the date at which the next kernel or transfer ends; TW__NEVER: none is under way. If the
	 * runtime has work at an earlier date, it goes on at that date in the same turn. */
	tw__ns (*next)(struct tw__engine *);
	/* If there is `next`: moves the clock to the runtime's date. Called before exec, transfer and cancel. */
	void (*advance)(struct tw__engine *, tw__ns now);

	/* The runtime calls `collect` and `finish` after a run that has succeeded. Both are optional. */
	/* Copies a handle from the memory `valid`, where it is valid, to its home. */
	int (*collect)(struct tw__engine *, tw_data, tw_node valid, struct tw_error *err);
	/* Checks the results and fills the report; called after `collect`. TW_FAILED: the results are wrong. */
	int (*finish)(struct tw__engine *, struct tw__engine_report *, struct tw_error *err);

	void (*close)(struct tw__engine *);
};

/* Returns the engine with all operations; loads its module if it has one. Call it before forking, so that all runs
 * share one load. */
static inline const struct tw__engine_ops *tw__engine_load(const struct tw__engine_ops *engine, struct tw_error *err)
{
	return engine->load ? engine->load(err) : engine;
}

extern const struct tw__engine_ops tw__engine_simgrid, tw__engine_native, tw__engine_real;

/* The SimGrid engine is a module (base/module.h). These are the parts of it that the library knows without SimGrid. */
#define TW__SIMGRID_NAME "simgrid"
#define TW__SIMGRID_SUMMARY "simulation: kernels and transfers on SimGrid"
enum { TW__SIMGRID_CAPS = TW__ENGINE_FORKS | TW__ENGINE_CANCELS | TW__ENGINE_ROUNDS };

/* The engine with all operations, which the module exports. */
extern const struct tw__engine_ops tw__simgrid;

#endif
