/* The state that a graph needs only while it is built. tw_graph_finish frees it. */
#ifndef TW__BUILD_H
#define TW__BUILD_H

#include <stdlib.h>

#include "graph/graph.h"

#define TW__NOBODY UINT32_MAX

/* Grows `array`, from malloc or NULL, to at least `needed` elements. False if out of memory: programs build graphs
 * where no door stands (base/memory.h). */
#define TW__HAS_ROOM(array, capacity, needed) tw__has_room((void **)&(array), &(capacity), (needed), sizeof *(array))

static inline bool tw__has_room(void **array, size_t *capacity, size_t needed, size_t element_bytes)
{
	if (needed <= *capacity)
		return true;
	size_t wanted = *capacity + *capacity / 2 + 64, bytes;
	if (wanted < needed)
		wanted = needed;
	void *bigger = __builtin_mul_overflow(wanted, element_bytes, &bytes) ? NULL : realloc(*array, bytes);
	if (!bigger)
		return false;
	*array = bigger;
	*capacity = wanted;
	return true;
}

/* A cell of a linked list: a task that reads a handle, after the handle's last write. All cells are in one array, and
 * freed cells are reused. */
struct tw__reader {
	tw_task task;
	uint32_t next;
};

struct tw__data_build {
	tw_task last_user;   /* the last task that accesses the handle; TW_NONE: no task */
	tw_task last_writer; /* the task that wrote the handle last; TW_NONE: no task; tw__phase_task(p): reduction p */
	/* index in tw_graph.access of the access by last_writer, for the hint "will not be used" */
	uint32_t last_writer_access;
	uint32_t readers; /* the first cell of the list of readers since the last write, or TW__NOBODY */
	/* The reduction to which new accesses with TW_REDUX contribute, or TW_NONE. While there is one, readers and
	 * last_writer are those before the reduction. */
	int32_t phase;
	tw_kernel combine;            /* the kernel that combines accumulators, or TW_NONE */
	uint8_t used_as;              /* a set of bits: bit u is 1 if tasks use the handle as enum tw__data_use u */
	uint16_t place[TW__N_PLACES]; /* as in tw_graph.data_places */
	struct tw__lineage lineage;
	uint32_t level; /* number of the level of tasks inside for which this state is; 0: none */
};

/* A recursive task whose tasks inside are being submitted. */
struct tw__level {
	tw_task task;
	uint32_t number;      /* from 1, unique in the graph */
	size_t first_outside; /* index in tw__graph_build.outside */
};

/* A recursive task, and the end of the tasks inside. */
struct tw__inside {
	tw_task task, end;
};

enum { TW__MOST_LEVELS = 8 };

struct tw__outside;
struct tw__kernel_entry;

struct tw__graph_build {
	struct tw_error error; /* the first error of a builder function */
	int status;
	bool has_lineages; /* whether any handle is divided */
	enum tw__discards discards;
	size_t tasks_capacity, accesses_capacity, data_capacity, predecessors_capacity, readers_capacity,
		kernels_capacity, seconds_capacity, arch_names_capacity, arch_seconds_capacity, place_capacity,
		phases_capacity, phase_mark_capacity, contributions_capacity, tiles_capacity, flushes_capacity;
	struct tw__kernel_entry *kernels; /* a hash table of the graph's kernels by name, size and precision */
	uint32_t *in_degree;              /* [tasks] number of predecessors of each task */
	/* predecessors of task 0, then of task 1, ... */
	tw_task *predecessors;
	size_t n_predecessors;
	struct tw__data_build *data;
	struct tw__reader *readers;
	uint32_t n_readers, free_readers;
	tw_task *mark;       /* [tasks] for each task, the last submitted task that depends on it */
	tw_task *phase_mark; /* [phases] for each reduction, the last submitted task that depends on it */
	struct tw__level levels[TW__MOST_LEVELS];
	int n_levels;
	uint32_t last_level;
	struct tw__outside *outside; /* states of handles outside of the levels */
	size_t n_outside, outside_capacity;
	struct tw__inside *insides; /* in the order of their ends */
	size_t n_insides, insides_capacity;
	struct tw_access *list; /* accesses of a task from arrays */
	size_t list_capacity;
};

/* Encodes a reduction, as a predecessor of a task, by a number <= -2; the next two functions decode it. */
static inline tw_task tw__phase_task(int32_t phase) { return -2 - phase; }
static inline bool tw__is_phase(tw_task predecessor) { return predecessor <= -2; }
static inline int32_t tw__phase_number(tw_task predecessor) { return -2 - predecessor; }

struct tw__graph_build *tw__graph_build_create(void);
void tw__graph_build_destroy(struct tw__graph_build *);

static inline bool tw__build_failed(const struct tw_graph *g) { return !g->build || g->build->status != TW_OK; }
/* Whether a builder function does nothing: there is no graph, it has failed, or it is finished. In the last case the
 * next tw_graph_finish fails. */
