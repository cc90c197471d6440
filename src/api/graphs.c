/* Graphs of programs: made of a workload's words, and written to files. */
#include "api/api.h"
#include "base/new_file.h"
#include "export/export.h"
#include "graph/parts.h"
#include "request/workload.h"

static int generate(struct tw_graph **graph, const char *workload, struct tw_error *err)
{
	int status = tw__generate(graph, workload, err);
	if (status < 0)
		return status;
	if ((*graph)->priorities == TW__PRIORITIES_BOTTOM_LEVEL)
		return tw_fail(err, TW_INVALID,
		               "workload '%.200s': priority=bottom_level needs kernel times of a platform: expected "
		               "another priority",
		               workload);
	tw__prioritise(*graph, NULL, NULL);
	return TW_OK;
}

int tw_graph_generate(struct tw_graph **graph, const char *workload, struct tw_error *err)
{
	*graph = NULL;
	if (!workload)
		return tw_fail(err, TW_INVALID, "workload: expected its name");
	TW__MAKE_BEHIND_DOOR(graph, tw_graph_destroy, generate(graph, workload, err), err);
}

_Static_assert((int)TW_MOST_JOINED == (int)TW__MOST_PARTS, "one limit, which run.h tells");

static int check_joined(const struct tw_joined_graph *of, struct tw_error *err)
{
	int status = tw_graph_finish(of->graph, err);
	if (status < 0)
		return status;
	if (of->graph->n_parts)
		return tw_fail(err, TW_INVALID, "it has several graphs: expected one");
	if (!(of->arrival_s >= 0 && of->arrival_s <= TW_MAX_SECONDS))
		return tw_fail(err, TW_INVALID, "arrival at %g s: expected a date from 0 to %g", of->arrival_s,
		               TW_MAX_SECONDS);
	return TW_OK;
}

static int join(struct tw_graph **graph, const struct tw_joined_graph *of, int n, struct tw_error *err)
{
	struct tw__joined joined[TW_MOST_JOINED];
	int status = TW_OK;
	if (!of || n < 1 || n > TW_MOST_JOINED)
		return tw_fail(err, TW_INVALID, "%d graphs to join: expected 1 to %d", of ? n : 0, TW_MOST_JOINED);
	for (int i = 0; i < n && status == TW_OK; i++) {
		status = check_joined(&of[i], err);
		if (status < 0)
			return tw_fail(err, status, "graph %d to join: %s", i, err->message);
		joined[i] = (struct tw__joined){of[i].graph, of[i].arrival_s, of[i].domain};
	}
	return tw__graph_join(graph, joined, n, err);
}

int tw_graph_join(struct tw_graph **graph, const struct tw_joined_graph *of, int n, struct tw_error *err)
{
	TW__MAKE_BEHIND_DOOR(graph, tw_graph_destroy, join(graph, of, n, err), err);
}

static int write_graph(const struct tw_graph *graph, const char *path, struct tw_error *err)
{
	struct tw__new_file file = {0};
	int format = tw__export_format(path, err);
	if (format < 0)
		return format;
	if (graph->build)
		return tw_fail(err, TW_INVALID, "'%.200s': expected a graph that tw_graph_finish has finished", path);
	int status = tw__new_file_open(&file, path, err);
	if (status < 0)
		return status;
	status = tw__export(file.f, format, graph, err);
	if (status < 0)
		tw__new_file_drop(&file);
	else
		status = tw__new_file_close(&file, err);
	return status;
}

int tw_graph_write(const struct tw_graph *graph, const char *path, struct tw_error *err)
{
	if (!path)
		return tw_fail(err, TW_INVALID, "file: expected its path");
	TW__RETURN_BEHIND_DOOR(write_graph(graph, path, err), err);
}
