/* Kernels that a trace shows that does not hold its whole run: traces of other programs, and of older versions. Each
 * kernel ran on a worker from a start to an end, and may belong to a job, which may depend on others. */
#ifndef TW__SHOWN_H
#define TW__SHOWN_H

#include <tilewright/base.h>

#include "base/date.h"

struct tw__shown;

struct tw__shown *tw__shown_create(void);
void tw__shown_destroy(struct tw__shown *);

/* Add a kernel, and a dependency between jobs. `job` NULL: unknown. A job that was cancelled has several kernels.
 * Dependencies on jobs without kernels are counted, but not checked. */
void tw__shown_kernel(struct tw__shown *, const char *worker, const char *kernel, const char *job, tw__ns start,
                      tw__ns end);
void tw__shown_depend(struct tw__shown *, const char *before, const char *behind);

/* Adds kernels and dependencies from a folder of StarVZ's tables: (paje.)worker_state.csv and, if it is there, dag.csv,
 * each perhaps with .gz. TW_INVALID: "FILE:LINE: ...", or there is no such table. */
int tw__shown_read_tables(struct tw__shown *, const char *folder, struct tw_error *err);

/* Checks that no two kernels overlap on a worker, and that jobs start when the jobs that they depend on have ended.
 * TW_FAILED: `err` has the rule's name (trace/validate.h) and what happened. */
int tw__shown_check(struct tw__shown *, struct tw_error *err);

size_t tw__shown_n_kernels(const struct tw__shown *);
/* Number of dependencies between jobs that have kernels. */
size_t tw__shown_n_dependencies(const struct tw__shown *);

#endif
