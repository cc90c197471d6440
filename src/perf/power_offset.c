/* Fits the law t = a*s^b+c. Augonnet 2011, algorithm 4, finds a, b and c by a dichotomy on c. In print, its two
 * branches are swapped and the logarithms are missing in its last lines; this is the corrected version. Its result is
 * the start of a non-linear fit, which minimises relative errors and gives the parameters' covariance. */
#include "perf/regression.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

/* The fit's parameters are scaled to be near 1 and nearly independent. Parameter 0 is the logarithm of the power term
 * at size s0, parameter 1 the exponent, parameter 2 the constant. Times are in units of t0. */
enum { ROUNDS = 6 }; /* number of fits: each takes its weights from the fit before */

struct problem {
	const struct tw__point *points;
	double s0, t0;
	double *weigh; /* [points] the times that errors are relative to, in units of t0 */
};

static int residuals(const gsl_vector *parameters, void *context, gsl_vector *f)
{
	const struct problem *p = context;
	double height = gsl_vector_get(parameters, 0), b = gsl_vector_get(parameters, 1);
	for (size_t i = 0; i < f->size; i++) {
		double power = exp(height + b * log(p->points[i].s / p->s0));
		double t = p->points[i].t / p->t0;
		gsl_vector_set(f, i, (power + gsl_vector_get(parameters, 2) - t) / p->weigh[i]);
	}
	return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *parameters, void *context, gsl_matrix *j)
{
	const struct problem *p = context;
	double height = gsl_vector_get(parameters, 0), b = gsl_vector_get(parameters, 1);
	for (size_t i = 0; i < j->size1; i++) {
		double logarithm = log(p->points[i].s / p->s0), t = p->weigh[i];
		double power = exp(height + b * logarithm);
		gsl_matrix_set(j, i, 0, power / t);
		gsl_matrix_set(j, i, 1, power * logarithm / t);
		gsl_matrix_set(j, i, 2, 1 / t);
	}
	return GSL_SUCCESS;
}

/* Returns how close ln s -> ln(t - c) is to a straight line: the absolute correlation coefficient. Fills x and y. */
static double straightness(const struct problem *p, int n, double c, double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		x[i] = log(p->points[i].s / p->s0);
		y[i] = log(p->points[i].t / p->t0 - c);
	}
	return fabs(gsl_stats_correlation(x, 1, y, 1, (size_t)n));
}

/* Finds the start of the fit: a dichotomy on c, in [0, least time). */
static void start(gsl_vector *parameters, const struct problem *p, int n, double *x, double *y)
{
	enum { HALVINGS = 50 };
	double low = 0, high = INFINITY, height, b, cov00, cov01, cov11, sum;
	for (int i = 0; i < n; i++)
		high = fmin(high, p->points[i].t / p->t0);
	high *= 1 - 1e-9;
	for (int i = 0; i < HALVINGS; i++) {
		double c = (low + high) / 2, step = 1e-3 * (high - low);
		if (straightness(p, n, c + step, x, y) > straightness(p, n, c - step, x, y))
			low = c;
		else
			high = c;
	}
	straightness(p, n, low, x, y); /* fills x and y for the c that was found */
	gsl_fit_linear(x, 1, y, 1, (size_t)n, &height, &b, &cov00, &cov01, &cov11, &sum);
	gsl_vector_set(parameters, 0, height);
	gsl_vector_set(parameters, 1, b);
	gsl_vector_set(parameters, 2, low);
}

