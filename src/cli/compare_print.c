/* Points of comparisons as rows for programs and as scatter plots, and whole comparisons as JSON. */
#include "cli/compare_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/spec.h"
#include "plot/plot.h"

/* The columns of points, and the choice among them. */
struct points {
	const struct compared *of;
	bool as_json;
	struct tw__column_choice choice;
	int joined[TW__MAX_POINT_COLUMNS], n_joined; /* columns of side a that at least one comparison joins on */
	char metrics[2][300];                        /* of two files: names of the columns with their values */
};

static struct cell named(const char *name, struct cell cell)
{
	cell.key = name;
	return cell;
}

static bool is_joined(const struct tw__comparison *c, int column)
{
	for (int i = 0; i < c->n_columns; i++)
		if (c->columns[i][0] == column)
			return true;
	return false;
}

/* The value of a joined column. CSV repeats the text; in JSON, numbers are numbers, and unknown values null. */
static struct cell joined_cell(const struct points *p, int row, int column)
{
	const char *text = tw__rows_text(p->of->a, row, column);
	enum tw__type type = tw__column_named(p->of->a->names[column])->type;
	struct tw_error err;
	int64_t integer;
	double real;
	if (p->as_json && !*text)
		return (struct cell){0};
	if (p->as_json && (type == TW__INT || type == TW__BYTES) && tw__parse_int(&integer, text, &err) == TW_OK)
		return cell_integer(integer);
	if (p->as_json && type == TW__REAL && tw__parse_real(&real, text, &err) == TW_OK)
		return cell_real(real);
	return cell_text(text);
}

/* Fills the row of a pair of points of comparison i. The cell of a column that this comparison does not join on stays
 * empty. Returns the number of cells that the choice leaves. */
static int fill(const struct points *p, int i, const struct tw__pair *pair, struct cell *cells)
{
	int n = 0;
	for (; n < p->n_joined; n++)
		cells[n] = named(p->of->a->names[p->joined[n]], is_joined(&p->of->of[i], p->joined[n])
		                                                        ? joined_cell(p, pair->a, p->joined[n])
		                                                        : (struct cell){0});
	if (p->of->policies) {
		cells[n++] = named("policy_a", cell_text(p->of->policies[0]));
		cells[n++] = named("policy_b", cell_text(p->of->policies[i + 1]));
	}
	cells[n++] = named("runs_a", cell_integer(pair->of_a.n));
	cells[n++] = named("runs_b", cell_integer(pair->of_b.n));
	if (p->of->policies) {
		cells[n++] = named("speedup_average", cell_real(tw__speedup_average(pair)));
		cells[n++] = named("speedup_minimum", cell_real(tw__speedup_minimum(pair)));
	} else {
		cells[n++] = named(p->metrics[0], cell_real(pair->of_a.mean));
		cells[n++] = named(p->metrics[1], cell_real(pair->of_b.mean));
		cells[n++] = named("ratio", cell_real(pair->ratio));
		cells[n++] = named("error", cell_real(pair->error));
	}
	return tw__column_choice_apply(&p->choice, cells, n);
}

static int open_points(struct points *p, const char *columns, struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	const struct tw__column *known;
	for (int side = 0; side < 2; side++)
		snprintf(p->metrics[side], sizeof p->metrics[side], "%s_%c", p->of->metric, "ab"[side]);
	for (int place = 1; (known = tw__point_column(place)); place++) {
		int column = tw__rows_column(p->of->a, known->key), i = 0;
		while (i < p->of->n && !is_joined(&p->of->of[i], column))
			i++;
		if (i < p->of->n)
			p->joined[p->n_joined++] = column;
	}
	int n = fill(p, 0, &p->of->of[0].pairs[0], cells);
	return columns ? tw__column_choice_parse(&p->choice, columns, cells, n, err) : TW_OK;
}

