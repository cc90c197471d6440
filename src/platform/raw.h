/* The contents of a platform.xml before they are interpreted. read.c fills in a struct tw__raw; build.c makes a
 * platform from it. */
#ifndef TW__RAW_H
#define TW__RAW_H

#include "platform/platform.h"

/* Limits of platform files, which may be untrusted. A node of this size is far beyond what one scheduler drives. */
enum {
	TW__MAX_FILE_BYTES = 64 << 20,
	TW__MAX_MARKUP_BYTES = 1 << 20, /* the most bytes of a tag or comment */
	TW__MAX_HOSTS = 4096,
	TW__MAX_LINKS = 65536,
	TW__MAX_ROUTE_LINKS = 4096,
	TW__MAX_WORKERS = 4096,
	TW__MAX_NODES = 1024,
	TW__MAX_NAME = 255 /* the most bytes of an id or a name */
};

/* Roles of hosts in platform.xml, from the prop `role`. NOT_SAID: the host has no such prop, so its other props or its
 * id decide. */
enum tw__role {
	TW__ROLE_NOT_SAID,
	TW__ROLE_WORKER,      /* CPU cores, each of them a worker */
	TW__ROLE_ACCELERATOR, /* a worker and a memory of its own, such as a GPU */
	TW__ROLE_MEMORY,
	TW__ROLE_DISK,
	TW__ROLE_IGNORED
};

/* Whether an accelerator needs a CPU core that drives it, from the prop `driver` of its host. NOT_SAID: the host has no
 * such prop, and a core is needed. */
enum tw__driver { TW__DRIVER_NOT_SAID, TW__DRIVER_CORE, TW__DRIVER_NONE };

struct tw__raw_host {
	const char *id;     /* belongs to the table of names */
	char *arch, *model; /* NULL: the file gives none */
	char *main_memory; /* id of the host where the worker computes, or to which the card is near; NULL: the first */
	char *node;        /* the platform of this node of a cluster; NULL: not given */
	int line, cores;
	double speed;
	enum tw__role role;
	uint64_t memory_bytes; /* size of the host's memory; 0: not given */
	int peer;              /* value of prop `peer`, 0 or 1; -1: not given */
	enum tw__driver driver;
	int socket;                    /* of its cores; 0 if it was not said */
	double idle_watts, busy_watts; /* power of all cores of the host, idle and busy; NAN: not given */
};

struct tw__raw_link {
	const char *id; /* belongs to the table of names */
	int line;
	double bandwidth, latency;
	double shared_bandwidth; /* total bandwidth of several copies, bytes/s; negative: not given */
	/* values with which schedulers predict copies, bytes/s and seconds; negative: not given */
	double predicted_bandwidth, predicted_latency;
	enum tw__sharing sharing;
	char *origins[TW__N_LINK_NUMBERS]; /* as in struct tw__link */
	int other_way; /* index of the other half of a SPLITDUPLEX link; TW_NONE: the link is not duplex */
};

struct tw__raw_route {
	int line, from, to; /* from, to: indices of hosts */
	bool symmetrical;
	int n_links;
	size_t capacity;
	int *links; /* indices of links, in the file's order */
};

/* SimGrid's <cluster>: hosts that differ only in their names, and links of one kind between them. */
enum tw__topology { TW__FLAT, TW__FAT_TREE, TW__DRAGONFLY, TW__TORUS };
struct tw__raw_cluster {
	char *id, *prefix, *suffix;
	int line, n_hosts;
	size_t capacity;
	char **names;  /* [n_hosts]: ids of the hosts */
	int *radicals; /* [n_hosts]: the numbers in them */
	double bandwidth, latency;
	bool is_duplex;                              /* whether each link is two, one for each direction */
	double backbone_bandwidth, backbone_latency; /* bytes/s and seconds; bandwidth 0: there is no backbone */
	enum tw__sharing backbone_sharing;
	double limiter; /* bandwidth of a link at each host for both directions; 0: there is none */
	enum tw__topology topology;
	char *parameters; /* of the topology; NULL: not given */
};

struct tw__raw_name; /* an entry of a hash table from ids to indices of hosts or links */

struct tw__raw {
	const char *file; /* path of the file, for messages; owned by the caller */
	char *summary;
	char *runtime;
	char *origins[TW__N_LINK_NUMBERS]; /* of the links that have none; NULL: not said */
	/* The platforms of a cluster's nodes, as in "mirage" or "mirage:4,attila:2"; NULL: not said for all hosts. */
	char *node;
	int node_line;
	struct tw__raw_cluster *cluster; /* NULL: the file has none */
	int runtime_line, last_line;
	int n_hosts, n_links, n_routes;
	size_t host_capacity, link_capacity, route_capacity;
	struct tw__raw_host *hosts;
	struct tw__raw_link *links;
	struct tw__raw_route *routes;
	/* hash tables; duplex_names: from the id of a SPLITDUPLEX link (without _UP) to the index of its UP link */
	struct tw__raw_name *host_names, *link_names, *duplex_names;
};

void tw__raw_finish(struct tw__raw *);

/* Reads the contents of a file, or of a stream that messages call `path`. raw->file is `path`. */
int tw__raw_read(struct tw__raw *, const char *path, struct tw_error *err);
int tw__raw_read_stream(struct tw__raw *, FILE *, const char *path, struct tw_error *err);

/* Whether the file's hosts are nodes of a cluster. */
bool tw__raw_is_cluster(const struct tw__raw *);

/* Sets an error message that starts with "FILE:LINE: ". Returns TW_INVALID. */
int tw__raw_fail(const struct tw__raw *, int line, struct tw_error *err, const char *format, ...) TW_PRINTF(4, 5);

/* Returns the index that `names` has for the id of a host or link; TW_NONE: `names` lacks the id. */
int tw__raw_find(struct tw__raw_name *const *names, const char *id);
/* Adds an id that `names` lacks. Returns the copy that `names` has. */
const char *tw__raw_add_name(struct tw__raw_name **names, const char *id, int place);

/* Sets `roles`, [n_hosts], to the roles of all hosts, which their props or ids say. */
void tw__raw_roles(const struct tw__raw *, enum tw__role *roles);

/* Makes the links of a file: malloc'ed [n_links], with texts of their own. */
struct tw__link *tw__raw_make_links(const struct tw__raw *);

/* Returns link number `place` of a route. `back`: of the opposite direction of a symmetrical route, which has the links
 * in reverse order, with the other half of each duplex link. */
int tw__raw_route_link(const struct tw__raw *, const struct tw__raw_route *, bool back, int place);

/* Makes a platform from the contents of its file: interprets roles, archs, memories and routes. `name`: the name of the
 * platform. */
int tw__raw_build(struct tw__platform **, const struct tw__raw *, const char *name, struct tw_error *err);

#endif
