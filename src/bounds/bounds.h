/* Lower bounds on makespans and on traffic: no schedule of the graph on the selected platform is shorter or moves
 * less. Bounds on time ignore transfers, memories and the runtime's costs. All are in seconds. With noise, they use
 * the durations drawn.
 *
 * docs/reference/bounds.md explains each bound, with worked values. */
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

/* Tasks by kernel and workers by arch, for linear programs. Archs without workers are left out. */
struct tw__types {
	int n_types, n_resources;
	tw_kernel *kernel; /* [n_types] */
	tw_arch *arch;     /* [n_resources] */
	double *tasks;     /* [n_types] number of tasks */
	double *workers;   /* [n_resources] number of workers */
	/* [type * n_resources + resource] mean seconds of the tasks; INFINITY: one of them cannot run there. */
	double *mean;
	double *least; /* the same for the shortest task; INFINITY: none can run there */
};

int tw__types_init(struct tw__types *, const struct tw__bounded *, struct tw_error *err);
void tw__types_finish(struct tw__types *);

/* The critical path, with each task where it is fastest, is tw__times_critical_path.
 *
 * Area bound: all workers are always busy, and dependencies are ignored. It minimises l subject to sum_k E(k, r) x(k,
 * r) <= m_r l for each arch r, and sum_r x(k, r) = n_k for each kernel k. See Augonnet 2011, section 6.4, and
 * Beaumont and others 2016, III.B. The value is that of the dual solution with each task's own seconds; it is a bound
 * at any precision of the solver. */
int tw__bound_area(const struct tw__bounded *, double *seconds, struct tw_error *err);

/* The area bound with a further constraint for each kernel whose tasks all lie on one path, as those of potrf do: the
 * path is no longer than l. (After Agullo, Beaumont, Eyraud-Dubois and Kumar 2015.) */
int tw__bound_mixed(const struct tw__bounded *, double *seconds, struct tw_error *err);

/* The area bound with the constraint that no path is longer than l, where tasks take the program's times and may be
 * split over archs. This is the iterative bound that Beaumont et al. 2016 compare with (steps after Beaumont,
 * Eyraud-Dubois and Kumar 2016). Each round adds constraints for paths that are too long. It ends when there are
 * none, after `max_rounds`, or where the solver gives up; the result is a bound in each case. `*rounds`: the number
 * of rounds. */
int tw__bound_iterative(const struct tw__bounded *, int max_rounds, double *seconds, int *rounds, struct tw_error *err);

/* The optimal schedule of a small graph without transfers: the mixed integer program with dependencies (Augonnet
 * 2011, section 6.4). It takes at most `limit_s` seconds, and returns the best bound that was proven by then.
 * `least_s` is a known bound; the result is at least that. */
enum { TW__MILP_MAX_TASKS = 60, TW__MILP_MAX_ARCHS = 16 };
struct tw__milp {
	double seconds; /* NAN: too many tasks or archs */
	bool optimal;   /* solved to optimality: a schedule of that length exists */
};
int tw__bound_milp(const struct tw__bounded *, double least_s, double limit_s, struct tw__milp *, struct tw_error *err);

/* Transfers out of main memory. */
struct tw__bus_bounds {
	uint64_t
		/* Handles that only tasks for accelerators read in their initial state; each must be loaded once. */
		compulsory_bytes;
	double bandwidth; /* bytes/s that main memory can send to all accelerators at once; 0: no accelerators */
	double seconds;   /* the time for these bytes at that rate */
};
int tw__bound_bus(const struct tw__bounded *, struct tw__bus_bounds *, struct tw_error *err);

/* The leading term of the bytes that must come into a fast memory of `memory_bytes`, for any order of the operations.
 * For cholesky, lu, matmul2d, matmul3d; NAN for other workloads. Terms of lower order are left out, so it is no bound
 * for a given size. Use it as a line in a figure, not as a check (Olivry et al. 2020; Beaumont et al. 2022). */
double tw__leading_io_bytes(const char *workload, const struct tw_graph *, double memory_bytes);

#endif
