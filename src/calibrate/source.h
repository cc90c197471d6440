/* A source of the times of kernels and copies: this machine (engine/real/bench.h), or a test with its own clock. */
#ifndef TW__SOURCE_H
#define TW__SOURCE_H

#include "engine/real/bench.h"

struct tw__source {
	void *self;
	/* Returns the date in seconds, by the clock of all durations and limits. */
	double (*now)(void *self);
	/* These functions do the same as tw__bench_n_shifts, tw__bench_has, tw__bench_kernels and tw__bench_copies. */
	int (*n_shifts)(void *self);
	bool (*has)(void *self, int shift, tw_worker, tw_kernel);
	int (*kernels)(void *self, int shift, bool (*take)(void *context, const struct tw__timed_kernel *),
	               void *context, struct tw_error *err);
	int (*copies)(void *self, const struct tw__way *, const uint64_t *bytes, int n_ways, int n_copies,
	              struct tw__timed_copy *, struct tw_error *err);
};

#endif
