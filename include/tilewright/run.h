/* Runs from a program, as objects: for graphs and policies of its own, for many runs, and for the schedule of a run.
 *
 *    platform   the workers, memories and links of a node, with its kernel times
 *    scene      a platform and a task graph: all that runs under several policies share
 *    run        the execution of a scene under a policy, with its results
 *
 * Each object keeps the objects that it was made from. So a program may close them in any order, and closes each once.
 * Threads may share platforms and scenes, and run one scene at the same time.
 *
 * Options are texts "NAME=VALUE" in an array that ends with NULL, with the names and values of `tilewright help run`:
 * "cpus=4", "gpu-mem=500MiB", "noise=0.02". An option without a value is its name alone, as in "extrapolate". NULL: no
 * options. The caller owns all texts and structures, and may free them after the call.
 *
 * The functions with a tw_error return an enum tw_status. After an error they set the object to NULL, but for runs.
 * Errors that a program gives are not NULL. Objects may be NULL: then functions with an error refuse them, those that
 * close do nothing, and others return NULL, NAN, 0 or "{}". */
#ifndef TILEWRIGHT_RUN_H
#define TILEWRIGHT_RUN_H

#include <tilewright/eviction.h>
#include <tilewright/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- platforms ---------------------------------------------------------------------------------------------------- */

struct tw_platform;

struct tw_worker_about {
	const char *name, *arch; /* such as "CPU3" and "cpu", or "CUDA0" and "k40m" */
	bool accelerator;
	int cores; /* CPU cores that compute a task together: 1, or the size of a group */
	tw_node node;
	int rank; /* number of the cluster's node; 0 without a cluster */
};

struct tw_node_about {
	const char *name;        /* such as "RAM" and "GPU0" */
	uint64_t capacity_bytes; /* size or limit of the memory; UINT64_MAX: unbounded */
	int rank;                /* number of the cluster's node; 0 without a cluster */
};

/* Options of platforms: names from 0, as "gpu-mem". NULL: there is none of that number. */
const char *tw_platform_option(int option);
/* Opens a platform by its name, as --platform takes it. Options choose workers, transfers, memories, kernel times. */
int tw_platform_open(struct tw_platform **, const char *name, const char *const *options, struct tw_error *err);
void tw_platform_close(struct tw_platform *); /* NULL: does nothing */

/* Set the array of the platform's workers or memories, which the platform owns. Return their number. */
int tw_platform_workers(const struct tw_platform *, const struct tw_worker_about **);
int tw_platform_nodes(const struct tw_platform *, const struct tw_node_about **);

/* --- graphs ------------------------------------------------------------------------------------------------------- */

/* Makes the graph of a workload, as --workload takes it: "cholesky:nt=20", "file:graph.json". The program destroys it.
 * Priorities that depend on a platform's times are refused: see tw_scene_generate. */
int tw_graph_generate(struct tw_graph **, const char *workload, struct tw_error *err);
/* Writes a finished graph to a file, whose extension selects the format: .json for all that is in a graph, .dot, .gv or
 * .graphml (docs/reference/graphs.md). */
int tw_graph_write(const struct tw_graph *, const char *path, struct tw_error *err);

/* Makes one graph of copies of several, as tw_graph_join_into does. The program destroys all graphs. */
int tw_graph_join(struct tw_graph **, const struct tw_joined_graph *, int n, struct tw_error *err);

/* --- scenes ------------------------------------------------------------------------------------------------------- */

struct tw_scene;

/* Makes a scene of the program's own graph, which it finishes (tw_graph_finish). Threads that share a graph finish it
 * first. The scene keeps the graph: the program still destroys it once, must not change it any more, and may use it in
 * other scenes. `name`: what results call the workload. TW_INVALID: the graph has an error, or a kernel without a
 * time. */
int tw_scene_create(struct tw_scene **, struct tw_platform *, struct tw_graph *, const char *name,
                    struct tw_error *err);
/* Makes a scene of a workload, as --workload takes it: "cholesky:nt=20", "file:graph.json". */
int tw_scene_generate(struct tw_scene **, struct tw_platform *, const char *workload, struct tw_error *err);
void tw_scene_close(struct tw_scene *); /* NULL: does nothing */
const struct tw_graph *tw_scene_graph(const struct tw_scene *);

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* Where a run takes place. In a process of its own, a crash of its plug-ins or engine is an error of the run. */
enum tw_place_of_run {
	/* In this process. Plug-ins from shared objects, SimGrid and the time limit need a process of their own. The
	 * engine real can run here, but one run at a time: TW_INVALID refuses another. */
	TW_RUN_AUTOMATIC, /* here if the run can take place here; otherwise in a process */
	TW_RUN_HERE,      /* a run that computes sets environment variables while it loads its kernels */
	TW_RUN_IN_PROCESS /* policies and evictions of the program then run in a copy of it */
};

