/* Something to calibrate, with a clock of its own: kernels take set times, and copies share links as in simulations. */
#ifndef STANDIN_H
#define STANDIN_H

#include "calibrate/source.h"
#include "engine/shares.h"

enum { MOST_WORKERS = 8, MOST_KERNELS = 4 };

struct standin {
	const struct tw_platform *platform;
	double now;
	uint64_t seed, n_drawn;
	int n_kernels;
	double truth_s[MOST_KERNELS];
	double deviation;     /* of normal noise, as a part */
	int slow_executions;  /* the first ones of each worker take twice as long */
	double outliers;      /* so many of all take a hundred times as long */
	double interruptions; /* so many of all take three times as long, and are known to be interrupted */
	int n_outliers, n_interrupted;
	double free_at[MOST_WORKERS];
	int n_run[MOST_WORKERS];
};

struct tw__source standin_source(struct standin *);

/* A platform from the lines of a zone: hosts, links, routes. The caller's. */
struct tw_platform *standin_platform(const char *zone);

#endif
