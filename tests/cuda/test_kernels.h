/* A kernel that counts its visits to each cell, for the tests of launches. Only the test program has it. */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include <stdint.h>

struct visits {
	int64_t rows, nx;
	int *of; /* [row][x], on the GPU */
};

static inline void visit_cell(const struct visits *visits, int64_t row, int64_t x)
{
	visits->of[row * visits->nx + x]++;
}

#define TEST_KERNELS(X) X(visit, struct visits, visit_cell)

#endif
