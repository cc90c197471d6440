/* A table of kernels on operands of many sizes. Dimensions are rounded to classes, so that a graph has some hundreds of
 * kernels, not a hundred thousand. A hash table finds the kernels.
 *
 * A dimension below 2 * `classes` is its own class. Above, there are `classes` equal steps from each power of two to
 * the next. A dimension is rounded to the nearest step, with an error of at most 1/(2 * classes). The dimension of full
 * tiles is always its own class. */
#ifndef TILEWRIGHT_KERNEL_TABLE_H
#define TILEWRIGHT_KERNEL_TABLE_H

#include <tilewright/graph.h>

#define uthash_malloc(bytes) tw_resize(NULL, bytes, 1)
#define uthash_fatal(message) __builtin_unreachable() /* that memory never is NULL */
#include <uthash.h>

struct tw_kernel_table {
	int classes;                  /* number of size classes from one power of two to the next; a power of two */
	int32_t exact;                /* a dimension that is always its own class */
	struct tw_kernel_slot *slots; /* by uthash */
};

struct tw_kernel_slot {
	int32_t kind; /* kind of kernel, 0 or more, as the workload numbers them */
	int32_t m, k, n;
	tw_kernel kernel; /* kernel of the graph; TW_NONE: the caller must set it */
	UT_hash_handle hh;
};

/* Makes an empty table. `classes`: a power of two. `exact`: the dimension of full tiles. */
void tw_kernel_table_init(struct tw_kernel_table *, int classes, int32_t exact);
void tw_kernel_table_finish(struct tw_kernel_table *);

/* Returns the class of a dimension, which is 0 or more. */
int32_t tw_size_class(const struct tw_kernel_table *, int32_t dimension);

/* Returns the m in 1 .. most whose measure(m, k) is nearest to `measured`. It is the height of a rectangle that stands
 * for an operand of another shape. `measure` must grow with m. O(log most). */
int32_t tw_size_for(double (*measure)(double m, double k), double measured, int32_t k, int32_t most);

/* Finds the slot of a kind of kernel (0 or more) and the classes of its dimensions, or adds it; unused dimensions are
 * 0. The caller sets the slot's `kernel` if that is TW_NONE. */
struct tw_kernel_slot *tw_kernel_table_find(struct tw_kernel_table *, int kind, int32_t m, int32_t k, int32_t n);

#endif
