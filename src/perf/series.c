#include "perf/series.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 9 }; /* of a dimension in a size: products of two dimensions fit into int64_t */

/* Parses a number and moves *text behind its digits. Returns 0 if there is no number, or if it is too large. */
static int64_t next_number(const char **text)
{
	int64_t number = 0;
	int n = 0;
	while (isdigit((unsigned char)**text) && n++ < MAX_DIGITS)
		number = 10 * number + *(*text)++ - '0';
	return isdigit((unsigned char)**text) ? 0 : number;
}

static double element_bytes(const char *precision)
{
	static const struct {
		const char *name;
		int bytes;
	} precisions[] = {{"s", 4}, {"d", 8}, {"c", 8}, {"z", 16}};
	for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++)
		if (strcmp(precision, precisions[i].name) == 0)
			return precisions[i].bytes;
	return 1;
}

double tw__size_bytes(const char *size, const char *precision)
{
	double sum = 0, product = 1;
	bool single = !strpbrk(size, "x+");
	for (const char *rest = size;; rest++) {
		int64_t number = next_number(&rest);
		if (number == 0 || (*rest && *rest != 'x' && *rest != '+'))
			return 0;
		product *= (double)number;
		if (*rest == 'x')
			continue;
		sum += single ? product * product : product;
		product = 1;
		if (!*rest)
			return sum * element_bytes(precision);
	}
}

bool tw__same_shape(const char *size, const char *other)
{
	int64_t first = 0, first_of_other = 0;
	for (;; size++, other++) {
		int64_t a = next_number(&size), b = next_number(&other);
		if (a == 0 || b == 0 || *size != *other)
			return false;
		if ((a > 1 || b > 1) && first == 0) {
			first = a;
			first_of_other = b;
		}
		if ((a > 1 || b > 1) && a * first_of_other != b * first)
			return false;
		if (!*size)
			return true;
		if (*size != 'x' && *size != '+')
			return false;
	}
}

static bool belongs(const struct tw__row *row, const char *kernel, const char *precision, const char *arch, int cores,
                    const char *size)
{
	return row->cores == cores && strcmp(row->kernel, kernel) == 0 && strcmp(row->arch, arch) == 0 &&
	       strcmp(row->precision, precision) == 0 && tw__same_shape(row->size, size);
}

void tw__series_init(struct tw__series *series, const struct tw__models *models, const char *kernel,
                     const char *precision, const char *arch, int cores, const char *size)
{
	size_t capacity = 0, row_capacity = 0;
	*series = (struct tw__series){0};
	for (int i = 0; i < models->n_rows; i++) {
		const struct tw__row *row = &models->rows[i];
		if (!belongs(row, kernel, precision, arch, cores, size))
			continue;
		size_t needed = (size_t)series->n + 1;
		TW_RESERVE(series->points, capacity, needed);
		TW_RESERVE(series->row, row_capacity, needed);
		series->points[series->n] = (struct tw__point){tw__size_bytes(row->size, row->precision), row->mean_us};
		series->row[series->n++] = i;
		series->spread += pow(row->stddev_us / row->mean_us, 2);
	}
	series->spread = series->n ? sqrt(series->spread / series->n) : 0;
}

void tw__series_finish(struct tw__series *series)
{
	free(series->points);
	free(series->row);
	*series = (struct tw__series){0};
}

void tw__series_fit(const struct tw__series *series, struct tw__fits *fits)
{
	for (enum tw__law law = TW__AFFINE; law < TW__N_LAWS; law++)
		fits->fitted[law] = tw__fit(&fits->of[law], law, series->points, series->n, &fits->why[law]) == TW_OK;
}

double tw__regression_seconds(const struct tw__models *models, const struct tw__kernel *kernel, const char *name,
                              const struct tw__arch *arch, int cores, double *spread)
{
	struct tw__series series;
	struct tw__fits fits;
	double s = tw__size_bytes(kernel->size, kernel->precision), microseconds = NAN;
	tw__series_init(&series, models, name, kernel->precision, arch->name, cores, kernel->size);
	if (series.n) {
		tw__series_fit(&series, &fits);
		enum tw__law law = tw__fits_best(&fits, s);
		microseconds = law < TW__N_LAWS ? tw__fit_time(&fits.of[law], s) : NAN;
	}
	*spread = series.spread;
	tw__series_finish(&series);
	return microseconds / 1e6;
}

/* Whether the fit is nearer to the points than the best so far. It must be so by more than rounding, since laws with
 * more parameters come later. */
static bool is_nearer(const struct tw__fit *fit, const struct tw__fit *best)
{
	return fit->residual < 0.999999 * best->residual - 1e-9;
}

enum tw__law tw__fits_best(const struct tw__fits *fits, double s)
{
	enum tw__law best = TW__N_LAWS;
	for (enum tw__law law = TW__AFFINE; law < TW__N_LAWS; law++) {
		double t = fits->fitted[law] ? tw__fit_time(&fits->of[law], s) : 0;
		if (t > 0 && isfinite(t) && (best == TW__N_LAWS || is_nearer(&fits->of[law], &fits->of[best])))
			best = law;
	}
	return best;
}
