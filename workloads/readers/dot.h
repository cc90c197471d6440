/* The parts of the DOT reader: dot.c reads statements, dot_attributes.c reads attributes of nodes and edges, and
 * dot_tasks.c turns nodes and edges into tasks and data. */
#ifndef TW__DOT_H
#define TW__DOT_H

#include "readers/dot_tokens.h"
#include "readers/reader.h"

/* A text is its number in `texts`, or TW_NONE. */
struct tw__dot_node {
	int32_t kernel, size, precision, on;
	int32_t priority;
	double seconds, flops; /* NAN: not given */
};

struct tw__dot_edge {
	int64_t bytes; /* 0: the edge has no data */
	int32_t data;  /* the name of its handle */
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
	struct tw__dot_node *nodes; /* indexed by the draft's jobs */
	struct tw__dot_flow *flows; /* the edges with data */
	int32_t *mentioned;         /* stack of the nodes of the open statements: the operands of edges */
	int32_t *mark;              /* [nodes] the last operand that contains the node */
	int32_t operands;
	size_t n_flows, n_mentioned, nodes_capacity, flows_capacity, mentioned_capacity, mark_capacity;
};

/* The default attributes of later nodes and edges in a graph or subgraph. */
struct tw__dot_defaults {
	struct tw__dot_node node;
	struct tw__dot_edge edge;
};

enum tw__dot_target { TW__DOT_OF_GRAPH, TW__DOT_OF_NODES, TW__DOT_OF_EDGES };

/* Reads any number of lists [key = value, ...]. The '[' of the first list, if there is one, is the last token. */
int tw__dot_attributes(struct tw__dot *, enum tw__dot_target, struct tw__dot_defaults *to);

/* Adds tasks and accesses for all nodes and edges to the draft. */
int tw__dot_tasks(struct tw__dot *);

#endif
