/* The words of a program about clusters: which tile of a matrix each handle is, and when other nodes give up their
 * copies of a handle. */
#include "graph/build.h"

void tw_graph_set_tile(struct tw_graph *g, tw_data data, int32_t row, int32_t column)
{
	if (tw__build_refuses(g))
		return;
	if (data < 0 || data >= g->n_data || row < 0 || column < 0) {
		TW__REFUSE(g, "data %d is tile (%d, %d): expected a known handle, a row and a column from 0 on",
		           (int)data, (int)row, (int)column);
		return;
	}
	if (!TW__HAS_ROOM(g->tiles, g->build->tiles_capacity, (size_t)g->n_data)) {
		tw__build_fail_memory(g);
		return;
	}
	while (g->n_tiles <= data)
		g->tiles[g->n_tiles++] = (struct tw__matrix_tile){TW_NONE, TW_NONE};
	g->tiles[data] = (struct tw__matrix_tile){row, column};
}

void tw_graph_flush(struct tw_graph *g, tw_data data)
{
	if (tw__build_refuses(g))
		return;
	if (data < 0 || data >= g->n_data) {
		TW__REFUSE(g, "data %d is flushed: expected a known handle", (int)data);
		return;
	}
	if (!TW__HAS_ROOM(g->flushes, g->build->flushes_capacity, (size_t)g->n_flushes + 1)) {
		tw__build_fail_memory(g);
		return;
	}
	g->flushes[g->n_flushes++] = (struct tw__flush){g->n_tasks, data};
}
