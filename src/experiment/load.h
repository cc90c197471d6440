/* From a request to the objects of a run: scene, plan, plug-ins. */
#ifndef TW__LOAD_H
#define TW__LOAD_H

#include <tilewright/workload.h>

#include "base/spec.h"
#include "engine/real/config.h"
#include "experiment/experiment.h"
#include "experiment/memo.h"
#include "experiment/origin.h"
#include "trace/history.h"

/* A workload's specification, parsed. */
struct tw__workload_words {
	struct tw__spec spec;
	struct tw_param *params;
	struct tw_args *args;
};

/* Shared by all runs on the same platform, selection and workload. */
struct tw__scene {
	const struct tw__request *request; /* one of the requests that it serves */
	struct tw_platform *platform;      /* as selected */
	struct tw_graph *graph;
	struct tw__times times;
	int cpus, gpus;
	char kernel_model[64];      /* see tw__result */
	double critical_path_s;     /* each kernel on its best arch */
	double area_s;              /* see tw__bound_area */
	uint64_t working_set_bytes; /* UINT64_MAX: unknown */
	double setup_s;             /* seconds to make this scene */
	struct tw__memo *memo;      /* results that its runs share */
	bool told_spread[2];        /* --noise measured, empirical: the warning about missing spreads was printed */
};

/* The platform as selected, and its models. The caller frees both; after an error each may be NULL. */
int tw__load_platform(struct tw_platform **, struct tw__models **, const struct tw__request *, struct tw_error *err);
int tw__scene_create(struct tw__scene **, const struct tw__request *, struct tw_error *err);
/* The same, with an origin that several scenes of its platform share. */
int tw__scene_create_from(struct tw__origin *, struct tw__scene **, const struct tw__request *, struct tw_error *err);
void tw__scene_destroy(struct tw__scene *);
bool tw__scene_serves(const struct tw__scene *, const struct tw__request *);
/* For --noise measured and empirical. TW_INVALID if no time of the scene has a measured spread, or samples. If only
 * some lack them, warns once. */
int tw__scene_check_spread(struct tw__scene *, const struct tw__request *, struct tw_error *err);

/* Additional configuration of engines that compute. */
struct tw__computing {
	struct tw__workload_words words;
	struct tw__real_config config;
};

/* One run, ready to start. */
struct tw__plan {
	const struct tw__request *request;
	const struct tw__scene *scene;
	struct tw__times truth, belief; /* arrays of the scene, each with its own noise */
	double critical_path_s, area_s; /* of the truth */
	const struct tw_policy *policy;
	struct tw_args *policy_args;
	const struct tw_eviction *eviction;
	struct tw_args *eviction_args;
	const struct tw__engine_ops *engine;
	struct tw_args *engine_args;
	struct tw__computing computing; /* for engines that compute */
	double *own_mean;               /* kernel times of truth and belief; NULL: the scene's */
	struct tw__runtime_params params;
	const char *runtime;         /* its specification, given or default */
	bool fits;                   /* all tasks fit the memories; false: unknown */
	uint64_t *capacity;          /* [n_nodes] usable bytes; UINT64_MAX: unbounded */
	struct tw__history *history; /* filled by the run, in memory shared with its process; NULL: not wanted */
};

int tw__plan_init(struct tw__plan *, const struct tw__request *, const struct tw__scene *, struct tw_error *err);
void tw__plan_finish(struct tw__plan *);

/* A task of the plan fits no memory: adds to the message which options would give it room. */
void tw__advise_memory(const struct tw__plan *, struct tw_error *);

/* Input of the runtime. The record belongs to the caller; it may be NULL. */
struct tw__run_input tw__plan_input(const struct tw__plan *, struct tw__record *);

/* The result of a run: plain bytes, to send through a socket. */
struct tw__outcome {
	int status;
	struct tw_error err;
	struct tw__run_counters counters;
	double run_s;
	uint64_t peak_rss_bytes;
	bool validated;
};

