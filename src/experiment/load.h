/* From the user's request to the objects of a run: scene (platform, graph and kernel times), plan (one run),
 * plug-ins. */
#ifndef TW__LOAD_H
#define TW__LOAD_H

#include <stdatomic.h>

#include "engine/real/config.h"
#include "experiment/experiment.h"
#include "explain/explain.h"
#include "perf/doubts.h"
#include "perf/learned.h"
#include "perf/models.h"
#include "perf/noise.h"
#include "request/inputs.h"
#include "request/plugins.h"
#include "request/workload.h"
#include "trace/history.h"
#include "trace/validate.h"

/* The files of one platform, as read. {0}: no platform has been read yet. */
struct tw__origin {
	char *name; /* name of the platform, as the request gives it */
	bool extrapolate;
	struct tw__platform *all; /* the platform with all its workers */
	char *kernels_path;
	struct tw__models *models; /* kernel times of the platform; NULL: not read yet */
	/* Cores of this machine, if calibrate measured the platform. 0: it did not, or they are unknown. */
	int cores_here;
	double read_s;   /* seconds that reading the files took */
	double spared_s; /* seconds that tw__origin_select saved because `origin` had the files already */
};

/* A scene: the objects that all runs with the same platform, selection of workers and workload share. Once made, one
 * scene serves several threads: its runs only read it, but for the memo, which has a lock, and `told_spread`. */
struct tw__scene {
	const struct tw__request *request; /* one of the requests that this scene serves */
	struct tw__platform *platform;     /* the part of the platform that the request selects */
	struct tw_graph *graph;            /* on a cluster: divided among the nodes (graph/ranks.h) */
	struct tw_graph *program;          /* on a cluster: the graph before that; else NULL */
	struct tw__times times;
	struct tw__times program_times; /* on a cluster: those of `program` */
	double sends;                   /* on a cluster: see tw__distribution_sends */
	int cpus, gpus;
	char kernel_model[80];      /* sources of the kernel times: see tw__result */
	double critical_path_s;     /* the critical path, with each task on its fastest arch */
	double area_s;              /* area bound on the makespan: see tw__bound_area; NAN: left out */
	uint64_t working_set_bytes; /* bytes of all handles without scratch; UINT64_MAX: unknown */
	double setup_s;             /* seconds to make this scene */
	/* Results of one run that other runs of this scene reuse: does it fit the memories, and bounds of durations. */
	struct tw__memo *memo, *drawn;
	bool borrows; /* whether times and `drawn` belong to another scene, which outlives this one */
	/* [0]: --noise measured, [1]: empirical; whether the warning about kernel times without deviation was
	 * printed. */
	atomic_bool told_spread[2];
};

/* Returns the graph of the workload, as its program submits it. */
static inline const struct tw_graph *tw__scene_program(const struct tw__scene *scene)
{
	return scene->program ? scene->program : scene->graph;
}

/* Returns what bounds are of. The scene must outlive it. */
static inline struct tw__bounded tw__scene_bounded(const struct tw__scene *s)
{
	if (!s->program)
		return (struct tw__bounded){.platform = s->platform, .graph = s->graph, .times = &s->times};
	return (struct tw__bounded){
		s->platform, s->program, &s->program_times, {s->graph, &s->times, s->request->distribution, s->sends}};
}

/* Loads the part of a platform that the request selects, and the platform's kernel times. The caller frees both; after
 * an error each may be NULL. */
int tw__load_platform(struct tw__platform **, struct tw__models **, const struct tw__request *, struct tw_error *err);
int tw__scene_create(struct tw__scene **, const struct tw__request *, struct tw_error *err);
/* Creates a scene from `origin`, which keeps the platform's files for the next scene; reads the files if needed. */
int tw__scene_create_from(struct tw__origin *, struct tw__scene **, const struct tw__request *, struct tw_error *err);
/* Makes the scene's platform one of as many nodes like it as the run has processes. */
int tw__scene_multiply(struct tw__scene *, struct tw_error *err);
/* Warns if the scene's results rest on times that nobody measured, and of workers that stay idle. Runs that execute
 * kernels measure times. `origin` is the one that the scene was made from. */
void tw__scene_tell(const struct tw__origin *, const struct tw__scene *);
/* Only warns if a calibrated platform uses more cores than this machine has. A platform written by hand describes
 * whatever node its author means. */
void tw__scene_tell_cores(const struct tw__origin *, const struct tw__scene *);
void tw__scene_destroy(struct tw__scene *);
bool tw__scene_serves(const struct tw__scene *, const struct tw__request *);
/* Whether the scene would serve the request with other bounds on memories. Then a scene for the request can be created
 * like it: with the same graph, times and bounds. `origin`: of the scene's platform. The scene must outlive it. */
bool tw__scene_is_like(const struct tw__scene *, const struct tw__request *);
int tw__scene_create_like(const struct tw__scene *, struct tw__origin *, struct tw__scene **,
                          const struct tw__request *, struct tw_error *err);
