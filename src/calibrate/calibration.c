#include "calibrate/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>

static bool is_same(const struct tw__calibrated *c, const char *kernel, const char *arch, int cores, const char *size,
                    const char *precision)
{
	return c->cores == cores && strcmp(c->kernel, kernel) == 0 && strcmp(c->arch, arch) == 0 &&
	       strcmp(c->size, size) == 0 && strcmp(c->precision, precision) == 0;
}

/* Copies the names of an entry into one allocation, which begins at c->kernel. */
static void set_names(struct tw__calibrated *c, const char *workload, const char *kernel, const char *arch,
                      const char *size, const char *precision)
{
	const char *texts[] = {kernel, arch, size, precision, workload};
	char **members[] = {&c->kernel, &c->arch, &c->size, &c->precision, &c->workload};
	size_t bytes = 0;
	for (int i = 0; i < 5; i++)
		bytes += strlen(texts[i]) + 1;
	char *at = tw_alloc(bytes, 1);
	for (int i = 0; i < 5; i++) {
		*members[i] = at;
		at = stpcpy(at, texts[i]) + 1;
	}
}

int tw__calibration_entry(struct tw__calibration *c, const char *workload, const char *kernel, const char *arch,
                          int cores, const char *size, const char *precision)
{
	for (int i = 0; i < c->n; i++)
		if (is_same(&c->kernels[i], kernel, arch, cores, size, precision))
			return i;
	TW_RESERVE(c->kernels, c->capacity, (size_t)c->n + 1);
	c->kernels[c->n] = (struct tw__calibrated){.cores = cores};
	set_names(&c->kernels[c->n], workload, kernel, arch, size, precision);
	return c->n++;
}

void tw__calibration_finish(struct tw__calibration *c)
{
	for (int i = 0; i < c->n; i++) {
		free(c->kernels[i].kernel);
		free(c->kernels[i].executions);
	}
	free(c->kernels);
	tw__buses_finish(&c->buses);
	tw__platform_destroy(c->platform);
	*c = (struct tw__calibration){0};
}

void tw__calibrated_add(struct tw__calibrated *c, struct tw__execution e)
{
	TW_RESERVE(c->executions, c->capacity, c->n + 1);
	c->executions[c->n++] = e;
}

enum tw__verdict *tw__calibrated_estimate(struct tw__calibrated *c)
{
	double *room = tw_alloc(c->n, sizeof *room);
	enum tw__verdict *verdicts = tw_alloc(c->n, sizeof *verdicts);
	tw__estimate(&c->estimate, c->executions, c->n, verdicts, room);
	c->estimated = c->n;
	free(room);
	return verdicts;
}

double tw__calibrated_launch_s(const struct tw__calibrated *c)
{
	double *launches = tw_alloc(c->n + 1, sizeof *launches), usual_s = c->past_launch_s;
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		if (c->executions[i].launch_s > 0)
			launches[n++] = c->executions[i].launch_s;
	gsl_sort(launches, 1, n);
	if (n)
		usual_s = launches[n / 10];
	free(launches);
	return usual_s;
}

bool tw__calibrated_is_wide(const struct tw__calibrated *c)
{
	return c->estimated == 0 ||
	       (c->estimate.n[TW__COUNTS] < TW__MOST_EXECUTIONS && tw__estimate_is_wide(&c->estimate));
}
