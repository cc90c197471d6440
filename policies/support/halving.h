/* Graphs of tasks that METIS halves, for the policy metis and for distributions over the nodes of a cluster. METIS is
 * asked for two parts alone, because it may print messages for more. */
#ifndef TW_POLICIES_HALVING_H
#define TW_POLICIES_HALVING_H

#include <metis.h>

#include <tilewright/graph.h>

/* The graph of the tasks that are being halved: vertex v is the v-th of these tasks. Callers fill `work`, and join
 * vertices. */
struct tw_halving {
	double *work;                           /* [vertices] work of each task */
	idx_t *start, *neighbour, *edge_weight; /* the edges of vertex v are start[v] .. start[v + 1] */
	idx_t *vertex_weight, *part;
	/* [vertices] index in `neighbour` of the last edge that leads to this vertex; TW_NONE: no edge yet */
	idx_t *edge_to;
	tw_task *sorted; /* [vertices] scratch array */
	int64_t looks;   /* number of edges that were added, parallel ones included */
};

enum { TW_HALVING_EDGES = INT32_MAX - 1 }; /* most edges, both ways counted: METIS numbers them with 32 bits */

/* For graphs of at most so many vertices and edges, both ways counted. */
void tw_halving_init(struct tw_halving *, size_t vertices, size_t edges);
void tw_halving_finish(struct tw_halving *);

/* Begins a graph of n vertices, without edges. */
void tw_halving_begin(struct tw_halving *, tw_task n);
/* Begins the edges of a vertex. Vertices come in ascending order. */
static inline void tw_halving_vertex(struct tw_halving *h, tw_task v) { h->start[v + 1] = h->start[v]; }
/* Adds an edge from the last vertex that was begun. The caller adds the same edge from the other vertex, too. Weights
 * of parallel edges add up. */
void tw_halving_join(struct tw_halving *, idx_t from, idx_t to, idx_t weight);
/* Turns a weight between 0 and `greatest` into an integer from 1 to 1000. The maximum is lower if n such weights could
 * overflow an idx_t. */
idx_t tw_halving_weight(double value, double greatest, double n);

/* Halves the tasks, which are those of the vertices: the first half gets the part `share` of the work, up to METIS'
 * tolerance. Moves its tasks in front of the others; both halves keep their order. *n_first: how many it has. Returns
 * METIS_OK, or METIS' error. */
int tw_halve(struct tw_halving *, tw_task *tasks, tw_task n, double share, tw_task *n_first);

#endif
