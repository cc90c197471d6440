/* What the building of a graph needs and a finished graph does not. */
#ifndef TW__BUILD_H
#define TW__BUILD_H

#include <tilewright/containers.h>

#include "graph/graph.h"

#define TW__NOBODY UINT32_MAX

/* The readers of a data since its last write: a list through one pool of cells, freed cells being used again. */
struct tw__reader {
	tw_task task;
	uint32_t next;
};

struct tw__data_build {
	tw_task last_writer;         /* TW_NONE: none; tw__phase_task(p): the reduction p */
	uint32_t last_writer_access; /* its place in graph->access, for the hint "will not be used" */
	uint32_t readers;            /* first cell, or TW__NOBODY */
	int32_t phase;     /* the reduction under way, or TW_NONE: readers and writer are what was before it */
	tw_kernel combine; /* TW_NONE: not told */
	uint8_t used_as;   /* bit u: as enum tw__data_use u */
};

struct tw__kernel_entry;

struct tw__graph_build {
	struct tw_error error; /* the first */
	int status;
	size_t tasks_capacity, accesses_capacity, data_capacity, predecessors_capacity, readers_capacity,
		kernels_capacity, seconds_capacity, place_capacity, phases_capacity, phase_mark_capacity,
		contributions_capacity;
	struct tw__kernel_entry *kernels; /* by name, size and precision */
	tw_task *predecessors;            /* of all tasks, in order; their counts stand in graph->n_predecessors */
	size_t n_predecessors;
	struct tw__data_build *data;
	struct tw__reader *readers;
	uint32_t n_readers, free_readers;
	tw_task *mark;       /* [tasks]: the last task that counts this one among its predecessors */
	tw_task *phase_mark; /* [phases]: same */
};

/* A reduction as predecessor of a task. */
static inline tw_task tw__phase_task(int32_t phase) { return -2 - phase; }
static inline bool tw__is_phase(tw_task predecessor) { return predecessor <= -2; }
static inline int32_t tw__phase_number(tw_task predecessor) { return -2 - predecessor; }

struct tw__graph_build *tw__graph_build_create(void);
void tw__graph_build_destroy(struct tw__graph_build *);

static inline bool tw__build_failed(const struct tw_graph *g) { return !g->build || g->build->status != TW_OK; }
int tw__build_fail_memory(struct tw_graph *);                       /* TW_NONE */
void tw__build_depend(struct tw_graph *, tw_task task, tw_task on); /* the task being submitted; once */
void tw__build_forget_readers(struct tw_graph *, struct tw__data_build *);

/* kernels.c */
void tw__kernel_entries_destroy(struct tw__kernel_entry *); /* all */

/* phases.c */
void tw__build_contribute(struct tw_graph *, tw_task, tw_data, uint32_t place); /* an access with TW_REDUX */
void tw__build_end_phase(struct tw_graph *, struct tw__data_build *);           /* another kind of access follows */
int tw__build_link_phases(struct tw_graph *);                                   /* their successors */
int tw__build_data_uses(struct tw_graph *);

#endif
