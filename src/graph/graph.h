/* The task graph as the library sees it: plain arrays, one entry per task or per access. */
#ifndef TW__GRAPH_H
#define TW__GRAPH_H

#include <tilewright/graph.h>

/* One access in 32 bits: data << 5 | flags. */
enum {
	TW__ACCESS_MODES = TW_RW | TW_SCRATCH | TW_REDUX,
	TW__ACCESS_LAST_WRITE = 16,
	TW__ACCESS_BITS = 5,
	TW__MAX_DATA = 1 << 27
};
typedef uint32_t tw__access;
static inline tw_data tw__access_data(tw__access a) { return (tw_data)(a >> TW__ACCESS_BITS); }
static inline enum tw_mode tw__access_mode(tw__access a) { return (enum tw_mode)(a & TW__ACCESS_MODES); }

struct tw__kernel {
	char *name, *size, *precision;
	double flops;
	char *archs;          /* archs that may run it, as in "cpu+m2070"; NULL: all */
	char *recorded_on;    /* on these archs, tasks take their own recorded seconds; NULL: on none */
	tw_kernel next_alike; /* the next kernel of the same name, size and precision, or TW_NONE */
};

/* Where priorities come from. */
enum tw__priorities {
	TW__PRIORITIES_WORKLOAD,
	TW__PRIORITIES_BOTTOM_LEVEL, /* on the workers that run each task fastest */
	TW__PRIORITIES_SUBMISSION,
	TW__PRIORITIES_NONE
};

/* A reduction: consecutive accesses to one handle, all with TW_REDUX. */
struct tw__phase {
	tw_data data;
	tw_kernel combine;
	uint32_t n_contributors;
	int32_t priority; /* the greatest priority of a contributor; set in the copy that a run extends */
	bool critical;    /* whether any contributor is critical; set in the same copy */
};

struct tw__contribution {
	uint32_t access; /* index into graph->access; ascending */
	int32_t phase;
};

struct tw__graph_build; /* state that only the building needs */

struct tw_graph {
	tw_task n_tasks;
	tw_data n_data;
	int n_kernels;
	struct tw__kernel *kernels;

	uint16_t *kernel;          /* [n_tasks] */
	int32_t *priority;         /* [n_tasks] */
	bool *critical;            /* [n_tasks] */
	uint32_t *n_predecessors;  /* [n_tasks] */
	uint32_t *access_start;    /* [n_tasks + 1], into access */
	tw__access *access;        /* TW__ACCESS_LAST_WRITE: after this write the handle "will not be used" */
	uint32_t *successor_start; /* [n_tasks + 1], into successor */
	tw_task *successor;

	uint64_t *data_bytes;            /* [n_data] */
	double *seconds;                 /* [n_tasks] recorded seconds, NAN: not recorded; or NULL: none is */
	struct tw_recorded_place *place; /* [n_tasks], worker TW_NONE: unknown; or NULL: all are unknown */
	/* Reductions: see reduction.h. */
	int n_phases;
	struct tw__phase *phases;
	uint32_t n_contributions;
	struct tw__contribution *contributions;
	uint32_t *phase_successor_start; /* [n_phases + 1], into phase_successor */
	tw_task *phase_successor;
	uint8_t *data_uses;              /* [n_data] enum tw__data_use; NULL: all TW__USE_PLAIN */
	struct tw__extension *extension; /* of the copy that a run extends; otherwise NULL */

	double flops;
	enum tw_priority_scope priority_scope;
	enum tw__priorities priorities; /* requested; tw__prioritise computes them */

	struct tw__graph_build *build; /* NULL once finished */
};

enum tw__data_use { TW__USE_PLAIN, TW__USE_SCRATCH, TW__USE_REDUX };
static inline enum tw__data_use tw__data_use(const struct tw_graph *g, tw_data d)
{
	return g->data_uses ? (enum tw__data_use)g->data_uses[d] : TW__USE_PLAIN;
}

/* Bottom levels as tw_graph_bottom_levels computes them, but from the seconds of each task. */
double tw__graph_bottom_levels(const struct tw_graph *, const double *task_seconds, double *levels);

/* The total bytes of the handles that tasks access, without scratch; each counts once. UINT64_MAX: out of memory. */
uint64_t tw__graph_working_set(const struct tw_graph *);

/* Checks the topology: TW_FAILED if the successors do not form an acyclic graph with the stored predecessor counts.
 * (Submission cannot make a cycle; readers of files can.) */
int tw__graph_check(const struct tw_graph *, struct tw_error *err);

#endif