static void print_csv(const struct points *p)
{
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write_keys(stdout, cells, fill(p, 0, &p->of->of[0].pairs[0], cells));
	for (int i = 0; i < p->of->n; i++)
		for (int k = 0; k < p->of->of[i].n; k++)
			tw__cells_write(stdout, cells, fill(p, i, &p->of->of[i].pairs[k], cells));
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *points_json(const struct points *p)
{
	struct cell cells[TW__MAX_COLUMNS];
	json_t *list = json_array();
	for (int i = 0; i < p->of->n; i++)
		for (int k = 0; k < p->of->of[i].n; k++)
			tw__json_append(list, tw__cells_json(cells, fill(p, i, &p->of->of[i].pairs[k], cells)));
	return list;
}

/* Names such as "engine, runtime" as a list. */
static json_t *names_json(const char *names)
{
	json_t *list = json_array();
	while (*names) {
		size_t length = strcspn(names, ",");
		tw__json_append(list, json_stringn(names, length));
		names += length + strspn(names + length, ", ");
	}
	return list;
}

/* Which rows became points, and which did not. Each array has the number of side a and that of side b. */
static json_t *scope_json(const struct tw__comparison *c, const struct tw__rows *a)
{
	json_t *joined = json_array();
	for (int i = 0; i < c->n_columns; i++)
		tw__json_append(joined, json_string(a->names[c->columns[i][0]]));
	return json_pack("{s:o, s:o, s:[i, i], s:i, s:[i, i], s:i, s:s?, s:i}", "joined_on", joined, "not_joined_on",
	                 names_json(c->left_out), "points_left_out", c->only_a, c->only_b, "rows_of_same_identity",
	                 c->by_identity, "rows_left_out", c->rows_left_out[0], c->rows_left_out[1], "mixed_points",
	                 c->mixed, "mixed_in", c->mixed ? c->mixed_in : NULL, "points_without_value", c->unknown);
}

static json_t *spread_json(const struct tw__spread *s)
{
	return json_pack("{s:f, s:f, s:f}", "mean", s->mean, "median", s->median, "worst", s->worst);
}

static json_t *files_json(const struct points *p)
{
	const struct compared *c = p->of;
	json_t *list = json_array();
	struct tw__summary s;
	for (int i = 0; tw__comparison_summary(c->of, c->a, i, &s); i++)
		tw__json_append(list, json_pack("{s:o, s:i, s:o, s:o}", "policy",
		                                s.policy ? tw__json_text(s.policy) : json_null(), "points", s.n,
		                                "ratio", spread_json(&s.ratio), "error", spread_json(&s.error)));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "metric", tw__json_text(c->metric), "a",
	                 tw__json_text(c->a->path), "b", tw__json_text(c->b->path), "scope", scope_json(c->of, c->a),
	                 "points", points_json(p), "summary", list);
}

static json_t *policies_json(const struct points *p)
{
	const struct compared *c = p->of;
	json_t *list = json_array();
	for (int i = 0; i < c->n; i++) {
		struct tw__spread average, minimum;
		tw__comparison_speedups(&c->of[i], &average, &minimum);
		tw__json_append(list,
		                json_pack("{s:o, s:o, s:i, s:o, s:o, s:o}", "policy_a", tw__json_text(c->policies[0]),
		                          "policy_b", tw__json_text(c->policies[i + 1]), "points", c->of[i].n, "scope",
		                          scope_json(&c->of[i], c->a), "speedup_average", spread_json(&average),
		                          "speedup_minimum", spread_json(&minimum)));
	}
	return json_pack("{s:o, s:o, s:o}", "file", tw__json_text(c->a->path), "points", points_json(p), "summary",
	                 list);
}

int print_comparisons(const struct compared *c, enum tw__result_format format, const char *columns,
                      struct tw_error *err)
{
	struct points p = {.of = c, .as_json = format == TW__JSON};
	int status = format == TW__TEXT ? TW_OK : open_points(&p, columns, err);
	if (status < 0)
		return status;
	if (format == TW__TEXT)
		print_compared_text(c);
	else if (format == TW__CSV)
		print_csv(&p);
	else
		tw__cells_write_json(stdout, c->policies ? policies_json(&p) : files_json(&p));
	return TW_OK;
}

