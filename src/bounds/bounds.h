/* Lower bounds of makespans and of traffic: no schedule of the graph on the platform, as selected, is shorter or moves less.
 * Time bounds leave out transfers, memories and the runtime's costs. Seconds; with noise, of the durations drawn.
 *
 * What is known of each, and worked values: docs/reference/bounds.md. */
#ifndef TW__BOUNDS_H
#define TW__BOUNDS_H

#include "graph/graph.h"
#include "perf/models.h"
#include "platform/platform.h"

struct tw__bounded {
	const struct tw_platform *platform; /* as selected */
	const struct tw_graph *graph;
	const struct tw__times *times;
};

/* Tasks by kernel, workers by arch: what linear programs see. Archs without workers are left out. */
struct tw__types {
	int n_types, n_resources;
	tw_kernel *kernel; /* [n_types] */
	tw_arch *arch;     /* [n_resources] */
	double *tasks;     /* [n_types] how many */
	double *workers;   /* [n_resources] how many */
	double *mean; /* [type * n_resources + resource] of its tasks' seconds; INFINITY: one of them cannot run there */
	double *least; /* the same of the shortest; INFINITY: none can */
};

int tw__types_init(struct tw__types *, const struct tw__bounded *, struct tw_error *err);
void tw__types_finish(struct tw__types *);

/* The longest chain of tasks, each where it is fastest, is tw__times_critical_path.
 *
 * Area: all workers work all the time and dependencies do not count: min l, sum_k E(k, r) x(k, r) <= m_r l for each arch r,
 * sum_r x(k, r) = n_k for each kernel k (Augonnet 2011, section 6.4; Beaumont et al. 2016, III.B). The value is that of the dual
 * solution with each task's own seconds, which is a bound whatever the solver's precision. */
int tw__bound_area(const struct tw__bounded *, double *seconds, struct tw_error *err);

/* Area, and a path that holds all tasks of one kernel, as that of potrf does, is no longer than l (after Agullo, Beaumont,
 * Eyraud-Dubois and Kumar 2015): for each kernel with such a path. */
int tw__bound_mixed(const struct tw__bounded *, double *seconds, struct tw_error *err);

/* Area, and no path is longer than l when tasks take what the program gives them, in parts on several archs if need be: the
 * iterative bound that Beaumont et al. 2016 compare with (steps after Beaumont, Eyraud-Dubois and Kumar 2016). Each round adds the
 * paths that are too long. It ends when there are none, after so many rounds, or where the solver gives up, with a bound all the
 * same. `*rounds`: how many. */
int tw__bound_iterative(const struct tw__bounded *, int max_rounds, double *seconds, int *rounds, struct tw_error *err);

/* The best schedule there is, without transfers, of a small graph: the mixed integer program with dependencies (Augonnet 2011, section
 * 6.4). It takes up to `limit_s`, and is the best bound that was proven by then, `least_s` at least, a bound that is known. */
enum { TW__MILP_MAX_TASKS = 60, TW__MILP_MAX_ARCHS = 16 };
struct tw__milp {
	double seconds; /* NAN: the graph has more tasks, or the platform more archs */
	bool optimal;   /* it was solved: a schedule of that length exists */
};
int tw__bound_milp(const struct tw__bounded *, double least_s, double limit_s, struct tw__milp *, struct tw_error *err);

/* Transfers out of main memory. */
struct tw__bus_bounds {
	uint64_t
		compulsory_bytes; /* of data that tasks for accelerators alone read as they were at the start: each is loaded once */
	double bandwidth; /* bytes/s that main memory can send to all accelerators at once; 0: there are none */
	double seconds;   /* what these bytes take at that rate */
};
int tw__bound_bus(const struct tw__bounded *, struct tw__bus_bounds *, struct tw_error *err);

/* Leading term of the bytes that must come into a fast memory of so many bytes, whatever the order of the operations: for cholesky,
 * lu, matmul2d, matmul3d; NAN for other workloads. Terms of lower order are left out, so it is no bound of a given size: a
 * line to draw, not to assert (Olivry et al. 2020; Beaumont et al. 2022). */
double tw__leading_io_bytes(const char *workload, const struct tw_graph *, double memory_bytes);

#endif
