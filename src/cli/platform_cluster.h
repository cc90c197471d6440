/* tilewright platform cluster: joins nodes to a cluster. */
#ifndef TW__PLATFORM_CLUSTER_H
#define TW__PLATFORM_CLUSTER_H

#include <stdbool.h>

enum { MOST_CLUSTER_NODES = 64, MOST_CLUSTER_COUNT = 1024 };

struct cluster_node {
	const char *name; /* of the platform */
	int count;        /* 0: not given */
};

/* Values of options as they are given; NULL: not given. */
struct cluster_options {
	int n_nodes;
	struct cluster_node nodes[MOST_CLUSTER_NODES];
	const char *bandwidth, *latency, *backbone, *topology, *network;
};

/* Writes the platform.xml of the cluster to a folder, and the kernels.csv if its nodes differ. Returns the exit
 * status. */
int platform_cluster(const struct cluster_options *, const char *folder, bool force);

#endif
