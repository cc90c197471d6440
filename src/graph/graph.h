/* The task graph as the library sees it: plain arrays, one entry per task or per access. */
#ifndef TW__GRAPH_H
#define TW__GRAPH_H

#include <stdatomic.h>

#include <tilewright/graph.h>

/* An access of a task in 32 bits: handle << 5 | enum tw_mode | TW__ACCESS_LAST_WRITE. */
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
	char *archs;          /* archs that may run the kernel, as "cpu+m2070"; NULL: all */
	char *recorded_on;    /* archs on which tasks of this kernel take their recorded seconds; NULL: none */
	bool is_message;      /* its tasks send or receive messages (ranks.h): no worker runs them */
	tw_kernel next_alike; /* the next kernel of the same name, size and precision, or TW_NONE */
};

/* The origin of the priorities of tasks: the workload; bottom levels; the order of submission, or none. */
enum tw__priorities {
	TW__PRIORITIES_WORKLOAD,
	TW__PRIORITIES_BOTTOM_LEVEL, /* bottom levels, with the time of each task on its fastest arch */
	TW__PRIORITIES_SUBMISSION,
	TW__PRIORITIES_NONE
};

/* A reduction (phase): consecutive accesses to one handle, all with TW_REDUX. */
struct tw__phase {
	tw_data data;
	tw_kernel combine;
	uint32_t n_contributors;
	tw_task first;    /* contributor */
	int32_t priority; /* the greatest priority of the contributors; set only in a run's extended copy */
	bool critical;    /* whether any contributor is critical; set only in a run's extended copy */
};

struct tw__contribution {
	uint32_t access; /* index in tw_graph.access; ascending in the array of contributions */
	int32_t phase;
};

/* The duration of a task on some archs only: see tw_graph_set_seconds_on. */
struct tw__arch_seconds {
	tw_task task;
	int name; /* index in tw_graph.arch_names */
	double seconds;
};

/* A handle that is divided, or a part of one (tw_graph_partition). */
struct tw__lineage {
	tw_data parent;     /* TW_NONE: it is no part */
	tw_data first_part; /* TW_NONE: it is not divided; the others follow */
	int32_t n_parts;
};

/* The handle's place in a matrix (tw_graph_set_tile); TW_NONE: it has none. */
struct tw__matrix_tile {
	int32_t row, column;
};

/* Nodes of a cluster give up copies of the handle (tw_graph_flush) before this task. */
struct tw__flush {
	tw_task before;
	tw_data data;
};

struct tw__graph_part; /* one of several graphs: see parts.h */
struct tw__ranks;
struct tw__graph_build; /* state that a graph needs only while it is built */

/* A part of a graph that its users change. It is apart, as runs copy struct tw_graph at any time. */
struct tw__graph_shared {
	atomic_int uses;
	_Atomic(uint32_t *) n_predecessors; /* [n_tasks] numbers of predecessors; NULL: nobody has asked for them */
};

enum tw__place { TW__HOME, TW__END_PLACE, TW__N_PLACES };

struct tw_graph {
	struct tw__graph_shared *shared;
	tw_task n_tasks;
	tw_data n_data;
	int n_kernels;
	struct tw__kernel *kernels;

	uint16_t *kernel;          /* [n_tasks] number of each task's kernel */
	int32_t *priority;         /* [n_tasks] priority of each task */
	bool *critical;            /* [n_tasks] whether each task is critical */
	uint32_t *access_start;    /* [n_tasks + 1] index of each task's first entry in `access` */
	tw__access *access;        /* accesses of all tasks; TW__ACCESS_LAST_WRITE: no later task writes the handle */
	uint32_t *successor_start; /* [n_tasks + 1] index of each task's first entry in `successor` */
	tw_task *successor;

	uint64_t *data_bytes; /* [n_data] size of each handle in bytes */
	double *seconds;      /* [n_tasks] recorded durations in s, NAN: not recorded; or NULL: none */
	int n_arch_names;
	char **arch_names; /* the archs of arch_seconds: names, "processors" or "accelerators" */
	size_t n_arch_seconds;
	struct tw__arch_seconds *arch_seconds; /* in the order of their tasks; they have precedence over `seconds` */
	/* [n_tasks] where each task was recorded; worker TW_NONE: unknown; NULL: all unknown */
	struct tw_recorded_place *place;
	/* Reductions, described in reduction.h. */
	int n_phases;
	struct tw__phase *phases;
	uint32_t n_contributions;
	struct tw__contribution *contributions;
	uint32_t *phase_successor_start; /* [n_phases + 1] index of each reduction's first entry in phase_successor */
	tw_task *phase_successor;
	uint8_t *data_uses; /* [n_data] enum tw__data_use of each handle; NULL: all are TW__USE_PLAIN */
	/* [n_data] 1 + memory of tw_graph_set_home, and of tw_graph_set_end; 0: not set; NULL: none is */
	uint16_t *data_places[TW__N_PLACES];
	tw_data n_lineages; /* the graph's own handles; 0: no handle is divided */
	struct tw__lineage *lineages;
	/* [own tasks] The recursive task around each task, or TW_NONE; the end of the tasks inside each, which follow
	 * it, or 0. NULL: no task is recursive. */
	tw_task *around, *inside_end;
	struct tw__extension *extension; /* state of a copy that a run extends by tasks of reductions; otherwise NULL */

