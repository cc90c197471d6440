/* Kernels on operands of many sizes: dimensions in classes, so that a graph has some hundreds of kernels, not a hundred
 * thousand, and the search for one takes no time.
 *
 * Below 2 * `classes` a dimension is its own class; above, the classes are `classes` equal steps from each power of two to
 * the next, and a dimension counts as the nearest one: at most 1/(2 * classes) off. One dimension, that of full tiles, always
 * is a class of its own. */
#ifndef TILEWRIGHT_KERNEL_TABLE_H
#define TILEWRIGHT_KERNEL_TABLE_H

#include <tilewright/graph.h>

struct tw_kernel_table {
	int classes;   /* a power of two */
	int32_t exact; /* counts as it is */
	bool failed;   /* once out of memory */
	size_t n_used, n_slots;
	struct tw_kernel_slot *slots;
};

struct tw_kernel_slot {
	int32_t kind; /* what the workload says; -1: the slot is free */
	int32_t m, k, n;
	tw_kernel kernel; /* TW_NONE: the caller has yet to make it */
};

/* `classes`: a power of two. */
void tw_kernel_table_init(struct tw_kernel_table *, int classes, int32_t exact);
void tw_kernel_table_finish(struct tw_kernel_table *);

/* The class of a dimension >= 0. */
int32_t tw_size_class(const struct tw_kernel_table *, int32_t dimension);

/* For operands that are not rectangular: the m in 1 .. most for which measure(m, k), which grows with m, comes nearest to
 * what was measured of the operand. */
int32_t tw_size_for(double (*measure)(double m, double k), double measured, int32_t k, int32_t most);

/* The slot of that kind (>= 0) and the classes of those dimensions, 0 where there are fewer than three. Its `kernel` is for
 * the caller to fill if it is TW_NONE. Valid until the next call; NULL: out of memory. */
struct tw_kernel_slot *tw_kernel_table_find(struct tw_kernel_table *, int kind, int32_t m, int32_t k, int32_t n);

#endif
