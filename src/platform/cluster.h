/* Clusters: the platforms of several nodes and the network between them, joined to one platform.
 *
 * A node of a cluster is a "rank" in the code, because a "node" is a memory there. In a joined platform come the main
 * memories of all ranks, then their accelerators' memories, then their disks; accelerators, then CPU workers. Within
 * each of these groups the order is that of ranks, then that of the rank's own platform. Names are "RANK.NAME", as in
 * "node3.GPU0". Routes are those within each rank, and those of the network, which join the first main memories of any
 * two ranks. */
#ifndef TW__CLUSTER_H
#define TW__CLUSTER_H

#include "platform/platform.h"

/* The most nodes of a cluster, and memories and workers of its joined platform. Routes are a table of pairs of
 * memories. Records of runs count workers in 16 bits. */
enum { TW__MAX_RANKS = 1024, TW__MAX_JOINED_MEMORIES = 2048, TW__MAX_JOINED_WORKERS = INT16_MAX };

/* The network between the nodes of a cluster. */
struct tw__network {
	const char *name, *summary; /* of the joined platform */
	/* as in struct tw__platform; NULL: those of the nodes, if these have one name */
	const char *runtime, *runtime_from;
	int n_ranks, n_links;
	char **names; /* [n_ranks] */
	struct tw__link *links;
	int first_link; /* number of the first link in `routes` */
	/* [from * n_ranks + to]: `links` and `n_links` are set; there is a route between any two ranks */
	struct tw__route *routes;
};

/* Joins nodes to a platform. `of_rank`, [n_ranks]: the platforms of the nodes, which are no clusters. Several ranks may
 * have one of them. If their names differ, archs are named "PLATFORM.ARCH", as in "mirage.cpu". TW_INVALID: two nodes
 * without a route, more than TW__MAX_JOINED_MEMORIES memories or TW__MAX_JOINED_WORKERS workers, or two platforms with
 * one name and other archs. */
int tw__cluster_join(struct tw__platform **, const struct tw__network *, const struct tw__platform *const *of_rank,
                     struct tw_error *err);

/* Returns the platform of a rank, as it was before it was joined. Sets `workers` and `nodes` to the numbers of its
 * workers and memories in `whole`. The caller destroys and frees them. For a single node, returns a copy of it. */
struct tw__platform *tw__cluster_rank(const struct tw__platform *whole, int rank, tw_worker **workers, tw_node **nodes);

/* Makes `network` that of a joined platform, which it refers to. The caller frees `network->routes`. */
void tw__cluster_network(struct tw__network *network, const struct tw__platform *whole);

/* Makes `direct` the same platform, with routes between the memories of cards and those of other nodes, for GPUDirect.
 * It refers to the rest of `whole`. */
void tw__direct_routes_init(struct tw__platform *direct, const struct tw__platform *whole);
void tw__direct_routes_finish(struct tw__platform *direct);

/* Returns the part of a node platform's name that prefixes its archs: "mirage" of "mirage" and of "../my/mirage.xml".
 * *length: its length. */
const char *tw__cluster_prefix(const char *name, int *length);

#endif