static void take(struct tw__fit *fit, const struct problem *p, const gsl_vector *parameters,
                 const gsl_matrix *covariance, double factor, double quantile)
{
	double height = gsl_vector_get(parameters, 0), b = gsl_vector_get(parameters, 1);
	double log_s0 = log(p->s0), log_a = height - b * log_s0 + log(p->t0);
	double c = gsl_vector_get(parameters, 2) * p->t0;
	double var_b = gsl_matrix_get(covariance, 1, 1) * factor;
	double var_log_a = gsl_matrix_get(covariance, 0, 0) * factor + log_s0 * log_s0 * var_b -
	                   2 * log_s0 * gsl_matrix_get(covariance, 0, 1) * factor;
	double error_a = quantile * sqrt(var_log_a), error_b = quantile * sqrt(var_b);
	double error_c = quantile * sqrt(gsl_matrix_get(covariance, 2, 2) * factor) * p->t0;
	fit->a = (struct tw__parameter){exp(log_a), exp(log_a - error_a), exp(log_a + error_a)};
	fit->b = (struct tw__parameter){b, b - error_b, b + error_b};
	fit->c = (struct tw__parameter){c, c - error_c, c + error_c};
}

/* Weights errors by the law's own times. Measured times would give too much weight to points that are low by chance. */
static void weigh(struct problem *p, int n, const gsl_vector *parameters)
{
	for (int i = 0; i < n; i++) {
		double power = exp(gsl_vector_get(parameters, 0) +
		                   gsl_vector_get(parameters, 1) * log(p->points[i].s / p->s0));
		double t = power + gsl_vector_get(parameters, 2);
		if (t > 0 && isfinite(t))
			p->weigh[i] = t;
	}
}

static int solve(struct tw__fit *fit, struct problem *p, int n, gsl_multifit_nlinear_workspace *work,
                 gsl_vector *parameters, gsl_matrix *covariance, double quantile, struct tw_error *err)
{
	gsl_multifit_nlinear_fdf system = {.f = residuals, .df = jacobian, .n = (size_t)n, .p = 3, .params = p};
	double squares;
	int info = GSL_SUCCESS;
	for (int round = 0; round < ROUNDS; round++) {
		int status = gsl_multifit_nlinear_init(parameters, &system, work);
		if (status == GSL_SUCCESS)
			status = gsl_multifit_nlinear_driver(200, 1e-10, 1e-12, 0, NULL, NULL, &info, work);
		/* GSL_ENOPROG in a later round: the fit was already at its optimum. */
		if (status != GSL_SUCCESS && !(info == GSL_ENOPROG && round > 0))
			return tw_fail(err, TW_INVALID,
			               "a*s^b+c: the fit does not converge, expected times that follow such a law");
		gsl_vector_memcpy(parameters, gsl_multifit_nlinear_position(work));
		if (round + 1 < ROUNDS)
			weigh(p, n, parameters);
	}
	const gsl_vector *f = gsl_multifit_nlinear_residual(work), *found = gsl_multifit_nlinear_position(work);
	gsl_blas_ddot(f, f, &squares);
	gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, covariance);
	take(fit, p, found, covariance, squares / (n - 3), quantile);
	if (fit->c.value < 0)
		return tw_fail(err, TW_INVALID, "a*s^b+c: the best c is below 0 (%.3g), expected a constant part",
		               fit->c.value);
	return TW_OK;
}

int tw__fit_power_offset(struct tw__fit *fit, const struct tw__point *points, int n, double *room, double quantile,
                         struct tw_error *err)
{
	struct problem p = {.points = points};
	for (int i = 0; i < n; i++) {
		p.s0 += log(points[i].s) / n;
		p.t0 += log(points[i].t) / n;
	}
	p.s0 = exp(p.s0);
	p.t0 = exp(p.t0);
	p.weigh = room + 2 * n;
	for (int i = 0; i < n; i++)
		p.weigh[i] = points[i].t / p.t0;
	const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_workspace *work =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, (size_t)n, 3);
	gsl_vector *parameters = gsl_vector_alloc(3);
	gsl_matrix *covariance = gsl_matrix_alloc(3, 3);
	if (!work || !parameters || !covariance)
		return tw_fail(err, TW_NOMEM, "a*s^b+c: out of memory");
	start(parameters, &p, n, room, room + n);
	int status = solve(fit, &p, n, work, parameters, covariance, quantile, err);
	gsl_multifit_nlinear_free(work);
	gsl_vector_free(parameters);
	gsl_matrix_free(covariance);
	return status;
}
