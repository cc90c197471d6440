/* Kernel times: the measurements (kernels.csv), and the table of times that one run needs.
 *
 * kernels.csv: kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note
 * Comment lines ('#') and blank lines are allowed. The header line is required. `note` is free text and may be
 * quoted. */
#ifndef TW__MODELS_H
#define TW__MODELS_H

#include <math.h>

#include "base/date.h"
#include "graph/graph.h"
#include "perf/noise.h"
#include "platform/platform.h"

struct tw__models; /* the rows of one kernels.csv */

extern const char tw__kernels_header[]; /* the header line of kernels.csv */

/* Reads kernels.csv, and samples.csv beside it. The archs of all rows must be the platform's; `platform` NULL: any arch
 * will do. TW_INVALID: the message has file and line. */
int tw__models_read(struct tw__models **, const char *path, const struct tw__platform *, struct tw_error *err);
/* Sets the name by which messages call the file of kernel times, instead of its path. */
void tw__models_rename(struct tw__models *, const char *name);
void tw__models_destroy(struct tw__models *);

/* Enables extrapolation. A kernel without a time gets one from regressions over other sizes of the same shape
 * (series.h). A kernel without times of any size gets one from the flop-rate model (flop_rate.c). A kernel with times
 * on one core also gets times on groups of that arch. */
void tw__models_extrapolate(struct tw__models *);
/* Messages about missing times then do not offer --extrapolate. */
void tw__models_offer_nothing(struct tw__models *);

/* Sets --speedup, --amdahl and --time-factor for later calls of tw__times_bind, which marks the items that give tasks
 * their times. They belong to the caller, who has called tw__factors_bind; NULL: none. */
struct tw__factors;
void tw__models_speed_up(struct tw__models *, struct tw__factors *speedups, struct tw__factors *amdahl,
                         struct tw__factors *time_factors);

/* Measured executions of one kernel on one arch, relative to their mean: factors[first] ... factors[first + n - 1] of
 * struct tw__times. */
struct tw__draws {
	size_t first, n;
};

/* Returns the flop/s of the fastest gemm, of any size, measured on a worker of the arch in that precision. For a group:
 * measured on as many cores, otherwise derived from one core. 0: no gemm was measured. */
double tw__gemm_peak(const struct tw__models *, const struct tw__arch *, const char *precision);

/* Means that no row of kernels.csv gave: there is none; it lies between those of other groups; it was extrapolated;
 * Amdahl's law gave it. */
enum { TW__NO_TIME = -1, TW__TIME_BETWEEN = -2, TW__EXTRAPOLATED_TIME = -3, TW__AMDAHL_TIME = -4 };

/* Execution times of one graph's kernels on one platform's archs, in seconds. */
struct tw__times {
	int n_kernels, n_archs;
	double *mean;    /* [kernel * n_archs + arch] mean seconds; NAN: the kernel cannot run on the arch */
	double *stddev;  /* [kernel * n_archs + arch] standard deviation of the seconds; NAN: as for `mean` */
	tw_task n_tasks; /* tasks of the graph, without those that reductions append */
	/* [n_archs][n_tasks] the seconds that tasks have of their own on the arch; NAN: none. NULL: no task has any, as
	 * on groups of cores without --amdahl. */
	double **own;
	/* [kernel * n_archs + arch] what tasks take where they have seconds of their own; NULL: these seconds */
	double *instead;
	bool *recorded; /* [kernel * n_archs + arch] whether some task of the kernel has own seconds on the arch */
	bool measured, flop_rate, has_recorded; /* which sources gave times: kernels.csv; flop rates and speed-ups;
	                                         * graph */
	bool regression;                        /* whether regressions gave any time */
	bool sped_up, amdahl, multiplied; /* whether --speedup, --amdahl and --time-factor gave or changed any time */
	struct tw__draws *draws;          /* [kernel * n_archs + arch] samples for --noise empirical */
	double *factors;                  /* the factors that `draws` refer to; NULL: there are none */
	uint64_t *arch_key;               /* [n_archs] a hash of the arch's name and number of cores */
	struct tw__noise noise;           /* deviations of tasks' times; set in a run's copy of the struct */
	/* Whether any time of a group was interpolated between those of smaller and larger groups. */
	bool inferred;
	int *row; /* [kernel * n_archs + arch] number of the row that gave the mean, or one of the next enum */
	double extrapolated_share; /* the part of the work whose times are extrapolated: see doubts.h */
};

