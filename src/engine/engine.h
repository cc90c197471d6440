/* Engines make time pass: they are told "run this for so long" and "move these bytes from here to there", and say what
 * has ended. The runtime does not know which engine it has. */
#ifndef TW__ENGINE_H
#define TW__ENGINE_H

#include "graph/graph.h"
#include "platform/platform.h"
#include "platform/weights.h"

struct tw__engine; /* each engine's own */

struct tw__completion {
	uint64_t token;
	double start, end; /* seconds; of the kernel or transfer itself */
	int status;        /* 0, or a negative enum tw_status */
};

enum tw__engine_caps {
	TW__ENGINE_CANCELS = 1, /* cancel is there */
	TW__ENGINE_FORKS = 2    /* one run a process: the caller forks for each */
};

struct tw__engine_ops {
	const char *name, *summary;
	unsigned caps;
	int (*open)(struct tw__engine **, const struct tw_platform *, const struct tw_graph *, enum tw__link_shares,
	            struct tw_error *err);
	/* Calls body(arg) inside the engine's time and returns what it returned. */
	int (*host)(struct tw__engine *, int (*body)(void *), void *arg);
	double (*now)(const struct tw__engine *); /* seconds since open */
	/* Where the memory manager has put a data (optional: NULL where nothing is to be done). */
	int (*place)(struct tw__engine *, tw_node, tw_data, uint64_t offset, uint64_t bytes);
	/* Runs a task for `seconds`; behind what that worker is running already. */
	int (*exec)(struct tw__engine *, tw_worker, tw_task, double seconds, uint64_t token);
	int (*transfer)(struct tw__engine *, tw_node from, tw_node to, tw_data, uint64_t bytes, uint64_t token);
	int (*cancel)(struct tw__engine *, uint64_t token); /* optional; an exec: its completion does not come */
	/* Waits for the next date at which something ends, or for `until` (INFINITY: no such date). Returns how many
	 * completions it wrote to `out`: all of one date, in the order in which they were started, now() being that
	 * date; 0: now() is `until`. Negative: nothing is under way and `until` is INFINITY. At most `max`; the rest
	 * of that date comes with the next call. */
	int (*wait)(struct tw__engine *, double until, struct tw__completion *out, int max);
	void (*close)(struct tw__engine *);
};

extern const struct tw__engine_ops tw__engine_simgrid;

#endif
