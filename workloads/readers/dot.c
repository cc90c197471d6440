/* Reads graphs in Graphviz' DOT. digraph.h says how nodes and edges become tasks and handles.
 *
 * The parser is our own. The licence of libcgraph (EPL 1.0) is not compatible with ours. Besides, libcgraph 2.42 keeps
 * no line numbers for messages, ignores text after the graph, and leaks memory for each malformed file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "readers/dot.h"

enum { MAX_DEPTH = 100 };

static int next(struct tw__dot *p) { return tw__dot_next(&p->tokens, p->graph.err); }

static int no_memory(const struct tw__dot *p) { return tw__draft_no_memory(p->graph.draft, p->graph.err); }

static int read_statements(struct tw__dot *p, struct tw__digraph_attributes defaults, int depth);

static int mention(struct tw__dot *p, int32_t node)
{
	if (!TW_HAS_ROOM(p->mentioned, p->mentioned_capacity, p->n_mentioned + 1))
		return no_memory(p);
	p->mentioned[p->n_mentioned++] = node;
	return TW_OK;
}

/* Reads a node's name, and adds the node if it is new. A node takes the default attributes that hold where it is first
 * named. */
static int read_node(struct tw__dot *p, const struct tw__digraph_attributes *defaults)
{
	int32_t known = p->graph.draft->job_names.n;
	int32_t node = tw__digraph_node(&p->graph, p->tokens.text, &defaults->node, p->tokens.line);
	if (node < 0)
		return node;
	if (!TW_HAS_ROOM(p->mark, p->mark_capacity, (size_t)node + 1))
		return no_memory(p);
	if (node == known)
		p->mark[node] = 0;
	int status = mention(p, node);
	/* Skips a port of the node and its compass point, which only concern drawings. */
	for (int i = 0; i < 2 && status == TW_OK; i++) {
		status = next(p);
		if (status < 0 || !tw__dot_is(&p->tokens, ':'))
			return status;
		status = next(p);
		if (status == TW_OK && p->tokens.kind != TW__DOT_ID)
			return tw__dot_expected(&p->tokens, p->graph.err, "a port");
	}
	return status < 0 ? status : next(p);
}

/* Removes duplicate nodes from an operand of an edge, whose nodes begin at index `first` of the mentioned nodes. */
static void drop_repeated(struct tw__dot *p, size_t first)
{
	size_t kept = first;
	p->operands++;
	for (size_t i = first; i < p->n_mentioned; i++) {
		int32_t node = p->mentioned[i];
		if (p->mark[node] != p->operands)
			p->mentioned[kept++] = node;
		p->mark[node] = p->operands;
	}
	p->n_mentioned = kept;
}

/* Reads an operand of an edge: a node, or all nodes of a subgraph. */
static int read_operand(struct tw__dot *p, const struct tw__digraph_attributes *defaults, int depth)
{
	size_t first = p->n_mentioned;
	int status = TW_OK;
	if (p->tokens.kind == TW__DOT_ID)
		return read_node(p, defaults);
	if (p->tokens.kind == TW__DOT_WORD && !strcmp(p->tokens.text, "subgraph")) {
		status = next(p);
		if (status == TW_OK && p->tokens.kind == TW__DOT_ID)
			status = next(p);
	}
	if (status < 0)
		return status;
	if (!tw__dot_is(&p->tokens, '{'))
		return tw__dot_expected(&p->tokens, p->graph.err, "a node, or a subgraph in {}");
	if (depth == MAX_DEPTH)
		return tw__draft_fail(p->graph.draft, p->tokens.line, p->graph.err,
		                      "subgraphs more than %d deep in each other, expected fewer", MAX_DEPTH);
	status = next(p);
	if (status == TW_OK)
		status = read_statements(p, *defaults, depth + 1);
	drop_repeated(p, first);
	return status < 0 ? status : next(p); /* skip the } of the subgraph */
}

/* Adds edges from each node of an operand to each node of the next one. Operand i ends at index ends[i] of the
 * mentioned nodes; operand 0 begins at `first`. */
static int add_edges(struct tw__dot *p, size_t first, const size_t *ends, int n, const struct tw__digraph_edge *edge,
                     uint32_t line)
{
	size_t begin = first;
	int status = TW_OK;
	for (int o = 0; o + 1 < n; o++) {
		for (size_t i = begin; i < ends[o]; i++)
			for (size_t j = ends[o]; j < ends[o + 1] && status == TW_OK; j++)
				status = tw__digraph_edge(&p->graph, p->mentioned[i], p->mentioned[j], edge, line);
		begin = ends[o];
	}
	return status;
}

