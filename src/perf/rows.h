/* What models.c reads and times.c looks up. */
#ifndef TW__PERF_ROWS_H
#define TW__PERF_ROWS_H

#include "perf/models.h"
#include "perf/table.h"

enum { TW__MAX_CORES = 1 << 20 };

struct tw__row {
	char *kernel, *arch, *size, *precision; /* one allocation, that of `kernel` */
	int cores;
	int line;
	double mean_us, stddev_us;
	int64_t samples;
	struct tw__draws draws; /* of samples.csv; none: n is 0 */
};

struct tw__row_index; /* the rows by what tells them apart */

struct tw__models {
	bool extrapolate;
	char *path; /* for messages */
	int n_rows;
	size_t capacity;
	struct tw__row *rows; /* in the file's order */
	double *factors;      /* of all rows' draws */
	size_t n_factors;
	struct tw__row_index *index;
	const struct tw__row *
		*by_cores; /* those that differ in their cores alone side by side; NULL: all are of one core */
};

/* Adds a row, with copies of its names. */
int tw__models_add(const struct tw__table *, struct tw__models *, struct tw__row);

/* The row with exactly these; NULL if there is none. `*short_of_memory` is set if there was no room to look. */
const struct tw__row *tw__models_find(const struct tw__models *, const char *kernel, const char *size,
                                      const char *precision, const char *arch, int cores, bool *short_of_memory);

/* Fills in `by_cores`; false: out of memory. */
bool tw__between_prepare(struct tw__models *);

/* A row for a group of which none was measured, if the kernel was measured at this size and precision on fewer cores of the arch
 * (one is enough) and on more: its speed is on the straight line between the speeds on the nearest numbers of cores, and so is its
 * spread, as a part of the time. False: it was not, or it was measured on just so many. */
bool tw__between_find(const struct tw__models *, struct tw__row *, const char *kernel, const char *size,
                      const char *precision, const struct tw__arch *);

/* What every application calls a kernel: "gemm" of "lu.gemm". */
const char *tw__general_name(const char *kernel);

/* How many times as fast a group of so many cores runs the kernel (its general name) as one of them does: 1 for one core,
 * below 1 where sharing the work costs more than it gains. */
double tw__group_speedup(const char *kernel, int cores);

/* Seconds by the law that fits best to the times of other sizes of the kernel's shape, under that name, on as many cores of
 * the arch; NAN: too few sizes. `*spread`: the standard deviation of one execution, as a part. */
double tw__regression_seconds(const struct tw__models *, const struct tw__kernel *, const char *name,
                              const struct tw__arch *, int cores, double *spread, bool *short_of_memory);

/* Seconds by the flop-rate model; NAN: the kernel has no flops, or gemm was not measured on that arch (of a group: on one core
 * of it) in its precision (of bytes: in single
 * precision). */
double tw__flop_rate_seconds(const struct tw__models *, const struct tw__kernel *, const struct tw__arch *);

/* Whether a list such as "cpu+m2070", or "processors", or "accelerators", names that arch. */
bool tw__names_arch(const char *list, const struct tw__arch *);

/* Fills in, if that was asked for, what was not measured of the k-th kernel; `can_run`: a worker has a time already. Returns
 * whether one has then. */
bool tw__extrapolate(struct tw__times *, const struct tw__models *, const struct tw_platform *, const struct tw_graph *,
                     int k, bool can_run, bool *short_of_memory);

/* TW_INVALID, with a message about the k-th kernel of the graph, which has a time on no worker. */
int tw__times_missing(const struct tw__models *, const struct tw_platform *, const struct tw_graph *, int k,
                      struct tw_error *);

#endif
