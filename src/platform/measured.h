/* Implements bus=measured of an import from StarPU: changes links so that a single copy takes the time that StarPU
 * measured. StarPU's own simulation may differ from this time. */
#ifndef TW__PLATFORM_MEASURED_H
#define TW__PLATFORM_MEASURED_H

#include "platform/platform.h"

/* Changes links so that a single copy on each route has the route's predicted latency and bandwidth, which StarPU
 * measured. The first link of each route, which no other route may have, gets these values. A link that several routes
 * share may get a higher bandwidth for one copy. Its bandwidth for several copies is raised only if it is below the
 * bandwidth of one copy. *n_changed counts routes that share no link any more. TW_INVALID: a route has no link of its
 * own. */
int tw__platform_as_measured(struct tw_platform *, const char *path, int *n_changed, struct tw_error *err);

#endif
