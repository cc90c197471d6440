/* Draws comparisons as scatter plots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_print.h"
#include "plot/scatter.h"

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
static void fill(struct tw__scatter *s, const struct compared *c, double unit, struct tw__scatter_point *points)
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
	fill(&s, c, unit, points);
	int status = tw__plot_scatter(&s, err);
	free(points);
	free(s.series);
	return status;
}
