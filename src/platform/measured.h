/* Links whose copies, alone, take what was measured, where StarPU simulates others: `bus=measured`. */
#ifndef TW__PLATFORM_MEASURED_H
#define TW__PLATFORM_MEASURED_H

#include "platform/platform.h"

/* Turns what is predicted of each route into the truth of a copy alone: of the link that only this route has, the bandwidth and the
 * latency; of the links that it shares, the bandwidth for one copy, those for several being as they were. *n_changed: routes that share
 * none any more. TW_INVALID: a route without a link of its own. */
int tw__platform_as_measured(struct tw_platform *, const char *path, int *n_changed, struct tw_error *err);

#endif
