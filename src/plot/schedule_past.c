/* Reads a schedule from a trace that shows nothing but holds the whole run: a folder of tables, or a record alone. The
 * run is written as Paje, as it would have been after the run. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/past.h"
#include "plot/schedule.h"
#include "trace/formats.h"

bool tw__schedule_is_past(const char *path)
{
	struct stat about;
	return (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) || tw__schedule_ends_with(path, ".record");
}

static int write_paje(FILE *f, const struct tw__past *past)
{
	const struct tw__explained_run run = tw__past_explained(past);
	const struct tw__traced traced = {.platform = run.platform,
	                                  .graph = run.graph,
	                                  .record = run.record,
	                                  .workload = past->request.workload,
	                                  .policy = past->request.policy,
	                                  .capacity = run.capacity,
	                                  .shares = run.shares};
	struct tw__trace trace;
	tw__record_sort(run.record);
	if (!tw__trace_init(&trace, &traced))
		return TW_NOMEM;
	int status = tw__write_paje(f, &trace);
	tw__trace_finish(&trace);
	return status;
}

int tw__schedule_read_past(struct tw__schedule *s, const char *path, struct tw_error *err)
{
	struct tw__past past;
	FILE *f = NULL;
	int status = tw__past_open_whole(&past, path, err);
	if (status == TW_OK && !(f = tmpfile()))
		status = tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
	if (status == TW_OK && write_paje(f, &past) < 0)
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	if (status == TW_OK && fseek(f, 0, SEEK_SET) != 0)
		status = tw_fail(err, TW_FAILED, "%s: the temporary file cannot be written: %s", path, strerror(errno));
	if (status == TW_OK)
		status = tw__schedule_read_paje(s, f, path, err);
	if (f)
		fclose(f);
	tw__past_close(&past);
	return status;
}
