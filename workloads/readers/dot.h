/* The parts of the DOT reader. dot.c reads statements, dot_attributes.c reads attributes of nodes and edges, and
 * dot_tasks.c turns nodes and edges into tasks and handles. */
#ifndef TW__DOT_H
#define TW__DOT_H

#include "readers/dot_tokens.h"
#include "readers/reader.h"

/* The attributes of a node. Texts are given by their numbers in tw__dot.texts; TW_NONE: not given. */
struct tw__dot_node {
	int32_t kernel, size, precision, on;
	int32_t priority;
	double seconds, flops; /* recorded seconds, and flops; NAN: not given */
};

struct tw__dot_edge {
	int64_t bytes; /* size of the edge's handle; 0: the edge has none */
	int32_t data;  /* number in tw__dot.texts of the handle's name; TW_NONE: no name */
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
	struct tw__dot_node *nodes; /* attributes of each node, indexed by the draft's jobs */
	struct tw__dot_flow *flows; /* the edges that have a handle */
	int32_t *mentioned;         /* stack of nodes: operands of the edges in statements that are not yet complete */
	int32_t *mark;              /* [nodes] number of the last operand that contains the node */
	int32_t operands;
	size_t n_flows, n_mentioned, nodes_capacity, flows_capacity, mentioned_capacity, mark_capacity;
};

/* The default attributes of later nodes and edges in a graph or subgraph. */
struct tw__dot_defaults {
	struct tw__dot_node node;
	struct tw__dot_edge edge;
};

enum tw__dot_target { TW__DOT_OF_GRAPH, TW__DOT_OF_NODES, TW__DOT_OF_EDGES };

/* Reads any number of attribute lists [key = value, ...] into `to`. If there is a list, its '[' is the last token. */
int tw__dot_attributes(struct tw__dot *, enum tw__dot_target, struct tw__dot_defaults *to);

/* Adds the tasks and accesses of all nodes and edges to the draft. */
int tw__dot_tasks(struct tw__dot *);

#endif
