/* The links that can limit a flow; most links of a machine never can. Each link of a route costs a simulator time at
 * every start and end of a flow, and adds a row to traces. */
#ifndef TW__BOTTLENECKS_H
#define TW__BOTTLENECKS_H

#include "platform/platform.h"

/* A copy of the platform whose routes omit links that can never be the bottleneck. Every flow gets the same share at
 * any time. Everything else is borrowed from the original. TW_NOMEM: nothing stays allocated. */
int tw__bottlenecks_init(struct tw_platform *narrowed, const struct tw_platform *);
void tw__bottlenecks_finish(struct tw_platform *narrowed);

#endif
