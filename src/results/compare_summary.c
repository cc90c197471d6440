/* Means, medians and worst values of the pairs of a comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/compare.h"

int tw__comparison_summary(const struct tw__comparison *c, const struct tw__rows *a, const char *policy,
                           struct tw__summary *s, struct tw_error *err)
{
	double *ratios = calloc((size_t)c->n + 1, sizeof *ratios), *errors = calloc((size_t)c->n + 1, sizeof *errors);
	int column = tw__rows_column(a, "policy");
	*s = (struct tw__summary){0};
	for (int i = 0; ratios && errors && i < c->n; i++) {
		const struct tw__pair *p = &c->pairs[i];
		if (policy && strcmp(tw__rows_text(a, p->a, column), policy) != 0)
			continue;
		if (s->n == 0 || fabs(p->error) > s->error_worst) {
			s->error_worst = fabs(p->error);
			s->ratio_worst = p->ratio;
		}
		ratios[s->n] = p->ratio;
		errors[s->n++] = fabs(p->error);
	}
	int status = ratios && errors ? TW_OK : tw_fail(err, TW_NOMEM, "compare: out of memory");
	if (status == TW_OK) {
		s->ratio_mean = tw__stats_of(ratios, s->n).mean;
		s->error_mean = tw__stats_of(errors, s->n).mean;
		s->ratio_median = tw__median_of(ratios, s->n);
		s->error_median = tw__median_of(errors, s->n);
	}
	free(ratios);
	free(errors);
	return status;
}

/* Reorders the speed-ups. */
static struct tw__speedup_summary speedup_of(double *speedups, int n)
{
	struct tw__stats stats = tw__stats_of(speedups, n);
	return (struct tw__speedup_summary){stats.mean, tw__median_of(speedups, n), stats.least};
}

int tw__comparison_speedups(const struct tw__comparison *c, struct tw__speedup_summary *average,
                            struct tw__speedup_summary *minimum, struct tw_error *err)
{
	double *speedups = calloc((size_t)c->n + 1, sizeof *speedups);
	if (!speedups)
		return tw_fail(err, TW_NOMEM, "compare: out of memory");
	for (int p = 0; p < c->n; p++)
		speedups[p] = tw__speedup_average(&c->pairs[p]);
	*average = speedup_of(speedups, c->n);
	for (int p = 0; p < c->n; p++)
		speedups[p] = tw__speedup_minimum(&c->pairs[p]);
	*minimum = speedup_of(speedups, c->n);
	free(speedups);
	return TW_OK;
}
