/* Calibrates this machine: measures kernels and links, and writes them as a platform's files. */
#ifndef TW__CALIBRATE_H
#define TW__CALIBRATE_H

#include "engine/real/bench.h"
#include "experiment/load.h"

/* --- identity.c --------------------------------------------------------------------------------------------------- */

/* The identity of a machine. `host`, its name, is for people only: containers change the name, so it is not
 * compared. */
struct tw__identity {
	char host[80], cpu[120];
	int cores;
	char gpus[400];    /* number and arch of the GPUs, as in "2 x nvidia-h200"; "": no GPUs */
	char emulate[200]; /* --emulate, which `gpus` follows from; "": not given */
};

/* Sets the identity of this machine. `machine`: the platform of this machine, with all its workers. */
void tw__identity_of(struct tw__identity *, const struct tw__platform *machine);
/* Whether kernel times that were measured on machine `a` are invalid on machine `b`. Then `how` gets the reason. */
bool tw__identity_differs(const struct tw__identity *a, const struct tw__identity *b, char *how, size_t room);
/* Whether two machines that differ differ in the accelerators that they emulate alone. */
bool tw__identity_emulates(const struct tw__identity *a, const struct tw__identity *b);

/* --- a source of times -------------------------------------------------------------------------------------------- */

/* A source of the times of kernels and copies: this machine (engine/real/bench.h), or a test with its own clock. */
struct tw__source {
	/* The functions below get it. A test casts its own state to this type. */
	struct tw__bench *bench;
	/* Returns the date in seconds, by the clock of all durations and limits. */
	double (*now)(const struct tw__bench *);
	/* As tw__bench_n_shifts, tw__bench_has, tw__bench_kernels and tw__bench_copies. */
	int (*n_shifts)(const struct tw__bench *);
	bool (*has)(const struct tw__bench *, int shift, tw_worker, tw_kernel);
	int (*kernels)(struct tw__bench *, int shift, bool (*take)(void *context, const struct tw__timed_kernel *),
	               void *context, struct tw_error *err);
	int (*copies)(struct tw__bench *, const struct tw__way *, const uint64_t *bytes, int n_ways, int n_copies,
	              struct tw__timed_copy *, struct tw_error *err);
};

/* --- buses.c, buses_together.c, buses_lanes.c --------------------------------------------------------------------- */

/* The links of a machine, measured by copies on each route between two memories alone, and on several routes at the
 * same time. */

struct tw__line {
	double latency_s, bandwidth; /* latency in seconds, bandwidth in bytes/s */
	double residual;             /* largest difference between a copy's time and the line, relative to the line */
};

/* Fits a line to the times of n copies, with sizes in bytes and times in seconds, by least squares of relative errors.
 * So small copies, which determine the latency, have the same weight as large ones. Needs at least two points, of
 * different sizes. A negative latency becomes 0. */
void tw__line_fit(struct tw__line *, const double *sizes, const double *seconds, int n);

/* A route (in the code: way) from one memory to another, and the result of measuring copies on it. */
struct tw__bus_way {
	struct tw__way way;
	struct tw__line line; /* latency and bandwidth of copies on this route alone */
	int copies;           /* number of copies that were timed for `line` */
};

/* A link that several routes share: copies on these routes are slower together than alone. */
struct tw__bus_shared {
	bool *has; /* [n_ways]: whether each route crosses the link */
	double bandwidth;
};

struct tw__buses {
	int n_mains; /* main memories: the first nodes */
	int n_ways;
	struct tw__bus_way *ways;
	int n_shared;
	size_t shared_capacity;
	struct tw__bus_shared *shared;
};

/* Lists all routes of the platform, without measurements. */
void tw__buses_init(struct tw__buses *, const struct tw__platform *);
void tw__buses_finish(struct tw__buses *);

/* Measures copies on each route alone, then on several routes at the same time. `most_bytes`: size of the largest
 * copy. */
int tw__buses_measure(struct tw__buses *, const struct tw__source *, uint64_t most_bytes, struct tw_error *err);

/* Measures copies on several routes at the same time, to find the links that routes share. Of each lane the fastest
 * route copies. Each route must have been measured alone. */
int tw__buses_measure_together(struct tw__buses *, const struct tw__source *, uint64_t most_bytes,
                               struct tw_error *err);
/* Computes the rates of simultaneous copies on a set of routes, bytes/s, with max-min fairness on shared links. `set`,
 * `rates`: [n_ways]; routes outside the set have rate 0. */
