/* Kernel times of groups of cores, by a piecewise-linear speed-up. The speed-up s(c) = t(1) / t(c) is interpolated
 * between measured numbers of cores c = 1, 2, 5, 10 ... Then the speed 1 / t(c) is piecewise linear, too; t(1) need not
 * have been measured. Groups outside the measured range get no time: that would be extrapolation. */
#include "perf/rows.h"

#include <stdlib.h>
#include <string.h>

static int compare(const struct tw__row *a, const struct tw__row *b)
{
	int order = strcmp(a->kernel, b->kernel);
	if (!order)
		order = strcmp(a->size, b->size);
	if (!order)
		order = strcmp(a->precision, b->precision);
	return order ? order : strcmp(a->arch, b->arch);
}

static int compare_rows(const void *one, const void *other)
{
	const struct tw__row *a = *(const struct tw__row *const *)one, *b = *(const struct tw__row *const *)other;
	int order = compare(a, b);
	return order ? order : (a->cores > b->cores) - (a->cores < b->cores);
}

void tw__between_prepare(struct tw__models *models)
{
	bool any_group = false;
	for (int i = 0; i < models->n_rows; i++)
		any_group |= models->rows[i].cores > 1;
	if (!any_group)
		return;
	models->by_cores = tw_alloc((size_t)models->n_rows, sizeof *models->by_cores);
	for (int i = 0; i < models->n_rows; i++)
		models->by_cores[i] = &models->rows[i];
	qsort(models->by_cores, (size_t)models->n_rows, sizeof *models->by_cores, compare_rows);
}

/* Returns the index in `by_cores` of the first row that is not before this row. */
static int find(const struct tw__models *models, const struct tw__row *row)
{
	int from = 0, to = models->n_rows;
	while (from < to) {
		int middle = from + (to - from) / 2;
		if (compare_rows(&models->by_cores[middle], &row) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

bool tw__between_find(const struct tw__models *models, struct tw__row *row, const char *kernel, const char *size,
                      const char *precision, const struct tw__arch *arch)
{
	if (!models->by_cores)
		return false;
	*row = (struct tw__row){
		.kernel = kernel, .arch = arch->name, .size = size, .precision = precision, .cores = arch->cores};
	int i = find(models, row);
	if (i == 0 || i == models->n_rows)
		return false;
	const struct tw__row *fewer = models->by_cores[i - 1], *more = models->by_cores[i];
	if (compare(fewer, row) != 0 || compare(more, row) != 0 || more->cores == row->cores)
		return false;
	double part = (double)(row->cores - fewer->cores) / (more->cores - fewer->cores);
	double spread = (1 - part) * (fewer->stddev_us / fewer->mean_us) + part * (more->stddev_us / more->mean_us);
	row->mean_us = 1 / ((1 - part) / fewer->mean_us + part / more->mean_us);
	row->stddev_us = spread * row->mean_us;
	return true;
}
