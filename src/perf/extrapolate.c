/* Kernel times that were not measured, for --extrapolate.
 *
 * If an arch has no time of a kernel, the time comes from a regression over other sizes of the same shape. For a group,
 * the sizes are those measured on as many cores, or else (with --amdahl, always) those of one core, divided by the
 * group's speed-up. The
 * regression is searched under the kernel's name, then under its general name.
 *
 * Then the flop-rate model gives times to kernels that no worker has a time for. The model also serves archs on which
 * other sizes were measured, but too few, or of another shape. Other archs without times of the kernel cannot run
 * it. */
#include "perf/rows.h"

#include <math.h>
#include <string.h>

/* Sets the kernel's time on the arch from a regression. Returns false if no law can be fitted on that arch. */
static bool from_regression(struct tw__times *times, const struct tw__models *models, const struct tw__kernel *kernel,
                            const char *name, const struct tw__arch *arch, int i)
{
	double spread, speedup = 1;
	struct tw__factor *amdahl = tw__amdahl_of(models, kernel, arch);
	double seconds = amdahl ? NAN : tw__regression_seconds(models, kernel, name, arch, arch->cores, &spread);
	if (isnan(seconds) && arch->cores > 1) {
		speedup = tw__group_speedup(amdahl, tw__general_name(name), arch->cores);
		seconds = tw__regression_seconds(models, kernel, name, arch, 1, &spread);
	}
	if (isnan(seconds))
		return false;
	times->mean[i] = seconds / speedup;
	times->stddev[i] = spread * seconds / speedup;
	times->row[i] = TW__EXTRAPOLATED_TIME;
	times->regression = true;
	times->flop_rate |= speedup != 1 && !amdahl;
	if (amdahl)
		amdahl->used = times->amdahl = true;
	return true;
}

/* Whether any size of the kernel was measured on the arch, which shows that the arch can run the kernel. */
static bool has_sizes(const struct tw__models *models, const struct tw__kernel *kernel, const struct tw__arch *arch)
{
	const char *general = tw__general_name(kernel->name);
	for (int i = 0; i < models->n_rows; i++) {
		const struct tw__row *row = &models->rows[i];
		if (strcmp(row->arch, arch->name) == 0 && (row->cores == arch->cores || row->cores == 1) &&
		    strcmp(row->precision, kernel->precision) == 0 &&
		    (strcmp(row->kernel, kernel->name) == 0 || strcmp(row->kernel, general) == 0))
			return true;
	}
	return false;
}

bool tw__extrapolate(struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                     const struct tw_graph *graph, int k, bool can_run)
{
	const struct tw__kernel *kernel = &graph->kernels[k];
	const char *general = tw__general_name(kernel->name);
	bool lacks[p->n_archs + 1];
	if (!models->extrapolate)
		return can_run;
	for (tw_arch a = 0; a < p->n_archs; a++) {
		const struct tw__arch *arch = &p->archs[a];
		int i = k * p->n_archs + a;
		lacks[a] = isnan(times->mean[i]) && tw__may_run(kernel, arch);
		bool found = lacks[a] && from_regression(times, models, kernel, kernel->name, arch, i);
		if (lacks[a] && !found && general != kernel->name)
			found = from_regression(times, models, kernel, general, arch, i);
		lacks[a] &= !found;
		can_run |= found && tw__has_worker(p, a);
	}
	bool nowhere = !can_run;
	for (tw_arch a = 0; a < p->n_archs; a++) {
		if (!lacks[a] || !(nowhere || has_sizes(models, kernel, &p->archs[a])))
			continue;
		double seconds = tw__flop_rate_seconds(models, kernel, &p->archs[a]);
		struct tw__factor *amdahl = isnan(seconds) ? NULL : tw__amdahl_of(models, kernel, &p->archs[a]);
		if (amdahl)
			amdahl->used = times->amdahl = true;
		times->mean[k * p->n_archs + a] = seconds;
		times->row[k * p->n_archs + a] = isnan(seconds) ? TW__NO_TIME : TW__EXTRAPOLATED_TIME;
		times->flop_rate |= !isnan(seconds) && tw__has_worker(p, a);
		can_run |= !isnan(seconds) && tw__has_worker(p, a);
	}
	return can_run;
}