/* Runs in a child process, within the request's time limit. All errors are in outcome->status. */
void tw__plan_run(const struct tw__plan *, struct tw__outcome *);
/* Runs in this process. If tw__needs_process, the process must have run nothing else. `pulse`: see run.h. */
void tw__plan_run_here(const struct tw__plan *, struct tw__pulse *, struct tw__outcome *);

/* The row of a request that could not be prepared; the first part of a plan's row, before its run; the rest, after its
 * run. */
void tw__result_refuse(struct tw__result *, const struct tw__request *, const char *message);
void tw__result_begin(struct tw__result *, const struct tw__plan *);
void tw__result_end(struct tw__result *, const struct tw__plan *, const struct tw__outcome *);

/* Of the i-th request: its plan, and the first part of its row. */
const struct tw__plan *tw__experiment_plan(const struct tw__experiment *, int i);
void tw__experiment_begin_row(const struct tw__experiment *, int i, struct tw__result *);

/* Plug-ins of the registry, or from shared objects (shared_object.h). */
int tw__policy_named(const struct tw_policy **, const char *name, struct tw_error *err);
int tw__eviction_named(const struct tw_eviction **, const char *name, struct tw_error *err);
int tw__workload_of_name(const struct tw_workload **, const char *name, struct tw_error *err);

/* Plug-ins by specification. The caller frees the parsed arguments. */
int tw__find_policy(struct tw__plan *, const char *text, struct tw_error *err);
/* Call after tw__find_policy. `text` NULL: the policy's own eviction policy. */
int tw__find_eviction(struct tw__plan *, const char *text, struct tw_error *err);
int tw__find_engine(struct tw__plan *, const char *text, struct tw_error *err);
/* Check that the plug-in exists and takes these parameters. */
int tw__policy_check(const char *text, struct tw_error *err);
int tw__eviction_check(const char *text, struct tw_error *err);
int tw__engine_check(const char *text, struct tw_error *err);
/* The engine that a request names; NULL: unknown name. */
const struct tw__engine_ops *tw__engine_of(const struct tw__request *);
/* Whether the run needs a process of its own: its engine requires that, or a plug-in comes from a shared object. */
bool tw__needs_process(const struct tw__request *);
/* NULL: the engine is unknown. */
const char *tw__default_runtime(const struct tw__engine_ops *);
int tw__generate(struct tw_graph **, const char *workload, struct tw_error *err);
/* Requires all parameters to be valid. The caller finishes `words`, also after an error. */
int tw__workload_words_init(struct tw__workload_words *, const char *workload, struct tw_error *err);
void tw__workload_words_finish(struct tw__workload_words *);
/* The value of a workload's CHOICE parameter, given or default. `text` is "" if there is none of that name, or the
 * workload is invalid. */
void tw__workload_choice(const char *workload, const char *param, char *text, size_t size);
/* Checks that the workload exists and has these parameters. Required ones may be missing. */
int tw__workload_named(const char *text, struct tw_error *err);
/* Checks workload and parameters, without the graph. `params`: all its parameters, malloc'ed, or NULL. */
int tw__workload_check(struct tw_param **params, const struct tw__spec *, struct tw_error *err);

/* Applies the workload's parameter `priority`, which may need kernel times. */
int tw__prioritise(struct tw_graph *, const struct tw__times *, const struct tw_platform *, struct tw_error *err);

/* TW_INVALID: "unknown policy 'x': expected one of ...", with the nearest name. name_at(i) is NULL behind the last
 * name. */
int tw__unknown_name(const char *what, const char *name, const char *(*name_at)(int i), struct tw_error *err);
/* The same with a context for `name_at`. */
int tw__unknown_name_in(const char *what, const char *name, const char *(*name_at)(const void *context, int i),
                        const void *context, struct tw_error *err);

#endif
