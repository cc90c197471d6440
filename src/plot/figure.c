#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "results/columns.h"

void tw__figure_tell_unknown(const struct tw__figure *g, const char *what, const double *values)
{
	int n = 0, first = 0;
	for (int row = 0; row < g->rows.n_rows; row++)
		if (!isfinite(values[row]) && n++ == 0)
			first = row;
	if (n > 0 && n < g->rows.n_rows)
		tw_log(TW_LOG_WARNING, "%s:%d: plot %s: %s is unknown in %d of %d rows, first here: left out",
		       g->rows.path, g->rows.lines[first], g->request->kind, what, n, g->rows.n_rows);
}

int tw__figure_numbers(struct tw__figure *g, const char *name, double **values, struct tw_error *err)
{
	char what[80];
	int column;
	snprintf(what, sizeof what, "plot %s", g->request->kind);
	*values = tw__arena_alloc(&g->arena, (size_t)g->rows.n_rows, sizeof **values);
	int status = tw__rows_need(&g->rows, name, what, &column, err);
	for (int row = 0; row < g->rows.n_rows && status == TW_OK; row++)
		status = tw__rows_number(&g->rows, row, column, &(*values)[row], err);
	if (status == TW_OK && (!strcmp(name, "gflops") || !strcmp(name, "transferred_bytes")))
		tw__figure_tell_unknown(g, name, *values);
	return status;
}

int tw__figure_bound_seconds(struct tw__figure *g, double **seconds, struct tw_error *err)
{
	double *path_s;
	int status = tw__figure_numbers(g, "bound_critical_path_s", &path_s, err);
	if (status == TW_OK)
		status = tw__figure_numbers(g, "bound_area_s", seconds, err);
	for (int row = 0; row < g->rows.n_rows && status == TW_OK; row++) {
		double bound_s = fmax((*seconds)[row], path_s[row]); /* one may be NAN: fmax ignores it */
		(*seconds)[row] = bound_s > 0 ? bound_s : NAN;
	}
	return status;
}

int tw__figure_bounds(struct tw__figure *g, double **gflops, struct tw_error *err)
{
	double *flops;
	int status = tw__figure_numbers(g, "flops", &flops, err);
	if (status == TW_OK)
		status = tw__figure_bound_seconds(g, gflops, err);
	for (int row = 0; row < g->rows.n_rows && status == TW_OK; row++)
		(*gflops)[row] = flops[row] / (*gflops)[row] / 1e9;
	return status;
}

/* Returns the value of a column that all rows share; NULL: the rows differ, or the value is empty. */
static const char *shared(const struct tw__rows *rows, const char *column)
{
	int c = tw__rows_column(rows, column);
	for (int row = 1; row < rows->n_rows; row++)
		if (strcmp(tw__rows_text(rows, row, c), tw__rows_text(rows, 0, c)) != 0)
			return NULL;
	return rows->n_rows > 0 && *tw__rows_text(rows, 0, c) ? tw__rows_text(rows, 0, c) : NULL;
}

void tw__figure_title(const struct tw__figure *g, const char *what, char *title, size_t size, int most_repetitions)
{
	if (g->request->style.title) {
		snprintf(title, size, "%s", g->request->style.title);
		return;
	}
	const char *platform = shared(&g->rows, "platform"), *workload = shared(&g->rows, "workload");
	const char *cpus = shared(&g->rows, "cpus"), *gpus = shared(&g->rows, "gpus");
	const char *name = workload ? workload : shared(&g->rows, TW__FAMILY);
	/* Of a platform's path, show only the folder's name. */
	if (platform && strrchr(platform, '/') && strrchr(platform, '/')[1])
		platform = strrchr(platform, '/') + 1;
	size_t at = (size_t)snprintf(title, size, "%s", what);
	if (name && at < size)
		at += (size_t)snprintf(title + at, size - at, ", %.40s", name);
	if (platform && at < size)
		at += (size_t)snprintf(title + at, size - at, " on %.30s", platform);
	if (cpus && gpus && at < size)
		at += (size_t)snprintf(title + at, size - at, ", %s CPU%s + %s GPU%s", cpus,
		                       strcmp(cpus, "1") ? "s" : "", gpus, strcmp(gpus, "1") ? "s" : "");
	if (most_repetitions > 1 && at < size)
		snprintf(title + at, size - at, "; error bars: 95 %% confidence");
}

