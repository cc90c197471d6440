/* One run: a graph on a platform under a policy, on an engine. */
#ifndef TW__RUN_H
#define TW__RUN_H

#include <tilewright/eviction.h>
#include <tilewright/policy.h>

#include "engine/engine.h"
#include "perf/learned.h"
#include "perf/models.h"
#include "runtime/params.h"
#include "runtime/pulse.h"
#include "trace/record.h"

struct tw__run_input {
	const struct tw_platform *platform; /* the selected part, with its memory limits */
	const struct tw_graph *graph;
	const struct tw__times *truth, *belief; /* may be the same */
	const struct tw_policy *policy;
	const struct tw_args *policy_args;
	const struct tw_eviction *eviction;
	const struct tw_args *eviction_args;
	const struct tw__runtime_params *params;
	const struct tw__engine_ops *engine;
	const void *engine_config; /* the engine's own, or NULL */
	uint64_t seed;
	bool fits;                   /* the caller has checked that every task fits the memories */
	struct tw__record *record;   /* where events go; NULL: nowhere */
	struct tw__learned *learned; /* learns kernel times; `belief` then has these. NULL: nothing is learnt */
	struct tw__pulse *pulse;     /* where the run tells how far it is, in shared memory; NULL: nobody looks */
};

struct tw__figure {
	char name[32];
	double value;
};

/* The runtime's own: joules, predictions, prediction_error. */
enum { TW__OWN_FIGURES = 3 };

struct tw__run_counters {
	tw__ns makespan;                          /* first submission to last release */
	int64_t tasks, gpu_tasks;                 /* run; run on accelerators */
	int64_t transfers;                        /* every hop */
	uint64_t transferred_bytes;               /* every hop, write-backs included */
	uint64_t h2d_bytes, d2h_bytes, p2p_bytes; /* main memory to accelerator, back, between accelerators */
	int64_t loads;                            /* transfers into a memory that has a backing memory */
	int64_t evictions;                        /* data that left a memory to make room */
	int64_t writebacks;                       /* transfers from a memory to its backing memory */
	tw__ns busy;                              /* sum over workers of the time in kernels */
	double joules; /* of all workers until then, busy and idle; NAN: the platform does not tell their power */
	struct tw__engine_report engine;
	struct tw__predictions predictions; /* with `learned` */
	bool hangs;                         /* a thread of the run never returned: keep input and record alive */
	int n_figures;                      /* the policy's own (tw_report), then the runtime's */
	struct tw__figure figures[TW_MAX_FIGURES + TW__OWN_FIGURES];
};

/* tw__run_capacities: the usable bytes of each memory under these parameters; UINT64_MAX: unbounded. `capacity` has
 * n_nodes entries. tw__run_home: the memory where all handles start. */
void tw__run_capacities(const struct tw_platform *, const struct tw__runtime_params *, uint64_t *capacity);
tw_node tw__run_home(const struct tw_platform *, const uint64_t *capacity);

/* The checks that tw__run does first, for callers that want the result before they start. Reads platform, graph, belief
 * and params. */
int tw__run_check_fit(const struct tw__run_input *, const uint64_t *capacity, struct tw_error *err);
/* The smallest capacity of each bounded memory with which all tasks fit that may run on its workers; 0 without workers,
 * and for unbounded ones. `least` has n_nodes entries. Fails with TW_NOMEM alone. */
int tw__run_least_capacities(const struct tw__run_input *, const uint64_t *capacity, uint64_t *least,
                             struct tw_error *err);

/* TW_INVALID: the graph cannot run there, for example a task never fits (the message has the sizes). TW_FAILED: the run
 * got stuck. */
int tw__run(const struct tw__run_input *, struct tw__run_counters *, struct tw_error *err);

#endif
