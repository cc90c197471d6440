/* Worlds of the runtime's tests, on several nodes. */
#ifndef CLUSTER_WORLD_H
#define CLUSTER_WORLD_H

#include "cluster/distribution.h"
#include "world.h"

/* A network: each node has a link up and one down, and all share a backbone. Rates in bytes/s, in seconds. */
struct test_network {
	double bandwidth, latency, backbone; /* backbone 0: there is none */
};

/* Joins n nodes like the world's platform, and divides its graph among them. The world's times are for its tasks. */
void cluster_world(struct world *, int n, struct test_network, const struct tw__distribution *);

#endif
