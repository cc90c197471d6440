/* Nodes, routes and links of a platform, by name. */
#ifndef LOOK_H
#define LOOK_H

#include "platform/platform.h"

tw_node node(const struct tw__platform *, const char *name);
const struct tw__route *route(const struct tw__platform *, const char *from, const char *to);
int times_listed(const struct tw__platform *, const struct tw__route *, const char *link);

#endif