void tw__buses_rates(const struct tw__buses *, const bool *set, double *rates);
/* computes these rates, and returns their sum */
double tw__buses_total(const struct tw__buses *, const bool *set, double *rates);

/* Whether a memory is a main memory. */
static inline bool tw__buses_has_main(const struct tw__buses *b, tw_node n) { return n < b->n_mains; }
/* Whether a route has a faster one of its lane in the set; NULL: among all. Routes of a lane never copy at the same
 * time. */
bool tw__buses_has_faster(const struct tw__buses *, const bool *set, int way);
/* Lets the routes of each lane share a link with the bandwidth of the fastest. */
void tw__buses_share_lanes(struct tw__buses *);

/* Adds a link that routes share, none so far. */
struct tw__bus_shared *tw__buses_share(struct tw__buses *, double bandwidth);
/* Replaces the links of the platform by the measured ones, with the origin "measured". */
void tw__buses_apply(const struct tw__buses *, struct tw__platform *);

/* --- estimate.c --------------------------------------------------------------------------------------------------- */

/* One execution of a kernel. The executions of each worker are in order of time. */
struct tw__execution {
	double seconds;
	double launch_s; /* time of its launch on a GPU; 0: no GPU, or from an earlier calibration */
	int worker;
	bool interrupted; /* the worker lost its core during the execution */
	bool is_warm;     /* from an earlier calibration, which has already dropped slow starts and outliers */
};

enum tw__verdict { TW__COUNTS, TW__SLOW_START, TW__INTERRUPTED, TW__OUTLIER, TW__N_VERDICTS };

struct tw__estimate {
	size_t n[TW__N_VERDICTS]; /* number of executions with each verdict */
	double mean_s, stddev_s;  /* mean and standard deviation of the executions that count */
	double median_s;
	/* Width of the median's 95 % confidence interval, relative to the median; INFINITY: too few samples. The
	 * interval assumes no distribution of the samples. */
	double interval;
	double worst_s; /* time of the longest outlier; 0: there is none */
};

/* Judges executions, and estimates the kernel's time from those that count. All executions count, except:
 * - the first 3 of each worker, and slow ones directly after them (a slow start);
 * - interrupted ones;
 * - outliers: longer than the median by 50 % and by 10 standard deviations, estimated from the median absolute
 *   deviation.
 * If no execution is left, those dropped last count again. `verdicts`, [n]: the result for each execution. `room`: [n],
 * for intermediate values. Needs at least one execution. */
void tw__estimate(struct tw__estimate *, const struct tw__execution *, size_t n, enum tw__verdict *verdicts,
                  double *room);

/* Whether the estimated time is uncertain: fewer than 30 executions count, or the confidence interval is 1 % wide or
 * more. */
bool tw__estimate_is_wide(const struct tw__estimate *);

/* --- calibration.c ------------------------------------------------------------------------------------------------ */

/* The measurements of one kernel on one arch: a row of kernels.csv. */
struct tw__calibrated {
	char *kernel, *arch, *size, *precision; /* all in one allocation, which begins at `kernel` */
	char *workload;                         /* the workload that measures the kernel */
	int cores;
	size_t n, capacity;
	struct tw__execution *executions;
	/* Numbers of executions that earlier calibrations dropped, by reason. calibration.json has these numbers, but
	 * not the executions. */
	size_t n_dropped[TW__N_VERDICTS];
	double worst_s;
	bool in_run;          /* the executions are from real runs (in_run.c) */
	double past_launch_s; /* time of a launch in earlier calibrations; 0: none */
	/* estimate from the first `estimated` executions; up to date if `estimated` equals n */
	struct tw__estimate estimate;
	size_t estimated;
};

struct tw__calibration {
	struct tw__identity identity;
	struct tw__platform *platform; /* platform of this machine, with all its workers */
	struct tw__buses buses;
	bool has_buses; /* whether the links are measured */
	int n;
	size_t capacity;
	struct tw__calibrated *kernels;
};

/* Whether the platform has links that were not measured yet. */
static inline bool tw__calibration_lacks_links(const struct tw__calibration *c)
{
	return c->buses.n_ways > 0 && !c->has_buses;
}

/* Whether these are links between main memories: such a platform is not written. */
static inline bool tw__calibration_is_incomplete(const struct tw__calibration *c)
{
	return tw__calibration_lacks_links(c) && c->buses.n_mains > 1;
}

