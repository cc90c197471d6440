/* A stand-in for a machine to calibrate, with its own clock. Kernels take given times, and copies share
 * links as in simulations. */
#ifndef STANDIN_H
#define STANDIN_H

#include "calibrate/calibrate.h"
#include "links/shares.h"

enum { MOST_WORKERS = 8, MOST_KERNELS = 4 };

struct standin {
	const struct tw__platform *platform;
	double now;
	uint64_t seed, n_drawn;
	int n_kernels;
	double truth_s[MOST_KERNELS];
	double deviation;     /* relative standard deviation of normal noise */
	int slow_executions;  /* number of first executions of each worker, which take twice as long */
	double outliers;      /* fraction of executions that take a hundred times as long */
	double interruptions; /* fraction of executions that take three times as long and report an interruption */
	int n_outliers, n_interrupted;
	double free_at[MOST_WORKERS];
	int n_run[MOST_WORKERS];
};

struct tw__source standin_source(struct standin *);

/* Reads a platform from the lines of a zone: hosts, links, routes. The caller owns it. */
struct tw__platform *standin_platform(const char *zone);

#endif
