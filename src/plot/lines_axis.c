/* The horizontal axis of figures of lines: the working set, the memory of a GPU, or any column of numbers. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "plot/results.h"
#include "results/columns.h"

/* Whether all known values are whole numbers. */
static bool are_whole(const double *x, int n)
{
	for (int i = 0; i < n; i++)
		if (isfinite(x[i]) && floor(x[i]) < x[i])
			return false;
	return true;
}

void tw__figure_label_x(const struct tw__figure *g, struct tw__chart *chart, const double *x, double least, double most)
{
	const char *column = g->request->x_column;
	bool over_memory = g->request->x == TW__X_MEMORY, over_column = g->request->x == TW__X_COLUMN;
	bool is_size = over_column && !strcmp(tw__column_unit(column), "bytes");
	struct tw__unit unit = {1, over_column ? tw__column_unit(column) : ""};
	chart->x_is_wide = (over_memory || is_size) && most > 8 * least;
	if (!over_column && !over_memory)
		unit = tw__amount_unit(most);
	else if (over_memory || is_size)
		unit = tw__size_unit(x, g->rows.n_rows);
	chart->x_unit = unit.bytes;
	chart->x_is_whole = over_column && !is_size && are_whole(x, g->rows.n_rows);
	char label[64];
	tw__column_label(label, sizeof label, over_memory ? "gpu_mem_bytes" : over_column ? column : "");
	snprintf(chart->x_label, sizeof chart->x_label, "%s%s%s%s", *label ? label : "working set: the workload's data",
	         *unit.name ? " (" : "", unit.name, *unit.name ? ")" : "");
}

const char *tw__figure_input_of_x(const struct tw__figure *g)
{
	int column;
	struct tw_error ignored;
	if (g->request->x == TW__X_MEMORY)
		return "gpu_mem_bytes";
	if (g->request->x != TW__X_COLUMN ||
	    tw__rows_find(&g->rows, g->request->x_column, "--x", &column, &ignored) < 0)
		return NULL;
	return tw__is_point_column(g->rows.names[column]) ? g->rows.names[column] : NULL;
}

int tw__figure_leave_out_told(const struct tw__figure *g, int *columns, int n, struct tw_error *err)
{
	const int x = tw__figure_input_of_x(g) ? tw__rows_column(&g->rows, tw__figure_input_of_x(g)) : -1;
	const int policy = tw__rows_column(&g->rows, "policy"), workload = tw__rows_column(&g->rows, "workload");
	int kept = 0, of_x = x < 0 ? 0 : tw__rows_count(&g->rows, &x, 1, err);
	for (int i = 0; i < n && of_x >= 0; i++) {
		const int both[2] = {x, columns[i]};
		int pairs = x < 0 || columns[i] < 0 ? INT_MAX : tw__rows_count(&g->rows, both, 2, err);
		if (pairs < 0)
			return pairs;
		if (pairs != of_x || columns[i] == policy || columns[i] == workload)
			columns[kept++] = columns[i];
	}
	return of_x < 0 ? of_x : kept;
}
