/* Makes the lines of a chart from rows of results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>

#include "plot/facets.h"
#include "results/points.h"

/* The search for lines: those found so far, each with its first row. */
struct finder {
	const struct tw__series_input *in;
	int first[TW__MAX_CURVES], n;
	int *line; /* [rows] number of the row's line; -1: the row is no point */
};

static const char *cell(const struct finder *f, int row, int c)
{
	return tw__rows_text(f->in->rows, row, f->in->columns[c]);
}

/* Whether the panels show the column's values, so that lines do not. */
static bool is_facet(const struct finder *f, int c)
{
	return f->in->facets && tw__facets_tell(f->in->facets, f->in->columns[c]);
}

static bool agree(const struct finder *f, int a, int b, const bool *shown)
{
	for (int c = 0; c < f->in->n_columns; c++)
		if (!is_facet(f, c) && (!shown || shown[c]) && strcmp(cell(f, a, c), cell(f, b, c)) != 0)
			return false;
	return true;
}

static int find_lines(struct finder *f, int room, struct tw_error *err)
{
	const struct tw__series_input *in = f->in;
	for (int row = 0; row < in->rows->n_rows; row++) {
		int i = 0;
		f->line[row] = -1;
		if (!isfinite(in->x[row]) || !isfinite(in->y[row]) || (in->facets && in->facets->panel[row] < 0))
			continue;
		while (i < f->n && !agree(f, f->first[i], row, NULL))
			i++;
		if (i == room)
			return tw_fail(err, TW_INVALID,
			               "%s: more than %d lines: expected fewer, as with --where gpus=1", in->rows->path,
			               TW__MAX_CURVES);
		if (i == f->n)
			f->first[f->n++] = row;
		f->line[row] = i;
	}
	return TW_OK;
}

static bool is_policy(const struct finder *f, int c)
{
	return f->in->columns[c] >= 0 && !strcmp(f->in->rows->names[f->in->columns[c]], "policy");
}

/* Chooses the columns that labels show: the policy, and each column that distinguishes lines which the columns before
 * it do not. */
static void choose_columns(const struct finder *f, bool *shown)
{
	memset(shown, 0, TW__MAX_POINT_COLUMNS * sizeof *shown);
	for (int c = 0; c < f->in->n_columns; c++)
		shown[c] = is_policy(f, c) && !is_facet(f, c);
	for (int c = 0; c < f->in->n_columns; c++)
		for (int i = 0; i < f->n && !shown[c] && !is_facet(f, c); i++)
			for (int j = 0; j < i && !shown[c]; j++)
				shown[c] = agree(f, f->first[i], f->first[j], shown) &&
				           strcmp(cell(f, f->first[i], c), cell(f, f->first[j], c)) != 0;
}

static void write_label(const struct finder *f, int line, const bool *shown, char *label)
{
	size_t at = 0;
	label[0] = '\0';
	if (f->in->bound)
		at = (size_t)snprintf(label, TW__CHART_LABEL, "%s", f->in->bound);
	for (int c = 0; c < f->in->n_columns && at < TW__CHART_LABEL; c++) {
		char text[TW__CHART_LABEL];
		if (!shown[c])
			continue;
		tw__cell_label(text, sizeof text, f->in->rows, f->first[line], f->in->columns[c], f->first, f->n);
		at += (size_t)snprintf(label + at, TW__CHART_LABEL - at, "%s%s", at ? ", " : "", text);
	}
	if (at == 0 && f->in->facets && f->in->facets->n > 1)
		strcpy(label, "runs"); /* panels tell all differences */
}

struct value {
	double x, y;
};

static int by_x(const void *a, const void *b)
{
	const struct value *v = a, *w = b;
	return (v->x > w->x) - (v->x < w->x);
}

static struct tw__dot best_of(double *y, int n, double share, double x)
{
	gsl_sort(y, 1, (size_t)n);
	int among = (int)ceil(share * n);
	return (struct tw__dot){x, y[n - 1], y[n - among], y[n - 1], n};
}

/* Fills the dots of a curve in a panel from the rows of its line. Values with the same x are repetitions. */
static void fill(struct tw__chart *chart, struct tw__curve *curve, int panel, const struct finder *f, int line,
                 struct value *values, double *y)
{
	int n = 0;
	struct tw__dots *dots = &curve->in[panel];
	for (int row = 0; row < f->in->rows->n_rows; row++)
		if (f->line[row] == line && (!f->in->facets || f->in->facets->panel[row] == panel))
			values[n++] = (struct value){f->in->x[row], f->in->y[row]};
	qsort(values, (size_t)n, sizeof *values, by_x);
	dots->of = tw__arena_alloc(chart->arena, (size_t)n, sizeof *dots->of);
	for (int from = 0, to; from < n; from = to) {
		for (to = from; to < n && values[to].x <= values[from].x; to++)
			y[to - from] = values[to].y;
		struct tw__stats s = tw__stats_of(y, to - from);
		double half = s.n > 1 ? s.ci95 : 0;
		struct tw__dot dot = {values[from].x, s.mean, s.mean - half, s.mean + half, s.n};
		if (f->in->best_share > 0)
			dot = best_of(y, s.n, f->in->best_share, values[from].x);
		dots->of[dots->n++] = dot;
		if (!curve->is_bound && s.n > chart->most_repetitions)
			chart->most_repetitions = s.n;
	}
}

