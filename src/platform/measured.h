/* `bus=measured`: links on which single copies take the measured times, where StarPU's simulation differs. */
#ifndef TW__PLATFORM_MEASURED_H
#define TW__PLATFORM_MEASURED_H

#include "platform/platform.h"

/* Makes the predictions of each route the truth for a single copy. The link that only this route has gets the
 * measured bandwidth and latency. Shared links may get a higher bandwidth for one copy. Their bandwidth for several
 * copies is raised only if it is below the bandwidth of one. *n_changed counts routes that share no link any more.
 * TW_INVALID: a route without a link of its own. */
int tw__platform_as_measured(struct tw_platform *, const char *path, int *n_changed, struct tw_error *err);

#endif