struct tw_run_options {
	size_t size;        /* of this structure; tw_run_options_init sets it */
	const char *policy; /* as --policy takes it; NULL: own_policy without parameters */
	/* All other options of a run: eviction, engine, runtime, seed, noise, validate, time-limit and so on. */
	const char *const *options;
	/* The program's own policy and eviction policy, whose names `policy` and the option eviction may repeat, with
	 * parameters; NULL: those that are named. Domains have the own policy where they name it:
	 * "cpus=cpu:mine+gpus=gpu:dmdas". */
	const struct tw_policy *own_policy;
	const struct tw_eviction *own_eviction;
	void *context;       /* what tw_sched_context returns to them, on all nodes of a cluster */
	const char *trace;   /* file for the run's trace, whose extension selects the format; NULL: no trace */
	const char *explain; /* "text" or "json": the run explains why it took as long as it did; NULL: it does not */
	bool records; /* whether the run keeps its schedule: tw_run_tasks and the functions behind it need that */
	enum tw_place_of_run place;
	/* Ends the run with TW_CANCELLED soon after the program has stored another value than 0 (__atomic_store_n, or
	 * std::atomic_ref); NULL: the run cannot be cancelled. A policy's function ends first. */
	const int *cancel;
	/* [n_own_policies] Own policies of domains or nodes, in their order, instead of own_policy. Each has the name
	 * that `policy` gives there; two may have one name. NULL: the policy is the one that is named. */
	const struct tw_policy *const *own_policies;
	int32_t n_own_policies;
};

#define tw_run_options_init(options) tw_run_options_init_sized(options, sizeof *(options))
void tw_run_options_init_sized(struct tw_run_options *, size_t size); /* sets all other members to 0 */

struct tw_run;

/* Runs the scene. TW_INVALID: the run was refused before its start. TW_FAILED, TW_NOMEM, TW_CANCELLED: it failed. Then,
 * too, *run has its row, as a sweep would write it, and the program closes the run. *run is NULL if an option is wrong,
 * or if memory does not suffice. */
int tw_scene_run(struct tw_scene *, const struct tw_run_options *, struct tw_run **run, struct tw_error *err);
void tw_run_close(struct tw_run *); /* NULL: does nothing */

/* Fills identity[TW_IDENTITY_BYTES] with the column `identity` that the run would have: a fingerprint of its inputs,
 * but not of the code of the program's own policies. Does not run. */
enum { TW_IDENTITY_BYTES = 33 };
int tw_scene_identity(struct tw_scene *, const struct tw_run_options *, char *identity, struct tw_error *err);

/* A run belongs to one thread at a time. */

/* Columns of results (docs/reference/results.md), from 0. NULL: there is none of that number. */
const char *tw_column_name(int column);
/* Returns a value of the run's row as text, as CSV has it; "": unknown, or memory runs out. NULL: there is no such
 * column. */
const char *tw_run_value(struct tw_run *, const char *column);
/* Returns a value as a number; NAN: it is none, or unknown. */
double tw_run_number(struct tw_run *, const char *column);
/* Returns the whole row as a JSON object. */
const char *tw_run_row(struct tw_run *);
/* Returns the explanation that the option explain asks for; NULL: none was asked for. */
const char *tw_run_explanation(struct tw_run *);

/* --- schedules ---------------------------------------------------------------------------------------------------- */

/* Dates are whole nanoseconds from the begin of the run. -1: there is no such date. */

/* An execution of a task. A cancelled one ended when it was cancelled. */
struct tw_run_task {
	tw_task task; /* numbers from tw_graph_n_tasks on: tasks that reductions have appended */
	tw_kernel kernel;
	tw_worker worker;  /* of a parallel task: the first one */
	int32_t cancelled; /* 0 or 1 */
	int64_t ready_ns, assigned_ns, start_ns, end_ns;
};

/* A further worker of a parallel task. */
struct tw_run_member {
	tw_task task;
	tw_worker worker;
	int64_t joined_ns;
};

enum tw_transfer_cause {
	TW_FOR_TASK, /* an assigned task needs the data */
	TW_FOR_PREFETCH,
	TW_WHILE_IDLE,  /* a write-back while the link is idle */
	TW_FOR_EVICTION /* a victim is written back */
};

/* A transfer of a handle over one hop of its route. */
struct tw_run_transfer {
	tw_data data; /* numbers from tw_graph_n_data on: accumulators of reductions */
	tw_node from, to;
	int32_t cause; /* enum tw_transfer_cause */
	uint64_t bytes;
	int64_t start_ns, end_ns;
};

/* The bytes that are allocated in a memory from a date on. */
struct tw_run_memory {
	int64_t date_ns;
	uint64_t bytes;
	tw_node node;
};

/* Set the array, which the run owns, in the order of starts or dates. Return its length. 0: also if the run does not
 * keep its schedule. */
size_t tw_run_tasks(struct tw_run *, const struct tw_run_task **);
size_t tw_run_members(struct tw_run *, const struct tw_run_member **);
size_t tw_run_transfers(struct tw_run *, const struct tw_run_transfer **);
size_t tw_run_memory(struct tw_run *, const struct tw_run_memory **);

#ifdef __cplusplus
}
#endif
#endif