/* Reads a node with its attributes, a chain of edges with their attributes, or a subgraph. */
static int read_chain(struct tw__dot *p, const struct tw__digraph_attributes *defaults, int depth)
{
	size_t first = p->n_mentioned, *ends = NULL, capacity = 0;
	int n = 0;
	uint32_t line = p->tokens.line;
	bool is_node = p->tokens.kind == TW__DOT_ID;
	int status = read_operand(p, defaults, depth);
	for (;;) {
		if (status == TW_OK && !TW_HAS_ROOM(ends, capacity, (size_t)n + 1))
			status = no_memory(p);
		if (status < 0)
			break;
		ends[n++] = p->n_mentioned;
		if (p->tokens.kind == TW__DOT_LINE)
			status = tw__dot_expected(&p->tokens, p->graph.err, "->, as the graph is directed");
		if (status < 0 || p->tokens.kind != TW__DOT_ARROW)
			break;
		status = next(p);
		if (status == TW_OK)
			status = read_operand(p, defaults, depth);
	}
	struct tw__digraph_attributes own = *defaults;
	if (status == TW_OK && n > 1) {
		status = tw__dot_attributes(p, TW__OF_EDGES, &own);
		if (status == TW_OK)
			status = add_edges(p, first, ends, n, &own.edge, line);
	} else if (status == TW_OK && is_node) {
		own.node = p->graph.nodes[p->mentioned[first]];
		status = tw__dot_attributes(p, TW__OF_NODES, &own);
		p->graph.nodes[p->mentioned[first]] = own.node;
	}
	free(ends);
	if (depth == 0)
		p->n_mentioned = first; /* no enclosing subgraph needs these nodes */
	return status;
}

/* Reads NAME = VALUE, an attribute of the graph or subgraph as in graph [NAME = VALUE]. */
static int read_assignment(struct tw__dot *p, enum tw__digraph_target target)
{
	char key[32];
	snprintf(key, sizeof key, "%s", p->tokens.text);
	int status = next(p); /* skip the = */
	if (status == TW_OK)
		status = next(p);
	if (status == TW_OK && p->tokens.kind != TW__DOT_ID)
		return tw__dot_expected(&p->tokens, p->graph.err, "the attribute's value");
	if (status == TW_OK)
		status = tw__digraph_set(&p->graph, target, NULL, key, p->tokens.text, p->tokens.line);
	return status < 0 ? status : next(p);
}

static int read_statement(struct tw__dot *p, struct tw__digraph_attributes *defaults, int depth)
{
	enum tw__digraph_target of_graph = depth == 0 ? TW__OF_GRAPH : TW__OF_SUBGRAPH;
	if (p->tokens.kind == TW__DOT_WORD && strcmp(p->tokens.text, "subgraph") != 0) {
		enum tw__digraph_target target = !strcmp(p->tokens.text, "node")   ? TW__OF_NODES
		                                 : !strcmp(p->tokens.text, "edge") ? TW__OF_EDGES
		                                                                   : of_graph;
		if (target == of_graph && strcmp(p->tokens.text, "graph") != 0)
			return tw__dot_expected(&p->tokens, p->graph.err, "a statement");
		int status = next(p);
		if (status == TW_OK && !tw__dot_is(&p->tokens, '['))
			return tw__dot_expected(&p->tokens, p->graph.err, "[ and attributes");
		return status < 0 ? status : tw__dot_attributes(p, target, defaults);
	}
	int peeked = p->tokens.kind == TW__DOT_ID ? tw__dot_peek(&p->tokens, p->graph.err) : 0;
	return peeked < 0 ? peeked : peeked == '=' ? read_assignment(p, of_graph) : read_chain(p, defaults, depth);
}

/* Reads statements up to the } that ends them, which becomes the last token. */
static int read_statements(struct tw__dot *p, struct tw__digraph_attributes defaults, int depth)
{
	int status = TW_OK;
	while (status == TW_OK && !tw__dot_is(&p->tokens, '}')) {
		if (p->tokens.kind == TW__DOT_END)
			return tw__dot_expected(&p->tokens, p->graph.err, "a statement, or }");
		status = tw__dot_is(&p->tokens, ';') ? next(p) : read_statement(p, &defaults, depth);
	}
	return status;
}

static int read_digraph(struct tw__dot *p)
{
	int status = next(p);
	if (status == TW_OK && p->tokens.kind == TW__DOT_WORD && !strcmp(p->tokens.text, "strict")) {
		p->graph.strict = true;
		status = next(p);
	}
	if (status < 0)
		return status;
	if (p->tokens.kind != TW__DOT_WORD || strcmp(p->tokens.text, "digraph") != 0)
		return tw__dot_expected(&p->tokens, p->graph.err, "digraph");
	status = next(p);
	if (status == TW_OK && p->tokens.kind == TW__DOT_ID)
		status = next(p);
	if (status == TW_OK && !tw__dot_is(&p->tokens, '{'))
		return tw__dot_expected(&p->tokens, p->graph.err, "{");
	if (status == TW_OK)
		status = next(p);
	if (status == TW_OK)
		status = read_statements(p, tw__digraph_no_attributes, 0);
	if (status == TW_OK)
		status = next(p);
	if (status == TW_OK && p->tokens.kind != TW__DOT_END)
		return tw__dot_expected(&p->tokens, p->graph.err, "the end of the file after one graph");
	return status;
}

int tw__read_dot(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct tw__dot p = {0};
	char *text;
	size_t length;
	int status = tw__input_whole(&text, &length, reading->path, err);
	if (status < 0)
		return status;
	tw__digraph_init(&p.graph, draft, reading, err);
	tw__dot_tokens_init(&p.tokens, reading->path, text);
	status = read_digraph(&p);
	if (status == TW_OK)
		status = tw__digraph_tasks(&p.graph);
	tw__dot_tokens_finish(&p.tokens);
	tw__digraph_finish(&p.graph);
	free(p.mentioned);
	free(p.mark);
	free(text);
	return status;
}
