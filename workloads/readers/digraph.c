#include "readers/digraph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "readers/input.h"

void tw__digraph_init(struct tw__digraph *g, struct tw__draft *draft, const struct tw__reading *reading,
                      struct tw_error *err)
{
	*g = (struct tw__digraph){.draft = draft, .reading = reading, .err = err};
	g->whole = (struct tw__digraph_whole){TW_NONE, TW_NONE, TW_NONE, NAN, 0};
}

void tw__digraph_finish(struct tw__digraph *g)
{
	tw__name_list_finish(&g->texts);
	free(g->nodes);
	free(g->flows);
	*g = (struct tw__digraph){0};
}

/* Adds the attributes of a node; known: how many nodes there were before. */
static int32_t add_node(struct tw__digraph *g, int32_t node, int32_t known, const struct tw__digraph_node *attributes)
{
	if (node < 0)
		return node;
	if (!TW_HAS_ROOM(g->nodes, g->nodes_capacity, (size_t)node + 1))
		return tw__draft_no_memory(g->draft, g->err);
	if (node == known)
		g->nodes[node] = *attributes;
	return node;
}

int32_t tw__digraph_node(struct tw__digraph *g, const char *name, const struct tw__digraph_node *attributes,
                         uint32_t line)
{
	int32_t known = g->draft->job_names.n;
	int32_t node = tw__draft_name(g->draft, name, strlen(name), line, g->err);
	if ((node = add_node(g, node, known, attributes)) < 0)
		return node;
	g->draft->jobs[node].described = true;
	g->draft->jobs[node].order = (uint64_t)node;
	return node;
}

int32_t tw__digraph_mention(struct tw__digraph *g, const char *name, uint32_t line)
{
	int32_t known = g->draft->job_names.n;
	int32_t node = tw__draft_name(g->draft, name, strlen(name), line, g->err);
	return add_node(g, node, known, &tw__digraph_no_attributes.node);
}

int32_t tw__digraph_declare(struct tw__digraph *g, const char *name, uint64_t order, uint32_t line)
{
	int32_t known = g->draft->job_names.n;
	int32_t node = tw__draft_describe(g->draft, name, strlen(name), line, g->err);
	if ((node = add_node(g, node, known, &tw__digraph_no_attributes.node)) < 0)
		return node;
	g->draft->jobs[node].order = order;
	return node;
}

int tw__digraph_edge(struct tw__digraph *g, int32_t from, int32_t to, const struct tw__digraph_edge *edge,
                     uint32_t line)
{
	int status = edge->bytes && g->late && !edge->ordered ? TW_OK : tw__draft_edge(g->draft, from, to, g->err);
	if (status < 0 || edge->bytes == 0)
		return status;
	if (!TW_HAS_ROOM(g->flows, g->flows_capacity, g->n_flows + 1))
		return tw__draft_no_memory(g->draft, g->err);
	g->flows[g->n_flows++] = (struct tw__digraph_flow){from, to, *edge, line};
	return TW_OK;
}

static const char *text_of(const struct tw__digraph *g, int32_t name, const char *otherwise)
{
	return name == TW_NONE ? otherwise : tw__name_list_text(&g->texts, name);
}

/* Reads the flops of a node without kernel and seconds from its size, as in SimGrid's files, whose nodes have no other
 * attributes. Sets the node's seconds, from flops and flop_rate. */
static int read_flops(struct tw__digraph *g, int32_t node, double *seconds)
{
	const char *size = text_of(g, g->nodes[node].size, NULL);
	double flops;
	if (!size)
		return tw__draft_fail(g->draft, g->draft->jobs[node].line, g->err,
		                      "node '%.60s' has no kernel, no seconds and no size, expected one of these; or "
		                      "default_seconds=",
		                      tw__name_list_text(&g->draft->job_names, node));
	if (!tw__text_real(size, &flops) || flops < 0)
		return tw__draft_fail(g->draft, g->draft->jobs[node].line, g->err,
		                      "node '%.60s' has size '%.40s' and no kernel, expected its flops, 0 or more",
		                      tw__name_list_text(&g->draft->job_names, node), size);
	*seconds = flops / g->reading->flop_rate;
	if (*seconds > TW_MAX_SECONDS)
		return tw__draft_fail(g->draft, g->draft->jobs[node].line, g->err,
		                      "node '%.60s' of %g flops takes %g s, expected at most %g; or another flop_rate=",
		                      tw__name_list_text(&g->draft->job_names, node), flops, *seconds, TW_MAX_SECONDS);
	g->draft->flops += flops;
	return TW_OK;
}

