/* Kernel times without measurements: the kernel's flops over a fraction of the arch's best measured gemm rate. A
 * group of c cores takes the time of one core divided by c^e, or follows Amdahl's law (--amdahl).
 *
 * The fractions are those of double precision and tiles of 960 in Beaumont et al. 2016, Table I (a GPU and a core of
 * one node). The fractions of getrf are from the node mirage. Kernels on two tiles that are not in the paper (ttqrt,
 * ttmqr) count as similar ones (tsqrt, tsmqr). The fractions of the stencil are from mirage's blocks of 256 cells a
 * side, one byte each. No gemm exists for bytes, so these are fractions of gemm's rate in single precision, and an
 * integer operation counts as a flop. life_update counts as the stencil's update. The other fractions are guesses
 * between gemm and the slowest kernel of the arch. In reality smaller tiles are less efficient; the model ignores this.
 *
 * e is the decimal logarithm of the same table's row "10 cores / 1 core". For tsqrt e is below 0, because a group slows
 * it down. Compared with the table's other rows, times of groups are too long: by 5 to 27 % on 5 cores, and by 5 to
 * 16 % on 2 cores. The errors of gemm are 7 and 5 %. Those of tsqrt are 56 and 28 %, because a group of 5 cores still
 * speeds it up. The paper has no getrf: it counts as potrf. Other kernels count as gemm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf/rows.h"

struct efficiency {
	const char *kernel;
	double processor, accelerator; /* the kernel's flop/s on this kind of worker, as a fraction of gemm's */
	double ten_cores;              /* speed-up of the kernel on 10 cores over one core */
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

const char *tw__general_name(const char *kernel)
{
	const char *dot = strrchr(kernel, '.');
	return dot ? dot + 1 : kernel;
}

struct tw__factor *tw__amdahl_of(const struct tw__models *models, const struct tw__kernel *kernel,
                                 const struct tw__arch *arch)
{
	return models->amdahl && arch->cores > 1 ? tw__factor_of(models->amdahl, kernel, arch) : NULL;
}

double tw__group_speedup(const struct tw__factor *amdahl, const char *kernel, int cores)
{
	return amdahl ? 1 / (amdahl->value + (1 - amdahl->value) / cores)
	              : pow(cores, log10(efficiency_of(kernel)->ten_cores));
}

/* Whether a side of a tile is plausible. Sizes are any text, so a side may have 300 digits; it then gives no rate. */
static bool is_side(double elements) { return elements >= 1 && elements <= 1e9; }

/* Returns the flops of a gemm of a size: "960" means square tiles, "960x3840+3840x960" A (m x k) and B (k x n). 0: the
 * size has neither form. */
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

/* Returns the flop/s of the fastest gemm measured on this number of cores of the arch, or on the accelerator, in that
 * precision. 0: no gemm was measured. */
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
	return one / tw__group_speedup(tw__amdahl_of(models, kernel, arch), name, arch->cores);
}

double tw__gemm_peak(const struct tw__models *models, const struct tw__arch *arch, const char *precision)
{
	double peak = gemm_rate(models, arch->name, arch->cores, precision);
	return peak > 0 ? peak
	                : gemm_rate(models, arch->name, 1, precision) * tw__group_speedup(NULL, "gemm", arch->cores);
}
