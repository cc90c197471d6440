/* What figures need of a row's inputs: the size of the workload's data, which a row holds (of older files: the workload is generated
 * again), and what must be moved, for which the workload is generated and the platform read. */
#ifndef TW__FACTS_H
#define TW__FACTS_H

#include "experiment/rows.h"

struct tw__facts {
	double working_set_bytes; /* of the workload's data, scratch left out */
	double inputs_bytes;      /* matmul2d: of A and B together, each half of it; NAN for other workloads */
	double gemm_peak_flops_per_s; /* of all workers of which a gemm was measured in the workload's precision, summed; NAN: of none */
	/* NAN where the platform or the workload's times cannot be had: `why` then says so. */
	double compulsory_bytes; /* see docs/reference/bounds.md */
	double bus_bytes_per_s;
	double leading_bytes; /* leading term, times the root of the bytes of all GPUs' memories together; NAN: none is known */
	char why[256];
};

/* Facts that were found once are kept. */
struct tw__fact_book;
struct tw__fact_book *tw__fact_book_create(void); /* NULL: out of memory */
void tw__fact_book_destroy(struct tw__fact_book *);

/* What is asked for, all of which has what comes before it: the data, for which the column working_set_bytes is enough where the row
 * has it, but for matmul2d; the peak, for which the platform is read; bounds. What was not asked for is NAN. */
enum tw__fact { TW__FACT_DATA, TW__FACT_PEAK, TW__FACT_BOUNDS };

/* TW_INVALID with "FILE:LINE: ..." if the workload cannot be generated. */
int tw__facts_of(struct tw__fact_book *, const struct tw__rows *, int row, enum tw__fact, struct tw__facts *,
                 struct tw_error *err);

#endif
