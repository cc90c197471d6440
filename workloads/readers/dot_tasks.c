/* Turns the nodes and edges of DOT into tasks and data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "readers/dot.h"

static const char *text_of(const struct tw__dot *p, int32_t name, const char *otherwise)
{
	return name == TW_NONE ? otherwise : tw__name_list_text(&p->texts, name);
}

/* Reads the flops of a node without kernel and seconds from its size, as in SimGrid's files, whose nodes have no other
 * attributes. Sets the node's seconds, from flops and flop_rate. */
static int read_flops(struct tw__dot *p, int32_t node, double *seconds)
{
	const char *size = text_of(p, p->nodes[node].size, NULL);
	double flops;
	if (!size)
		return tw__draft_fail(p->draft, p->draft->jobs[node].line, p->err,
		                      "node '%.60s' has no kernel, no seconds and no size, expected one of these",
		                      tw__name_list_text(&p->draft->job_names, node));
	if (!tw__text_real(size, &flops) || flops < 0)
		return tw__draft_fail(p->draft, p->draft->jobs[node].line, p->err,
		                      "node '%.60s' has size '%.40s' and no kernel, expected its flops, 0 or more",
		                      tw__name_list_text(&p->draft->job_names, node), size);
	*seconds = flops / p->reading->flop_rate;
	if (*seconds > TW_MAX_SECONDS)
		return tw__draft_fail(p->draft, p->draft->jobs[node].line, p->err,
		                      "node '%.60s' of %g flops takes %g s, expected at most %g; or another flop_rate=",
		                      tw__name_list_text(&p->draft->job_names, node), flops, *seconds, TW_MAX_SECONDS);
	p->draft->flops += flops;
	return TW_OK;
}

static int take_node(struct tw__dot *p, int32_t node)
{
	const struct tw__dot_node *n = &p->nodes[node];
	struct tw__draft_job *job = &p->draft->jobs[node];
	double seconds = n->seconds, flops = isnan(n->flops) ? 0 : n->flops;
	if (n->kernel == TW_NONE && isnan(seconds)) {
		int status = read_flops(p, node, &seconds);
		if (status < 0)
			return status;
	}
	bool recorded = !isnan(seconds) && p->reading->recorded;
	job->kernel = tw__draft_kernel(
		p->draft, text_of(p, n->kernel, "task"), n->kernel == TW_NONE ? "1" : text_of(p, n->size, "1"),
		text_of(p, n->precision, "s"), flops, recorded ? text_of(p, n->on, "processors+accelerators") : NULL,
		job->line, p->err);
	if (job->kernel < 0)
		return job->kernel;
	job->priority = n->priority;
	if (recorded)
		job->seconds = tw__draft_seconds(p->draft, seconds);
	p->draft->flops += flops;
	return TW_OK;
}

/* Adds the handle of an edge, which the first node writes and the second reads. An edge has its own handle, or shares a
 * named one with other edges from the same node. */
static int take_flow(struct tw__dot *p, const struct tw__dot_flow *f, size_t index)
{
	char own[64];
	const char *name = text_of(p, f->edge.data, NULL);
	uint64_t bytes = (uint64_t)f->edge.bytes;
	char *key = own;
	int length = name        ? asprintf(&key, "%d\n%s", (int)f->from, name)
	             : p->strict ? snprintf(own, sizeof own, "%d\n%d", (int)f->from, (int)f->to)
	                         : snprintf(own, sizeof own, "%zu", index);
	if (length < 0)
		return tw__draft_no_memory(p->draft, p->err);
	tw_data data = tw__draft_data(p->draft, key, (size_t)length, bytes, f->line, p->err);
	if (key != own)
		free(key);
	if (data < 0)
		return data;
	if (tw_graph_data_bytes(p->draft->graph, data) != bytes)
		return tw__draft_fail(p->draft, f->line, p->err,
		                      "data '%.60s' of %llu bytes, and of %llu before: expected the same size",
		                      name ? name : "of the edge", (unsigned long long)bytes,
		                      (unsigned long long)tw_graph_data_bytes(p->draft->graph, data));
	int status = tw__draft_access(p->draft, f->from, data, TW_W, p->err);
	return status < 0 ? status : tw__draft_access(p->draft, f->to, data, TW_R, p->err);
}

int tw__dot_tasks(struct tw__dot *p)
{
	int status = TW_OK;
	for (int32_t n = 0; n < p->draft->job_names.n && status == TW_OK; n++)
		status = take_node(p, n);
	for (size_t f = 0; f < p->n_flows && status == TW_OK; f++)
		if (p->flows[f].from != p->flows[f].to) /* a loop is a cycle, which the sorting of the jobs reports */
			status = take_flow(p, &p->flows[f], f);
	return status;
}
