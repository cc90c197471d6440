/* The edges of a task graph as a graph of igraph. For modules alone: the library does not link with igraph. */
#ifndef TW__IGRAPH_EDGES_H
#define TW__IGRAPH_EDGES_H

#include <igraph.h>

#include "graph/edges.h"

/* A directed graph with a vertex for each task. The caller destroys it with igraph_destroy. */
static inline igraph_error_t tw__igraph_create(igraph_t *to, tw_task n_tasks, const struct tw__edge *edges, size_t n)
{
	igraph_vector_int_t ends;
	igraph_error_t why = igraph_vector_int_init(&ends, (igraph_integer_t)(2 * n));
	if (why)
		return why;
	for (size_t i = 0; i < n; i++) {
		VECTOR(ends)[2 * i] = edges[i].from;
		VECTOR(ends)[2 * i + 1] = edges[i].to;
	}
	why = igraph_create(to, &ends, n_tasks, IGRAPH_DIRECTED);
	igraph_vector_int_destroy(&ends);
	return why;
}

#endif
