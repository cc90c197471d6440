/* A bench, for its own files: bench.c opens it, bench_kernels.c and bench_copies.c run it. */
#ifndef TW__BENCH_STATE_H
#define TW__BENCH_STATE_H

#include "engine/real/bench.h"
#include "engine/real/part.h"
#include "engine/real/real.h"

/* A worker's next steps. It gives the handles of its set their initial content, then it runs the part's tasks in its order. Then it begins
 * again. */
struct tw__bench_lane {
	int shift, set;
	bool is_gpu;      /* its content comes by copies from main memory */
	bool *has;        /* [kernels] */
	tw_task *order;   /* [tasks of the part] */
	uint64_t *offset; /* [n_handles] in an accelerator's memory */
	tw_data handle;   /* whose content comes next; n_handles: all have theirs */
	tw_task task;     /* whose place in the order comes next */
	bool is_filled;   /* all handles have had their content once */
	bool runs_task;   /* what is under way is a task, and no content */
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
	/* What is under way. Tokens are numbers of workers, or of ways. */
	int shift, n_busy, status;
	bool (*take)(void *, const struct tw__timed_kernel *);
	void *take_context;
	bool stops;
	const struct tw__way *ways;
	struct tw__bench_way *way_states;
	const char *why; /* of a failure; NULL: out of memory */
};

static inline bool tw__bench_is_accelerator(const struct tw__bench *b, tw_worker w)
{
	return b->platform->archs[b->platform->workers[w].arch].accelerator;
}

/* Two rooms for each accelerator: what main memory sends it, and what it sends to others. */
enum tw__bench_room { TW__ROOM_IN, TW__ROOM_OUT, TW__N_BENCH_ROOMS };

/* bench_order.c: the part's tasks, to be freed; NULL: out of memory. */
tw_task *tw__bench_order(const struct tw_graph *, uint64_t seed);

/* Among the accelerators. */
int tw__bench_number(const struct tw__bench *, tw_node);

/* Ends what is under way, with the first reason. `why`: NULL if memory is short. */
void tw__bench_fail(struct tw__bench *, int status, const char *why);
/* Runs the engine with that turn, until nothing is under way. */
int tw__bench_drive(struct tw__bench *, tw__turn *, struct tw_error *err);

#endif