	int n_parts; /* number of graphs in this one; 0: it is one */
	struct tw__graph_part *parts;

	tw_data n_tiles; /* handles behind them are no tiles */
	struct tw__matrix_tile *tiles;
	int32_t n_flushes;
	struct tw__flush *flushes; /* in the order of submission */
	struct tw__ranks *ranks;   /* of a cluster (ranks.h); NULL: the graph is for one node */

	double flops;
	enum tw_priority_scope priority_scope; /* of a graph with parts, each has its own */
	enum tw__priorities priorities;        /* the requested origin of priorities; tw__prioritise computes them */

	struct tw__graph_build *build; /* state while the graph is built; NULL after tw_graph_finish */
	bool changed_late;             /* whether a builder function was called after tw_graph_finish */
};

/* TW__USE_DISCARDED: a plain handle whose content nobody needs after its last task (tw_graph_discard). */
enum tw__data_use { TW__USE_PLAIN, TW__USE_SCRATCH, TW__USE_REDUX, TW__USE_DISCARDED };
static inline enum tw__data_use tw__data_use(const struct tw_graph *g, tw_data d)
{
	return g->data_uses ? (enum tw__data_use)g->data_uses[d] : TW__USE_PLAIN;
}

/* Discards plain handles (tw_graph_discard), also without hints: those whose last task only reads them, or all. To call
 * before tw_graph_finish. */
enum tw__discards { TW__DISCARDS_HINTED, TW__DISCARDS_READ, TW__DISCARDS_ALL };
void tw__graph_set_discards(struct tw_graph *, enum tw__discards);
/* Returns the memory where the workload puts the handle at the start or the end; TW_NONE: it does not say. */
static inline tw_node tw__graph_place(const struct tw_graph *g, enum tw__place place, tw_data d)
{
	return g->data_places[place] ? g->data_places[place][d] - 1 : TW_NONE;
}
/* Returns the handle's parent and parts; NULL: it is not divided and no part. */
static inline const struct tw__lineage *tw__graph_lineage(const struct tw_graph *g, tw_data d)
{
	const struct tw__lineage *f = d < g->n_lineages ? &g->lineages[d] : NULL;
	return f && (f->parent != TW_NONE || f->first_part != TW_NONE) ? f : NULL;
}
/* Returns the handle of which the handle is a part at any depth, or itself. */
static inline tw_data tw__graph_root(const struct tw_graph *g, tw_data d)
{
	while (d < g->n_lineages && g->lineages[d].parent != TW_NONE)
		d = g->lineages[d].parent;
	return d;
}
/* Whether any handle is discarded. */
bool tw__graph_discards(const struct tw_graph *);

/* Functions of predecessors.c: */
/* Adds the number of predecessors of each task to n[n_tasks]. Only for graphs that no run extends. */
void tw__graph_count_predecessors(const struct tw_graph *, uint32_t *n);
/* Returns the number of predecessors of each task. The first call counts them, since runs do not need the array. */
const uint32_t *tw__graph_predecessors(const struct tw_graph *);
/* As tw_graph_n_predecessors, of a finished graph. */
int tw__graph_n_predecessors(const struct tw_graph *, tw_task);

/* Fills levels[n_tasks] with bottom levels in seconds, from the duration of each task; both may be one array. Returns
 * the greatest level. tw_graph_bottom_levels does so from durations by kernel. */
double tw__graph_bottom_levels(const struct tw_graph *, const double *task_seconds, double *levels);

/* For bounds: makes the duration of each recursive task the least of its own and of the longest path of the tasks
 * inside, and theirs 0. Nothing changes if no task is recursive. */
void tw__graph_least_durations(const struct tw_graph *, double *task_seconds);

/* Adds a use of the graph, which ends with a tw_graph_destroy of its own. Returns the graph. */
struct tw_graph *tw__graph_share(struct tw_graph *);

/* Returns the total bytes of the handles that tasks access, without scratch handles. Each handle counts once, and parts
 * count as the whole.
 * UINT64_MAX: out of memory, or too many to count. */
uint64_t tw__graph_working_set(const struct tw_graph *);

/* Returns the first duration of the task on some archs, up to `*end`, which is behind its last one. */
const struct tw__arch_seconds *tw__graph_seconds_on(const struct tw_graph *, tw_task,
                                                    const struct tw__arch_seconds **end);

/* Checks the lists of successors. TW_FAILED: they have a cycle, or name a task that does not exist.
 * Submission cannot make such a graph. */
int tw__graph_check(const struct tw_graph *, struct tw_error *err);

#endif
