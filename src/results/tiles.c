/* Finds the tile that each task works on. Workloads create their handles in a known order: the tiles of a matrix row by
 * row, then all others. */
#include "results/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/load.h"

enum shape {
	LOWER,   /* handles are the tiles of the lower triangle, row by row */
	FULL,    /* handles are all tiles of a matrix, row by row */
	PRODUCT, /* handles are block rows of A, then block columns of B; a task multiplies a row and a column */
};

static const struct known {
	const char *name;
	enum shape shape;
} known[] = {
	{"cholesky", LOWER}, {"cholesky_taskset", LOWER}, {"lu", FULL}, {"qr", FULL}, {"matmul2d", PRODUCT},
};

static const struct known *find(const char *name)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(name, known[i].name))
			return &known[i];
	return NULL;
}

/* Returns the value of an integer parameter, which the workload has accepted; 0: not given. */
static int number(const struct tw__spec *spec, const char *key)
{
	int64_t value = 0;
	struct tw_error ignored;
	for (int i = 0; i < spec->n; i++)
		if (spec->items[i].key && !strcmp(spec->items[i].key, key))
			tw__parse_int(&value, spec->items[i].value, &ignored);
	return (int)value;
}

static void place_data(const struct tw__tiles *t, struct tw__tile *tile)
{
	tw_data d = 0;
	for (int row = 0; row < t->rows; row++)
		for (int column = 0; column < (t->is_lower ? row + 1 : t->columns); column++)
			tile[d++] = (struct tw__tile){row, column, -1};
	for (; d < t->graph->n_data; d++)
		tile[d] = (struct tw__tile){-1, -1, -1};
}

/* Finds tile and iteration k of each task. A task of iteration k accesses no tile of a column below k. It accesses a
 * tile of column k, or a handle made in iteration k: a factor of QR, a copy of a tile. So a handle that is no tile gets
 * the column of the task that made it. */
static void find_tiles(struct tw__tiles *t)
{
	const struct tw_graph *g = t->graph;
	struct tw__tile *tile = tw_alloc((size_t)g->n_data, sizeof *tile);
	place_data(t, tile);
	for (tw_task task = 0; task < g->n_tasks; task++) {
		struct tw__tile *of = &t->of[task];
		bool writes = false;
		int32_t k = INT32_MAX;
		*of = (struct tw__tile){-1, -1, -1};
		for (uint32_t a = g->access_start[task]; a < g->access_start[task + 1]; a++) {
			tw_data d = tw__access_data(g->access[a]);
			bool is_write = tw__access_mode(g->access[a]) & TW_W;
			if (tile[d].column >= 0 && tile[d].column < k)
				k = tile[d].column;
			if (tile[d].row < 0 || (writes && !is_write))
				continue;
			*of = tile[d];
			writes |= is_write;
		}
		of->iteration = k;
		for (uint32_t a = g->access_start[task]; a < g->access_start[task + 1]; a++) {
			tw_data d = tw__access_data(g->access[a]);
			if (tile[d].row < 0 && tile[d].column < 0)
				tile[d].column = k;
		}
	}
	free(tile);
}

static void find_blocks(struct tw__tiles *t)
{
	const struct tw_graph *g = t->graph;
	for (tw_task task = 0; task < g->n_tasks; task++) {
		const tw__access *access = &g->access[g->access_start[task]];
		t->of[task] = (struct tw__tile){tw__access_data(access[0]), tw__access_data(access[1]) - t->rows, 0};
	}
}

static int init(struct tw__tiles *t, const char *workload, const struct tw__spec *spec, struct tw_error *err)
{
	const struct known *w = find(spec->name);
	if (!w)
		return tw_fail(
			err, TW_INVALID,
			"workload '%.100s': no known tiles: expected cholesky, cholesky_taskset, lu, qr or matmul2d",
			workload);
	int status = tw__generate(&t->graph, workload, err);
	if (status < 0)
		return status;
	t->columns = number(spec, "nt");
	t->rows = w->shape == FULL && number(spec, "mt") ? number(spec, "mt") : t->columns;
	t->iterations = w->shape == PRODUCT ? 1 : t->columns;
	t->is_lower = w->shape == LOWER;
	t->is_product = w->shape == PRODUCT;
	t->tile_bytes = t->graph->data_bytes[0];
	t->row_is = w->shape == PRODUCT ? "block row of A" : "row i";
	t->column_is = w->shape == PRODUCT ? "block column of B" : "column j";
	t->of = tw_alloc((size_t)t->graph->n_tasks, sizeof *t->of);
	if (w->shape == PRODUCT)
		find_blocks(t);
	else
		find_tiles(t);
	return TW_OK;
}

int tw__tiles_init(struct tw__tiles *t, const char *workload, struct tw_error *err)
{
	struct tw__spec spec;
	*t = (struct tw__tiles){0};
	int status = tw__spec_parse(&spec, workload, err);
	if (status < 0)
		return status;
	status = init(t, workload, &spec, err);
	tw__spec_finish(&spec);
	if (status < 0)
		tw__tiles_finish(t);
	return status;
}

void tw__tiles_finish(struct tw__tiles *t)
{
	tw_graph_destroy(t->graph);
	free(t->of);
	*t = (struct tw__tiles){0};
}