/* Whether a node is one of SimGrid's, whose only attribute is the size. */
static bool is_simgrid(const struct tw__digraph_node *n)
{
	return n->kernel == TW_NONE && isnan(n->seconds) && n->size != TW_NONE;
}

static bool has_seconds(const struct tw__digraph_node *n)
{
	return !isnan(n->seconds) || !isnan(n->cpu_seconds) || !isnan(n->gpu_seconds) || n->arch_seconds != TW_NONE;
}

/* Whether a node is the beginning or the end of SimGrid's graph: `root` or `end` without a size. */
static bool is_terminal(const struct tw__digraph *g, int32_t node)
{
	const struct tw__digraph_node *n = &g->nodes[node];
	const char *name = tw__name_list_text(&g->draft->job_names, node);
	return g->simgrid && n->kernel == TW_NONE && !has_seconds(n) && n->size == TW_NONE &&
	       (!strcmp(name, "root") || !strcmp(name, "end"));
}

/* Takes a node's `arch_seconds`, as in "m2070=0.01,cpu=0.2". */
static int take_arch_seconds(struct tw__digraph *g, int32_t node, const char *text)
{
	int status = TW_OK;
	while (text && status == TW_OK) {
		size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		char number[64] = "";
		double seconds;
		size_t digits = equals ? (size_t)(text + length - equals) - 1 : 0;
		if (digits < sizeof number)
			memcpy(number, text + length - digits, digits);
		if (!equals || !tw__text_real(number, &seconds) || seconds < 0 || seconds > TW_MAX_SECONDS)
			return tw__draft_fail(g->draft, g->draft->jobs[node].line, g->err,
			                      "arch_seconds '%.60s', expected ARCH=SECONDS[,ARCH=SECONDS]... with "
			                      "numbers from 0 to %g",
			                      text, TW_MAX_SECONDS);
		status = tw__draft_seconds_on(g->draft, node, text, (size_t)(equals - text), seconds, g->err);
		text = text[length] ? text + length + 1 : NULL;
	}
	return status;
}

/* Takes the seconds of a node on some archs. */
static int take_seconds_on(struct tw__digraph *g, int32_t node)
{
	const struct tw__digraph_node *n = &g->nodes[node];
	int status = TW_OK;
	if (!isnan(n->cpu_seconds))
		status = tw__draft_seconds_on(g->draft, node, "processors", 10, n->cpu_seconds, g->err);
	if (status == TW_OK && !isnan(n->gpu_seconds))
		status = tw__draft_seconds_on(g->draft, node, "accelerators", 12, n->gpu_seconds, g->err);
	return status == TW_OK ? take_arch_seconds(g, node, text_of(g, n->arch_seconds, NULL)) : status;
}

static int take_node(struct tw__digraph *g, int32_t node)
{
	const struct tw__digraph_node *n = &g->nodes[node];
	if (is_terminal(g, node)) {
		/* The job stays without a kernel: it is no task, and data that it writes begin in main memory. */
		tw__draft_count(g->draft, "SimGrid's nodes root and end, which are no tasks", 1);
		return TW_OK;
	}
	struct tw__draft_job *job = &g->draft->jobs[node];
	double seconds = n->seconds, flops = isnan(n->flops) ? 0 : n->flops;
	bool needs_none = has_seconds(n) || g->draft->default_seconds > 0;
	if (n->kernel == TW_NONE && isnan(seconds) && (n->size != TW_NONE || !needs_none)) {
		int status = read_flops(g, node, &seconds);
		if (status < 0)
			return status;
	}
	bool recorded = !isnan(seconds) && g->reading->recorded, whole = g->whole.handles != TW_NONE;
	const char *on = whole ? text_of(g, n->on, NULL) : text_of(g, n->on, "processors+accelerators");
	job->kernel =
		tw__draft_kernel(g->draft, text_of(g, n->kernel, "task"),
	                         n->kernel == TW_NONE ? "1" : text_of(g, n->size, "1"), text_of(g, n->precision, "s"),
	                         flops, recorded || (whole && g->reading->recorded) ? on : NULL, job->line, g->err);
	if (job->kernel < 0)
		return job->kernel;
	if (n->archs != TW_NONE)
		tw_graph_restrict(g->draft->graph, job->kernel, text_of(g, n->archs, NULL));
	job->priority = n->priority;
	job->critical = n->critical;
	if (recorded)
		job->seconds = tw__draft_seconds(g->draft, seconds);
	g->draft->flops += flops;
	return g->reading->recorded ? take_seconds_on(g, node) : TW_OK;
}

