/* The native engine beside SimGrid's: both must give one schedule, event by event. */
#ifndef PAIR_H
#define PAIR_H

#include "world.h"

/* For setting.afterwards. Repeats the run of the SimGrid engine twice on the native engine. The outcome becomes a
 * failure if a result or an event differs, unless rounding alone decides it: then outcome.twin says so. */
void pair_compare(const struct tw__run_input *, struct outcome *);

/* The same with a fault of the native engine: one transfer takes some bytes more, which last a nanosecond. The outcome
 * becomes a failure if the comparison does not find that. */
void pair_find_fault(const struct tw__run_input *, struct outcome *);

#endif
