/* Kernel times without measurements: flops over a part of the arch's best measured gemm rate.
 *
 * The parts are those of double precision and tiles of 960 in Beaumont et al. 2016, Table I (a GPU and a core of one node),
 * getrf's those of the node mirage. Kernels on two tiles of which the paper says nothing (ttqrt, ttmqr) count as the like of
 * them (tsqrt, tsmqr). The rest are guesses between gemm and what suits an arch least. Smaller tiles are less efficient in
 * truth; this model does not know. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf/rows.h"

static const struct {
	const char *kernel;
	double processor, accelerator;
} efficiencies[] = {
	{"gemm", 1, 1},           {"syrk", 0.865, 0.809},   {"trsm", 0.944, 0.286},   {"potrf", 0.762, 0.0455},
	{"trsm_l", 0.944, 0.286}, {"trsm_u", 0.944, 0.286}, {"getrf", 0.227, 0.0171}, {"geqrt", 0.606, 0.0402},
	{"ormqr", 0.926, 0.511},  {"tsqrt", 0.484, 0.0314}, {"tsmqr", 0.903, 0.459},  {"ttqrt", 0.484, 0.0314},
	{"ttmqr", 0.903, 0.459},
};
static const double other_processor = 0.5, other_accelerator = 0.2;

static double efficiency(const char *kernel, bool accelerator)
{
	for (size_t i = 0; i < sizeof efficiencies / sizeof efficiencies[0]; i++)
		if (strcmp(efficiencies[i].kernel, kernel) == 0)
			return accelerator ? efficiencies[i].accelerator : efficiencies[i].processor;
	return accelerator ? other_accelerator : other_processor;
}

/* Of a gemm: "960" stands for square tiles, "960x3840+3840x960" for A (m x k) and B (k x n). 0: of neither form. */
static double gemm_flops(const char *size)
{
	char *end;
	double m = strtod(size, &end);
	if (*end == '\0')
		return 2 * m * m * m;
	if (*end != 'x')
		return 0;
	double k = strtod(end + 1, &end);
	if (*end != '+' || strtod(end + 1, &end) != k || *end != 'x')
		return 0;
	double n = strtod(end + 1, &end);
	return *end == '\0' || *end == '+' ? 2 * m * k * n : 0;
}

/* Flop/s of the best gemm measured on the arch in that precision; 0: none is. */
static double gemm_rate(const struct tw__models *models, const char *arch, const char *precision)
{
	double best = 0;
	for (int i = 0; i < models->n_rows; i++) {
		const struct tw__row *row = &models->rows[i];
		if (strcmp(tw__general_name(row->kernel), "gemm") == 0 && strcmp(row->arch, arch) == 0 &&
		    strcmp(row->precision, precision) == 0 && row->cores == 1)
			best = fmax(best, gemm_flops(row->size) / (row->mean_us / 1e6));
	}
	return best;
}

double tw__flop_rate_seconds(const struct tw__models *models, const struct tw__kernel *kernel,
                             const struct tw__arch *arch)
{
	double rate = gemm_rate(models, arch->name, kernel->precision);
	if (rate <= 0 || kernel->flops <= 0)
		return NAN;
	return kernel->flops / (rate * efficiency(tw__general_name(kernel->name), arch->accelerator));
}
