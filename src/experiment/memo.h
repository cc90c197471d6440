/* A memo keeps results of a scene's run for other runs of that scene. When out of memory, it keeps nothing. */
#ifndef TW__MEMO_H
#define TW__MEMO_H

#include <stdbool.h>

#include "perf/noise.h"

struct tw__memo;

/* Creates an empty memo; NULL: out of memory. */
struct tw__memo *tw__memo_create(void);
void tw__memo_destroy(struct tw__memo *);

struct tw__memo_bounds {
	double critical_path_s, area_s;
};

/* Returns the bounds on the makespan for the durations that this noise draws; NULL: unknown. The pointer is valid until
 * the next tw__memo_add_bounds. */
const struct tw__memo_bounds *tw__memo_bounds(const struct tw__memo *, const struct tw__noise *);
void tw__memo_add_bounds(struct tw__memo *, const struct tw__noise *, struct tw__memo_bounds);

/* Whether all tasks are known to fit the memories with this runtime specification. The memo keeps only the runtime
 * added last. */
bool tw__memo_fits(const struct tw__memo *, const char *runtime);
void tw__memo_add_fits(struct tw__memo *, const char *runtime);

#endif
