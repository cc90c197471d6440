/* The network between the nodes of a cluster, from the contents of a platform file: hosts with links and routes, or
 * SimGrid's <cluster>. Links and routes are those that SimGrid 3.32 makes. */
#ifndef TW__NETWORK_H
#define TW__NETWORK_H

#include "platform/cluster.h"
#include "platform/raw.h"

/* Makes the network of a file, which may be destroyed afterwards. TW_INVALID: parameters of a topology that do not fit
 * the number of hosts, or two hosts without a route. The caller sets `name` and `summary`. */
int tw__network_init(struct tw__network *, const struct tw__raw *, struct tw_error *err);
void tw__network_finish(struct tw__network *);

/* The platforms of a cluster's nodes. Equal names are one platform. */
struct tw__node_kinds {
	const struct tw__raw *raw;
	struct tw_error *err;
	int n;
	size_t capacity;
	struct tw__node_kind {
		char *name; /* as tw__platform_find takes it */
		char *files[TW__PLATFORM_FILES];
		struct tw__platform *platform; /* NULL: not read */
	} * of;                                /* [n] */
	int *of_rank;                          /* [hosts of the file] */
};

/* Finds the platforms of the nodes and their files, which it does not read. Call tw__node_kinds_finish also after an
 * error. */
int tw__node_kinds_find(struct tw__node_kinds *, const struct tw__raw *, struct tw_error *err);
void tw__node_kinds_finish(struct tw__node_kinds *);

/* Makes the platform of a cluster's file, and also keeps those of its nodes. Call tw__node_kinds_finish also after an
 * error. */
int tw__cluster_load(struct tw__platform **, struct tw__node_kinds *, const struct tw__raw *, const char *name,
                     struct tw_error *err);

/* Writes a file of a cluster with the network of `raw`. `node`: the prop `node`, for all hosts; `comment`: as in
 * tw__platform_write_xml. */
void tw__cluster_write(const struct tw__raw *, const char *node, const char *comment, FILE *);

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

/* Adds a link, a cable with the cluster's sharing policy (whose two links are NAME_UP and NAME_DOWN), and a limiter of a
 * host or switch; the last is TW_NONE if the cluster has none. */
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
