/* Graphs of nodes and edges that have attributes, as files in DOT and GraphML have them. A node is a task. An edge is a
 * dependency, perhaps with a handle that its first node writes and its second node reads.
 * docs/reference/graphs.md describes the attributes. */
#ifndef TW__DIGRAPH_H
#define TW__DIGRAPH_H

#include "readers/reader.h"

/* The attributes of a node. Texts are given by their numbers in tw__digraph.texts; TW_NONE: not given. */
struct tw__digraph_node {
	int32_t kernel, size, precision, on, arch_seconds;
	int32_t priority;
	/* NAN: not given; the first three are recorded seconds where `on` says, on processors, and on accelerators */
	double seconds, cpu_seconds, gpu_seconds, flops;
};

struct tw__digraph_edge {
	uint64_t bytes; /* size of the edge's handle; 0: the edge has none */
	int32_t data;   /* number in tw__digraph.texts of the handle's name; TW_NONE: no name */
};

/* The attributes of one node or edge, or the default attributes of later ones. */
struct tw__digraph_attributes {
	struct tw__digraph_node node;
	struct tw__digraph_edge edge;
};
extern const struct tw__digraph_attributes tw__digraph_no_attributes;

enum tw__digraph_target { TW__OF_GRAPH, TW__OF_NODES, TW__OF_EDGES };

struct tw__digraph_flow {
	int32_t from, to;
	struct tw__digraph_edge edge;
	uint32_t line;
};

struct tw__digraph {
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
	bool strict;  /* whether edges of the same two nodes without the name of a handle share one */
	bool simgrid; /* whether some node is one of SimGrid's */
	struct tw__name_list texts;
	struct tw__digraph_node *nodes; /* attributes of each node, indexed by the draft's jobs */
	struct tw__digraph_flow *flows; /* the edges that have a handle */
	size_t n_flows, nodes_capacity, flows_capacity;
};

void tw__digraph_finish(struct tw__digraph *);

/* Finds the node `name`, or adds it with these attributes. Returns its number, the draft's job. */
int32_t tw__digraph_node(struct tw__digraph *, const char *name, const struct tw__digraph_node *, uint32_t line);
int tw__digraph_edge(struct tw__digraph *, int32_t from, int32_t to, const struct tw__digraph_edge *, uint32_t line);

/* Sets the attribute `key`. A key that means nothing for the target is counted as left out. */
int tw__digraph_set(struct tw__digraph *, enum tw__digraph_target, struct tw__digraph_attributes *to, const char *key,
                    const char *text, uint32_t line);

/* Adds the tasks and accesses of all nodes and edges to the draft. */
int tw__digraph_tasks(struct tw__digraph *);

#endif
