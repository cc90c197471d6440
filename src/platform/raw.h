/* The contents of platform.xml, not yet interpreted: read.c fills it in, build.c makes a platform from it. */
#ifndef TW__RAW_H
#define TW__RAW_H

#include "platform/platform.h"

/* Limits for untrusted files. A node of this size is far beyond what one scheduler drives. */
enum {
	TW__MAX_FILE_BYTES = 64 << 20,
	TW__MAX_HOSTS = 4096,
	TW__MAX_LINKS = 65536,
	TW__MAX_ROUTE_LINKS = 4096,
	TW__MAX_WORKERS = 4096,
	TW__MAX_NODES = 1024,
	TW__MAX_NAME = 255 /* bytes of an id */
};

/* The role of a host (its prop `role`); NOT_SAID: determined by its other props or its id. */
enum tw__role {
	TW__ROLE_NOT_SAID,
	TW__ROLE_WORKER,      /* CPU cores */
	TW__ROLE_ACCELERATOR, /* a worker and its memory */
	TW__ROLE_MEMORY,
	TW__ROLE_DISK,
	TW__ROLE_IGNORED
};

/* Whether an accelerator needs a core to drive it (its prop `driver`). */
enum tw__driver { TW__DRIVER_NOT_SAID, TW__DRIVER_CORE, TW__DRIVER_NONE };

struct tw__raw_host {
	char *id, *arch, *model; /* arch, model: NULL if not given */
	int line, cores;
	double speed;
	enum tw__role role;
	uint64_t memory_bytes; /* 0: not given */
	int peer;              /* -1: not given */
	enum tw__driver driver;
	double idle_watts, busy_watts; /* of all cores; NAN: not given */
};

struct tw__raw_link {
	char *id;
	int line;
	double bandwidth, latency;
	double shared_bandwidth;                       /* negative: not given */
	double predicted_bandwidth, predicted_latency; /* negative: not given */
	enum tw__sharing sharing;
	int other_way; /* the other half of a SPLITDUPLEX pair; TW_NONE: not duplex */
};

struct tw__raw_route {
	int line, from, to; /* from, to: indices of hosts */
	bool symmetrical;
	int n_links, capacity;
	int *links; /* in the order of the file */
};

struct tw__raw_name; /* a hash table from ids to indices */

struct tw__raw {
	const char *file; /* for messages; owned by the caller */
	char *summary;
	char *runtime;
	int runtime_line, last_line;
	int n_hosts, n_links, n_routes;
	int host_capacity, link_capacity, route_capacity;
	struct tw__raw_host *hosts;
	struct tw__raw_link *links;
	struct tw__raw_route *routes;
	struct tw__raw_name *host_names, *link_names, *duplex_names; /* duplex: id without _UP, _DOWN -> its UP link */
};

void tw__raw_finish(struct tw__raw *);

/* The message starts with "FILE:LINE: ". */
int tw__raw_fail(const struct tw__raw *, int line, struct tw_error *err, const char *format, ...) TW_PRINTF(4, 5);

/* Reserves space for one more in an array of elements of `each` bytes; false: out of memory. */
bool tw__raw_reserve(void *array, int n, int *capacity, size_t each);

/* The index of an id; TW_NONE: unknown. */
int tw__raw_find(struct tw__raw_name *const *names, const char *id);
int tw__raw_add_name(struct tw__raw_name **names, const char *id, int place); /* TW_OK or TW_NOMEM */

/* Add an element with a copy of `id`; the caller fills in the rest. Duplicates and too many: TW_INVALID. */
int tw__raw_add_host(struct tw__raw *, const char *id, int line, struct tw_error *err);
int tw__raw_add_link(struct tw__raw *, const char *id, int line, struct tw_error *err);
int tw__raw_add_route(struct tw__raw *, int line, struct tw_error *err);

/* Interprets the contents: roles, archs, memories, routes. */
int tw__raw_build(struct tw_platform **, const struct tw__raw *, const char *name, struct tw_error *err);

#endif