/* Adds the handle of an edge, which the first node writes and the second reads. An edge has its own handle, or shares a
 * named one with other edges from the same node. */
static int take_flow(struct tw__digraph *g, const struct tw__digraph_flow *f, size_t index)
{
	char own[64];
	const char *name = text_of(g, f->edge.data, NULL);
	uint64_t bytes = f->edge.bytes;
	char *key = own;
	int length = name        ? asprintf(&key, "%d\n%s", (int)f->from, name)
	             : g->strict ? snprintf(own, sizeof own, "%d\n%d", (int)f->from, (int)f->to)
	                         : snprintf(own, sizeof own, "%zu", index);
	if (length < 0)
		return tw__draft_no_memory(g->draft, g->err);
	tw_data data = tw__draft_data(g->draft, key, (size_t)length, bytes, f->line, g->err);
	if (key != own)
		free(key);
	if (data < 0)
		return data;
	if (tw_graph_data_bytes(g->draft->graph, data) != bytes)
		return tw__draft_fail(g->draft, f->line, g->err,
		                      "data '%.60s' of %llu bytes, and of %llu before: expected the same size",
		                      name ? name : "of the edge", (unsigned long long)bytes,
		                      (unsigned long long)tw_graph_data_bytes(g->draft->graph, data));
	int status = tw__draft_access(g->draft, f->from, data, TW_W, g->err);
	return status < 0 ? status : tw__draft_access(g->draft, f->to, data, TW_R, g->err);
}

/* Takes the policies that see priorities. */
static int take_priorities(struct tw__digraph *g)
{
	const char *name = text_of(g, g->whole.priorities, NULL);
	for (int scope = 0; name && scope < TW_N_PRIORITY_SCOPES; scope++)
		if (!strcmp(name, tw_priority_scope_name((enum tw_priority_scope)scope))) {
			g->draft->priority_scope = (enum tw_priority_scope)scope;
			return TW_OK;
		}
	return name ? tw__draft_fail(g->draft, g->whole.line, g->err,
	                             "priorities: '%.40s', expected sorting, looking or all", name)
	            : TW_OK;
}

/* Takes the accesses of a node, or fails if only the node has some. */
static int take_accesses(struct tw__digraph *g, int32_t node)
{
	if (g->nodes[node].accesses == TW_NONE || g->whole.handles != TW_NONE)
		return tw__digraph_accesses(g, node);
	return tw__draft_fail(g->draft, g->draft->jobs[node].line, g->err,
	                      "node '%.60s' has accesses, but the graph has no handles, expected both or neither",
	                      tw__name_list_text(&g->draft->job_names, node));
}

int tw__digraph_tasks(struct tw__digraph *g)
{
	int status = take_priorities(g);
	if (status == TW_OK)
		status = tw__digraph_handles(g);
	if (status == TW_OK)
		status = tw__digraph_reductions(g);
	for (int32_t n = 0; n < g->draft->job_names.n && !g->simgrid; n++)
		g->simgrid = is_simgrid(&g->nodes[n]);
	for (int32_t n = 0; n < g->draft->job_names.n && status == TW_OK; n++) {
		if (!g->draft->jobs[n].described)
			continue; /* an edge names it: the draft reports that */
		status = take_node(g, n);
		if (status == TW_OK)
			status = take_accesses(g, n);
	}
	if (!isnan(g->whole.flops))
		g->draft->flops = g->whole.flops;
	if (status == TW_OK && g->whole.handles != TW_NONE)
		return tw__digraph_check_flows(g);
	for (size_t f = 0; f < g->n_flows && status == TW_OK; f++) {
		if (g->late)
			status = tw__draft_edge(g->draft, g->flows[f].from, g->flows[f].to, g->err);
		/* a loop is a cycle, which the sorting of the jobs reports */
		if (status == TW_OK && g->flows[f].from != g->flows[f].to)
			status = take_flow(g, &g->flows[f], f);
	}
	return status;
}
