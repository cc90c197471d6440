/* Reads task graphs of the project SAGA in JSON, as the collection DAGBench has them. A file is an instance of a
 * scheduling problem, with "task_graph" and "network", or a task graph alone. Tasks have costs, and dependencies
 * have sizes, both without a unit: a worker of speed 1 takes one unit of time for one unit of cost. */
#include <stdio.h>
#include <stdlib.h>

#include "readers/json.h"

static double read_number(const struct tw__json_at *in, const char *key)
{
	struct tw__json_at at = tw__json_member(in, key);
	return tw__json_amount(&at);
}

static void count_unknown(const struct tw__json_at *in, size_t known)
{
	tw__draft_count(in->file->draft, "unknown members left out", json_object_size(in->value) - known);
}

static void read_task(struct tw__draft *d, const struct tw__json_at *at, uint32_t line)
{
	struct tw__json_at named = tw__json_member(at, "name");
	if (!tw__json_object(at))
		return;
	const char *name = tw__json_text(&named);
	double cost = read_number(at, "cost");
	int32_t job = tw__draft_describe(d, name, line);
	d->jobs[job].order = at->index;
	d->jobs[job].seconds = cost; /* in units until the file ends */
	count_unknown(at, 2);
}

/* Adds the handle that the task `from` writes for the task `to`. */
static void take_size(struct tw__draft *d, const struct tw__json_at *at, uint32_t line, int32_t from, int32_t to,
                      double size)
{
	double number = size * (d->unit_bytes > 0 ? d->unit_bytes : 1);
	uint64_t bytes;
	char name[24];
	if (!tw__draft_whole_bytes(d, number, &bytes)) {
		tw__json_fail(at, "size %g, which is %g bytes, expected at most 2^60; or another unit_bytes=", size,
		              number);
		return;
	}
	snprintf(name, sizeof name, "%zu", at->index);
	tw_data data = tw__draft_data(d, name, bytes, line);
	tw__draft_count(d, "sizes without a unit, counted in bytes (unit_bytes= sets another)", d->unit_bytes == 0);
	tw__draft_access(d, from, data, TW_W);
	tw__draft_access(d, to, data, TW_R);
}

static void read_dependency(struct tw__draft *d, const struct tw__json_at *at, uint32_t line)
{
	struct tw__json_at source = tw__json_member(at, "source"), target = tw__json_member(at, "target");
	if (!tw__json_object(at))
		return;
	int32_t from = tw__json_job(&source), to = tw__json_job(&target);
	double size = read_number(at, "size");
	if (d->status < 0)
		return;
	tw__draft_edge(d, from, to);
	count_unknown(at, 3);
	/* A size of 0 is mere order; a loop is a cycle, which the sorting of the jobs reports. */
	if (size > 0 && from != to)
		take_size(d, at, line, from, to, size);
}

static void read_list(struct tw__draft *d, const struct tw__json_at *in, const char *key,
                      void (*read)(struct tw__draft *, const struct tw__json_at *, uint32_t line))
{
	struct tw__json_at list = tw__json_member(in, key), at = {0};
	uint32_t *lines = tw__json_lines(&list);
	while (tw__json_next(&list, &at))
		read(d, &at, lines[at.index]);
	free(lines);
}

/* Counts the nodes and links of the network, which a platform stands for. */
static void read_network(struct tw__draft *d, const struct tw__json_at *network)
{
	struct tw__json_at nodes = tw__json_member(network, "nodes"), edges = tw__json_member(network, "edges");
	size_t n = tw__json_array(&nodes);
	tw__draft_count(d, "nodes and links of the network left out", n + tw__json_array(&edges));
}

void tw__read_saga(struct tw__draft *d)
{
	struct tw__json json;
	struct tw__json_at root = tw__json_read(&json, d), graph = tw__json_member(&root, "task_graph");
	struct tw__json_at network = tw__json_member(&root, "network"), name = tw__json_member(&root, "name");
	if (graph.value)
		count_unknown(&root, 1 + !!network.value + !!name.value);
	else
		graph = root; /* a task graph alone */
	tw__json_object(&graph);
	if (network.value)
		read_network(d, &network);
	read_list(d, &graph, "tasks", read_task);
	read_list(d, &graph, "dependencies", read_dependency);
	if (d->status == TW_OK)
		count_unknown(&graph, 2);
	tw__draft_units(d, TW_NONE, TW_NONE);
	tw__json_finish(&json);
}
