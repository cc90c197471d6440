/* Workloads without their sizes, as a further column of rows. */
#include "plot/families.h"

#include <stdlib.h>
#include <string.h>

#include "plot/chart.h"

static int no_memory(const struct tw__rows *rows, struct tw_error *err)
{
	return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
}

int tw__families_init(struct tw__families *f, const struct tw__rows *rows, const char *size, struct tw_error *err)
{
	static char family[] = "(family)";
	size_t n = (size_t)rows->n_rows, n_columns = (size_t)rows->n_columns;
	int workload = tw__rows_column(rows, "workload");
	*f = (struct tw__families){.rows = *rows, .column = rows->n_columns, .names = calloc(n + 1, sizeof *f->names)};
	f->rows.n_columns++;
	f->rows.names = malloc((n_columns + 1) * sizeof *f->rows.names);
	f->rows.cells = malloc((n + 1) * (n_columns + 1) * sizeof *f->rows.cells);
	if (!f->names || !f->rows.names || !f->rows.cells)
		return no_memory(rows, err);
	memcpy(f->rows.names, rows->names, n_columns * sizeof *f->rows.names);
	f->rows.names[n_columns] = family;
	for (size_t row = 0; row < n; row++) {
		char **cells = f->rows.cells + row * (n_columns + 1);
		memcpy(cells, rows->cells + row * n_columns, n_columns * sizeof *cells);
		cells[n_columns] = f->names[row] = tw__workload_family(tw__rows_text(rows, (int)row, workload), size);
		if (!f->names[row])
			return no_memory(rows, err);
	}
	return TW_OK;
}

void tw__families_finish(struct tw__families *f)
{
	for (int row = 0; f->names && row < f->rows.n_rows; row++)
		free(f->names[row]);
	free(f->names);
	free(f->rows.names);
	free(f->rows.cells);
}

int tw__family_columns(const struct tw__families *f, const char *const *without, int *columns)
{
	int n = tw__point_columns_of(&f->rows, without, columns), workload = tw__rows_column(&f->rows, "workload");
	for (int c = 0; c < n; c++)
		if (columns[c] == workload)
			columns[c] = f->column;
	return n;
}

int tw__rows_count(const struct tw__rows *rows, const int *columns, int n_columns, struct tw_error *err)
{
	int *group = calloc((size_t)rows->n_rows + 1, sizeof *group);
	int n = group ? tw__rows_group(rows, columns, n_columns, group, err) : no_memory(rows, err);
	free(group);
	return n;
}
