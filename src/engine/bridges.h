/* Bridges: links whose bandwidth is lower while several copies share them. This file counts the copies on each bridge,
 * and sets the bridge's bandwidth in SimGrid. */
#ifndef TW__BRIDGES_H
#define TW__BRIDGES_H

#include "platform/platform.h"

struct tw__bridge;

struct tw__bridges {
	const struct tw_platform *platform;
	struct tw__bridge *of; /* [n_links]; only entries of bridges are used */
};

/* Finds the platform's bridges. The platform must have been loaded into SimGrid before. Returns TW_OK or TW_NOMEM. */
int tw__bridges_init(struct tw__bridges *, const struct tw_platform *);
void tw__bridges_finish(struct tw__bridges *);

/* Counts a flow on the bridges of a route: tw__bridges_enter when the flow begins, tw__bridges_leave when it has
 * ended. */
void tw__bridges_enter(struct tw__bridges *, const struct tw__route *);
void tw__bridges_leave(struct tw__bridges *, const struct tw__route *);

#endif