int tw__figure_add(const struct tw__figure *g, struct tw__chart *chart, const struct tw__series_input *in,
                   struct tw_error *err)
{
	int status = tw__chart_add(chart, in, err);
	if (status == TW_OK && chart->n_series == 0 && !in->bound)
		return tw_fail(err, TW_INVALID, "%s: no row has the values that plot %s needs", g->rows.path,
		               g->request->kind);
	return status;
}

int tw__figure_print(const struct tw__figure *g, struct tw__chart *chart, const char *what, struct tw_error *err)
{
	int repetitions = chart->has_ribbons ? 1 : chart->most_repetitions;
	tw__figure_title(g, what, chart->title, sizeof chart->title, repetitions);
	int status = tw__chart_rename(chart, g->request->names, err);
	return status < 0 ? status : tw__chart_print(g->script, chart, g->request, err);
}

/* --- where data fit memories -------------------------------------------------------------------------------------- */

static void mark(struct tw__panel *panel, double x, const char *what, const char *where, const char *brief)
{
	if (!isfinite(x) || panel->n_markers == TW__MAX_MARKERS)
		return;
	for (int i = 0; i < panel->n_markers; i++)
		if (fabs(panel->markers[i].x - x) <= 1e-9 * x)
			return;
	struct tw__marker *m = &panel->markers[panel->n_markers++];
	m->x = x;
	snprintf(m->label, sizeof m->label, "%s%s", what, where);
	snprintf(m->brief, sizeof m->brief, "%s", brief);
}

/* Returns the working set of the workload at the size where its inputs have `fitting` bytes. Inputs grow linearly with
 * nt, the output quadratically. */
static double set_of_inputs(const struct tw__facts *facts, double fitting)
{
	double growth = fitting / facts->inputs_bytes;
	return fitting + (facts->working_set_bytes - facts->inputs_bytes) * growth * growth;
}

void tw__figure_mark(const struct tw__figure *g, struct tw__panel *panel, double memory_bytes, double gpus,
                     const struct tw__facts *facts)
{
	char where[64], memory[32];
	if (!(gpus > 0))
		return;
	if (g->request->x == TW__X_MEMORY) {
		double set = facts->working_set_bytes, inputs = facts->inputs_bytes;
		snprintf(where, sizeof where, " (%s)", tw__amount_text(memory, sizeof memory, set));
		mark(panel, inputs / gpus, "A and B fit", where, "A and B fit");
		mark(panel, inputs / 2 / gpus, "B fits", where, "B fits");
		snprintf(where, sizeof where, " (%s) fits", memory);
		mark(panel, set / gpus, "the whole set", where, "fits");
		return;
	}
	snprintf(where, sizeof where, " %.0f x %s", gpus, tw__memory_text(memory, sizeof memory, memory_bytes / gpus));
	mark(panel, set_of_inputs(facts, memory_bytes), "A and B fit", where, "A and B fit");
	mark(panel, set_of_inputs(facts, 2 * memory_bytes), "B fits", where, "B fits");
	mark(panel, memory_bytes, "fits", where, "fits");
}

/* --- the horizontal axis ------------------------------------------------------------------------------------------ */

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
	const char *name = g->rows.names[column];
	/* The platform says the number of nodes. */
	return tw__is_point_column(name) || strcmp(name, "nodes") == 0 ? name : NULL;
}

int tw__figure_leave_out_told(const struct tw__figure *g, int *columns, int n)
{
	const int x = tw__figure_input_of_x(g) ? tw__rows_column(&g->rows, tw__figure_input_of_x(g)) : -1;
	const int policy = tw__rows_column(&g->rows, "policy");
	const int of_x = tw__rows_count(&g->rows, &x, 1);
	int kept = 0;
	for (int i = 0; i < n; i++) {
		const int both[2] = {x, columns[i]};
		if (x < 0 || columns[i] < 0 || columns[i] == policy || tw__is_workload(g->rows.names[columns[i]]) ||
		    tw__rows_count(&g->rows, both, 2) != of_x)
			columns[kept++] = columns[i];
	}
	return kept;
}