/* Returns the index of a kernel's entry, and adds the entry if it is missing. */
int tw__calibration_entry(struct tw__calibration *, const char *workload, const char *kernel, const char *arch,
                          int cores, const char *size, const char *precision);
void tw__calibration_finish(struct tw__calibration *);

/* Adds an execution to the entry of a kernel. */
void tw__calibrated_add(struct tw__calibrated *, struct tw__execution);
/* Updates the estimate of a kernel's time; needs at least one execution. Returns the verdict on each execution, [n],
 * which the caller frees. */
enum tw__verdict *tw__calibrated_estimate(struct tw__calibrated *);

/* Returns a time that a tenth of the kernel's launches on GPUs do not exceed: other programs only make launches longer.
 * 0: none was measured. */
double tw__calibrated_launch_s(const struct tw__calibrated *);

/* A kernel is not measured any more when this many of its executions count for the estimate. */
enum { TW__MOST_EXECUTIONS = 2000 };
/* Whether more executions are needed: the time of the kernel is uncertain, and fewer than TW__MOST_EXECUTIONS count. */
bool tw__calibrated_is_wide(const struct tw__calibrated *);

/* --- costs.c ------------------------------------------------------------------------------------------------------ */

/* Costs of the runtime system in microseconds; NAN: not measured. */
struct tw__costs {
	double turn_us;          /* time that the runtime system spends in turns, per task */
	double launch_us;        /* time to launch a kernel, if the process drives one GPU */
	double launch_growth_us; /* how much longer a launch takes for each further GPU */
	double issue_us;         /* time to issue a copy to a GPU */
};

extern const struct tw__costs tw__no_costs;

/* Measures the costs of the runtime system. Turns: the median of five runs of Cholesky under dmdas, with empty kernels.
 * Launches and copies: runs with real kernels, on one GPU and on all GPUs. The least of the kernels' launches is the
 * cost of each launch. A cost is NAN if Cholesky was not calibrated, or if a run fails, which logs a warning. The
 * folder must have the calibration's files. Of `request`, uses the choice of workers, emulate and seed. */
void tw__measure_costs(struct tw__costs *, const struct tw__calibration *, const struct tw__request *,
                       const char *folder);

/* Returns the runtime parameters that model these costs, as in "turn_cost=1.2us:kernel_queue_cost=5us", malloc'ed.
 * launch_blocks has the kernels whose launches take more than twice the usual time. "": no cost was measured. */
char *tw__costs_text(const struct tw__costs *, const struct tw__calibration *);

/* --- in_run.c ----------------------------------------------------------------------------------------------------- */

/* Runs a workload for real some times, under a policy. Its kernels get the times that they had in these runs, if there
 * are enough of them. The folder must have the calibration's files. Of `request`, uses the choice of workers, emulate
 * and seed. */
int tw__in_run(struct tw__calibration *, const struct tw__request *, const char *policy, const char *workload,
               const char *folder, struct tw_error *err);

/* --- read.c, write.c ---------------------------------------------------------------------------------------------- */

/* The folder of a calibration has platform.xml, kernels.csv and samples.csv, which --platform reads. It also has
 * calibration.json, which records how the other files were measured. */
enum { TW__CALIBRATION_FORMAT = 1 };

/* Conditions of a calibration, which calibration.json records beside the measurements. */
struct tw__conditions {
	const char *date;    /* date in UTC, as in "2026-11-23T20:00:00Z" */
	const char *emulate; /* value of option --emulate; NULL: no emulated accelerators */
	int cpus, gpus;      /* numbers of CPU workers and of GPUs that were busy */
	int main_memories;   /* NUMA nodes with a main memory each; 1: all are one */
	const char *cpu_groups;
	uint64_t seed;
	/* load average of the system over a minute, from getloadavg, before the calibration; NAN: unknown */
	double load;
	double seconds; /* duration of this calibration so far */
	struct tw__costs costs;
};

/* Writes all files of the folder. Each file replaces the old one atomically. */
int tw__calibration_write(struct tw__calibration *, const char *folder, const struct tw__conditions *,
                          struct tw_error *err);

/* Reads the calibration in a folder. *found: whether there is one. The calibration's platform, identity and buses must
 * already be those of this machine. TW_INVALID: a file is damaged, or the calibration is of another machine. */
int tw__calibration_read(struct tw__calibration *, const char *folder, bool *found, struct tw_error *err);

/* Reads the identity of the machine on which the calibration in a folder was measured. *found: whether there is a
 * calibration. TW_INVALID: calibration.json is damaged. */
