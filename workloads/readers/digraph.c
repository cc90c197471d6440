#include "readers/digraph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tw__digraph_init(struct tw__digraph *g, struct tw__draft *draft)
{
	*g = (struct tw__digraph){.draft = draft,
	                          .whole = {TW_NONE, TW_NONE, TW_NONE, TW_NONE, TW_NONE, TW_NONE, NAN, 0}};
}

void tw__digraph_finish(struct tw__digraph *g)
{
	tw__name_list_finish(&g->texts);
	free(g->nodes);
	free(g->flows);
	*g = (struct tw__digraph){0};
}

int32_t tw__digraph_node(struct tw__digraph *g, const char *name, const struct tw__digraph_node *attributes,
                         uint32_t line)
{
	int32_t known = g->draft->job_names.n, node = tw__draft_name(g->draft, name, line);
	TW_RESERVE(g->nodes, g->nodes_capacity, (size_t)node + 1);
	if (node == known)
		g->nodes[node] = *attributes;
	return node;
}

void tw__digraph_edge(struct tw__digraph *g, int32_t from, int32_t to, const struct tw__digraph_edge *edge,
                      uint32_t line)
{
	if (!edge->bytes || !g->late || edge->ordered)
		tw__draft_edge(g->draft, from, to);
	if (!edge->bytes)
		return;
	TW_RESERVE(g->flows, g->flows_capacity, g->n_flows + 1);
	g->flows[g->n_flows++] = (struct tw__digraph_flow){from, to, *edge, line};
}

static const char *text_of(const struct tw__digraph *g, int32_t name, const char *otherwise)
{
	return name == TW_NONE ? otherwise : tw__name_list_text(&g->texts, name);
}

/* Reads the flops of a node without kernel and seconds from its size, as in SimGrid's files, whose nodes have no other
 * attributes. Returns the node's seconds, from flops and flop_rate. */
