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

/* Makes a cluster of n one-core nodes, and its program: a task a line, as in "1 : a+ b" for a task on node 1 that
 * writes a and reads b. Handles are letters; a letter with '+' is written, with '!' written without being read, with
 * '*' reduced; "f: a" flushes a. "< 0": the task waits for task 0. "1^:" has priority.
 *
 * Tasks take 1 s, and so does combining. Handles have 1 GB, which a link passes in 1 s; a route has two links of 1 ms.
 * `owners`: the node of each handle, as in "001". `mem`: the bound of main memories, as in --mem. NULL: none. */
void cluster_program(struct world *, int n, const char *owners, const char *const *lines, const char *mem);
/* The same with nodes of up to two archs. */
void cluster_program_on(struct world *, const char *node_xml, int n, const char *owners, const char *const *lines,
                        const char *mem);

#endif
