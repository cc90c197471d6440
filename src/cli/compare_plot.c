#include "cli/compare_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/scatter.h"
#include "results/columns.h"

static const double band = 0.1;

/* The unit in which the axes show a metric. */
struct unit {
	double size;
	const char *name;
};

static struct unit unit_of(const char *metric, const struct tw__comparison *c)
{
	double most = 0;
	for (int p = 0; p < c->n; p++)
		most = fmax(most, fmax(c->pairs[p].of_a.mean, c->pairs[p].of_b.mean));
	if (strcmp(tw__column_unit(metric), "bytes") != 0)
		return (struct unit){1, ""};
	return most >= 4e9 ? (struct unit){1e9, " in GB"} : (struct unit){1e6, " in MB"};
}

static struct tw__scatter_point point_of(const struct tw__pair *p, double unit)
{
	return (struct tw__scatter_point){p->of_a.mean / unit, p->of_b.mean / unit, p->of_a.ci95 / unit,
	                                  p->of_b.ci95 / unit};
}

static int no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "compare: out of memory"); }

/* --- two files --------------------------------------------------------------------------------------------------- */

/* Returns the number of the series with this name, which is made if there is none. */
static int series_number(struct tw__scatter *s, const char *name)
{
	int i = 0;
	while (i < s->n_series && strcmp(s->series[i].name, name) != 0)
		i++;
	if (i == s->n_series)
		s->series[s->n_series++] = (struct tw__scatter_series){.name = name};
	return i;
}

/* Makes a series of each policy. `points`, `number`: [pairs]. */
static void split_by_policy(struct tw__scatter *s, const struct tw__comparison *c, const struct tw__rows *a,
                            double unit, struct tw__scatter_point *points, int *number)
{
	int column = tw__rows_column(a, "policy");
	for (int p = 0; p < c->n; p++) {
		const char *policy = tw__rows_text(a, c->pairs[p].a, column);
		number[p] = series_number(s, *policy ? policy : "points");
		s->series[number[p]].n++;
	}
	for (int i = 0; i < s->n_series; i++) {
		s->series[i].points = points;
		points += s->series[i].n;
		s->series[i].n = 0;
	}
	for (int p = 0; p < c->n; p++) {
		struct tw__scatter_series *series = &s->series[number[p]];
		series->points[series->n++] = point_of(&c->pairs[p], unit);
	}
}

int plot_comparison(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b,
                    const char *metric, const char *output, struct tw_error *err)
{
	char labels[2][200];
	struct unit unit = unit_of(metric, c);
	snprintf(labels[0], sizeof labels[0], "%.60s%s of %.100s", metric, unit.name, a->path);
	snprintf(labels[1], sizeof labels[1], "%.60s%s of %.100s", metric, unit.name, b->path);
	struct tw__scatter s = {.x_label = labels[0], .y_label = labels[1], .band = band};
	struct tw__scatter_point *points = calloc((size_t)c->n, sizeof *points);
	int *number = calloc((size_t)c->n, sizeof *number), status = TW_NOMEM;
	s.series = calloc((size_t)c->n, sizeof *s.series);
	if (points && number && s.series) {
		split_by_policy(&s, c, a, unit.size, points, number);
		status = tw__plot_scatter(&s, output, err);
	} else {
		no_memory(err);
	}
	free(points);
	free(number);
	free(s.series);
	return status;
}

/* --- policies ---------------------------------------------------------------------------------------------------- */

int plot_speedups(const struct tw__comparison *c, int n, char *const *policies, const char *output,
                  struct tw_error *err)
{
	char labels[2][200];
	int n_points = 0, status = TW_OK;
	for (int i = 0; i < n; i++)
		n_points += c[i].n;
	snprintf(labels[0], sizeof labels[0], "makespan_s under %.100s", policies[0]);
	snprintf(labels[1], sizeof labels[1], "makespan_s under %.100s", n == 1 ? policies[1] : "other policies");
	struct tw__scatter s = {.x_label = labels[0], .y_label = labels[1], .band = band, .n_series = n};
	struct tw__scatter_point *points = calloc((size_t)n_points, sizeof *points), *next = points;
	s.series = calloc((size_t)n + 1, sizeof *s.series);
	if (!points || !s.series)
		status = no_memory(err);
	for (int i = 0; i < n && status == TW_OK; i++) {
		s.series[i] = (struct tw__scatter_series){policies[i + 1], next, c[i].n};
		for (int p = 0; p < c[i].n; p++)
			*next++ = point_of(&c[i].pairs[p], 1);
	}
	if (status == TW_OK)
		status = tw__plot_scatter(&s, output, err);
	free(points);
	free(s.series);
	return status;
}
