/* The links that can hold a flow back; most links of a machine never can. Each link of a flow's route costs a simulator something at
 * every start and end of any flow, and those who look at a trace a row. */
#ifndef TW__BOTTLENECKS_H
#define TW__BOTTLENECKS_H

#include "platform/platform.h"

/* The platform as it is, but for routes without the links that can never be full before others on them are: every flow
 * gets the same share at any time. It borrows all the rest from the original. TW_NOMEM: nothing is left allocated. */
int tw__bottlenecks_init(struct tw_platform *narrowed, const struct tw_platform *);
void tw__bottlenecks_finish(struct tw_platform *narrowed);

#endif
