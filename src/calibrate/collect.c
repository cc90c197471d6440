#include "calibrate/calibrate.h"

#include <stdlib.h>

struct shift {
	const struct tw__collect *collect;
	int number;
	double until_s;
	struct tw_error *err;
	int status;
};

static int entry_of(const struct tw__collect *c, tw_worker w, tw_kernel k)
{
	return c->entry[k * c->platform->n_archs + c->platform->workers[w].arch];
}

/* Whether worker `w` has to execute kernel `k` again, because its time is uncertain. When the time is over, only
 * kernels without any execution are wanted. */
static bool is_wanted(const struct shift *s, tw_worker w, tw_kernel k, bool time_is_over)
{
	const struct tw__collect *c = s->collect;
	int entry = entry_of(c, w, k);
	if (entry == TW_NONE || !c->source->has(c->source->bench, s->number, w, k))
		return false;
	const struct tw__calibrated *kernel = &c->calibration->kernels[entry];
	return time_is_over ? kernel->n == 0 : tw__calibrated_is_wide(kernel);
}

static bool wants_more(const struct shift *s)
{
	const struct tw__collect *c = s->collect;
	bool is_over = c->source->now(c->source->bench) >= s->until_s;
	for (tw_worker w = 0; w < c->platform->n_workers; w++)
		for (tw_kernel k = 0; k < c->n_kernels; k++)
			if (is_wanted(s, w, k, is_over))
				return true;
	return false;
}

/* Whether the estimate of a kernel's time must be updated: after 4 + n/16 new executions, because an estimate sorts all
 * executions. */
static bool is_due(const struct tw__calibrated *kernel)
{
	return kernel->n >= kernel->estimated + 4 + kernel->estimated / 16;
}

static bool take(void *context, const struct tw__timed_kernel *timed)
{
	struct shift *s = context;
	const struct tw__collect *c = s->collect;
	int entry = entry_of(c, timed->worker, timed->kernel);
	if (entry == TW_NONE)
		return wants_more(s);
	struct tw__calibrated *kernel = &c->calibration->kernels[entry];
	const struct tw__execution e = {.seconds = timed->seconds,
	                                .launch_s = timed->launch_s,
	                                .worker = timed->worker,
	                                .interrupted = timed->interrupted};
	tw__calibrated_add(kernel, e);
	if (!c->tell(c->context, entry, &e)) {
		s->status = tw_fail(s->err, TW_FAILED, "calibration: the parent process no longer reads");
		return false;
	}
	if (is_due(kernel))
		free(tw__calibrated_estimate(kernel));
	return wants_more(s);
}

int tw__collect(const struct tw__collect *c, struct tw_error *err)
{
	const int n = c->source->n_shifts(c->source->bench);
	int status = TW_OK;
	for (int i = 0; i < n && status == TW_OK; i++) {
		struct shift s = {.collect = c, .number = i, .err = err};
		s.until_s = c->source->now(c->source->bench) + c->limit_s / n;
		if (wants_more(&s))
			status = c->source->kernels(c->source->bench, i, take, &s, err);
		if (status == TW_OK)
			status = s.status;
	}
	return status;
}
