/* Links that pass less when several copies share them, and how many do just now. */
#ifndef TW__BRIDGES_H
#define TW__BRIDGES_H

#include "platform/platform.h"

struct tw__bridge;

struct tw__bridges {
	const struct tw_platform *platform;
	struct tw__bridge *of; /* [n_links] */
};

/* The platform's links as the simulator knows them, loaded before. */
int tw__bridges_init(struct tw__bridges *, const struct tw_platform *);
void tw__bridges_finish(struct tw__bridges *);

/* A flow begins on the links of the route, or has ended. */
void tw__bridges_enter(struct tw__bridges *, const struct tw__route *);
void tw__bridges_leave(struct tw__bridges *, const struct tw__route *);

#endif
