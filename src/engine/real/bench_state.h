/* The state of a bench (bench.h). It is private to bench.c, which opens it, and to bench_runs.c, which
 * runs it. */
#ifndef TW__BENCH_STATE_H
#define TW__BENCH_STATE_H

#include "engine/real/bench.h"
#include "engine/real/real.h"

/* --- excerpt.c ---------------------------------------------------------------------------------------------------- */

/* An excerpt of a workload's graph that suffices to time the workload's kernels: a few tasks of each kernel, and the
 * handles that these tasks access. Its handles come in sets of `n_handles` handles each, one set after the other, so
 * that several workers can run the same tasks at the same time. The graph's tasks access the first set. Handles behind
 * the last set are rooms: no task accesses them, a bench copies them. Behind the rooms are chunks, for copies between
 * main memories: such a copy begins with a chunk, and goes on with those behind it. */
struct tw__excerpt {
	struct tw_graph *graph; /* graph of the excerpt; its kernels have the same numbers as in the workload's graph */
	tw_data n_handles;
	int n_sets, n_rooms, n_chunks;
	tw_data *origin;  /* [handles of `graph`] the handle of the workload; TW_NONE: no initial content */
	unsigned *mode;   /* [accesses of `graph`] enum tw_mode, as in struct tw__placed of engine.h */
	bool *is_written; /* [n_handles] whether a task writes the handle */
};

struct tw__excerpt_setup {
	const struct tw_graph *graph;
	int n_sets;
	int least_tasks;       /* least number of tasks of each kernel, if the workload has as many */
	uint64_t enough_bytes; /* further tasks are added until a set is this large, to exceed the caches */
	int n_rooms, n_chunks;
	uint64_t room_bytes, chunk_bytes;
};

/* Makes an excerpt of the first tasks in the order of submission. A kernel that only combines accumulators gets one
 * task. */
int tw__excerpt_create(struct tw__excerpt *, const struct tw__excerpt_setup *, struct tw_error *err);
void tw__excerpt_finish(struct tw__excerpt *);

static inline tw_data tw__excerpt_handle(const struct tw__excerpt *p, int set, tw_data handle)
{
	return set * p->n_handles + handle;
}
static inline tw_data tw__excerpt_room(const struct tw__excerpt *p, int room)
{
	return p->n_sets * p->n_handles + room;
}
static inline tw_data tw__excerpt_chunk(const struct tw__excerpt *p, int chunk)
{
	return tw__excerpt_room(p, p->n_rooms) + chunk;
}

/* --- bench.c ------------------------------------------------------------------------------------------------------ */

/* The next steps of a worker. It fills the handles of its set with their initial content, runs the excerpt's tasks in
 * its own order, and starts again. */
struct tw__bench_lane {
	int shift, set;
	bool is_gpu;     /* an NVIDIA GPU: initial content comes by copies from main memory */
	bool *has;       /* [kernels] whether the worker runs the kernel */
	tw_task *order;  /* [tasks of the excerpt] the order in which the worker runs them */
	tw_data handle;  /* the next handle to fill; n_handles: all are filled */
	tw_task task;    /* index in `order` of the next task */
	bool is_filled;  /* whether all handles have been filled once */
	bool is_filling; /* whether a handle is filled now; then no task is under way */
	tw_task alone;   /* a GPU: the task of this pass that was launched with no other one in front */
	int *n_tasks;    /* [kernels] number of the excerpt's tasks that the worker runs */
	int n_under_way; /* number of operations under way: one filling of a handle, or tasks */
	bool copies[2];  /* a GPU: whether a copy to its memory, and one from it, is under way beside its kernels */
};

struct tw__bench_way {
	tw_data room; /* TW_NONE: between main memories */
	uint64_t bytes;
	int n_left;
	struct tw__timed_copy *next;
};

struct tw__bench {
	struct tw__arena memory; /* of all arrays below */
	const struct tw__platform *platform;
	struct tw__engine *engine;
	struct tw__excerpt excerpt;
	uint64_t *capacity;           /* [n_nodes] bytes of each memory; UINT64_MAX: unbounded */
	struct tw__bench_lane *lanes; /* [n_workers] next steps of each worker */
	struct tw__placed *placed;    /* memory for the accesses of one launch */
	int n_shifts;
	/* The operations under way. The token of a copy along a way is the way's number. The token of a worker's
	 * operation is w for the filling of a handle, and w + n_workers * (1 + t) for task t. Copies beside kernels
	 * have the numbers of tasks behind the last one: t = n_tasks to the GPU, t = n_tasks + 1 from it. */
	int shift, n_busy;
	bool (*take)(void *, const struct tw__timed_kernel *);
	void *take_context;
	bool stops;
	const struct tw__way *ways;
	struct tw__bench_way *way_states;
	int chunk;       /* the next copy between main memories begins there */
	const char *why; /* reason of the first failure, in the engine's memory; NULL: none */
};

static inline bool tw__bench_is_accelerator(const struct tw__bench *b, tw_worker w)
{
	return b->platform->archs[b->platform->workers[w].arch].accelerator;
}

/* The size of a copy beside kernels. */
enum { TW__BESIDE_BYTES = 4 << 20 };

/* Accelerators, which are the first workers, have two rooms each: one for copies from main memory, one for copies to
 * other memories. */
enum tw__bench_room { TW__ROOM_IN, TW__ROOM_OUT, TW__N_BENCH_ROOMS };

/* Each of several main memories has a part of the chunks, from which it copies to the others. The chunks of a part are
 * consecutive there, and more than most caches hold. */
enum { TW__CHUNK_BYTES = 64 << 10, TW__N_PART_CHUNKS = 4096 };

#endif
