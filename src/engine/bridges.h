/* Bridges: links whose bandwidth is lower while several copies share them. Counts the copies on each bridge. */
#ifndef TW__BRIDGES_H
#define TW__BRIDGES_H

#include "platform/platform.h"

struct tw__bridge;

struct tw__bridges {
	const struct tw_platform *platform;
	struct tw__bridge *of; /* [n_links] */
};

/* The platform must have been loaded into SimGrid before. */
int tw__bridges_init(struct tw__bridges *, const struct tw_platform *);
void tw__bridges_finish(struct tw__bridges *);

/* To be called when a flow begins on the links of the route, and when it has ended. */
void tw__bridges_enter(struct tw__bridges *, const struct tw__route *);
void tw__bridges_leave(struct tw__bridges *, const struct tw__route *);

#endif
