/* Shared by the reader of rows (models.c) and the lookup of times (times.c). */
#ifndef TW__PERF_ROWS_H
#define TW__PERF_ROWS_H

#include "perf/models.h"
#include "perf/table.h"

enum { TW__MAX_CORES = 1 << 20 };

struct tw__row {
	char *kernel, *arch, *size, *precision; /* one allocation, owned by `kernel` */
	int cores;
	int line;
	double mean_us, stddev_us;
	int64_t samples;
	struct tw__draws draws; /* from samples.csv; n is 0: none */
};

struct tw__row_index; /* a hash table of the rows */

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
		/* Sorted so that rows that differ only in cores are adjacent; NULL: all rows are for one core. */
		*by_cores;
};

/* Adds a row, with copies of its names. */
int tw__models_add(const struct tw__table *, struct tw__models *, struct tw__row);

/* The row with exactly these values, or NULL. Out of memory sets `*short_of_memory`. */
const struct tw__row *tw__models_find(const struct tw__models *, const char *kernel, const char *size,
                                      const char *precision, const char *arch, int cores, bool *short_of_memory);

/* Fills `by_cores`; false: out of memory. */
bool tw__between_prepare(struct tw__models *);

/* Makes a row for a group that was not measured. The kernel must have rows of this size and precision on fewer cores
 * of the arch (one is enough) and on more. Its speed, and its relative spread, are interpolated linearly between the
 * nearest numbers of cores. False: there are no such rows, or a row for exactly this number. */
bool tw__between_find(const struct tw__models *, struct tw__row *, const char *kernel, const char *size,
                      const char *precision, const struct tw__arch *);

/* The name that all applications share: "gemm" for "lu.gemm". */
const char *tw__general_name(const char *kernel);

/* The speed-up of the kernel (by its general name) on this number of cores over one core: 1 for one core, below 1
 * where splitting costs more than it gains. */
double tw__group_speedup(const char *kernel, int cores);

/* Seconds by the law that fits best to the times of other sizes of the kernel's shape, under that name, on as many
 * cores of the arch. NAN: too few sizes. `*spread`: the relative standard deviation of one execution. */
double tw__regression_seconds(const struct tw__models *, const struct tw__kernel *, const char *name,
                              const struct tw__arch *, int cores, double *spread, bool *short_of_memory);

/* Seconds by the flop-rate model. NAN: the kernel has no flops, or gemm was not measured on that arch in its
 * precision. For a group, gemm on one core counts; for bytes, gemm in single precision. */
double tw__flop_rate_seconds(const struct tw__models *, const struct tw__kernel *, const struct tw__arch *);

/* Whether a list such as "cpu+m2070", "processors" or "accelerators" includes that arch. */
bool tw__names_arch(const char *list, const struct tw__arch *);

/* If extrapolation is enabled, fills in missing times of kernel k. `can_run`: a worker has a time already. Returns
 * whether a worker has one afterwards. */
bool tw__extrapolate(struct tw__times *, const struct tw__models *, const struct tw_platform *, const struct tw_graph *,
                     int k, bool can_run, bool *short_of_memory);

/* Returns TW_INVALID, with a message about kernel k of the graph, which has a time on no worker. */
int tw__times_missing(const struct tw__models *, const struct tw_platform *, const struct tw_graph *, int k,
                      struct tw_error *);

#endif
