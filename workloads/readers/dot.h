/* The parts of the DOT reader. dot.c reads statements, and dot_attributes.c lists of attributes. */
#ifndef TW__DOT_H
#define TW__DOT_H

#include "readers/digraph.h"
#include "readers/dot_tokens.h"

struct tw__dot {
	struct tw__dot_tokens tokens;
	struct tw__digraph graph;
	int32_t *mentioned; /* stack of nodes: operands of the edges in statements that are not yet complete */
	int32_t *mark;      /* [nodes] number of the last operand that contains the node */
	int32_t operands;
	size_t n_mentioned, mentioned_capacity, mark_capacity;
};

/* Reads any number of attribute lists [key = value, ...] into `to`. If there is a list, its '[' is the last token. */
int tw__dot_attributes(struct tw__dot *, enum tw__digraph_target, struct tw__digraph_attributes *to);

#endif