/* Finds the bounds on the makespan for these durations. *area_s is NAN if memory does not suffice, of which it
 * warns. Both are if the request is shown as text. */
int tw__scene_find_bounds(const struct tw__scene *, const struct tw__times *, double *critical_path_s, double *area_s,
                          struct tw_error *err);
/* Checks that the scene's kernel times have what --noise measured or empirical needs: a deviation or samples.
 * TW_INVALID: none of the times has. Warns once if only some lack them. */
int tw__scene_check_spread(struct tw__scene *, const struct tw__request *, struct tw_error *err);

/* A memo keeps results of a scene's run for other runs of that scene, in any thread. */
struct tw__memo_bounds {
	double critical_path_s, area_s;
};

/* Sets the bounds on the makespan for the durations that this noise draws. False: unknown. */
bool tw__memo_bounds(struct tw__memo *, const struct tw__noise *, struct tw__memo_bounds *);
void tw__memo_add_bounds(struct tw__memo *, const struct tw__noise *, struct tw__memo_bounds);

/* Whether all tasks are known to fit the memories with this runtime specification. The memo keeps only the runtime
 * added last. */
bool tw__memo_fits(struct tw__memo *, const char *runtime);
void tw__memo_add_fits(struct tw__memo *, const char *runtime);

/* Additional configuration of engines that compute real kernels. */
struct tw__computing {
	struct tw__workload_words words;
	struct tw__real_config config;
};

/* A plan: one run, ready to start. */
struct tw__plan {
	const struct tw__request *request;
	const char *identity; /* of the request (identity.h), or NULL */
	const struct tw__scene *scene;
	/* Kernel times of the run, and those that the policy sees; both use the scene's arrays, or own_mean. */
	struct tw__times truth, belief;
	double critical_path_s, area_s; /* bounds on the makespan with the times `truth` */
	struct tw__plugins plugins;
	uint8_t *domain_of;                           /* [tasks] the domain of each; NULL: there are no domains */
	uint8_t *policy_of;                           /* see tw__run_input */
	const bool *domain_workers[TW__MOST_DOMAINS]; /* see struct tw__domain */
	const char *domain_names[TW__MOST_DOMAINS];
	struct tw__computing computing; /* configuration of an engine that computes real kernels */
	double *own_mean;               /* kernel times that replace the scene's in truth and belief; NULL: none */
	struct tw__runtime_params params;
	struct tw__platform direct; /* the scene's platform with routes for gpudirect; without routes: not wanted */
	double decision_cost;       /* see tw__run_input */
	const char *runtime;        /* specification of the runtime model: the request's or the default */
	bool fits;                  /* whether all tasks are known to fit the memories */
	uint64_t *capacity;         /* [n_nodes] usable bytes of each memory; UINT64_MAX: unbounded */
	const int *cancel;          /* see tw__run_input */
	/* Kernels and copies of the run, in memory that its process shares; NULL: not wanted. */
	struct tw__history *history;
};

/* Returns the platform on which the plan runs. */
static inline const struct tw__platform *tw__plan_platform(const struct tw__plan *plan)
{
	return plan->direct.routes ? &plan->direct : plan->scene->platform;
}

int tw__plan_init(struct tw__plan *, const struct tw__request *, const struct tw__scene *, struct tw_error *err);
/* Checks a run in several processes, and loads what it needs. */
int tw__processes_check(const struct tw__plan *, struct tw_error *err);
/* The part of a plan that tells about a past run: times, parameters and capacities. No plug-in is opened. */
int tw__plan_init_past(struct tw__plan *, const struct tw__request *, const struct tw__scene *, struct tw_error *err);
/* Replaces the mean kernel times of the truth: [kernels * archs], malloc'ed, which the plan then owns. */
int tw__plan_replace_means(struct tw__plan *, double *mean, struct tw_error *err);
void tw__plan_finish(struct tw__plan *);

/* Returns the input of tw__run for this plan. The record of events belongs to the caller; NULL: no events are
 * recorded. */
struct tw__run_input tw__plan_input(const struct tw__plan *, struct tw__record *);

/* Returns the domains of the plan's run, which must not outlive the plan. */
struct tw__run_domains tw__plan_domains(const struct tw__plan *);

/* Returns the input of the validator for a record of this plan's run. */
struct tw__validation_input tw__plan_validation(const struct tw__plan *);

/* The plan's run with its record, which belongs to the caller: for explanations, and for traces and figures. */
struct tw__explained_run tw__plan_explained(const struct tw__plan *, struct tw__record *);
struct tw__traced tw__plan_traced(const struct tw__plan *, struct tw__record *);

/* Explains the run of a record, and writes its trace. */
int tw__plan_explain(const struct tw__plan *, struct tw__record *, enum tw__explain_as, FILE *, struct tw_error *err);
int tw__plan_write_trace(const struct tw__plan *, const char *path, struct tw__record *, struct tw_error *err);

