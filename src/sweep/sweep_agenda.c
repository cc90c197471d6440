/* The points of a sweep that its file has no rows of, and --dry-run, which shows them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/load.h"
#include "request/identity.h"
#include "sweep/sweep.h"

struct tw__candidate {
	char identity[TW__DIGEST_TEXT];
	int64_t point;
};

static int by_identity(const void *a, const void *b)
{
	const struct tw__candidate *left = a, *right = b;
	int order = strcmp(left->identity, right->identity);
	return order ? order : (left->point > right->point) - (left->point < right->point);
}

static int by_number(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

/* Computes the identities of all points of the shard. */
static int identify(struct tw__agenda *agenda, const struct tw__sweep *sweep, struct tw_error *err)
{
	int status = TW_OK;
	const int64_t all = tw__inputs_points(sweep->inputs);
	for (int64_t i = sweep->shard - 1; status == TW_OK && i < all; i += sweep->n_shards) {
		struct tw__request request;
		struct tw__candidate *candidate = &agenda->candidates[agenda->n_candidates++];
		tw__inputs_point(sweep->inputs, i, &request);
		candidate->point = i;
		status = tw__identify(&agenda->identifier, &request, candidate->identity, err);
	}
	return status;
}

int tw__agenda_init(struct tw__agenda *agenda, const struct tw__sweep *sweep, struct tw_error *err)
{
	*agenda = (struct tw__agenda){0};
	size_t most = (size_t)(tw__inputs_points(sweep->inputs) / sweep->n_shards) + 1;
	agenda->candidates = tw_alloc(most, sizeof *agenda->candidates);
	agenda->missing = tw_alloc(most, sizeof *agenda->missing);
	int status = identify(agenda, sweep, err);
	if (status < 0)
		tw__agenda_finish(agenda);
	return status;
}

/* Points with the same identity run once, for example `--eviction lru` and no --eviction for a policy whose default is
 * lru. */
void tw__agenda_compare(struct tw__agenda *agenda, const struct tw__kept *rows, bool retry)
{
	const struct tw__candidate *candidates = agenda->candidates;
	qsort(agenda->candidates, agenda->n_candidates, sizeof *agenda->candidates, by_identity);
	for (size_t i = 0; i < agenda->n_candidates; i++) {
		if (i > 0 && strcmp(candidates[i].identity, candidates[i - 1].identity) == 0)
			continue;
		const struct tw__row_key *row = tw__kept_find(rows, candidates[i].identity);
		bool counts = row && !(row->failed && retry);
		agenda->points++;
		agenda->there += counts;
		agenda->there_failed += counts && row->failed;
		if (!counts)
			agenda->missing[agenda->n++] = candidates[i].point;
	}
	if (agenda->n > 0)
		qsort(agenda->missing, (size_t)agenda->n, sizeof *agenda->missing, by_number);
	free(agenda->candidates);
	agenda->candidates = NULL;
}

void tw__agenda_finish(struct tw__agenda *agenda)
{
	tw__identifier_finish(&agenda->identifier);
	free(agenda->candidates);
	free(agenda->missing);
	*agenda = (struct tw__agenda){0};
}

/* --- --dry-run ---------------------------------------------------------------------------------------------------- */

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
                      void (*point)(const struct tw__request *), struct tw_error *err)
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
		point(&request);
	}
	preview->points = agenda.points;
	preview->missing = agenda.n;
	tw__agenda_finish(&agenda);
	return status;
}
