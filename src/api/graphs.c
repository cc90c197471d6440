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

int tw_graph_join(struct tw_graph **graph, const struct tw_joined_graph *of, int n, struct tw_error *err)
{
	TW__MAKE_BEHIND_DOOR(graph, tw_graph_destroy, tw__graph_join(graph, of, n, err), err);
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
