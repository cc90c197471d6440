/* The state of a bench, private to bench.c (opens it), bench_kernels.c and bench_copies.c (run it). */
#ifndef TW__BENCH_STATE_H
#define TW__BENCH_STATE_H

#include "engine/real/bench.h"
#include "engine/real/part.h"
#include "engine/real/real.h"

/* The next steps of a worker. It fills the handles of its set with their initial content, runs the part's tasks in
 * its order, and starts again. */
struct tw__bench_lane {
	int shift, set;
	bool is_gpu;      /* its content comes by copies from main memory */
	bool *has;        /* [kernels] */
	tw_task *order;   /* [tasks of the part] */
	uint64_t *offset; /* [n_handles] offsets in an accelerator's memory */
	tw_data handle;   /* the next to be filled; n_handles: all are */
	tw_task task;     /* index in the order of the next task */
	bool is_filled;   /* all handles have been filled once */
	bool runs_task;   /* a task is under way, not the filling of a handle */
};

struct tw__bench_way {
	tw_data room;
	uint64_t bytes;
	int n_left;
	struct tw__timed_copy *next;
};

struct tw__bench {
	const struct tw_platform *platform;
	struct tw__engine *engine;
	struct tw__part part;
	uint64_t *capacity;           /* [n_nodes] */
	struct tw__bench_lane *lanes; /* [n_workers] */
	int n_shifts;
	/* The operations under way. Tokens are numbers of workers or of ways. */
	int shift, n_busy, status;
	bool (*take)(void *, const struct tw__timed_kernel *);
	void *take_context;
	bool stops;
	const struct tw__way *ways;
	struct tw__bench_way *way_states;
	const char *why; /* the reason of a failure; NULL: out of memory */
};

static inline bool tw__bench_is_accelerator(const struct tw__bench *b, tw_worker w)
{
	return b->platform->archs[b->platform->workers[w].arch].accelerator;
}

/* Each accelerator has two rooms: for copies from main memory, and for copies to other memories. */
enum tw__bench_room { TW__ROOM_IN, TW__ROOM_OUT, TW__N_BENCH_ROOMS };

/* bench_order.c: an order of the part's tasks, which the caller frees; NULL: out of memory. */
tw_task *tw__bench_order(const struct tw_graph *, uint64_t seed);

/* The accelerator's number among the accelerators. */
int tw__bench_number(const struct tw__bench *, tw_node);

/* Ends the run of the bench; the first failure counts. `why` is NULL when out of memory. */
void tw__bench_fail(struct tw__bench *, int status, const char *why);
/* Runs the engine with this turn, until nothing is under way. */
int tw__bench_drive(struct tw__bench *, tw__turn *, struct tw_error *err);

#endif