static double read_flops(struct tw__digraph *g, int32_t node)
{
	const char *size = text_of(g, g->nodes[node].size, NULL);
	const char *name = tw__name_list_text(&g->draft->job_names, node);
	uint32_t line = g->draft->jobs[node].line;
	double flops = 0;
	if (!size)
		tw__draft_fail(g->draft, line,
		               "node '%.60s' has no kernel, no seconds and no size, expected one of these; or "
		               "default_seconds=",
		               name);
	else if (!tw__text_real(size, &flops) || flops < 0)
		tw__draft_fail(g->draft, line,
		               "node '%.60s' has size '%.40s' and no kernel, expected its flops, 0 or more", name,
		               size);
	double seconds = flops / g->draft->flop_rate;
	if (seconds > TW_MAX_SECONDS)
		tw__draft_fail(g->draft, line,
		               "node '%.60s' of %g flops takes %g s, expected at most %g; or another flop_rate=", name,
		               flops, seconds, TW_MAX_SECONDS);
	g->draft->flops += flops;
	return seconds;
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
static void take_arch_seconds(struct tw__digraph *g, int32_t node, const char *text)
{
	while (text) {
		size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		char number[64] = "";
		double seconds;
		size_t digits = equals ? (size_t)(text + length - equals) - 1 : 0;
		if (digits < sizeof number)
			memcpy(number, text + length - digits, digits);
		if (!equals || !tw__text_real(number, &seconds) || seconds < 0 || seconds > TW_MAX_SECONDS) {
			tw__draft_fail(g->draft, g->draft->jobs[node].line,
			               "arch_seconds '%.60s', expected ARCH=SECONDS[,ARCH=SECONDS]... with numbers "
			               "from 0 to %g",
			               text, TW_MAX_SECONDS);
			return;
		}
		tw__draft_seconds_on(g->draft, node, text, (size_t)(equals - text), seconds);
		text = text[length] ? text + length + 1 : NULL;
	}
}

/* Takes the seconds of a node on some archs. */
static void take_seconds_on(struct tw__digraph *g, int32_t node)
{
	const struct tw__digraph_node *n = &g->nodes[node];
	if (!isnan(n->cpu_seconds))
		tw__draft_seconds_on(g->draft, node, "processors", 10, n->cpu_seconds);
	if (!isnan(n->gpu_seconds))
		tw__draft_seconds_on(g->draft, node, "accelerators", 12, n->gpu_seconds);
	take_arch_seconds(g, node, text_of(g, n->arch_seconds, NULL));
}

static void take_node(struct tw__digraph *g, int32_t node)
{
	const struct tw__digraph_node *n = &g->nodes[node];
	struct tw__draft *d = g->draft;
	if (is_terminal(g, node)) {
		/* The job stays without a kernel: it is no task, and data that it writes begin in main memory. */
		tw__draft_count(d, "SimGrid's nodes root and end, which are no tasks", 1);
		return;
	}
	struct tw__draft_job *job = &d->jobs[node];
	double seconds = n->seconds, flops = isnan(n->flops) ? 0 : n->flops;
	bool needs_none = has_seconds(n) || d->default_seconds > 0, whole = g->whole.handles != TW_NONE;
	if (n->kernel == TW_NONE && isnan(seconds) && (n->size != TW_NONE || !needs_none))
		seconds = read_flops(g, node);
	const char *on = text_of(g, n->on, whole ? NULL : "processors+accelerators");
	job->kernel = tw__draft_kernel(
		d, text_of(g, n->kernel, "task"), n->kernel == TW_NONE ? "1" : text_of(g, n->size, "1"),
		text_of(g, n->precision, "s"), flops, whole || !isnan(seconds) ? on : NULL, job->line);
	if (n->archs != TW_NONE)
		tw_graph_restrict(d->graph, job->kernel, text_of(g, n->archs, NULL));
	job->priority = n->priority;
	job->critical = n->critical;
	if (!isnan(seconds))
		tw__draft_seconds(d, node, seconds);
	d->flops += flops;
	if (d->recorded)
		take_seconds_on(g, node);
}

/* Adds the handle of an edge, which the first node writes and the second reads. An edge has its own handle, or shares a
 * named one with other edges from the same node. */
static void take_flow(struct tw__digraph *g, const struct tw__digraph_flow *f, size_t index)
{
	struct tw__draft *d = g->draft;
	const char *name = text_of(g, f->edge.data, NULL);
	char *key = name        ? tw_format("%d\n%s", (int)f->from, name)
	            : g->strict ? tw_format("%d\n%d", (int)f->from, (int)f->to)
	                        : tw_format("%zu", index);
	tw_data data = tw__draft_data(d, key, f->edge.bytes, f->line);
	free(key);
	if (data < 0)
		return;
	uint64_t bytes = tw_graph_data_bytes(d->graph, data);
	if (bytes != f->edge.bytes)
		tw__draft_fail(d, f->line, "data '%.60s' of %llu bytes, and of %llu before: expected the same size",
		               name ? name : "of the edge", (unsigned long long)f->edge.bytes,
		               (unsigned long long)bytes);
	tw__draft_access(d, f->from, data, TW_W);
	tw__draft_access(d, f->to, data, TW_R);
}

/* Takes the policies that see priorities. */
static void take_priorities(struct tw__digraph *g)
{
	const char *name = text_of(g, g->whole.priorities, NULL);
	int scope = name ? tw__draft_priority_scope(name) : (int)g->draft->priority_scope;
	if (scope < 0)
		tw__draft_fail(g->draft, g->whole.line, "priorities: '%.40s', expected sorting, looking or all", name);
	else
		g->draft->priority_scope = (enum tw_priority_scope)scope;
}

/* Takes the accesses of a node, or fails if only the node has some. */
static void take_accesses(struct tw__digraph *g, int32_t node)
{
	if (g->nodes[node].accesses == TW_NONE || g->whole.handles != TW_NONE)
		tw__digraph_accesses(g, node);
	else
		tw__draft_fail(g->draft, g->draft->jobs[node].line,
		               "node '%.60s' has accesses, but the graph has no handles, expected both or neither",
		               tw__name_list_text(&g->draft->job_names, node));
}

void tw__digraph_tasks(struct tw__digraph *g)
{
	struct tw__draft *d = g->draft;
	if (d->status < 0)
		return;
	take_priorities(g);
	tw__digraph_handles(g);
	tw__digraph_discarded(g);
	tw__digraph_places(g, "homes", g->whole.homes, tw_graph_set_home);
	tw__digraph_places(g, "ends", g->whole.ends, tw_graph_set_end);
	tw__digraph_reductions(g);
	for (int32_t n = 0; n < d->job_names.n && !g->simgrid; n++)
		g->simgrid = is_simgrid(&g->nodes[n]);
	for (int32_t n = 0; n < d->job_names.n && d->status == TW_OK; n++) {
		if (!d->jobs[n].described)
			continue; /* an edge names it: the draft reports that */
		take_node(g, n);
		take_accesses(g, n);
	}
	if (!isnan(g->whole.flops))
		d->flops = g->whole.flops;
	if (g->whole.handles != TW_NONE) {
		tw__digraph_check_flows(g);
		return;
	}
	for (size_t f = 0; f < g->n_flows && d->status == TW_OK; f++) {
		if (g->late)
			tw__draft_edge(d, g->flows[f].from, g->flows[f].to);
		/* a loop is a cycle, which the sorting of the jobs reports */
		if (g->flows[f].from != g->flows[f].to)
			take_flow(g, &g->flows[f], f);
	}
}
