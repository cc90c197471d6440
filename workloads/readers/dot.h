/* What the parts of the reader of DOT share: dot.c reads statements, dot_attributes.c what they say of nodes and edges,
 * dot_tasks.c makes tasks and data of these. */
#ifndef TW__DOT_H
#define TW__DOT_H

#include "readers/dot_tokens.h"
#include "readers/reader.h"

/* Texts are numbers of names, or TW_NONE. */
struct tw__dot_node {
	int32_t kernel, size, precision, on;
	int32_t priority;
	double seconds, flops; /* NAN: not told */
};

struct tw__dot_edge {
	int64_t bytes; /* 0: none */
	int32_t data;  /* its name */
};

struct tw__dot_flow {
	int32_t from, to;
	struct tw__dot_edge edge;
	uint32_t line;
};

struct tw__dot {
	struct tw__dot_tokens tokens;
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
	bool strict;
	struct tw__name_list texts;
	struct tw__dot_node *nodes; /* by the draft's jobs */
	struct tw__dot_flow *flows; /* the edges that carry data */
	int32_t *mentioned;         /* nodes, by the statements being read: the operands of edges */
	int32_t *mark;              /* [nodes] the last operand that has it */
	int32_t operands;
	size_t n_flows, n_mentioned, nodes_capacity, flows_capacity, mentioned_capacity, mark_capacity;
};

/* What holds in a graph or subgraph for the nodes and edges to come. */
struct tw__dot_defaults {
	struct tw__dot_node node;
	struct tw__dot_edge edge;
};

enum tw__dot_target { TW__DOT_OF_GRAPH, TW__DOT_OF_NODES, TW__DOT_OF_EDGES };

/* Any number of [key = value, ...] lists, the first of which, if there is one, is the token read last. */
int tw__dot_attributes(struct tw__dot *, enum tw__dot_target, struct tw__dot_defaults *to);

/* All nodes and edges, into the draft. */
int tw__dot_tasks(struct tw__dot *);

#endif
