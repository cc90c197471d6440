/* --dry-run: the points that a sweep would run, and an estimate of the time. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/load.h"
#include "sweep/sweep.h"

/* Estimated seconds for a point, and for each task of it. Measured with one process: dmdas with noise runs 1,540 tasks
 * in 18 ms, of which 3 ms do not depend on tasks. Policies that plan take several times as long. */
static const double point_s = 0.003, task_s = 0.00001;

/* Returns the number of tasks of a workload; 0: the graph cannot be generated, which the sweep itself reports. */
static double count_tasks(const char *workload)
{
	struct tw_graph *graph;
	struct tw_error ignored;
	if (tw__generate(&graph, workload, &ignored) < 0)
		return 0;
	double tasks = (double)graph->n_tasks;
	tw_graph_destroy(graph);
	return tasks;
}

static int read_rows(struct tw__kept *rows, const struct tw__sweep *sweep, struct tw_error *err)
{
	const char *path = sweep->output;
	*rows = (struct tw__kept){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return TW_OK;
	if (fd < 0)
		return tw_fail(err, TW_INVALID, "--output '%.300s': %s: expected a file that can be read", path,
		               strerror(errno));
	char *header = tw__result_header(&sweep->columns);
	int status = tw__kept_read(rows, fd, path, header, err);
	free(header);
	close(fd);
	return status;
}

int tw__sweep_preview(const struct tw__sweep *sweep, struct tw__preview *preview,
                      void (*point)(void *context, const struct tw__request *), void *context, struct tw_error *err)
{
	struct tw__agenda agenda;
	struct tw__kept rows;
	*preview = (struct tw__preview){0};
	int status = tw__agenda_init(&agenda, sweep, err);
	if (status < 0)
		return status;
	status = read_rows(&rows, sweep, err);
	if (status == TW_OK) {
		tw__agenda_compare(&agenda, &rows, sweep->retry);
		tw__kept_finish(&rows);
	}
	const char *counted = NULL;
	double tasks = 0;
	for (int64_t i = 0; status == TW_OK && i < agenda.n; i++) {
		struct tw__request request;
		tw__inputs_point(sweep->inputs, agenda.missing[i], &request);
		if (request.workload != counted)
			tasks = count_tasks(counted = request.workload);
		preview->tasks += tasks;
		preview->seconds += (point_s + tasks * task_s) / sweep->jobs;
		point(context, &request);
	}
	preview->points = agenda.points;
	preview->missing = agenda.n;
	tw__agenda_finish(&agenda);
	return status;
}
