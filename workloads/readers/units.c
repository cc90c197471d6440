/* Times without a unit, as graphs of scheduling problems have them. */
#include <math.h>

#include "readers/reader.h"

static int take(struct tw__draft *d, const struct tw__reading *reading, int32_t job, double unit_s,
                struct tw_error *err)
{
	struct tw__draft_job *j = &d->jobs[job];
	double seconds = j->seconds * unit_s;
	if (!(seconds <= TW_MAX_SECONDS))
		return tw__draft_fail(d, j->line, err,
		                      "task '%.60s' takes %g units of time, which are %g s, expected at most %g s; or "
		                      "another unit_seconds=",
		                      tw__name_list_text(&d->job_names, job), j->seconds, seconds, TW_MAX_SECONDS);
	j->kernel = tw__draft_kernel(d, "task", "1", "s", 0, reading->recorded ? "processors+accelerators" : NULL,
	                             j->line, err);
	j->seconds = reading->recorded ? tw__draft_seconds(d, seconds) : NAN;
	return j->kernel < 0 ? j->kernel : TW_OK;
}

int tw__take_units(struct tw__draft *d, const struct tw__reading *reading, int32_t entry, int32_t exit,
                   struct tw_error *err)
{
	double unit_s = reading->unit_seconds > 0 ? reading->unit_seconds : 1;
	uint64_t n = 0;
	int status = TW_OK;
	for (int32_t j = 0; j < d->job_names.n && status == TW_OK; j++) {
		if (j == entry || j == exit)
			d->jobs[j].seconds = NAN;
		else if (d->jobs[j].described) {
			status = take(d, reading, j, unit_s, err);
			n++;
		}
	}
	if (reading->recorded && reading->unit_seconds == 0)
		tw__draft_count(d, "times without a unit, counted in seconds (unit_seconds= sets another)", n);
	tw__draft_count(d, "entry and exit that only order", (entry != TW_NONE) + (exit != TW_NONE));
	return status;
}
