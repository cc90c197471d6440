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

/* Finds a column that may be named by an option or be a parameter of the workload. Sets `name` to its name. */
static int find_column(const char **name, struct tw__rows *rows, const char *option, struct tw_error *err)
{
	int column, status = tw__rows_find_or_make(rows, *name, option, &column, err);
	if (status == TW_OK)
		*name = rows->names[column];
	return status;
}

/* Finds the columns of --x and --per. */
static int find_columns(struct tw__figure_request *request, struct tw__rows *rows, struct tw_error *err)
{
	int status = request->x == TW__X_COLUMN ? find_column(&request->x_column, rows, "--x", err) : TW_OK;
	if (status == TW_OK && request->x == TW__X_COLUMN && !strcmp(request->x_column, "gpu_mem_bytes"))
		request->x = TW__X_MEMORY;
	return status == TW_OK && request->per ? find_column(&request->per, rows, "--per", err) : status;
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
		status = find_columns(&own, &rows, err);
	if (status == TW_OK)
		status = tw__plot_rows(&own, &rows, book, err);
	tw__rows_finish(&rows);
	tw__fact_book_destroy(book);
	return status;
}
