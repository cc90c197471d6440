/* Lower bounds on makespans and on transferred bytes: no schedule of the graph on the selected platform is shorter or
 * moves less. Bounds on makespans are in seconds. They ignore transfers, memories and the runtime's costs. With noise,
 * they use the durations that were drawn.
 *
 * With parallel tasks, a task takes the least time of all its cores together that the area bound allows. The mixed and
 * the iterative bound are then the area bound, as paths depend on the numbers of cores, and there is no milp.
 *
 * A recursive task counts with the least of its own and of the tasks inside. The mixed and the iterative bound are then
 * the area bound, too, and there is no milp.
 *
 * docs/reference/bounds.md explains each bound, with worked values. */
#ifndef TW__BOUNDS_H
#define TW__BOUNDS_H

#include <jansson.h>

#include "graph/graph.h"
#include "perf/models.h"
#include "platform/platform.h"

struct tw__bounded {
	const struct tw__platform *platform; /* the selected workers and memories */
	const struct tw_graph *graph;
	const struct tw__times *times;
	/* On a cluster: the graph as it is divided among the nodes (graph/ranks.h), with its times. graph NULL: not
	 * divided. */
	struct {
		const struct tw_graph *graph;
		const struct tw__times *times;
		const char *distribution; /* as the user gave it; NULL: not given */
		double sends; /* of each tile of a large Cholesky factorisation: see tw__distribution_sends */
	} divided;
};

/* The critical path, with each task on its fastest arch, is tw__times_critical_path.
 *
 * Area bound: all workers are always busy, and dependencies are ignored. It minimises l subject to sum_k E(k, r) x(k,
 * r) <= m_r l for each arch r, and sum_r x(k, r) = n_k for each kernel k. E is a duration, x a number of tasks, m a
 * number of workers, and n a number of tasks of a kernel. See Augonnet 2011, section 6.4, and Beaumont and others 2016,
 * III.B. The returned value is that of the dual solution with each task's own seconds. So it is a bound at any
 * precision of the solver.
 *
 * price[n_archs]: receives the prices that prove the bound, of a second on each arch; may be NULL. The sum over all
 * workers of their arch's price is 1, and the bound is the least cost of all tasks. All are 0 if there are no tasks. */
int tw__bound_area(const struct tw__bounded *, double *price, double *seconds, struct tw_error *err);

/* The area bound with more constraints. For each kernel whose tasks are all on one path, as those of potrf are, this
 * path is no longer than l. (After Agullo, Beaumont, Eyraud-Dubois and Kumar 2015.) */
int tw__bound_mixed(const struct tw__bounded *, double *seconds, struct tw_error *err);

/* The area bound with the constraint that no path is longer than l. On a path, tasks have the durations of the linear
 * program, which may split a task over archs. Beaumont et al. 2016 compare with this iterative bound; its steps are
 * after Beaumont, Eyraud-Dubois and Kumar 2016. Each round adds constraints for paths that are too long. Rounds end
 * when no path is too long, after `max_rounds`, or where the solver gives up. They also end after `limit_s`
 * seconds, where the first program, that of the area bound, is solved in any case. The result is a bound in each
 * case. */
struct tw__iterative {
	double seconds; /* the bound in s */
	int rounds;     /* the number of rounds that are complete */
	bool timed_out; /* whether limit_s ended the rounds */
};
int tw__bound_iterative(const struct tw__bounded *, int max_rounds, double limit_s, struct tw__iterative *,
                        struct tw_error *err);

/* The makespan of the optimal schedule of a small graph without transfers, by a mixed integer program with dependencies
 * (Augonnet 2011, section 6.4). The search takes at most `limit_s` seconds, and gives the best bound that was proven by
 * then. `least_s` is a known bound; the result is at least that. */
enum { TW__MILP_MAX_TASKS = 60, TW__MILP_MAX_ARCHS = 16 };
struct tw__milp {
	double seconds; /* the bound in s; NAN: the graph has too many tasks, or the platform too many archs */
	bool optimal;   /* whether a schedule of this length exists, so that the bound is the optimum */
};
int tw__bound_milp(const struct tw__bounded *, double least_s, double limit_s, struct tw__milp *, struct tw_error *err);

/* Bounds on transfers from main memory to accelerators. */
struct tw__bus_bounds {
	/* Bytes of handles whose initial values are read by tasks that only accelerators can run. Each of these handles
	 * must be loaded at least once. */
	uint64_t compulsory_bytes;
	double bandwidth; /* bytes/s that main memory can send to all accelerators together; 0: there are none */
	double seconds;   /* the time to send these bytes: compulsory_bytes / bandwidth */
};
int tw__bound_bus(const struct tw__bounded *, struct tw__bus_bounds *, struct tw_error *err);

/* Returns the leading term of the bytes that any order of the operations must load into a fast memory of
 * `memory_bytes`. For cholesky, lu, matmul2d and matmul3d; NAN for other workloads. Terms of lower order are left out,
 * so it is not a bound for a given size. Use it as a line in a figure, not as a check (Olivry et al. 2020; Beaumont et
 * al. 2022). `workload` NULL: the graph is of no known workload. */
double tw__leading_io_bytes(const char *workload, const struct tw_graph *, double memory_bytes);

/* Bounds of a distribution over the nodes of a cluster. */
struct tw__divided_bounds {
	double area_s; /* the greatest area bound of a node, for its own tasks on its own workers; NAN: left out */
	int rank;      /* the first node with that bound */
	int32_t n_messages;
	uint64_t message_bytes;
	/* The volume of messages by formula, without terms of lower order (Beaumont, Duchon, Eyraud-Dubois, Langou,
	 * Verite 2022); NAN: none is known. */
	double leading_bytes;
};
/* `workload`: as for tw__leading_io_bytes. */
int tw__bound_divided(struct tw__divided_bounds *, const struct tw__bounded *, const char *workload,
                      struct tw_error *err);

/* --- all bounds of a graph on a platform: all_bounds.c ------------------------------------------------------------ */

/* Numbers that the user can choose, and their usual values. */
struct tw__bounds_limits {
	int rounds;              /* of the iterative bound */
	double iterative_time_s; /* of its rounds */
	double milp_time_s;      /* of the integer program; 0: none */
};
#define TW__MOST_BOUND_TIME_S 1e6 /* of each of the times */
#define TW__BOUNDS_LIMITS ((struct tw__bounds_limits){.rounds = 400, .iterative_time_s = 10, .milp_time_s = 3})

/* Makespans in seconds; NAN: left out, because memory does not suffice, or not sought. */
struct tw__all_bounds {
	double critical_path_s, area_s, mixed_s, overlapped_bytes, leading_bytes, leading_all_bytes;
	int n_gpus;
	/* If time was over, its bound is at least those before. */
	struct tw__iterative iterative;
	struct tw__bus_bounds bus;
	struct tw__milp milp;
	struct tw__divided_bounds divided; /* on a cluster */
};

/* The caller has set the critical path and the area bound; this finds the others. `workload`: as for
 * tw__leading_io_bytes. Warns of bounds that are left out. */
int tw__bound_all(struct tw__all_bounds *, const struct tw__bounded *, const char *workload,
                  const struct tw__bounds_limits *, struct tw_error *err);
/* As an object of JSON, which the caller releases: docs/reference/bounds.md. */
json_t *tw__bounds_json(const struct tw__all_bounds *, const struct tw__bounded *, const char *platform,
                        const char *workload);

#endif
