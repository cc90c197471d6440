/* The code of a pool's process, which makes rows of points. It may serve several points of one scene, and frees the
 * memory of each. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiment/child.h"
#include "experiment/load.h"
#include "process/fork.h"
#include "sweep/sweep.h"

static char *print_row(const struct tw__column_choice *columns, const struct tw__result *result, size_t *bytes)
{
	char *row;
	FILE *f = tw__text_open(&row, bytes);
	tw__result_write_row(f, columns, result);
	tw__text_close(f);
	return row;
}

bool tw__stops_sweep(int status) { return status == TW_SYSTEM; }

static struct tw__report make_report(const struct tw__result *result)
{
	struct tw__report report;
	memset(&report, 0, sizeof report); /* zero the padding, too, as all bytes are sent */
	report.status = result->status;
	report.makespan_s = tw__seconds(result->counters.makespan);
	report.gflops = result->gflops;
	memcpy(report.message, result->message, sizeof report.message);
	return report;
}

void tw__refused_row(struct tw__finished *finished, const struct tw__column_choice *columns,
                     const struct tw__point *point, const char *message)
{
	struct tw__result result;
	tw__result_refuse(&result, &point->request, message);
	memcpy(result.identity, point->identity, sizeof result.identity);
	finished->request = point->request;
	finished->row = print_row(columns, &result, &finished->row_bytes);
	finished->report = make_report(&result);
}

/* Sends report and row of a point to the parent. On failure the process exits, which tells the parent. */
static void send_row(int fd, const struct tw__column_choice *columns, const struct tw__result *result, int status)
{
	size_t bytes;
	char *row = print_row(columns, result, &bytes);
	struct tw__report report = make_report(result);
	report.stops = tw__stops_sweep(status);
	tw__send(fd, &report, sizeof report, row, bytes);
	free(row);
}

static void serve(const struct tw__scene *scene, const struct tw__column_choice *columns, const struct tw__point *point,
                  int fd, struct tw__watched_run *watched)
{
	static struct tw__outcome outcome;
	static struct tw__result result;
	struct tw__plan plan;
	struct tw_error err = {0};
	int status = tw__limit_begin(watched, point->request.time_limit_s, &err);
	if (status == TW_OK)
		status = tw__plan_init(&plan, &point->request, scene, &err);
	bool planned = status == TW_OK;
	if (planned) {
		tw__result_begin(&result, &plan);
		tw__plan_run_here(&plan, &watched->pulse, &outcome, NULL);
		tw__result_end(&result, &plan, &outcome);
		status = outcome.status;
	} else {
		tw__result_refuse(&result, &point->request, err.message);
	}
	tw__limit_end(watched);
	memcpy(result.identity, point->identity, sizeof result.identity);
	send_row(fd, columns, &result, status);
	if (planned && !outcome.counters.hangs)
		tw__plan_finish(&plan);
}

void tw__points_serve(const struct tw__scene *scene, const struct tw__column_choice *columns, bool once, int fd,
                      struct tw__watched_run *watched)
{
	struct tw__point point;
	while (tw__read_all(fd, &point, sizeof point) == sizeof point) {
		serve(scene, columns, &point, fd, watched);
		if (once)
			return;
	}
	tw__check_leaks();
}