/* The outcome of a run, as plain bytes that a process can send through a socket. */
struct tw__outcome {
	int status;
	struct tw_error err;
	struct tw__run_counters counters;
	double run_s;
	uint64_t peak_rss_bytes;
	bool validated;
};

/* Executes the plan's run in a child process, within the request's time limit. All errors are in outcome->status.
 * *explanation: the run's, which the caller frees, or NULL. *record: the events of a run that succeeded. Both may be
 * NULL: they are not wanted. */
void tw__plan_run(const struct tw__plan *, struct tw__outcome *, char **explanation, struct tw__record *record);
/* Executes the plan's run in this process, within the limits of TW__ENGINE_FORKS. `pulse`: where the run tells how far
 * it is (run.h); or NULL. `explanation`: where it is written; NULL: nowhere. `record`: as for tw__plan_run. */
void tw__plan_run_here(const struct tw__plan *, struct tw__pulse *, struct tw__outcome *, FILE *explanation,
                       struct tw__record *record);

/* Makes the result of a request that could not be prepared, with the reason `message`. The next two functions make the
 * result of a plan: the first part before its run, and the rest after it. */
void tw__result_refuse(struct tw__result *, const struct tw__request *, const char *message);
void tw__result_begin(struct tw__result *, const struct tw__plan *);
void tw__result_end(struct tw__result *, const struct tw__plan *, const struct tw__outcome *);

/* Return the plan of the i-th request, and fill the first part of its row. */
struct tw__plan *tw__experiment_plan(const struct tw__experiment *, int i);
void tw__experiment_begin_row(const struct tw__experiment *, int i, struct tw__result *);

/* Returns the least usable memory of the platform's accelerators, in bytes; 0: it has none. `capacity`: [nodes]. */
uint64_t tw__accelerator_bytes(const struct tw__platform *, const uint64_t *capacity);

/* --- origin.c: a platform's files, read once for several scenes that differ in workers or workload ---------------- */

/* Makes the part of a platform that the request selects. The caller frees the platform, which may be NULL after an
 * error. Reads the files only if `origin` is of another platform; its models are valid until the next such read. */
int tw__origin_select(struct tw__origin *, struct tw__platform **, const struct tw__request *, struct tw_error *err);
void tw__origin_finish(struct tw__origin *);

/* Returns the scene's platform with all archs; the scene has only those of its workers. */
const struct tw__platform *tw__origin_whole(const struct tw__origin *, const struct tw__scene *);
/* Sets the scene's times, with the speed-ups of its request. `own`: kernel times of this machine; NULL: those of
 * `origin`. */
int tw__origin_bind(const struct tw__origin *, struct tw__scene *, struct tw__models *own, struct tw_error *err);

/* Checks --speedup, --amdahl and --time-factor of a command for several platforms or workloads. TW_INVALID: none of
 * these has a kernel or an arch of an item. Sets `factors_are_checked` of what all points share. */
int tw__check_factors(struct tw__inputs *, struct tw_error *err);

/* --- computing.c: runs on engines that compute real kernels ------------------------------------------------------- */

/* Fills plan->computing, the configuration of an engine that computes. Call it once the plan's engine, platform and
 * runtime parameters are known. Does nothing for an engine that simulates, except for the checks below.
 * TW_INVALID: the request has an option that only simulations have. Or it has --check with a simulation, or --emulate
 * with a simulation of a platform other than `machine`. */
int tw__computing_init(struct tw__plan *, struct tw_error *err);
/* Removes the times on GPUs of kernels without a GPU implementation, even if the platform's file has such times. The
 * plan's truth and belief then have their own array of times. TW_INVALID: no worker can run one of the kernels any
 * more. */
int tw__computing_times(struct tw__plan *, struct tw_error *err);
void tw__computing_finish(struct tw__plan *);
/* Whether the run's kernels do nothing (engine parameter kernels=empty), so that no flops are done. */
bool tw__computing_is_empty(const struct tw__plan *);

/* --- learn.c: --learn FOLDER: kernel times that runs learn, kept between runs in FOLDER/kernels.csv --------------- */

/* Checks the option --learn of a new plan. TW_INVALID: the engine or another option excludes --learn, the folder cannot
 * be written to, or its kernels.csv is damaged. */
int tw__learn_check(struct tw__plan *, struct tw_error *err);

/* State of one run that learns kernel times. */
struct tw__learning {
	struct tw__learned *learned; /* the times learnt so far; NULL: the request has no --learn */
	struct tw__times belief;     /* the kernel times that policies see in the run */
	int lock;                    /* file descriptor of the lock on the folder; negative: none */
};

/* Call before the run. Locks the folder of --learn until tw__learning_finish, and reads its kernel times. TW_FAILED:
 * another run has locked the folder. */
int tw__learning_begin(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
/* Call after the run. Writes the learnt kernel times to the folder of --learn. TW_FAILED: the file cannot be
 * written. */
int tw__learning_save(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
void tw__learning_finish(struct tw__learning *);

#endif
