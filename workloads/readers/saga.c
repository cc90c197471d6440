/* Reads task graphs of the project SAGA in JSON, as the collection DAGBench has them. A file is an instance of a
 * scheduling problem, with "task_graph" and "network", or a task graph alone. Tasks have costs, and dependencies
 * have sizes, both without a unit: a worker of speed 1 takes one unit of time for one unit of cost. */
#include "readers/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/json.h"

struct saga {
	struct tw__json json;
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
};

static int read_number(const struct saga *f, const struct tw__json_at *in, const char *key, double *number)
{
	struct tw__json_at at = tw__json_member(in, key);
	int status = tw__json_real(&f->json, &at, number, f->err);
	return status == TW_OK && *number < 0 ? tw__json_fail(&f->json, &at, f->err, "%g, expected 0 or more", *number)
	                                      : status;
}

static void count_unknown(const struct saga *f, const struct tw__json_at *in, size_t known)
{
	tw__draft_count(f->draft, "unknown members left out", json_object_size(in->value) - known);
}

static int read_task(struct saga *f, const struct tw__json_at *at, size_t index, uint32_t line)
{
	struct tw__json_at named = tw__json_member(at, "name");
	const char *name;
	double cost;
	int status = tw__json_object(&f->json, at, f->err);
	if (status < 0 || (status = tw__json_text(&f->json, &named, &name, f->err)) < 0 ||
	    (status = read_number(f, at, "cost", &cost)) < 0)
		return status;
	int32_t job = tw__draft_describe(f->draft, name, strlen(name), line, f->err);
	if (job < 0)
		return job;
	f->draft->jobs[job].order = index;
	f->draft->jobs[job].seconds = cost; /* in units until the file ends */
	count_unknown(f, at, 2);
	return TW_OK;
}

static int32_t find_task(const struct saga *f, const struct tw__json_at *in, const char *key)
{
	struct tw__json_at at = tw__json_member(in, key);
	const char *name;
	int status = tw__json_text(&f->json, &at, &name, f->err);
	if (status < 0)
		return status;
	int32_t job = tw__name_list_find(&f->draft->job_names, name, strlen(name));
	return job != TW_NONE ? job
	                      : tw__json_fail(&f->json, &at, f->err,
	                                      "'%.60s' is not in the file, expected the name of a task in it", name);
}

/* Adds the handle that the task `from` writes for the task `to`. */
static int take_size(struct saga *f, const struct tw__json_at *at, size_t index, uint32_t line, int32_t from,
                     int32_t to, double size)
{
	double number = size * (f->reading->unit_bytes > 0 ? f->reading->unit_bytes : 1);
	uint64_t bytes;
	char name[24];
	if (!tw__draft_whole_bytes(f->draft, number, &bytes))
		return tw__json_fail(&f->json, at, f->err,
		                     "size %g, which is %g bytes, expected at most 2^60; or another unit_bytes=", size,
		                     number);
	int length = snprintf(name, sizeof name, "%zu", index);
	tw_data data = tw__draft_data(f->draft, name, (size_t)length, bytes, line, f->err);
	tw__draft_count(f->draft, "sizes without a unit, counted in bytes (unit_bytes= sets another)",
	                f->reading->unit_bytes == 0);
	int status = data < 0 ? data : tw__draft_access(f->draft, from, data, TW_W, f->err);
	return status < 0 ? status : tw__draft_access(f->draft, to, data, TW_R, f->err);
}

static int read_dependency(struct saga *f, const struct tw__json_at *at, size_t index, uint32_t line)
{
	double size;
	int status = tw__json_object(&f->json, at, f->err);
	int32_t from = status < 0 ? status : find_task(f, at, "source");
	int32_t to = from < 0 ? from : find_task(f, at, "target");
	status = to < 0 ? to : read_number(f, at, "size", &size);
	if (status == TW_OK)
		status = tw__draft_edge(f->draft, from, to, f->err);
	if (status < 0)
		return status;
	count_unknown(f, at, 3);
	/* A size of 0 is mere order; a loop is a cycle, which the sorting of the jobs reports. */
	return size > 0 && from != to ? take_size(f, at, index, line, from, to, size) : TW_OK;
}

static int read_list(struct saga *f, const struct tw__json_at *in, const char *key,
                     int (*read)(struct saga *, const struct tw__json_at *, size_t, uint32_t))
{
	struct tw__json_at list = tw__json_member(in, key);
	size_t n;
	int status = tw__json_array(&f->json, &list, &n, f->err);
	uint32_t *lines = status == TW_OK ? tw__json_lines(&f->json, &list) : NULL;
	if (status == TW_OK && !lines)
		status = tw__draft_no_memory(f->draft, f->err);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(&list, i);
		status = read(f, &at, i, lines[i]);
	}
	free(lines);
	return status;
}

/* Counts the nodes and links of the network, which a platform stands for. */
static int read_network(struct saga *f, const struct tw__json_at *network)
{
	struct tw__json_at nodes = tw__json_member(network, "nodes"), edges = tw__json_member(network, "edges");
	size_t n = 0, n_edges = 0;
	int status = tw__json_array(&f->json, &nodes, &n, f->err);
	if (status == TW_OK)
		status = tw__json_array(&f->json, &edges, &n_edges, f->err);
	tw__draft_count(f->draft, "nodes and links of the network left out", n + n_edges);
	return status;
}

static int read_instance(struct saga *f)
{
	struct tw__json_at root = tw__json_root(&f->json), graph = tw__json_member(&root, "task_graph");
	struct tw__json_at network = tw__json_member(&root, "network"), name = tw__json_member(&root, "name");
	int status = TW_OK;
	if (graph.value)
		count_unknown(f, &root, 1 + !!network.value + !!name.value);
	else
		graph = root; /* a task graph alone */
	status = tw__json_object(&f->json, &graph, f->err);
	if (status == TW_OK && network.value)
		status = read_network(f, &network);
	if (status == TW_OK)
		status = read_list(f, &graph, "tasks", read_task);
	if (status == TW_OK)
		status = read_list(f, &graph, "dependencies", read_dependency);
	if (status < 0)
		return status;
	count_unknown(f, &graph, 2);
	return tw__take_units(f->draft, f->reading, TW_NONE, TW_NONE, f->err);
}

int tw__read_saga(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct saga f = {.draft = draft, .reading = reading, .err = err};
	int status = tw__json_read(&f.json, reading->path, err);
	if (status == TW_OK)
		status = read_instance(&f);
	tw__json_finish(&f.json);
	return status;
}
