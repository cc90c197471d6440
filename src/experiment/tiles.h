/* The tile and the iteration of the outer loop that each task works on. Graphs do not keep them; they follow from the
 * data that tasks access. */
#ifndef TW__TILES_H
#define TW__TILES_H

#include "graph/graph.h"

struct tw__tile {
	int32_t row, column, iteration; /* -1: the task works on no tile */
};

struct tw__tiles {
	struct tw_graph *graph;
	struct tw__tile *of; /* [n_tasks] the tile that the task writes; if it writes none, the last that it accesses */
	int rows, columns, iterations;
	bool is_lower;       /* tiles above the diagonal are not used */
	bool is_product;     /* a task works on a block of C, from a block row of A and a block column of B */
	uint64_t tile_bytes; /* of a tile, or of such a block */
	const char *row_is, *column_is; /* "row i": names for labels */
};

/* For the workloads cholesky, cholesky_taskset, lu, qr and matmul2d. TW_INVALID: the specification is wrong, or of
 * another workload. */
int tw__tiles_init(struct tw__tiles *, const char *workload, struct tw_error *err);
void tw__tiles_finish(struct tw__tiles *);

#endif
