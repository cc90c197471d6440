/* Removes from a platform's routes the links that can never limit a flow; most links of a machine never can. Each link
 * of a route costs a simulator time at every start and end of a flow, and adds a row to traces. */
#ifndef TW__BOTTLENECKS_H
#define TW__BOTTLENECKS_H

#include "platform/platform.h"

/* Makes a copy of a platform whose routes omit links that can never be the bottleneck. Every flow still has the same
 * share of bandwidth at any time. The copy borrows everything but its routes from the original. */
void tw__bottlenecks_init(struct tw__platform *narrowed, const struct tw__platform *);
void tw__bottlenecks_finish(struct tw__platform *narrowed);

#endif
