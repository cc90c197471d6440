/* Draws figures of results: reads the rows, makes the script, runs gnuplot. */
#include <errno.h>
#include <string.h>

#include "plot/figure.h"
#include "results/adapt.h"

const struct tw__figure_kind tw__figure_kinds[] = {
	{"gflops", "GFlop/s of each policy, with the bound", tw__draw_lines, true, true, true},
	{"transfers", "data moved, with the bus limit and the I/O bounds", tw__draw_lines, true, true, true},
	{"ratio", "makespan over the lower bound", tw__draw_lines, true, true, true},
	{"counters", "a policy's own counter", tw__draw_lines, true, true, true},
	{"bars", "GFlop/s of each policy, by GPUs", tw__draw_bars, true, true, false},
	{"cloud", "all configurations of a node", tw__draw_cloud, false, false, false},
	{"best", "the best configurations of a node", tw__draw_best, true, true, false},
	{"validation", "simulated and real makespans", tw__draw_validation, false, false, false},
	{0},
};

static int draw(struct tw__figure *g, struct tw_error *err)
{
	const struct tw__figure_kind *kind = tw__figure_kinds;
	while (strcmp(kind->name, g->request->kind) != 0)
		kind++;
	int status = kind->draw(g, err);
	/* Write the script to keep before gnuplot runs: it helps to find out why gnuplot fails. */
	if (status == TW_OK && g->request->keep_script)
		status = tw__gnuplot_keep(g->script, g->request->output, err);
	return status < 0 ? status : tw__gnuplot_run(g->script, g->request->output, err);
}

int tw__plot_rows(const struct tw__figure_request *request, const struct tw__rows *rows, struct tw__fact_book *book,
                  struct tw_error *err)
{
	struct tw__figure g = {.request = request, .rows = *rows, .book = book, .script = tmpfile()};
	if (!g.script)
		return tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
	int status = draw(&g, err);
	fclose(g.script);
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
	int status = book ? tw__rows_read(&rows, request->results, err) : tw_fail(err, TW_NOMEM, "plot: out of memory");
	if (status == TW_OK) {
		status = tw__rows_choose(&rows, request->where, err);
		if (status == TW_OK)
			status = find_x(&own, &rows, err);
		if (status == TW_OK)
			status = tw__plot_rows(&own, &rows, book, err);
		tw__rows_finish(&rows);
	}
	tw__fact_book_destroy(book);
	return status;
}
