/* Facts about the run of a row of results, for figures: sizes of its data, peak flop rate, and bytes that must be
 * transferred. Rows of older files lack the working set: for them the workload is generated again. The peak and the
 * bytes to transfer need the platform, too. */
#ifndef TW__FACTS_H
#define TW__FACTS_H

#include "results/rows.h"

struct tw__facts {
	double working_set_bytes; /* bytes of all handles of the workload, without scratch */
	double inputs_bytes;      /* matmul2d: bytes of the input matrices A and B together; NAN for other workloads */
	/* Sum over all workers of the best measured rate of gemm in the workload's precision; NAN: no worker has
	 * one. */
	double gemm_peak_flops_per_s;
	/* This and the next two are NAN if the platform or kernel times are not available: `why` then has the
	 * reason. */
	double compulsory_bytes; /* least bytes that accelerators load: see docs/reference/bounds.md */
	double bus_bytes_per_s;
	/* Leading term of the I/O bound for a memory of 1 byte: divide by the square root of the memory; NAN:
	 * unknown. */
	double leading_bytes;
	char why[256];
};

/* A cache of the facts that were found for earlier rows. */
struct tw__fact_book;
struct tw__fact_book *tw__fact_book_create(void); /* creates an empty cache */
void tw__fact_book_destroy(struct tw__fact_book *);

/* Which facts to find. Each level includes the levels before it; facts of higher levels are NAN.
 * - DATA: sizes of data. The row's column working_set_bytes is enough, except for matmul2d.
 * - PEAK: also the peak rate of gemm; reads the platform.
 * - BOUNDS: also the bounds of transfers. */
enum tw__fact { TW__FACT_DATA, TW__FACT_PEAK, TW__FACT_BOUNDS };

/* Finds facts about a row of results, or takes them from the cache. TW_INVALID with "FILE:LINE: ..." if the row's
 * workload cannot be generated. */
int tw__facts_of(struct tw__fact_book *, const struct tw__rows *, int row, enum tw__fact, struct tw__facts *,
                 struct tw_error *err);

#endif