int tw__calibration_identity(struct tw__identity *, const char *folder, bool *found, struct tw_error *err);

/* --- nodes.c ------------------------------------------------------------------------------------------------------ */

/* Looks at the NUMA nodes of this machine. If there are several: checks with `numa` that memory and threads can be
 * bound to each; warns without it. TW_INVALID: they cannot be bound. */
int tw__nodes_check(bool numa, struct tw_error *err);

/* --- collect.c ---------------------------------------------------------------------------------------------------- */

struct tw__collect {
	struct tw__calibration *calibration;
	const struct tw__source *source;
	const struct tw__platform *platform; /* the platform whose workers execute the kernels */
	int n_kernels;                       /* number of kernels of the workload */
	/* [n_kernels * n_archs]: the calibration's entry for each kernel on each arch; TW_NONE: not measured with this
	 * workload */
	const int *entry;
	double limit_s; /* time limit of all shifts together, seconds */
	/* Called for each execution. Returns false to stop, because nobody reads the executions any more. */
	bool (*tell)(void *context, int entry, const struct tw__execution *);
	void *context;
};

/* Executes kernels until their times are certain, and adds the executions to the calibration. Each shift (workers that
 * measure at the same time) gets an equal part of the time. After that, kernels without any execution still run
 * once. */
int tw__collect(const struct tw__collect *, struct tw_error *err);

/* --- calibrate_point.c -------------------------------------------------------------------------------------------- */

struct tw__point_setup {
	struct tw__calibration *calibration; /* gets the measurements while the child process runs */
	const struct tw__request *request;   /* the user's request; its seed and emulate are used */
	const struct tw__platform *platform; /* platform of this machine, with only the workers that measure */
	const struct tw_graph *graph;
	const struct tw__workload_words *words;
	/* [n_kernels * n_archs]: the calibration's entry for each kernel on each arch; TW_NONE: not measured with this
	 * workload */
	const int *entry;
	double limit_s;
	/* the platform with all memories, whose links are measured first; NULL: the calibration has them already */
	const struct tw__platform *bus_platform;
	/* Called a few times a second; returns false to stop the measurement. `entry`: of the kernel measured last;
	 * TW_NONE: none yet. */
	bool (*tick)(void *context, int entry);
	void *context;
	int stop_fd; /* the measurement also stops when this file descriptor is readable */
};

/* Measures a workload. TW_OK: the measurement is complete or was stopped. TW_FAILED, TW_INVALID: it failed, with the
 * child process's message. Earlier measurements are kept in all cases. */
int tw__point_run(const struct tw__point_setup *, struct tw_error *err);

/* --- calibrate.c -------------------------------------------------------------------------------------------------- */

/* Progress of the calibration. */
struct tw__calibrate_progress {
	const char *workload;
	const struct tw__calibrated *last; /* the kernel measured last; NULL: none yet */
	double seconds, limit_s;
	int n, n_narrow; /* number of kernels to measure, and of kernels whose time is already certain */
};

struct tw__calibrate_setup {
	/* must be for the platform `machine`; its choice, emulate and seed are used */
	const struct tw__request *request;
	char *const *workloads;
	int n_workloads;
	const char *folder;
	double limit_s;
	const char *in_run; /* policy of real runs that times of kernels come from in the end; NULL: no such runs */
	bool numa;          /* each NUMA node near cores is a main memory; else all are one */
	bool force;         /* ignore the measurements in the folder, and measure everything again */
	void (*tick)(void *context, const struct tw__calibrate_progress *);
	/* Called when a workload fails; the calibration goes on with the others. */
	void (*failed)(void *context, const char *workload, const char *message);
	void *context;
	int stop_fd; /* the calibration stops when this file descriptor is readable */
};

struct tw__calibrate_result {
	struct tw__calibration calibration; /* the measurements; the caller finishes them, also after an error */
	bool stopped;
	int n_failed; /* number of workloads that failed */
	double seconds;
};

/* The workloads that a calibration measures by default. Together they have all kernels, with tiles of several sizes.
 * Ends with NULL. */
extern const char *const tw__calibrate_workloads[];

/* Measures the kernels and links whose measurements the folder lacks. Writes the folder's files every few seconds, and
 * at the end. TW_INVALID: the request, a workload or the folder is not valid. */
int tw__calibrate(struct tw__calibrate_result *, const struct tw__calibrate_setup *, struct tw_error *err);

#endif
