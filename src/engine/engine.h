/* Engines make time pass: an engine is told "run this task on that worker" and "copy this handle from here to there", and
 * tells what has ended. The runtime does not know which engine it has; it asks for capabilities.
 *
 * The engine drives a run. It calls the runtime's *turn* once at date 0, and again whenever something has ended or the date
 * has come that the last turn asked for. In a turn every worker that can act does so, and the runtime calls the operations below.
 * One turn runs at a time, in whatever thread the engine likes. */
#ifndef TW__ENGINE_H
#define TW__ENGINE_H

#include <tilewright/params.h>

#include "base/date.h"
#include "graph/graph.h"
#include "platform/platform.h"
#include "platform/weights.h"

struct tw__engine; /* each engine's own */

struct tw__completion {
	uint64_t token;
	tw__ns start, end; /* of the kernel or transfer itself; at most the date of the turn */
	int status;        /* 0, or a negative enum tw_status: it has failed */
	const char *why;   /* then, until the turn is over: a line that says why */
	bool interrupted;  /* a kernel: its core was taken away for a part of the time, as far as the engine knows */
};

enum tw__engine_caps {
	TW__ENGINE_CANCELS = 1,  /* cancel is there */
	TW__ENGINE_FORKS = 2,    /* a process that has run once runs no more */
	TW__ENGINE_COMPUTES = 4, /* exec needs operands; durations are measured, not modelled; one run at a time */
	/* Does transfers of an ordered pair of memories one after another, as they are given. */
	TW__ENGINE_ONE_BY_ONE = 8,
	TW__ENGINE_ROUNDS = 16 /* has a clock of doubles for transfers: their durations are off by its spacing */
};

/* The runtime's turn. `n` completions, the dates of which are at most `now`; dates do not go back. It returns true as long as
 * the run goes on, and sets *until to the next date at which it must be called, TW__NEVER if something else will end before. False:
 * the run is over, and nothing is under way.
 *
 * All completions of one date come in one turn, in the order in which the kernels and transfers were started; those that have ended
 * only because this turn gave them come in another turn of the same date. The completions are valid until the turn gives the engine
 * something to do. */
typedef bool tw__turn(void *arg, tw__ns now, const struct tw__completion *, int n, tw__ns *until);

/* One access of a task, and where its handle is in the worker's memory. */
struct tw__placed {
	tw_data data;    /* of a reduction, the worker's accumulator */
	unsigned mode;   /* enum tw_mode; TW_REDUX | TW_W: the accumulator has no content yet, | TW_RW: it has */
	uint64_t offset; /* of a bounded memory; of scratch, the worker's own part */
};

struct tw__launch {
	tw_worker worker;
	tw_task task;
	tw__ns length;  /* modelled */
	int n_accesses; /* as in the graph; 0 for engines without TW__ENGINE_COMPUTES */
	const struct tw__placed *access;
};

struct tw__engine_setup {
	const struct tw_platform *platform;
	const struct tw_graph *graph; /* with the accumulators of its reductions; tasks are appended during the run */
	enum tw__link_shares shares;
	const uint64_t *capacity; /* [n_nodes] bytes of each memory; UINT64_MAX: unbounded */
	tw_node home;             /* where the data are at date 0, and at the end */
	uint64_t seed;
	const void *config; /* the engine's own; NULL for those that have none */
};

/* Measures of a run that only the engine has; NAN: it does not. */
struct tw__engine_report {
	double residual; /* of the results: see tilewright/kernels.h */
	double turn_s;   /* time spent in turns */
	double launch_s; /* of that, to give a kernel to a GPU; the mean */
	double issue_s;  /* same, a copy */
	double off_cpu;  /* the part of the kernels' wall time in which their cores were taken away */
};

struct tw__engine_ops {
	const char *name, *summary;
	unsigned caps;
	const struct tw_param *params; /* "real:mode=timed"; ends with {0}; NULL: none */
	/* Optional: the members below are in a module. Returns the engine with all members; NULL: an error. */
	const struct tw__engine_ops *(*load)(struct tw_error *err);
	/* Optional. TW_INVALID: parameters that do not go together. */
	int (*check)(const struct tw_args *, struct tw_error *err);
	/* If it fails, there is no engine, NULL, or one that hangs. */
	int (*open)(struct tw__engine **, const struct tw__engine_setup *, struct tw_error *err);
	/* The run. TW_OK when a turn has returned false; else the engine's own failure, with a message. */
	int (*drive)(struct tw__engine *, tw__turn *, void *arg, struct tw_error *err);
	/* Optional; after a failure: whether a thread may still be in a turn, or in a kernel, and does not come back. What such a thread
	 * may use must not be freed, and the process should end. */
	bool (*hangs)(const struct tw__engine *);

	/* In a turn. `token` comes back with the completion. */
	/* Where the memory manager has put a handle (optional: NULL where nothing is to be done). */
	int (*place)(struct tw__engine *, tw_node, tw_data, uint64_t offset, uint64_t bytes);
	/* Runs a task; behind what that worker is running already. */
	int (*exec)(struct tw__engine *, const struct tw__launch *, uint64_t token);
	int (*transfer)(struct tw__engine *, tw_node from, tw_node to, tw_data, uint64_t bytes, uint64_t token);
	int (*cancel)(struct tw__engine *, uint64_t token); /* optional; an exec: its completion does not come */
	/* Optional: moves the clock on to a date of the runtime's own, so that the turn goes on there. False: something ends at that date or
	 * before, and the turn has to return. */
	bool (*pass)(struct tw__engine *, tw__ns date);

	/* After a run that has succeeded (optional). */
	/* Copies a handle from where it is valid to the home memory. */
	int (*collect)(struct tw__engine *, tw_data, tw_node valid, struct tw_error *err);
	/* Then: checks the results, and tells what it has measured. TW_FAILED: the results are wrong. */
	int (*finish)(struct tw__engine *, struct tw__engine_report *, struct tw_error *err);

	void (*close)(struct tw__engine *);
};

/* The engine to run with. Called before the caller forks, it loads a module once for all runs. */
static inline const struct tw__engine_ops *tw__engine_load(const struct tw__engine_ops *engine, struct tw_error *err)
{
	return engine->load ? engine->load(err) : engine;
}

extern const struct tw__engine_ops tw__engine_simgrid, tw__engine_native, tw__engine_real;

#endif
