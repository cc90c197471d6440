/* Facts about a row's inputs that figures need: sizes of data, peak, and bytes that must move. Rows of older files lack
 * the working set; then the workload is generated again. The others need the platform, too. */
#ifndef TW__FACTS_H
#define TW__FACTS_H

#include "experiment/rows.h"

struct tw__facts {
	double working_set_bytes; /* of the workload's data, without scratch */
	double inputs_bytes;      /* matmul2d: of A and B together, each half of it; NAN for other workloads */
	/* Gemm rate in the workload's precision, summed over workers with a measured gemm; NAN: none. */
	double gemm_peak_flops_per_s;
	/* NAN if the platform or times of the workload are not available: `why` then has the reason. */
	double compulsory_bytes; /* see docs/reference/bounds.md */
	double bus_bytes_per_s;
	double leading_bytes; /* leading term times the square root of the bytes of all GPUs' memories; NAN: unknown */
	char why[256];
};

/* Cache of facts. */
struct tw__fact_book;
struct tw__fact_book *tw__fact_book_create(void); /* NULL: out of memory */
void tw__fact_book_destroy(struct tw__fact_book *);

/* Facts to find. Each level includes the levels before it; facts of higher levels are NAN.
 * - DATA: sizes of data. The row's column working_set_bytes is enough, except for matmul2d.
 * - PEAK: also the gemm peak; reads the platform.
 * - BOUNDS: also the bounds of transfers. */
enum tw__fact { TW__FACT_DATA, TW__FACT_PEAK, TW__FACT_BOUNDS };

/* TW_INVALID with "FILE:LINE: ..." if the workload cannot be generated. */
int tw__facts_of(struct tw__fact_book *, const struct tw__rows *, int row, enum tw__fact, struct tw__facts *,
                 struct tw_error *err);

#endif
