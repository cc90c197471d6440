/* Graphs of nodes and edges that have attributes, as files in DOT and GraphML have them. A node is a task. An edge is a
 * dependency, perhaps with a handle that its first node writes and its second node reads.
 * docs/reference/graphs.md describes the attributes. */
#ifndef TW__DIGRAPH_H
#define TW__DIGRAPH_H

#include "readers/draft.h"

/* The attributes of a node. Texts are given by their numbers in tw__digraph.texts; TW_NONE: not given. */
struct tw__digraph_node {
	int32_t kernel, size, precision, on, arch_seconds, archs, accesses;
	int32_t priority;
	bool critical;
	/* NAN: not given; the first three are recorded seconds where `on` says, on processors, and on accelerators */
	double seconds, cpu_seconds, gpu_seconds, flops;
};

struct tw__digraph_edge {
	uint64_t bytes; /* size of the edge's handle; 0: the edge has none */
	int32_t data;   /* number in tw__digraph.texts of the handle's name; TW_NONE: no name */
	bool ordered;   /* whether the edge orders also if the accesses of its nodes do not imply that */
};

/* The attributes of one node or edge, or the default attributes of later ones. */
struct tw__digraph_attributes {
	struct tw__digraph_node node;
	struct tw__digraph_edge edge;
};
extern const struct tw__digraph_attributes tw__digraph_no_attributes;

/* The attributes of the graph, which keep a whole graph of Tilewright. With `handles`, nodes have `accesses`. */
struct tw__digraph_whole {
	int32_t handles, discarded, homes, ends, reductions,
		priorities; /* numbers in tw__digraph.texts; TW_NONE: not given */
	double flops;       /* NAN: not given */
	uint32_t line;      /* line of the last one */
};

/* A subgraph has no attributes that mean anything. */
enum tw__digraph_target { TW__OF_GRAPH, TW__OF_SUBGRAPH, TW__OF_NODES, TW__OF_EDGES };

struct tw__digraph_flow {
	int32_t from, to;
	struct tw__digraph_edge edge;
	uint32_t line;
};

struct tw__digraph {
	struct tw__draft *draft;
	bool strict;  /* whether edges of the same two nodes without the name of a handle share one */
	bool simgrid; /* whether some node is one of SimGrid's */
	bool late;    /* whether attributes of the graph may stand behind its edges */
	struct tw__digraph_whole whole;
	struct tw__name_list texts;
	struct tw__digraph_node *nodes; /* attributes of each node, indexed by the draft's jobs */
	struct tw__digraph_flow *flows; /* the edges that have a handle */
	size_t n_flows, nodes_capacity, flows_capacity;
};

void tw__digraph_init(struct tw__digraph *, struct tw__draft *);
void tw__digraph_finish(struct tw__digraph *);

/* Finds the node `name`, or adds it with these attributes. Returns its number, the draft's job, which the caller
 * describes. */
int32_t tw__digraph_node(struct tw__digraph *, const char *name, const struct tw__digraph_node *, uint32_t line);
void tw__digraph_edge(struct tw__digraph *, int32_t from, int32_t to, const struct tw__digraph_edge *, uint32_t line);

/* Sets the attribute `key`. A key that means nothing for the target is counted as left out. */
void tw__digraph_set(struct tw__digraph *, enum tw__digraph_target, struct tw__digraph_attributes *to, const char *key,
                     const char *text, uint32_t line);

/* Read the attributes that keep a whole graph: its handles, the accesses of a node, and the rest in this order. */
void tw__digraph_handles(struct tw__digraph *);
void tw__digraph_accesses(struct tw__digraph *, int32_t node);
void tw__digraph_discarded(struct tw__digraph *);
void tw__digraph_places(struct tw__digraph *, const char *key, int32_t text,
                        void (*set)(struct tw_graph *, tw_data, tw_node));
void tw__digraph_reductions(struct tw__digraph *);
/* Checks that each edge with data follows from the accesses of its nodes. */
void tw__digraph_check_flows(struct tw__digraph *);

/* Adds the tasks and accesses of all nodes and edges to the draft. */
void tw__digraph_tasks(struct tw__digraph *);

#endif