/* --- scatter plots ------------------------------------------------------------------------------------------------ */

static const double band = 0.1;

/* Finds the unit in which the axes show the metric; *name: what labels write of it. */
static double unit_of(const struct compared *c, const char **name)
{
	double most = 0;
	for (int i = 0; i < c->n; i++)
		for (int p = 0; p < c->of[i].n; p++)
			most = fmax(most, fmax(c->of[i].pairs[p].of_a.mean, c->of[i].pairs[p].of_b.mean));
	bool bytes = !strcmp(tw__column_unit(c->metric), "bytes");
	*name = !bytes ? "" : most >= 4e9 ? " in GB" : " in MB";
	return !bytes ? 1 : most >= 4e9 ? 1e9 : 1e6;
}

/* Returns the series of a pair of comparison i, which is made if needed. Each comparison of policies has its own;
 * those of two files are of the policies of their pairs. */
static struct tw__scatter_series *series_of(struct tw__scatter *s, const struct compared *c, int i, int pair)
{
	const char *policy = c->policies ? c->policies[i + 1]
	                                 : tw__rows_text(c->a, c->of->pairs[pair].a, tw__rows_column(c->a, "policy"));
	const char *name = *policy ? policy : "points";
	int k = c->policies ? i : 0;
	while (k < s->n_series && strcmp(s->series[k].name, name) != 0)
		k++;
	if (k == s->n_series)
		s->series[s->n_series++] = (struct tw__scatter_series){.name = name};
	return &s->series[k];
}

/* Counts the points of each series, gives each its part of the array `points`, and fills it. */
static void fill_series(struct tw__scatter *s, const struct compared *c, double unit, struct tw__scatter_point *points)
{
	for (int i = 0; i < c->n; i++)
		for (int p = 0; p < c->of[i].n; p++)
			series_of(s, c, i, p)->n++;
	for (int k = 0; k < s->n_series; k++) {
		s->series[k].points = points;
		points += s->series[k].n;
		s->series[k].n = 0;
	}
	for (int i = 0; i < c->n; i++)
		for (int p = 0; p < c->of[i].n; p++) {
			struct tw__scatter_series *series = series_of(s, c, i, p);
			const struct tw__stats *a = &c->of[i].pairs[p].of_a, *b = &c->of[i].pairs[p].of_b;
			series->points[series->n++] = (struct tw__scatter_point){a->mean / unit, b->mean / unit,
			                                                         a->ci95 / unit, b->ci95 / unit};
		}
}

int plot_comparisons(const struct compared *c, const char *output, struct tw_error *err)
{
	char labels[2][200];
	const char *unit_name, *between = c->policies ? "under" : "of";
	const char *a = c->policies ? c->policies[0] : c->a->path;
	const char *b = !c->policies ? c->b->path : c->n == 1 ? c->policies[1] : "other policies";
	double unit = unit_of(c, &unit_name);
	size_t n = 0;
	for (int i = 0; i < c->n; i++)
		n += (size_t)c->of[i].n;
	snprintf(labels[0], sizeof labels[0], "%.60s%s %s %.100s", c->metric, unit_name, between, a);
	snprintf(labels[1], sizeof labels[1], "%.60s%s %s %.100s", c->metric, unit_name, between, b);
	struct tw__scatter s = {.x_label = labels[0], .y_label = labels[1], .output = output, .band = band};
	struct tw__scatter_point *points = tw_alloc(n, sizeof *points);
	s.series = tw_alloc(n, sizeof *s.series);
	fill_series(&s, c, unit, points);
	int status = tw__plot_scatter(&s, err);
	free(points);
	free(s.series);
	return status;
}
