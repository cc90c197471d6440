/* Finds a fill-reducing order of columns by nested dissection (George 1973) with METIS (Karypis and Kumar 1998). */
#include <metis.h>
#include <stdlib.h>

#include "workloads/support/sparse.h"

/* The seed of METIS, which draws random numbers. A fixed seed gives the same order each time. */
static const idx_t seed = 1;

int tw_nested_dissection(const struct tw_pattern *graph, int32_t *order, struct tw_error *err)
{
	int64_t entries = graph->start[graph->n_columns];
	for (int32_t c = 0; c < graph->n_columns; c++)
		order[c] = c;
	if (entries == 0)
		return TW_OK; /* without entries any order is good, and METIS needs edges */

	idx_t n = graph->n_columns, options[METIS_NOPTIONS];
	idx_t *start = malloc(((size_t)n + 1) * sizeof *start),
	      *neighbour = malloc((size_t)entries * sizeof *neighbour);
	idx_t *old_of_new = malloc((size_t)n * sizeof *old_of_new),
	      *new_of_old = malloc((size_t)n * sizeof *new_of_old);
	int status = TW_OK;
	if (!start || !neighbour || !old_of_new || !new_of_old) {
		status =
			tw_fail(err, TW_NOMEM, "nested dissection: out of memory for %lld entries", (long long)entries);
	} else {
		for (int32_t c = 0; c <= graph->n_columns; c++)
			start[c] = (idx_t)graph->start[c];
		for (int64_t e = 0; e < entries; e++)
			neighbour[e] = graph->row[e];
		METIS_SetDefaultOptions(options);
		options[METIS_OPTION_SEED] = seed;
		int result = METIS_NodeND(&n, start, neighbour, NULL, options, old_of_new, new_of_old);
		if (result != METIS_OK)
			status = tw_fail(err, result == METIS_ERROR_MEMORY ? TW_NOMEM : TW_FAILED,
			                 "nested dissection: METIS failed with status %d", result);
		for (int32_t k = 0; result == METIS_OK && k < graph->n_columns; k++)
			order[k] = (int32_t)old_of_new[k];
	}
	free(start);
	free(neighbour);
	free(old_of_new);
	free(new_of_old);
	return status;
}
