/* Measures of a task graph, before any run. docs/reference/describe.md defines each of them.
 *
 * Dependencies are those between tasks. A task behind a reduction depends on all contributors of the reduction. The
 * tasks that combine accumulators are appended by a run, so no measure counts them. */
#ifndef TW__DESCRIBE_H
#define TW__DESCRIBE_H

#include "graph/edges.h"
#include "graph/graph.h"

/* The transitive dependencies and the largest antichain are left out of larger graphs, unless they are forced. The
 * limit is on tasks x (tasks + dependencies), to which the time for transitive dependencies is proportional. It takes
 * some seconds at the limit. */
#define TW__MOST_STEPS 2e11
enum { TW__NOT_COMPUTED = -1 };

enum { TW__N_MODES = 5 };
extern const enum tw_mode tw__described_modes[TW__N_MODES];

/* Numbers of predecessors, or of successors. */
struct tw__degrees {
	tw_task least, most;
	double mean;      /* 0 for a graph without tasks */
	tw_task *n_tasks; /* [most + 1] number of tasks by degree */
};

struct tw__description {
	const struct tw_graph *graph; /* the caller's */

	/* Tasks and data. Bytes are doubles, because sums of 64-bit sizes may not fit 64 bits. */
	tw_task *kernel_tasks;          /* [n_kernels] */
	uint64_t accesses[TW__N_MODES]; /* by mode, in the order of tw__described_modes */
	double handle_bytes;            /* of all handles */
	double working_set_bytes;       /* of the handles that tasks access, without scratch */
	int n_divided, n_parts;         /* handles that are divided, and parts of such */
	double peak_live_bytes;         /* the most between their first and last accesses, if tasks run as submitted */
	double access_bytes;            /* summed over all accesses, without scratch */
	double largest_task_bytes;      /* of all handles that one task accesses, with scratch */
	double task_flops;              /* summed over all tasks */
	double recorded_s;              /* recorded seconds, summed over all tasks; NAN: some have none */

	/* The level of a task is the number of tasks on the longest chain that ends before it. */
	size_t n_dependencies;
	tw_task depth;              /* number of levels */
	tw_task *level_tasks;       /* [depth] */
	tw_task level_width;        /* tasks of the largest level */
	double critical_flops;      /* the greatest sum of flops on a chain */
	double critical_recorded_s; /* the greatest sum of recorded seconds on a chain; NAN: some tasks have none */

	/* transitive.c: dependencies that a longer path implies, or TW__NOT_COMPUTED */
	int64_t n_transitive;

	/* measures.c */
	struct tw__degrees in, out;
	tw_task n_components;      /* weakly connected */
	tw_task largest_component; /* number of tasks */
	tw_task antichain;         /* the most tasks of which no two are ordered, or TW__NOT_COMPUTED */
};

/* `exact` forces all measures, whatever the size of the graph. The graph must outlive the description. TW_INVALID: the
 * module with the measures is missing. The caller finishes the description, also after an error. */
int tw__describe(struct tw__description *, const struct tw_graph *, bool exact, struct tw_error *err);
void tw__description_finish(struct tw__description *);

/* --- parts in files of their own ---------------------------------------------------------------------------------- */

/* The dependencies of a graph, sorted by `to`. */
struct tw__dependencies {
	const struct tw__edge *edges;
	size_t n;
};

void tw__describe_transitive(struct tw__description *, struct tw__dependencies);

/* The measures that igraph has are in a module (base/module.h), as igraph loads many libraries. */
struct tw__measures {
	int (*describe)(struct tw__description *, struct tw__dependencies, bool antichain, struct tw_error *err);
};
extern const struct tw__measures tw__measures;

#endif
