/* The calls that divide handles into parts (Augonnet 2011, section 2.2.3). */
#include <stdlib.h>

#include "graph/build.h"

enum { TW__MOST_LEVELS_OF_PARTS = 64 };

static struct tw__lineage *lineage_of(const struct tw_graph *g, tw_data d) { return &g->build->data[d].lineage; }

/* Whether the handle can be divided so; otherwise the graph fails. */
static bool may_partition(struct tw_graph *g, tw_data d, int n, const uint64_t *bytes)
{
	uint64_t sum = 0;
	bool fits = true;
	if (tw__build_refuses(g))
		return false;
	if (d < 0 || d >= g->n_data || n < 1 || !bytes) {
		TW__REFUSE(g, "data %d in %d parts: expected a known handle and at least 1 part, with sizes", (int)d,
		           n);
		return false;
	}
	if (lineage_of(g, d)->first_part != TW_NONE) {
		TW__REFUSE(g, "data %d is divided a second time: expected it once, and parts of parts", (int)d);
		return false;
	}
	int levels = 1;
	for (tw_data above = d; (above = lineage_of(g, above)->parent) != TW_NONE;)
		levels++;
	if (levels > TW__MOST_LEVELS_OF_PARTS) {
		TW__REFUSE(g, "data %d is part of a part, %d levels deep: expected at most %d", (int)d, levels,
		           TW__MOST_LEVELS_OF_PARTS);
		return false;
	}
	for (int i = 0; i < n; i++)
		fits &= !__builtin_add_overflow(sum, bytes[i], &sum);
	if (fits && sum == g->data_bytes[d])
		return true;
	TW__REFUSE(g, "data %d of %llu bytes in %d parts of %llu: expected the same sum", (int)d,
	           (unsigned long long)g->data_bytes[d], n, (unsigned long long)sum);
	return false;
}

tw_data tw_graph_partition(struct tw_graph *g, tw_data d, int n, const uint64_t *bytes)
{
	if (!may_partition(g, d, n, bytes))
		return TW_NONE;
	const tw_data first = tw_graph_data_many(g, n, bytes);
	if (first == TW_NONE)
		return TW_NONE;
	g->build->has_lineages = true;
	lineage_of(g, d)->first_part = first;
	lineage_of(g, d)->n_parts = n;
	for (int i = 0; i < n; i++)
		lineage_of(g, first + i)->parent = d;
	return first;
}

tw_data tw_graph_partition_matrix(struct tw_graph *g, tw_data d, int rows, int columns, int block_rows,
                                  int block_columns)
{
	if (tw__build_refuses(g))
		return TW_NONE;
	const bool positive = rows > 0 && columns > 0 && block_rows > 0 && block_columns > 0;
	const uint64_t elements = positive ? (uint64_t)rows * (uint64_t)columns : 0;
	if (!positive || d < 0 || d >= g->n_data || g->data_bytes[d] % elements)
		return TW__REFUSE(g,
		                  "data %d in blocks of %d x %d out of %d x %d elements: expected a known handle of so "
		                  "many elements, and positive numbers",
		                  (int)d, block_rows, block_columns, rows, columns);
	const uint64_t size = g->data_bytes[d] / elements;
	const uint64_t down = ((uint64_t)rows - 1) / (uint64_t)block_rows + 1;
	const uint64_t across = ((uint64_t)columns - 1) / (uint64_t)block_columns + 1;
	if (down * across > TW__MAX_DATA)
		return TW__REFUSE(g, "data %d in more than %d blocks", (int)d, TW__MAX_DATA);
	uint64_t *bytes = malloc(down * across * sizeof *bytes);
	if (!bytes)
		return tw__build_fail_memory(g);
	for (uint64_t i = 0; i < down * across; i++) {
		const int row = (int)(i / across) * block_rows, column = (int)(i % across) * block_columns;
		const int r = rows - row < block_rows ? rows - row : block_rows;
		const int c = columns - column < block_columns ? columns - column : block_columns;
		bytes[i] = (uint64_t)r * (uint64_t)c * size;
	}
	const tw_data first = tw_graph_partition(g, d, (int)(down * across), bytes);
	free(bytes);
	return first;
}
