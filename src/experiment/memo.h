/* Results of a scene's run that its other runs reuse. Out of memory, a memo just forgets. */
#ifndef TW__MEMO_H
#define TW__MEMO_H

#include <stdbool.h>

#include "perf/noise.h"

struct tw__memo;

/* NULL: out of memory. */
struct tw__memo *tw__memo_create(void);
void tw__memo_destroy(struct tw__memo *);

struct tw__memo_bounds {
	double critical_path_s, area_s;
};

/* Bounds of the durations that this noise draws; NULL: unknown. Valid until the next is added. */
const struct tw__memo_bounds *tw__memo_bounds(const struct tw__memo *, const struct tw__noise *);
void tw__memo_add_bounds(struct tw__memo *, const struct tw__noise *, struct tw__memo_bounds);

/* Whether all tasks are known to fit the memories with this runtime specification. The memo keeps only the runtime
 * added last. */
bool tw__memo_fits(const struct tw__memo *, const char *runtime);
void tw__memo_add_fits(struct tw__memo *, const char *runtime);

#endif
