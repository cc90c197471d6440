/* The links and routes of SimGrid's <cluster>: what its topologies share. */
#ifndef TW__WIRING_H
#define TW__WIRING_H

#include "platform/cluster.h"
#include "platform/raw.h"

/* A network of a <cluster> in the making. */
struct tw__wiring {
	const struct tw__raw *raw;
	const struct tw__raw_cluster *cluster;
	struct tw__network *network;
	struct tw_error *err;
	size_t link_capacity, hop_capacity, n_listed;
	int *hops; /* [n_hops]: the links of the route in the making */
	int n_hops;
};

/* Two links, one for each direction, or the same link twice. */
struct tw__cable {
	int up, down;
};

/* Add a link, a cable with the cluster's sharing policy, or a limiter of a host or switch. The links of a cable have
 * the name with _UP and _DOWN. A limiter is TW_NONE if the cluster has none. */
int tw__wire_link(struct tw__wiring *, double bandwidth, double latency, enum tw__sharing, const char *format, ...)
	TW_PRINTF(5, 6);
struct tw__cable tw__wire_cable(struct tw__wiring *, double bandwidth, const char *format, ...) TW_PRINTF(3, 4);
int tw__wire_limiter(struct tw__wiring *, int number);

/* Adds a link to the route in the making; TW_NONE: none. */
void tw__wire_hop(struct tw__wiring *, int link);
/* Ends the route in the making. TW_INVALID: too many links in all routes. */
int tw__wire_route(struct tw__wiring *, int from, int to);

/* Parameters of a topology: lists of numbers above 0, with ';' between the lists and ',' in them. */
enum { TW__MOST_LISTS = 4, TW__MOST_IN_LIST = 8 };
struct tw__lists {
	int n_lists, n[TW__MOST_LISTS], of[TW__MOST_LISTS][TW__MOST_IN_LIST];
};
/* Reads them. `form`: an example of the right form, for messages; n[i]: how many numbers list i must have, 0: any. */
int tw__wire_lists(struct tw__lists *, const struct tw__wiring *, int n_lists, const int *n, const char *form);
/* Checks that the parameters make as many nodes as the cluster has hosts, and at most TW__MAX_LINKS links. */
int tw__wire_check(const struct tw__wiring *, int64_t n_nodes, int64_t n_links);

/* Make the links and routes of a topology. */
int tw__wire_fat_tree(struct tw__wiring *);
int tw__wire_dragonfly(struct tw__wiring *);
int tw__wire_torus(struct tw__wiring *);

#endif
