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

#endif
