#include "perf/noise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include <tilewright/graph.h>

#include "base/random.h"
#include "base/spec.h"

/* The greatest amounts. A wider normal distribution would lose too much of its tail, see normal(). */
static const double most_normal = 0.3, most_lognormal = 3;

int tw__noise_parse(struct tw__noise *noise, const char *text, struct tw_error *err)
{
	static const char lognormal[] = "lognormal:", normal[] = "normal:";
	struct tw_error ignored;
	*noise = (struct tw__noise){.kind = TW__NOISE_MEASURED};
	if (strcmp(text, "measured") == 0)
		return TW_OK;
	noise->kind = TW__NOISE_EMPIRICAL;
	if (strcmp(text, "empirical") == 0)
		return TW_OK;
	const char *number = text;
	noise->kind = TW__NOISE_NORMAL;
	if (strncmp(text, lognormal, strlen(lognormal)) == 0) {
		noise->kind = TW__NOISE_LOGNORMAL;
		number += strlen(lognormal);
	} else if (strncmp(text, normal, strlen(normal)) == 0) {
		number += strlen(normal);
	}
	double most = noise->kind == TW__NOISE_NORMAL ? most_normal : most_lognormal;
	if (tw__parse_real(&noise->amount, number, &ignored) < 0)
		return tw_fail(
			err, TW_INVALID,
			"noise '%.100s': expected a standard deviation relative to the mean (0.02), normal:0.02, "
			"lognormal:0.05, measured or empirical",
			text);
	if (noise->amount < 0 || noise->amount > most)
		return tw_fail(err, TW_INVALID, "noise '%.100s': expected a standard deviation from 0 to %g%s", text,
		               most,
		               noise->kind == TW__NOISE_NORMAL && noise->amount > most ? ", or a lognormal one" : "");
	if (noise->amount == 0)
		noise->kind = TW__NOISE_NONE;
	return TW_OK;
}

static double uniform(const struct tw__noise *noise, uint64_t arch, tw_task t, uint64_t attempt)
{
	enum tw__stream stream = noise->kind == TW__NOISE_EXPONENT ? TW__STREAM_BELIEF : TW__STREAM_NOISE;
	const uint64_t number = (uint64_t)(t < noise->n_numbers ? noise->numbers[t] : t + noise->first);
	return tw__random_at(noise->seed, stream, arch, number, attempt);
}

/* Draws a normal factor between 0 and 2. Factors outside are drawn again, on both sides, so that the mean stays 1. */
static double normal(const struct tw__noise *noise, uint64_t arch, tw_task t)
{
	for (uint64_t attempt = 0;; attempt++) {
		double factor = 1 + noise->amount * gsl_cdf_ugaussian_Pinv(uniform(noise, arch, t, attempt));
		if (factor > 0 && factor < 2)
			return factor;
	}
}

/* Draws a lognormal factor with mean 1 and the given relative deviation, which is capped at 1000. */
static double lognormal(const struct tw__noise *noise, double deviation, uint64_t arch, tw_task t)
{
	double variance = log1p(pow(fmin(deviation, 1000), 2)); /* variance of the factor's logarithm */
	return exp(sqrt(variance) * gsl_cdf_ugaussian_Pinv(uniform(noise, arch, t, 0)) - variance / 2);
}

/* Draws the belief of Augonnet 2011, section 3.5.4: instead of P, e^(a ln P) with a in [1 - amount, 1 + amount]. The
 * effect depends on the unit of P: microseconds, as in StarPU's models. */
static double other_exponent(const struct tw__noise *noise, double seconds, uint64_t arch, tw_task t)
{
	double exponent = 1 + noise->amount * (2 * uniform(noise, arch, t, 0) - 1);
	return pow(seconds * 1e6, exponent) / 1e6;
}

static double drawn(const struct tw__noise *noise, double seconds, double stddev, uint64_t arch, tw_task t)
{
	switch (noise->kind) {
	case TW__NOISE_NONE:
		break;
	case TW__NOISE_NORMAL:
		return seconds * normal(noise, arch, t);
	case TW__NOISE_LOGNORMAL:
		return seconds * lognormal(noise, noise->amount, arch, t);
	case TW__NOISE_MEASURED:
	case TW__NOISE_EMPIRICAL:
		return stddev > 0 ? seconds * lognormal(noise, stddev / seconds, arch, t) : seconds;
	case TW__NOISE_GIVEN:
		return t < noise->n_given ? seconds * noise->given[t] : seconds;
	case TW__NOISE_EXPONENT:
		return other_exponent(noise, seconds, arch, t);
	}
	return seconds;
}

double tw__noise_apply(const struct tw__noise *noise, double seconds, double stddev, uint64_t arch, tw_task t)
{
	return seconds > 0 ? fmin(drawn(noise, seconds, stddev, arch, t), TW_MAX_SECONDS) : seconds;
}

double tw__noise_draw(const struct tw__noise *noise, double seconds, const double *factors, size_t n, uint64_t arch,
                      tw_task t)
{
	size_t place = (size_t)(uniform(noise, arch, t, 0) * (double)n);
	double drawn = seconds * factors[place < n ? place : n - 1];
	return seconds > 0 ? fmin(drawn, TW_MAX_SECONDS) : seconds;
}
