/* Kernel times without measurements: flops over a part of the arch's best measured gemm rate; on a group of c cores, the time
 * of one core over c^e.
 *
 * The parts are those of double precision and tiles of 960 in Beaumont et al. 2016, Table I (a GPU and a core of one node),
 * getrf's those of the node mirage. Kernels on two tiles of which the paper says nothing (ttqrt, ttmqr) count as the like of
 * them (tsqrt, tsmqr). Those of the stencil are of mirage's blocks of 256 cells a side, of one byte each: on these gemm works
 * nowhere, so that they are parts of its rate in single precision, an integer operation counting as a flop; life_update
 * counts as the stencil's update. The rest are guesses between gemm and what suits an arch least. Smaller tiles are less
 * efficient in truth; this model does not know.
 *
 * e is the decimal logarithm of the same table's row "10 cores / 1 core": below 0 for tsqrt, which a group slows down. Against
 * the table's other rows such times are too long: by 5 to 27 % on 5 cores and 5 to 16 % on 2 (gemm: 7 and 5 %), tsqrt's by 56
 * and 28 %, as a group of 5 still speeds that up. Of getrf the paper says nothing: it counts as potrf; other kernels as gemm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf/rows.h"

struct efficiency {
	const char *kernel;
	double processor, accelerator; /* parts of gemm's rate */
	double ten_cores;              /* how many times as fast as one */
};
static const struct efficiency efficiencies[] = {
	{"gemm", 1, 1, 7.77},
	{"syrk", 0.865, 0.809, 6.90},
	{"trsm", 0.944, 0.286, 6.75},
	{"trsm_l", 0.944, 0.286, 6.75},
	{"trsm_u", 0.944, 0.286, 6.75},
	{"potrf", 0.762, 0.0455, 5.55},
	{"getrf", 0.227, 0.0171, 5.55},
	{"geqrt", 0.606, 0.0402, 1.65},
	{"ormqr", 0.926, 0.511, 4.10},
	{"tsqrt", 0.484, 0.0314, 0.73},
	{"tsmqr", 0.903, 0.459, 6.94},
	{"ttqrt", 0.484, 0.0314, 0.73},
	{"ttmqr", 0.903, 0.459, 6.94},
	{"cl_update", 0.179, 0.0584, 7.77},
	{"life_update", 0.179, 0.0584, 7.77},
	{"save_cl_top", 0.13, 0.0045, 7.77},
	{"save_cl_bottom", 0.13, 0.0045, 7.77},
};
static const struct efficiency other = {"", 0.5, 0.2, 7.77};

static const struct efficiency *efficiency_of(const char *kernel)
{
	for (size_t i = 0; i < sizeof efficiencies / sizeof efficiencies[0]; i++)
		if (strcmp(efficiencies[i].kernel, kernel) == 0)
			return &efficiencies[i];
	return &other;
}

double tw__group_speedup(const char *kernel, int cores) { return pow(cores, log10(efficiency_of(kernel)->ten_cores)); }

/* Sizes are any text: a number of 300 digits gives no rate. */
static bool is_side(double elements) { return elements >= 1 && elements <= 1e9; }

/* Of a gemm: "960" stands for square tiles, "960x3840+3840x960" for A (m x k) and B (k x n). 0: of neither form. */
static double gemm_flops(const char *size)
{
	char *end;
	double m = strtod(size, &end), k = m, n = m;
	if (*end == 'x') {
		k = strtod(end + 1, &end);
		if (*end != '+' || strtod(end + 1, &end) != k || *end != 'x')
			return 0;
		n = strtod(end + 1, &end);
		end += strlen(*end == '+' ? end : "");
	}
	return *end == '\0' && is_side(m) && is_side(k) && is_side(n) ? 2 * m * k * n : 0;
}

/* Flop/s of the best gemm measured on so many cores of the arch, or on the accelerator, in that precision; 0: none is. */
static double gemm_rate(const struct tw__models *models, const char *arch, int cores, const char *precision)
{
	double best = 0;
	for (int i = 0; i < models->n_rows; i++) {
		const struct tw__row *row = &models->rows[i];
		if (strcmp(tw__general_name(row->kernel), "gemm") == 0 && strcmp(row->arch, arch) == 0 &&
		    strcmp(row->precision, precision) == 0 && row->cores == cores)
			best = fmax(best, gemm_flops(row->size) / (row->mean_us / 1e6));
	}
	return best;
}

double tw__flop_rate_seconds(const struct tw__models *models, const struct tw__kernel *kernel,
                             const struct tw__arch *arch)
{
	const char *name = tw__general_name(kernel->name);
	const struct efficiency *e = efficiency_of(name);
	double rate = gemm_rate(models, arch->name, 1, strcmp(kernel->precision, "b") == 0 ? "s" : kernel->precision);
	if (rate <= 0 || kernel->flops <= 0)
		return NAN;
	double one = kernel->flops / (rate * (arch->accelerator ? e->accelerator : e->processor));
	return one / tw__group_speedup(name, arch->cores);
}

double tw__gemm_peak(const struct tw__models *models, const struct tw__arch *arch, const char *precision)
{
	double peak = gemm_rate(models, arch->name, arch->cores, precision);
	return peak > 0 ? peak : gemm_rate(models, arch->name, 1, precision) * tw__group_speedup("gemm", arch->cores);
}
