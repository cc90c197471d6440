/* What a run needs, made from the words of a request. */
#ifndef TW__LOAD_H
#define TW__LOAD_H

#include <tilewright/workload.h>

#include "base/spec.h"
#include "engine/real/config.h"
#include "experiment/experiment.h"
#include "experiment/memo.h"
#include "experiment/origin.h"
#include "trace/history.h"

/* A workload's words, taken apart. */
struct tw__workload_words {
	struct tw__spec spec;
	struct tw_param *params;
	struct tw_args *args;
};

/* What runs on the same platform, selection and workload share. */
struct tw__scene {
	const struct tw__request *request; /* one that it was made for */
	struct tw_platform *platform;      /* as selected */
	struct tw_graph *graph;
	struct tw__times times;
	int cpus, gpus;
	char kernel_model[64];      /* see tw__result */
	double critical_path_s;     /* each kernel on its best arch */
	double area_s;              /* see tw__bound_area */
	uint64_t working_set_bytes; /* UINT64_MAX: not known */
	double setup_s;             /* the time it took to make this */
	struct tw__memo *memo;      /* of what its runs have in common */
	bool told_spread[2];        /* --noise measured, empirical: the user knows which times have no such spread */
};

/* The platform as selected, and its models; both the caller's, NULL where there was an error before they were made. */
int tw__load_platform(struct tw_platform **, struct tw__models **, const struct tw__request *, struct tw_error *err);
int tw__scene_create(struct tw__scene **, const struct tw__request *, struct tw_error *err);
/* The same of an origin that serves several scenes of its platform. */
int tw__scene_create_from(struct tw__origin *, struct tw__scene **, const struct tw__request *, struct tw_error *err);
void tw__scene_destroy(struct tw__scene *);
bool tw__scene_serves(const struct tw__scene *, const struct tw__request *);
/* --noise measured, empirical: TW_INVALID if no time of the scene has a measured spread, or samples; a warning, once, if some have
 * none. */
int tw__scene_check_spread(struct tw__scene *, const struct tw__request *, struct tw_error *err);

/* What engines that compute are told on top. */
struct tw__computing {
	struct tw__workload_words words;
	struct tw__real_config config;
};

/* One run, ready to go. */
struct tw__plan {
	const struct tw__request *request;
	const struct tw__scene *scene;
	struct tw__times truth, belief; /* the scene's arrays, each with its noise */
	double critical_path_s, area_s; /* of the truth */
	const struct tw_policy *policy;
	struct tw_args *policy_args;
	const struct tw_eviction *eviction;
	struct tw_args *eviction_args;
	const struct tw__engine_ops *engine;
	struct tw_args *engine_args;
	struct tw__computing computing; /* for engines that compute */
	double *own_mean;               /* of truth and belief; NULL: the scene's */
	struct tw__runtime_params params;
	const char *runtime;         /* its words, given or by default */
	bool fits;                   /* all tasks fit the memories; false: not known */
	uint64_t *capacity;          /* [n_nodes] usable bytes; UINT64_MAX: unbounded */
	struct tw__history *history; /* gets what the run did; in memory that its process shares. NULL: nobody asks */
};

int tw__plan_init(struct tw__plan *, const struct tw__request *, const struct tw__scene *, struct tw_error *err);
void tw__plan_finish(struct tw__plan *);

/* The runtime's view of it; the record is the caller's, or NULL. */
struct tw__run_input tw__plan_input(const struct tw__plan *, struct tw__record *);

/* What a run leaves; plain bytes, so that it goes through a pipe. */
struct tw__outcome {
	int status;
	struct tw_error err;
	struct tw__run_counters counters;
	double run_s;
	uint64_t peak_rss_bytes;
	bool validated;
};

/* Runs in a child. Whatever happens shows in outcome->status. */
void tw__plan_run(const struct tw__plan *, struct tw__outcome *);
/* The same in this process, which has run nothing yet if tw__needs_process. */
void tw__plan_run_here(const struct tw__plan *, struct tw__outcome *);

/* The row of a request of which nothing could be prepared; of a plan before its run; the rest of it, afterwards. */
void tw__result_refuse(struct tw__result *, const struct tw__request *, const char *message);
void tw__result_begin(struct tw__result *, const struct tw__plan *);
void tw__result_end(struct tw__result *, const struct tw__plan *, const struct tw__outcome *);

/* Plug-ins of ours, or in a shared object (shared_object.h). */
int tw__policy_named(const struct tw_policy **, const char *name, struct tw_error *err);
int tw__eviction_named(const struct tw_eviction **, const char *name, struct tw_error *err);
int tw__workload_of_name(const struct tw_workload **, const char *name, struct tw_error *err);

/* Plug-ins by their specification. `args` is the caller's. */
int tw__find_policy(struct tw__plan *, const char *text, struct tw_error *err);
/* After the policy. `text` NULL: the policy's own. */
int tw__find_eviction(struct tw__plan *, const char *text, struct tw_error *err);
int tw__find_engine(struct tw__plan *, const char *text, struct tw_error *err);
/* Is there such a one, and are those its parameters? */
int tw__policy_check(const char *text, struct tw_error *err);
int tw__eviction_check(const char *text, struct tw_error *err);
int tw__engine_check(const char *text, struct tw_error *err);
/* The engine that a request names; NULL: there is none of that name. */
const struct tw__engine_ops *tw__engine_of(const struct tw__request *);
/* Whether its run needs a process that nothing else runs in: the engine says so, or a plug-in comes from a shared object. */
bool tw__needs_process(const struct tw__request *);
/* NULL: of an engine that is not there. */
const char *tw__default_runtime(const struct tw__engine_ops *);
int tw__generate(struct tw_graph **, const char *workload, struct tw_error *err);
/* All its parameters must be right. The caller's to finish, whatever is returned. */
int tw__workload_words_init(struct tw__workload_words *, const char *workload, struct tw_error *err);
void tw__workload_words_finish(struct tw__workload_words *);
/* What a workload's parameter is, given or by default: `text` is "" if it has none of that name, or is no workload. */
void tw__workload_choice(const char *workload, const char *param, char *text, size_t size);
/* Is there such a workload, and are those parameters of its? It may lack some. */
int tw__workload_named(const char *text, struct tw_error *err);
/* Without the graph: is there such a workload, and are those its parameters? `params`: all it has, malloc'ed, or NULL. */
int tw__workload_check(struct tw_param **params, const struct tw__spec *, struct tw_error *err);

/* What follows from the workload's parameter `priority`, once kernel times are known. */
int tw__prioritise(struct tw_graph *, const struct tw__times *, const struct tw_platform *, struct tw_error *err);

/* TW_INVALID: "unknown policy 'x': expected one of ...", with the nearest name. name_at(i) is NULL behind the last. */
int tw__unknown_name(const char *what, const char *name, const char *(*name_at)(int i), struct tw_error *err);
/* The same of names that a context has. */
int tw__unknown_name_in(const char *what, const char *name, const char *(*name_at)(const void *context, int i),
                        const void *context, struct tw_error *err);

#endif
