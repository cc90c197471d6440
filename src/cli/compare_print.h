/* Prints and draws comparisons. */
#ifndef TW__COMPARE_PRINT_H
#define TW__COMPARE_PRINT_H

#include "results/compare.h"
#include "results/write.h"

/* Things to compare: file b with the reference file a, or policies of file a with the first of them. */
struct compared {
	const struct tw__comparison *of; /* [n] of two files: one; of policies: that of each but the first */
	int n;
	const struct tw__rows *a, *b; /* rows of both sides; of policies: the same */
	const char *metric;
	char *const *policies; /* [n + 1]; NULL: two files are compared */
};

/* Prints the points, and around them, but not in CSV, which points there are and summaries. `columns`: names such as
 * "ratio,error" choose columns of the points; NULL: all. TW_INVALID: an unknown column, and nothing is printed. */
int print_comparisons(const struct compared *, enum tw__result_format, const char *columns, struct tw_error *err);

/* compare_text.c: the same as text. */
void print_compared_text(const struct compared *);

/* Draws the points of side b over those of side a; each policy has its colour. Errors are those of tw__plot_scatter. */
int plot_comparisons(const struct compared *, const char *output, struct tw_error *err);

#endif
