/* What platform.xml says, before it is given a meaning: read.c fills it, build.c makes a platform of it. */
#ifndef TW__RAW_H
#define TW__RAW_H

#include "platform/platform.h"

/* Bounds of a file from anywhere. A node of this size is far beyond what one scheduler is asked to drive. */
enum {
	TW__MAX_FILE_BYTES = 64 << 20,
	TW__MAX_HOSTS = 4096,
	TW__MAX_LINKS = 65536,
	TW__MAX_ROUTE_LINKS = 4096,
	TW__MAX_WORKERS = 4096,
	TW__MAX_NODES = 1024,
	TW__MAX_NAME = 255 /* bytes of an id */
};

/* What a host is told to be (its prop `role`); NOT_SAID: found from its other props or its id. */
enum tw__role {
	TW__ROLE_NOT_SAID,
	TW__ROLE_WORKER,      /* CPU cores */
	TW__ROLE_ACCELERATOR, /* a worker and its memory */
	TW__ROLE_MEMORY,
	TW__ROLE_DISK,
	TW__ROLE_IGNORED
};

/* What drives an accelerator (its prop `driver`). */
enum tw__driver { TW__DRIVER_NOT_SAID, TW__DRIVER_CORE, TW__DRIVER_NONE };

struct tw__raw_host {
	char *id, *arch, *model; /* arch, model: NULL if not said */
	int line, cores;
	double speed;
	enum tw__role role;
	uint64_t memory_bytes; /* 0: not said */
	int peer;              /* -1: not said */
	enum tw__driver driver;
	double idle_watts, busy_watts; /* of all cores; NAN: not said */
};

struct tw__raw_link {
	char *id;
	int line;
	double bandwidth, latency;
	double shared_bandwidth;                       /* negative: not said */
	double predicted_bandwidth, predicted_latency; /* negative: not said */
	enum tw__sharing sharing;
	int other_way; /* of a SPLITDUPLEX pair, which is two links; TW_NONE else */
};

struct tw__raw_route {
	int line, from, to; /* hosts */
	bool symmetrical;
	int n_links, capacity;
	int *links; /* in the order of the file */
};

struct tw__raw_name; /* an id and what it stands for, hashed */

struct tw__raw {
	const char *file; /* for messages; the caller's */
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

/* "FILE:LINE: ..." */
int tw__raw_fail(const struct tw__raw *, int line, struct tw_error *err, const char *format, ...) TW_PRINTF(4, 5);

/* Makes room for one more in an array of `each` bytes a thing; false: out of memory. */
bool tw__raw_reserve(void *array, int n, int *capacity, size_t each);

/* The place of an id, TW_NONE if there is none. */
int tw__raw_find(struct tw__raw_name *const *names, const char *id);
int tw__raw_add_name(struct tw__raw_name **names, const char *id, int place); /* TW_OK or TW_NOMEM */

/* Adds things with copies of `id`; the caller fills the rest. Duplicates and too many: TW_INVALID. */
int tw__raw_add_host(struct tw__raw *, const char *id, int line, struct tw_error *err);
int tw__raw_add_link(struct tw__raw *, const char *id, int line, struct tw_error *err);
int tw__raw_add_route(struct tw__raw *, int line, struct tw_error *err);

/* Roles, archs, memories, routes: the meaning of the file. */
int tw__raw_build(struct tw_platform **, const struct tw__raw *, const char *name, struct tw_error *err);

#endif
