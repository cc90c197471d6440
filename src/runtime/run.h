/* One run: a graph on a platform under a policy, on an engine. */
#ifndef TW__RUN_H
#define TW__RUN_H

#include <tilewright/eviction.h>
#include <tilewright/policy.h>

#include "engine/engine.h"
#include "perf/learned.h"
#include "perf/models.h"
#include "runtime/params.h"
#include "trace/record.h"

struct tw__run_input {
	const struct tw_platform *platform; /* as selected; limits set */
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
	bool fits;                   /* the caller has made sure that every task fits the memories */
	struct tw__record *record;   /* where events go; NULL: nowhere */
	struct tw__learned *learned; /* gets what kernels take; then `belief` has its times. NULL: nothing is learnt */
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
	bool hangs;    /* a thread of the run does not come back: input and record must stay where they are */
	int n_figures; /* the policy's own: tw_report */
	struct tw__figure figures[TW_MAX_FIGURES + TW__OWN_FIGURES];
};

/* The usable bytes of each memory under those parameters: what the run will bound it to (UINT64_MAX: unbounded), and
 * where each data starts. `capacity` has n_nodes entries. */
void tw__run_capacities(const struct tw_platform *, const struct tw__runtime_params *, uint64_t *capacity);
tw_node tw__run_home(const struct tw_platform *, const uint64_t *capacity);

/* What tw__run refuses at once; for callers that want to know before they start. Reads platform, graph, belief and params. */
int tw__run_check_fit(const struct tw__run_input *, const uint64_t *capacity, struct tw_error *err);

/* TW_INVALID when the graph cannot run there (a task that never fits: with the sizes), TW_FAILED when the run gets stuck. */
int tw__run(const struct tw__run_input *, struct tw__run_counters *, struct tw_error *err);

#endif
