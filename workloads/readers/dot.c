/* Reads graphs in Graphviz' DOT. digraph.h says how nodes and edges become tasks and handles.
 *
 * The parser is our own. The licence of libcgraph (EPL 1.0) is not compatible with ours. Besides, libcgraph 2.42 keeps
 * no line numbers for messages, ignores text after the graph, and leaks memory for each malformed file. */
#include <stdio.h>
#include <stdlib.h>

#include "readers/digraph.h"
#include "readers/dot_tokens.h"

enum { MAX_DEPTH = 100 };

struct dot {
	struct tw__dot_tokens tokens;
	struct tw__digraph graph;
	int32_t *mentioned; /* stack of nodes: operands of the edges in statements that are not yet complete */
	int32_t *mark;      /* [nodes] number of the last operand that contains the node */
	int32_t operands;
	size_t n_mentioned, mentioned_capacity, mark_capacity;
};

static void next(struct dot *p) { tw__dot_next(&p->tokens); }

static bool is(const struct dot *p, char symbol) { return tw__dot_is(&p->tokens, symbol); }

static void expected(struct dot *p, const char *what) { tw__dot_expected(&p->tokens, what); }

/* Skips this symbol, or else fails. */
static void skip(struct dot *p, char symbol, const char *what)
{
	if (!is(p, symbol))
		expected(p, what);
	next(p);
}

static void read_statements(struct dot *p, struct tw__digraph_attributes defaults, int depth);

/* --- attributes --------------------------------------------------------------------------------------------------- */

static bool is_text(const struct dot *p) { return p->tokens.kind == TW__DOT_ID || p->tokens.kind == TW__DOT_WORD; }

/* Reads any number of attribute lists [key = value, ...] into `to`. If there is a list, its '[' is the last token. */
static void read_attributes(struct dot *p, enum tw__digraph_target target, struct tw__digraph_attributes *to)
{
	char key[32];
	for (; is(p, '['); next(p)) {
		next(p);
		while (!is(p, ']')) {
			if (!is_text(p)) {
				expected(p, "an attribute, or ]");
				return;
			}
			snprintf(key, sizeof key, "%s", p->tokens.text);
			next(p);
			skip(p, '=', "= and the attribute's value");
			if (!is_text(p)) {
				expected(p, "the attribute's value");
				return;
			}
			tw__digraph_set(&p->graph, target, to, key, p->tokens.text, p->tokens.line);
			next(p);
			if (is(p, ',') || is(p, ';'))
				next(p);
		}
	}
}

/* Reads NAME = VALUE, an attribute of the graph or subgraph as in graph [NAME = VALUE]. */
static void read_assignment(struct dot *p, enum tw__digraph_target target)
{
	char key[32];
	snprintf(key, sizeof key, "%s", p->tokens.text);
	next(p); /* becomes the = */
	next(p);
	if (p->tokens.kind == TW__DOT_ID)
		tw__digraph_set(&p->graph, target, NULL, key, p->tokens.text, p->tokens.line);
	else
		expected(p, "the attribute's value");
	next(p);
}

/* --- nodes and edges ---------------------------------------------------------------------------------------------- */

/* Reads a node's name, and adds the node if it is new. A node takes the default attributes that hold where it is first
 * named. */
static void read_node(struct dot *p, const struct tw__digraph_attributes *defaults)
{
	int32_t known = p->graph.draft->job_names.n;
	int32_t node = tw__digraph_node(&p->graph, p->tokens.text, &defaults->node, p->tokens.line);
	TW_RESERVE(p->mark, p->mark_capacity, (size_t)node + 1);
	if (node == known)
		p->mark[node] = 0;
	p->graph.draft->jobs[node].described = true;
	p->graph.draft->jobs[node].order = (uint64_t)node;
	TW_RESERVE(p->mentioned, p->mentioned_capacity, p->n_mentioned + 1);
	p->mentioned[p->n_mentioned++] = node;
	next(p);
	/* Skips a port of the node and its compass point, which only concern drawings. */
	for (int i = 0; i < 2 && is(p, ':'); i++) {
		next(p);
		if (p->tokens.kind != TW__DOT_ID)
			expected(p, "a port");
		next(p);
	}
}

/* Removes duplicate nodes from an operand of an edge, whose nodes begin at index `first` of the mentioned nodes. */
static void drop_repeated(struct dot *p, size_t first)
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
static void read_operand(struct dot *p, const struct tw__digraph_attributes *defaults, int depth)
{
	size_t first = p->n_mentioned;
	if (p->tokens.kind == TW__DOT_ID) {
		read_node(p, defaults);
		return;
	}
	if (tw__dot_is_word(&p->tokens, "subgraph")) {
		next(p);
		if (p->tokens.kind == TW__DOT_ID)
			next(p);
	}
	if (!is(p, '{')) {
		expected(p, "a node, or a subgraph in {}");
		return;
	}
	if (depth == MAX_DEPTH)
		tw__draft_fail(p->graph.draft, p->tokens.line,
		               "subgraphs more than %d deep in each other, expected fewer", MAX_DEPTH);
	next(p);
	read_statements(p, *defaults, depth + 1);
	drop_repeated(p, first);
	next(p); /* skip the } of the subgraph */
}

