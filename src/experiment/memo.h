/* What one run of a scene has found out, and other runs of it need again. A memo that is short of memory forgets. */
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

/* Bounds of the durations that this noise draws; NULL: not known. Holds until the next is added. */
const struct tw__memo_bounds *tw__memo_bounds(const struct tw__memo *, const struct tw__noise *);
void tw__memo_add_bounds(struct tw__memo *, const struct tw__noise *, struct tw__memo_bounds);

/* Whether all tasks are known to fit the memories with that runtime, as it was asked for. The memo keeps one runtime, the last added. */
bool tw__memo_fits(const struct tw__memo *, const char *runtime);
void tw__memo_add_fits(struct tw__memo *, const char *runtime);

#endif