/* Whether lines of one policy differ in this column. An eviction policy that always comes with its policy does not
 * count. */
static bool varies(const struct finder *f, int c, const bool *policy)
{
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < i; j++)
			if (!is_facet(f, c) && agree(f, f->first[i], f->first[j], policy) &&
			    strcmp(cell(f, f->first[i], c), cell(f, f->first[j], c)) != 0)
				return true;
	return false;
}

/* Returns the number of a name among n known ones; n: it is not among them. */
static int number_of(const char *const *known, int n, const char *name)
{
	int i = 0;
	while (i < n && strcmp(known[i], name) != 0)
		i++;
	return i;
}

/* Numbers all policies of the rows, also those without lines, so that figures of one file agree. Sets the policy of
 * each line and the number of policies. */
static void number_policies(struct tw__chart *chart, struct tw__curve *curves, const struct finder *f)
{
	const struct tw__rows *rows = f->in->rows, *all = f->in->of_colours ? f->in->of_colours : rows;
	int column = tw__rows_column(rows, "policy"), of_all = tw__rows_column(all, "policy");
	const char *known[TW__MAX_CURVES + 1];
	if (f->in->facets && column >= 0 && f->in->facets->column == column) {
		chart->n_policies = 1; /* panels show policies, so that lines do not */
		return;
	}
	for (int row = 0; row < all->n_rows && chart->n_policies <= TW__MAX_CURVES; row++)
		if (number_of(known, chart->n_policies, tw__rows_text(all, row, of_all)) == chart->n_policies)
			known[chart->n_policies++] = tw__rows_text(all, row, of_all);
	for (int i = 0; i < f->n; i++)
		curves[i].policy = number_of(known, chart->n_policies, tw__rows_text(rows, f->first[i], column));
}

/* Numbers the combinations of the other columns that distinguish lines of one policy. Sets the combination of each line
 * and their number. */
static void number_others(struct tw__chart *chart, struct tw__curve *curves, const struct finder *f)
{
	bool policy[TW__MAX_POINT_COLUMNS] = {false}, is_other[TW__MAX_POINT_COLUMNS];
	for (int c = 0; c < f->in->n_columns; c++)
		policy[c] = is_policy(f, c);
	for (int c = 0; c < f->in->n_columns; c++) {
		is_other[c] = varies(f, c, policy);
		chart->has_several |= is_other[c];
	}
	for (int i = 0; i < f->n; i++) {
		int first = 0;
		while (!agree(f, f->first[first], f->first[i], is_other))
			first++;
		curves[i].other = first < i ? curves[first].other : chart->n_others++;
	}
}

int tw__chart_add(struct tw__chart *chart, const struct tw__series_input *in, struct tw_error *err)
{
	size_t n = (size_t)in->rows->n_rows;
	struct finder f = {.in = in, .line = in->line ? in->line : tw__arena_alloc(chart->arena, n, sizeof *f.line)};
	bool shown[TW__MAX_POINT_COLUMNS];
	int status = find_lines(&f, TW__MAX_CURVES - chart->n_curves, err);
	if (status < 0)
		return status;
	struct value *values = tw__arena_alloc(chart->arena, n, sizeof *values);
	double *y = tw__arena_alloc(chart->arena, n, sizeof *y);
	choose_columns(&f, shown);
	for (int i = 0; i < f.n; i++) {
		struct tw__curve *curve = &chart->curves[chart->n_curves++];
		*curve = (struct tw__curve){.is_bound = in->bound};
		chart->n_series += !in->bound;
		write_label(&f, i, shown, curve->label);
		for (int panel = 0; panel < chart->n_panels; panel++)
			fill(chart, curve, panel, &f, i, values, y);
	}
	if (!in->bound) {
		number_policies(chart, &chart->curves[chart->n_curves - f.n], &f);
		number_others(chart, &chart->curves[chart->n_curves - f.n], &f);
	}
	return TW_OK;
}

struct tw__chart *tw__chart_create(struct tw__arena *arena)
{
	struct tw__chart *chart = tw__arena_alloc(arena, 1, sizeof *chart);
	chart->arena = arena;
	chart->n_panels = 1;
	chart->x_unit = chart->y_unit = 1;
	chart->y_from_zero = true;
	return chart;
}