/* Adds edges from each node of an operand to each node of the next one. Operand i ends at index ends[i] of the
 * mentioned nodes; operand 0 begins at `first`. */
static void add_edges(struct dot *p, size_t first, const size_t *ends, int n, const struct tw__digraph_edge *edge,
                      uint32_t line)
{
	size_t begin = first;
	for (int o = 0; o + 1 < n; o++) {
		for (size_t i = begin; i < ends[o]; i++)
			for (size_t j = ends[o]; j < ends[o + 1] && p->graph.draft->status == TW_OK; j++)
				tw__digraph_edge(&p->graph, p->mentioned[i], p->mentioned[j], edge, line);
		begin = ends[o];
	}
}

/* Reads a node with its attributes, a chain of edges with their attributes, or a subgraph. */
static void read_chain(struct dot *p, const struct tw__digraph_attributes *defaults, int depth)
{
	size_t first = p->n_mentioned, *ends = NULL, capacity = 0;
	int n = 0;
	uint32_t line = p->tokens.line;
	bool is_node = p->tokens.kind == TW__DOT_ID;
	read_operand(p, defaults, depth);
	for (;;) {
		TW_RESERVE(ends, capacity, (size_t)n + 1);
		ends[n++] = p->n_mentioned;
		if (p->tokens.kind == TW__DOT_LINE)
			expected(p, "->, as the graph is directed");
		if (p->tokens.kind != TW__DOT_ARROW)
			break;
		next(p);
		read_operand(p, defaults, depth);
	}
	struct tw__digraph_attributes own = *defaults;
	if (n > 1) {
		read_attributes(p, TW__OF_EDGES, &own);
		add_edges(p, first, ends, n, &own.edge, line);
	} else if (is_node) {
		own.node = p->graph.nodes[p->mentioned[first]];
		read_attributes(p, TW__OF_NODES, &own);
		p->graph.nodes[p->mentioned[first]] = own.node;
	}
	free(ends);
	if (depth == 0)
		p->n_mentioned = first; /* no enclosing subgraph needs these nodes */
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static void read_statement(struct dot *p, struct tw__digraph_attributes *defaults, int depth)
{
	enum tw__digraph_target of_graph = depth == 0 ? TW__OF_GRAPH : TW__OF_SUBGRAPH;
	if (p->tokens.kind == TW__DOT_WORD && !tw__dot_is_word(&p->tokens, "subgraph")) {
		enum tw__digraph_target target = tw__dot_is_word(&p->tokens, "node")   ? TW__OF_NODES
		                                 : tw__dot_is_word(&p->tokens, "edge") ? TW__OF_EDGES
		                                                                       : of_graph;
		if (target == of_graph && !tw__dot_is_word(&p->tokens, "graph"))
			expected(p, "a statement");
		next(p);
		if (!is(p, '['))
			expected(p, "[ and attributes");
		read_attributes(p, target, defaults);
	} else if (p->tokens.kind == TW__DOT_ID && tw__dot_peek(&p->tokens) == '=') {
		read_assignment(p, of_graph);
	} else {
		read_chain(p, defaults, depth);
	}
}

/* Reads statements up to the } that ends them, which becomes the last token. */
static void read_statements(struct dot *p, struct tw__digraph_attributes defaults, int depth)
{
	while (!is(p, '}') && p->tokens.kind != TW__DOT_END)
		if (is(p, ';'))
			next(p);
		else
			read_statement(p, &defaults, depth);
	if (p->tokens.kind == TW__DOT_END)
		expected(p, "a statement, or }");
}

static void read_digraph(struct dot *p)
{
	next(p);
	p->graph.strict = tw__dot_is_word(&p->tokens, "strict");
	if (p->graph.strict)
		next(p);
	if (!tw__dot_is_word(&p->tokens, "digraph"))
		expected(p, "digraph");
	next(p);
	if (p->tokens.kind == TW__DOT_ID)
		next(p);
	skip(p, '{', "{");
	read_statements(p, tw__digraph_no_attributes, 0);
	next(p);
	if (p->tokens.kind != TW__DOT_END)
		expected(p, "the end of the file after one graph");
}

void tw__read_dot(struct tw__draft *draft)
{
	struct dot p = {0};
	char *text;
	draft->status = tw__input_whole(&text, draft->file, draft->err);
	if (draft->status < 0)
		return;
	tw__digraph_init(&p.graph, draft);
	tw__dot_tokens_init(&p.tokens, draft, text);
	read_digraph(&p);
	tw__digraph_tasks(&p.graph);
	tw__dot_tokens_finish(&p.tokens);
	tw__digraph_finish(&p.graph);
	free(p.mentioned);
	free(p.mark);
	free(text);
}
