/* A file in Tilewright's own format of task graphs while it is read: for graph_json.c, which describes the format, and
 * graph_json_data.c. */
#ifndef TILEWRIGHT_GRAPH_JSON_H
#define TILEWRIGHT_GRAPH_JSON_H

#include "readers/json.h"

struct graph_file {
	struct tw__draft *draft; /* used only for kernels and counts of differences */
	struct tw_graph *graph;
	tw_kernel *kernels; /* [n_kernels] kernels of the graph, indexed by their numbers in the file */
	size_t n_kernels;
	struct tw_access *accesses; /* of one task */
	uint8_t *modes;             /* of these accesses, as in the file */
	tw_task *ends; /* [n_ends] the ends of the recursive tasks around the next task, the closest one last */
	size_t n_ends, ends_capacity, n_tasks;
	size_t accesses_capacity, modes_capacity;
};

/* Takes the error that the graph keeps since a builder function failed, with a message about the value. */
void tw__graph_json_refuse(const struct graph_file *, const struct tw__json_at *);

/* Returns the number of a handle. */
int64_t tw__graph_json_handle(const struct graph_file *, const struct tw__json_at *);

/* In graph_json_data.c, for the members of these names; `data` with `parts`. */
void tw__graph_json_data(const struct graph_file *, const struct tw__json_at *data, const struct tw__json_at *parts);
void tw__graph_json_discarded(const struct graph_file *, const struct tw__json_at *);
void tw__graph_json_places(const struct graph_file *, const struct tw__json_at *,
                           void (*set)(struct tw_graph *, tw_data, tw_node));
void tw__graph_json_reductions(const struct graph_file *, const struct tw__json_at *);

#endif