static inline bool tw__build_refuses(struct tw_graph *g)
{
	if (!g)
		return true;
	g->changed_late |= !g->build;
	return tw__build_failed(g);
}
static inline int tw__build_fail(struct tw_graph *g, int status)
{
	g->build->status = status;
	return TW_NONE;
}
/* Sets the error of a wrong call, as printf writes it. Returns TW_NONE. */
#define TW__REFUSE(g, ...) tw__build_fail(g, tw_fail(&(g)->build->error, TW_INVALID, __VA_ARGS__))
/* Sets the error "out of memory". Returns TW_NONE. */
static inline int tw__build_fail_memory(struct tw_graph *g)
{
	return tw__build_fail(g, tw_fail(&g->build->error, TW_NOMEM, "out of memory after %d tasks", (int)g->n_tasks));
}

/* For builder functions: whether the task was submitted. Otherwise sets the error "WHAT task N, ...", unless the graph
 * has failed. */
bool tw__build_is_known(struct tw_graph *, const char *what, tw_task);
/* Makes room for n more tasks. False if out of memory. */
static inline bool tw__build_has_room(struct tw_graph *g, tw_task n)
{
	struct tw__graph_build *b = g->build;
	/* access_start has one entry more than there are tasks */
	size_t needed = (size_t)g->n_tasks + (size_t)n + 1, known = b->tasks_capacity;
	size_t c[5] = {known, known, known, known, known};
	return needed <= known ||
	       (TW__HAS_ROOM(g->kernel, c[0], needed) && TW__HAS_ROOM(g->priority, c[1], needed) &&
	        TW__HAS_ROOM(b->in_degree, c[2], needed) && TW__HAS_ROOM(g->access_start, c[3], needed) &&
	        TW__HAS_ROOM(g->critical, c[4], needed) && TW__HAS_ROOM(b->mark, b->tasks_capacity, needed));
}
/* Makes `task`, which is being submitted, depend on `on`. Duplicates are ignored. */
void tw__build_depend(struct tw_graph *, tw_task task, tw_task on);
/* Adds the task to the handle's readers since the last write; empties that list. */
void tw__build_add_reader(struct tw_graph *, struct tw__data_build *, tw_task);
void tw__build_forget_readers(struct tw_graph *, struct tw__data_build *);

/* Functions of lineage.c: */
/* Makes the task depend on tasks that access the whole of which the handle is a part, or parts of it. */
void tw__build_depend_on_lineage(struct tw_graph *, tw_task, tw_data, bool writes);
/* Returns, for a message, what was expected instead of an access to a part of a lineage; NULL: it is right. */
const char *tw__build_wrong_lineage(const struct tw_graph *, tw_data, unsigned mode);
/* Whether a later task than `writer` writes a part of the handle. */
bool tw__build_is_part_newer(const struct tw_graph *, tw_data, tw_task writer);
/* Fills tw_graph.lineages, if there are any. */
int tw__build_lineages(struct tw_graph *);

/* Appends the lineages of n handles of another graph, before the handles. */
void tw__lineages_append(struct tw_graph *, const struct tw_graph *from, tw_data first, tw_data n);

/* Functions of recursive.c: */
/* Appends which of n tasks of another graph are inside which, before the tasks. */
void tw__insides_append(struct tw_graph *, const struct tw_graph *from, tw_task first, tw_task n);
/* Begins a build state of its own for the handle, which a task inside a recursive one accesses, and for its lineage. */
void tw__build_isolate(struct tw_graph *, tw_data);
/* As tw__build_wrong_lineage, of a task inside a recursive one. */
const char *tw__build_wrong_inside(const struct tw_graph *, tw_data, unsigned mode);
/* Whether the task that is being submitted, and the earlier one, are inside the same recursive task, or inside none. */
bool tw__build_may_depend(const struct tw_graph *, tw_task on);
/* Fills tw_graph.around and inside_end, if tasks are recursive. */
int tw__build_insides(struct tw_graph *);

/* Functions of kernels.c: */
/* Frees the whole hash table of kernels. */
void tw__kernel_entries_destroy(struct tw__kernel_entry *);
/* For graphs made of others: returns the kernel that equals that of another graph, and adds it if it is missing. The
 * caller frees the table. */
tw_kernel tw__find_equal_kernel(struct tw_graph *, struct tw__kernel_entry **known, const struct tw__kernel *);

/* Function of recorded.c: */
/* Makes room in the arrays of what was recorded for all tasks. */
int tw__build_complete_recorded(struct tw_graph *);

/* Functions of phases.c: */
/* Adds the task as a contributor to the handle's reduction. `place`: index in tw_graph.access of its access with
 * TW_REDUX. */
void tw__build_contribute(struct tw_graph *, tw_task, tw_data, uint32_t place);
/* Ends the handle's reduction, if there is one, because a task accesses the handle in another mode. */
void tw__build_end_phase(struct tw_graph *, struct tw__data_build *);
/* Fills the lists of tasks that wait for each reduction. */
int tw__build_link_phases(struct tw_graph *);
/* Fill tw_graph.data_uses and data_places, but only if some handle is not plain, or has a place. */
int tw__build_data_uses(struct tw_graph *);
int tw__build_data_places(struct tw_graph *, enum tw__place);

#endif