/* Looks up the times of all kernels of the graph. Those of "lu.gemm" are in the rows "lu.gemm", or, if there are
 * none of that size and precision, in the rows "gemm". A group of cores uses the rows with its arch and number of
 * cores. If there are none, the times are interpolated between rows with fewer and with more cores (between.c).
 *
 * Returns TW_INVALID if a kernel of the graph has no time on any arch with workers. The message names the kernel, and
 * sizes with times or a row that would help. Also returns TW_INVALID if a group has no time for any kernel that may run
 * on it. The message names the missing rows. */
int tw__times_bind(struct tw__times *, const struct tw__models *, const struct tw__platform *, const struct tw_graph *,
                   struct tw_error *err);
void tw__times_finish(struct tw__times *);

/* Whether the platform has a worker of that arch. */
bool tw__has_worker(const struct tw__platform *, tw_arch);

/* Whether the task has seconds of its own on the arch, which count instead of its kernel's time. */
static inline bool tw__has_own_seconds(const struct tw__times *times, const struct tw_graph *graph, tw_task t,
                                       tw_arch a)
{
	return times->recorded[graph->kernel[t] * times->n_archs + a] && t < times->n_tasks && !isnan(times->own[a][t]);
}

/* Returns the modelled seconds of a task on an arch; NAN: the task cannot run on that arch. */
static inline double tw__task_seconds(const struct tw__times *times, const struct tw_graph *graph, tw_task t, tw_arch a)
{
	int i = graph->kernel[t] * times->n_archs + a;
	bool own = tw__has_own_seconds(times, graph, t, a);
	double seconds = !own ? times->mean[i] : times->instead ? times->instead[i] : times->own[a][t];
	if (times->noise.kind == TW__NOISE_NONE)
		return seconds;
	const struct tw__draws *draws = &times->draws[i];
	if (times->noise.kind == TW__NOISE_EMPIRICAL && !own && draws->n)
		return tw__noise_draw(&times->noise, seconds, times->factors + draws->first, draws->n,
		                      times->arch_key[a], t);
	return tw__noise_apply(&times->noise, seconds, own ? 0 : times->stddev[i], times->arch_key[a], t);
}

/* Whether the task has a time on the arch, so that workers of the arch can run it. */
static inline bool tw__task_can_run(const struct tw__times *times, const struct tw_graph *graph, tw_task t, tw_arch a)
{
	return !isnan(times->mean[graph->kernel[t] * times->n_archs + a]) || tw__has_own_seconds(times, graph, t, a);
}

/* Returns the nanoseconds that the task takes in a run, on an arch that can run it. */
static inline tw__ns tw__task_length(const struct tw__times *times, const struct tw_graph *graph, tw_task t, tw_arch a)
{
	return tw__ns_of(tw__task_seconds(times, graph, t, a));
}

/* Returns the task's time in a run, rounded to whole nanoseconds, in seconds. NAN: the task cannot run on that arch. */
static inline double tw__task_run_seconds(const struct tw__times *times, const struct tw_graph *graph, tw_task t,
                                          tw_arch a)
{
	double seconds = tw__task_seconds(times, graph, t, a);
	return isnan(seconds) ? NAN : tw__seconds(tw__ns_of(seconds));
}

/* Whether all tasks of the kernel take the same time on the arch: no noise, no seconds of their own. */
static inline bool tw__times_are_equal(const struct tw__times *times, tw_kernel k, tw_arch a)
{
	return times->noise.kind == TW__NOISE_NONE && !times->recorded[k * times->n_archs + a];
}

/* Whether several workers can run a task together, and whether the arch is one of such workers. */
bool tw__has_wide(const struct tw__platform *);
bool tw__is_wide(const struct tw__platform *, tw_arch);
/* Returns the least time of all cores together, in seconds, that the task takes on workers of the arch, alone or
 * together; NAN: none can run it. */
double tw__task_core_seconds(const struct tw__times *, const struct tw__platform *, const struct tw_graph *, tw_task,
                             tw_arch);

/* Fills ns[tasks] with each task's time, in nanoseconds, on the fastest arch that has workers. INFINITY: no such arch
 * can run the task. */
void tw__times_best(const struct tw__times *, const struct tw__platform *, const struct tw_graph *, double *ns);

/* Returns the seconds of the longest chain of tasks, each on its fastest arch. No schedule is shorter. */
double tw__times_critical_path(const struct tw__times *, const struct tw__platform *, const struct tw_graph *);

#endif
