/* State that only the building of a graph needs; a finished graph has none of it. */
#ifndef TW__BUILD_H
#define TW__BUILD_H

#include <tilewright/containers.h>

#include "graph/graph.h"

#define TW__NOBODY UINT32_MAX

/* The readers of a handle since its last write: a linked list in one pool of cells. Freed cells are reused. */
struct tw__reader {
	tw_task task;
	uint32_t next;
};

struct tw__data_build {
	tw_task last_writer;         /* TW_NONE: none; tw__phase_task(p): the reduction p */
	uint32_t last_writer_access; /* the index of this write in graph->access, for the hint "will not be used" */
	uint32_t readers;            /* first cell, or TW__NOBODY */
	/* The open reduction, or TW_NONE. While it is open, readers and last_writer are those before it. */
	int32_t phase;
	tw_kernel combine; /* TW_NONE: not set */
	uint8_t used_as;   /* bit u: used as enum tw__data_use u */
};

struct tw__kernel_entry;

struct tw__graph_build {
	struct tw_error error; /* the first error */
	int status;
	size_t tasks_capacity, accesses_capacity, data_capacity, predecessors_capacity, readers_capacity,
		kernels_capacity, seconds_capacity, place_capacity, phases_capacity, phase_mark_capacity,
		contributions_capacity;
	struct tw__kernel_entry *kernels; /* keyed by name, size and precision */
	tw_task *predecessors;            /* of all tasks, in order; graph->n_predecessors has the counts */
	size_t n_predecessors;
	struct tw__data_build *data;
	struct tw__reader *readers;
	uint32_t n_readers, free_readers;
	tw_task *mark;       /* [tasks]: the last task that has this one as predecessor */
	tw_task *phase_mark; /* [phases]: the last task that has this phase as predecessor */
};

/* Reductions as predecessors of a task are encoded as numbers <= -2. */
static inline tw_task tw__phase_task(int32_t phase) { return -2 - phase; }
static inline bool tw__is_phase(tw_task predecessor) { return predecessor <= -2; }
static inline int32_t tw__phase_number(tw_task predecessor) { return -2 - predecessor; }

struct tw__graph_build *tw__graph_build_create(void);
void tw__graph_build_destroy(struct tw__graph_build *);

static inline bool tw__build_failed(const struct tw_graph *g) { return !g->build || g->build->status != TW_OK; }
int tw__build_fail_memory(struct tw_graph *); /* returns TW_NONE */
/* `task` is the one being submitted. Duplicates are ignored. */
void tw__build_depend(struct tw_graph *, tw_task task, tw_task on);
void tw__build_forget_readers(struct tw_graph *, struct tw__data_build *);

/* kernels.c */
void tw__kernel_entries_destroy(struct tw__kernel_entry *); /* all */

/* phases.c */
void tw__build_contribute(struct tw_graph *, tw_task, tw_data, uint32_t place); /* for an access with TW_REDUX */
void tw__build_end_phase(struct tw_graph *, struct tw__data_build *);           /* before an access of another kind */
/* fills the successor lists of phases */
int tw__build_link_phases(struct tw_graph *);
int tw__build_data_uses(struct tw_graph *);

#endif
