#include "perf/regression.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static const struct {
	const char *text;
	int n_parameters;
} laws[TW__N_LAWS] = {
	[TW__AFFINE] = {"a*s+b", 2},
	[TW__POWER] = {"a*s^b", 2},
	[TW__POWER_OFFSET] = {"a*s^b+c", 3},
};

const char *tw__law_text(enum tw__law law) { return laws[law].text; }

double tw__fit_time(const struct tw__fit *fit, double s)
{
	if (fit->law == TW__AFFINE)
		return fit->a.value * s + fit->b.value;
	return fit->a.value * pow(s, fit->b.value) + (fit->law == TW__POWER_OFFSET ? fit->c.value : 0);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorts the sizes `s` and returns the number of different ones. */
static int count_sizes(double *s, int n)
{
	int sizes = n > 0;
	qsort(s, (size_t)n, sizeof *s, by_value);
	for (int i = 1; i < n; i++)
		sizes += s[i] != s[i - 1];
	return sizes;
}

static struct tw__parameter between(double value, double error, double quantile)
{
	return (struct tw__parameter){value, value - quantile * error, value + quantile * error};
}

static struct tw__parameter exponential_of(struct tw__parameter p)
{
	return (struct tw__parameter){exp(p.value), exp(p.low), exp(p.high)};
}

/* Sets the weights 1/t^2 from the law's own times t = a*x+b. Measured times would give too much weight to points that
 * are low by chance. Returns false if a time is not positive, or if the weights did not change. */
static bool weigh(double *w, const double *x, int n, double a, double b)
{
	bool changed = false;
	for (int i = 0; i < n; i++)
		if (!(a * x[i] + b > 0))
			return false;
	for (int i = 0; i < n; i++) {
		double weight = pow(a * x[i] + b, -2);
		changed |= fabs(weight - w[i]) > 1e-12 * w[i];
		w[i] = weight;
	}
	return changed;
}

/* Fits a*s+b by weighted least squares. s is divided by its mean, so that its powers are near 1. */
static void fit_affine(struct tw__fit *fit, const struct tw__point *points, int n, double *x, double *y, double *w,
                       double quantile)
{
	double scale = 0, a = 0, b = 0, var_b, cov, var_a, chisq;
	for (int i = 0; i < n; i++)
		scale += points[i].s / n;
	for (int i = 0; i < n; i++) {
		x[i] = points[i].s / scale;
		y[i] = points[i].t;
		w[i] = 1 / (y[i] * y[i]);
	}
	for (int rounds = 0; rounds == 0 || (rounds < 30 && weigh(w, x, n, a, b)); rounds++)
		gsl_fit_wlinear(x, 1, w, 1, y, 1, (size_t)n, &b, &a, &var_b, &cov, &var_a, &chisq);
	/* GSL takes weights for inverse variances. These are so up to a factor, which follows from the residuals. */
	double factor = chisq / (n - 2);
	fit->a = between(a / scale, sqrt(var_a * factor) / scale, quantile);
	fit->b = between(b, sqrt(var_b * factor), quantile);
}

/* Fits a*s^b by least squares on logarithms, as in equation B.6, so errors are relative. The logarithm of s is relative
 * to its mean, so that the line's height there and its slope are independent. */
static void fit_power(struct tw__fit *fit, const struct tw__point *points, int n, double *x, double *y, double quantile)
{
	double log_a, b, var_log_a, cov, var_b, sum;
	for (int i = 0; i < n; i++) {
		x[i] = log(points[i].s);
		y[i] = log(points[i].t);
	}
	double middle = gsl_stats_mean(x, 1, (size_t)n);
	for (int i = 0; i < n; i++)
		x[i] -= middle;
	gsl_fit_linear(x, 1, y, 1, (size_t)n, &log_a, &b, &var_log_a, &cov, &var_b, &sum);
	double variance = var_log_a + middle * middle * var_b - 2 * middle * cov;
	fit->a = exponential_of(between(log_a - b * middle, sqrt(variance), quantile));
	fit->b = between(b, sqrt(var_b), quantile);
}

/* Computes r2 and the residual of a fit, with the weights of the fit. */
static void judge(struct tw__fit *fit, const struct tw__point *points, int n, int n_parameters, double *w)
{
	double weights = 0, mean = 0, squares = 0, total = 0;
	for (int i = 0; i < n; i++) {
		double law = tw__fit_time(fit, points[i].s);
		w[i] = pow(law > 0 ? law : points[i].t, -2);
		weights += w[i];
		mean += w[i] * points[i].t;
	}
	mean /= weights;
	for (int i = 0; i < n; i++) {
		squares += w[i] * pow(tw__fit_time(fit, points[i].s) - points[i].t, 2);
		total += w[i] * pow(mean - points[i].t, 2);
	}
	/* Times that differ only by rounding count as equal. */
	fit->r2 = total > 1e-24 * n ? 1 - squares / total : NAN;
	fit->residual = sqrt(squares / (n - n_parameters));
}

static bool is_finite(const struct tw__parameter *p)
{
	return isfinite(p->value) && isfinite(p->low) && isfinite(p->high);
}

static int fit_with(struct tw__fit *fit, const struct tw__point *points, int n, double *room, struct tw_error *err)
{
	int n_parameters = laws[fit->law].n_parameters, status = TW_OK;
	const char *text = laws[fit->law].text;
	double *x = room, *y = room + n, *w = room + 2 * n;
	for (int i = 0; i < n; i++)
		x[i] = points[i].s;
	int sizes = count_sizes(x, n);
	if (sizes <= n_parameters)
		return tw_fail(err, TW_INVALID, "%s: %d size%s, expected at least %d", text, sizes,
		               sizes == 1 ? "" : "s", n_parameters + 1);

	double quantile = gsl_cdf_tdist_Pinv(0.975, n - n_parameters);
	if (fit->law == TW__AFFINE)
		fit_affine(fit, points, n, x, y, w, quantile);
	else if (fit->law == TW__POWER)
		fit_power(fit, points, n, x, y, quantile);
	else
		status = tw__fit_power_offset(fit, points, n, room, quantile, err);
	if (status < 0)
		return status;
	judge(fit, points, n, n_parameters, w);
	if (!is_finite(&fit->a) || !is_finite(&fit->b) || !is_finite(&fit->c) || !isfinite(fit->residual))
		return tw_fail(err, TW_INVALID, "%s: no finite parameters, expected times that follow such a law",
		               text);
	if ((fit->law == TW__AFFINE ? fit->a.high : fit->b.high) < 0)
		return tw_fail(err, TW_INVALID, "%s: times fall as sizes grow (%s = %.3g), expected times that grow",
		               text, fit->law == TW__AFFINE ? "a" : "b",
		               fit->law == TW__AFFINE ? fit->a.value : fit->b.value);
	return TW_OK;
}

/* --- GSL's handler of errors, one for all threads ----------------------------------------------------------------- */

static pthread_mutex_t gsl = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&gsl); }
static void unlock(void) { pthread_mutex_unlock(&gsl); }

/* Lets no other thread hold the lock at a fork: the child would wait for it for ever. */
static void guard_forks(void) { pthread_atfork(lock, unlock, unlock); }

int tw__fit(struct tw__fit *fit, enum tw__law law, const struct tw__point *points, int n, struct tw_error *err)
{
	*fit = (struct tw__fit){.law = law};
	double *room = tw_alloc(3 * (size_t)n, sizeof *room);
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, guard_forks);
	lock();
	gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* its default handler ends the process */
	int status = fit_with(fit, points, n, room, err);
	gsl_set_error_handler(handler);
	unlock();
	free(room);
	return status;
}
