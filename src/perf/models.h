/* Kernel times: what was measured (kernels.csv), and the table that one run needs.
 *
 * kernels.csv: kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note
 * with '#' comment lines and blank lines allowed, the header line required, `note` free text (may be quoted). */
#ifndef TW__MODELS_H
#define TW__MODELS_H

#include <math.h>

#include "base/date.h"
#include "graph/graph.h"
#include "perf/noise.h"
#include "platform/platform.h"

struct tw__models; /* the rows of one kernels.csv */

extern const char tw__kernels_header[]; /* its header line */

int tw__models_read(struct tw__models **, const char *path, struct tw_error *err);
/* What messages call them instead of the path. */
int tw__models_rename(struct tw__models *, const char *name, struct tw_error *err);
void tw__models_destroy(struct tw__models *);

/* Where nothing was measured, kernels get times from regressions over other sizes of the same shape (series.h), those without
 * any times of theirs from the flop-rate model (flop_rate.c), and those with times on one core also on groups of that arch. */
void tw__models_extrapolate(struct tw__models *);

/* Measured executions of one kernel somewhere, as parts of their mean: factors[first] ... factors[first + n - 1]. */
struct tw__draws {
	size_t first, n;
};

/* Flop/s of the best gemm that was measured on a worker of the arch in that precision, whatever its size (of a group: on as many cores,
 * else what follows from one); 0: none was. */
double tw__gemm_peak(const struct tw__models *, const struct tw__arch *, const char *precision);

/* Execution times of one graph's kernels on one platform's archs. Seconds; NAN: cannot run there. */
struct tw__times {
	int n_kernels, n_archs;
	double *mean;                           /* [kernel * n_archs + arch] */
	double *stddev;                         /* same */
	bool *recorded;                         /* same: tasks with recorded seconds take these there; never a group */
	bool measured, flop_rate, has_recorded; /* where any of the times come from */
	bool regression;                        /* same */
	struct tw__draws *draws;                /* same */
	double *factors;                        /* that draws refer to; NULL: there are none */
	uint64_t *arch_key;                     /* [n_archs] tells name and cores, whatever the selection */
	struct tw__noise noise;                 /* of each task; set in copies that a run makes of the struct */
	bool inferred;                          /* same: between those of smaller and larger groups */
};

/* The times of "lu.gemm" are those of the rows "lu.gemm", or, if there are none of that size and precision, of the
 * rows "gemm"; those of a group of cores are the rows with its arch and as many cores, else they are inferred from rows with fewer
 * and with more (between.c). TW_INVALID if a kernel of the graph
 * has a time on no arch that has a worker: the message names kernel, size and precision, and the sizes that have times, or
 * a row that would help. Also if no kernel has a time on a group that may run it: the message names the rows that are missing. */
int tw__times_bind(struct tw__times *, const struct tw__models *, const struct tw_platform *, const struct tw_graph *,
                   struct tw_error *err);
void tw__times_finish(struct tw__times *);

/* Whether the platform, as selected, has a worker of that arch. */
bool tw__has_worker(const struct tw_platform *, tw_arch);

/* Seconds of a task on an arch, as models tell it; NAN: it cannot run there. */
static inline double tw__task_seconds(const struct tw__times *times, const struct tw_graph *graph, tw_task t, tw_arch a)
{
	int i = graph->kernel[t] * times->n_archs + a;
	bool own = times->recorded[i] && !isnan(graph->seconds[t]);
	double seconds = own ? graph->seconds[t] : times->mean[i];
	if (times->noise.kind == TW__NOISE_NONE)
		return seconds;
	const struct tw__draws *draws = &times->draws[i];
	if (times->noise.kind == TW__NOISE_EMPIRICAL && !own && draws->n)
		return tw__noise_draw(&times->noise, seconds, times->factors + draws->first, draws->n,
		                      times->arch_key[a], t);
	return tw__noise_apply(&times->noise, seconds, own ? 0 : times->stddev[i], times->arch_key[a], t);
}

/* Whether it has seconds there. */
static inline bool tw__task_can_run(const struct tw__times *times, const struct tw_graph *graph, tw_task t, tw_arch a)
{
	int i = graph->kernel[t] * times->n_archs + a;
	return !isnan(times->mean[i]) || (times->recorded[i] && !isnan(graph->seconds[t]));
}

/* How long the task takes in a run. It can run on the arch. */
static inline tw__ns tw__task_length(const struct tw__times *times, const struct tw_graph *graph, tw_task t, tw_arch a)
{
	return tw__ns_of(tw__task_seconds(times, graph, t, a));
}

/* Same, in seconds; NAN: it cannot run there. */
static inline double tw__task_run_seconds(const struct tw__times *times, const struct tw_graph *graph, tw_task t,
                                          tw_arch a)
{
	double seconds = tw__task_seconds(times, graph, t, a);
	return isnan(seconds) ? NAN : tw__seconds(tw__ns_of(seconds));
}

/* Whether all tasks of the kernel take the same time on the arch: nothing varies, and none has recorded seconds there. */
static inline bool tw__times_are_equal(const struct tw__times *times, tw_kernel k, tw_arch a)
{
	return times->noise.kind == TW__NOISE_NONE && !times->recorded[k * times->n_archs + a];
}

/* Nanoseconds in a run of each task on the arch, among those that have a worker, that runs it fastest; INFINITY if none does. */
void tw__times_best(const struct tw__times *, const struct tw_platform *, const struct tw_graph *, double *ns);

/* The longest chain of tasks, each at its best: no schedule is shorter. */
int tw__times_critical_path(const struct tw__times *, const struct tw_platform *, const struct tw_graph *,
                            double *seconds, struct tw_error *err);

#endif
