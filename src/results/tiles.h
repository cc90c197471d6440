/* The tile and the iteration of the outer loop that each task works on. Graphs do not keep tiles and iterations; they
 * follow from the handles that tasks access. */
#ifndef TW__TILES_H
#define TW__TILES_H

#include "graph/graph.h"

struct tw__tile {
	int32_t row, column, iteration; /* row and column -1: the task works on no tile */
};

struct tw__tiles {
	struct tw_graph *graph;
	/* [n_tasks] tile that each task writes; if it writes none, the last tile that it accesses. */
	struct tw__tile *of;
	int rows, columns, iterations;
	bool is_lower;       /* whether the tiles above the diagonal are not used */
	bool is_product;     /* whether each task computes a block of C from a block row of A and a block column of B */
	uint64_t tile_bytes; /* bytes of a tile; with is_product: of a block row of A */
	const char *row_is, *column_is; /* what figures call rows and columns: "row i", "column j" */
};

/* Finds the tiles of all tasks of a workload, for cholesky, cholesky_taskset, lu, qr and matmul2d. TW_INVALID: the
 * specification is wrong, or is of another workload. */
int tw__tiles_init(struct tw__tiles *, const char *workload, struct tw_error *err);
void tw__tiles_finish(struct tw__tiles *);

#endif
