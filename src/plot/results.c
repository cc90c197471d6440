/* Draws figures of results: reads the rows, makes the script, runs gnuplot. */
#include <string.h>

#include "plot/figure.h"
#include "results/adapt.h"
#include "results/columns.h"

const struct tw__figure_kind tw__figure_kinds[] = {
	{"gflops", tw__draw_lines, true, true, true},
	{"transfers", tw__draw_lines, true, true, true},
	{"ratio", tw__draw_lines, true, true, true},
	{"counters", tw__draw_lines, true, true, true},
	{"bars", tw__draw_bars, true, true, false},
	{"cloud", tw__draw_cloud, false, false, false},
	{"best", tw__draw_best, true, true, false},
	{"validation", tw__draw_validation, false, false, false},
	{0},
};

static int write_script(void *figure, FILE *script, struct tw_error *err)
{
	struct tw__figure *g = figure;
	const struct tw__figure_kind *kind = tw__figure_kinds;
	g->script = script;
	while (strcmp(kind->name, g->request->kind) != 0)
		kind++;
	return kind->draw(g, err);
}

int tw__plot_rows(const struct tw__figure_request *request, const struct tw__rows *rows, struct tw__fact_book *book,
                  struct tw_error *err)
{
	struct tw__figure g = {.request = request, .book = book};
	const bool is_size = request->x == TW__X_COLUMN && !tw__column_named(request->x_column);
	tw__rows_share(&g.rows, rows);
	for (int row = 0; row < rows->n_rows; row++)
		tw__rows_add(&g.rows, rows, row);
	tw__families_add(&g.rows, is_size ? request->x_column : NULL);
	int status = tw__draw(&tw__gnuplot, request->output, request->keep_script, write_script, &g, err);
	tw__rows_finish(&g.rows);
	tw__arena_finish(&g.arena);
	return status;
}

/* Finds the column of the horizontal axis, which may be named by an option or be a parameter of the workload. */
static int find_x(struct tw__figure_request *request, struct tw__rows *rows, struct tw_error *err)
{
	int column;
	if (request->x != TW__X_COLUMN)
		return TW_OK;
	int status = tw__rows_find_or_make(rows, request->x_column, "--x", &column, err);
	if (status < 0)
		return status;
	request->x_column = rows->names[column];
	request->x = strcmp(request->x_column, "gpu_mem_bytes") ? TW__X_COLUMN : TW__X_MEMORY;
	return TW_OK;
}

int tw__plot_results(const struct tw__figure_request *request, struct tw_error *err)
{
	struct tw__rows rows;
	struct tw__figure_request own = *request;
	struct tw__fact_book *book = tw__fact_book_create();
	int status = tw__rows_read(&rows, request->results, err);
	if (status == TW_OK)
		status = tw__rows_choose(&rows, request->where, err);
	if (status == TW_OK)
		status = find_x(&own, &rows, err);
	if (status == TW_OK)
		status = tw__plot_rows(&own, &rows, book, err);
	tw__rows_finish(&rows);
	tw__fact_book_destroy(book);
	return status;
}
