/* A serial run, which gives the reference results: runs a graph's tasks one after the other, in the order of
 * submission, in the calling thread. */
#ifndef TW__SERIAL_H
#define TW__SERIAL_H

#include "engine/real/family.h"

/* Runs all tasks. Calls `before`, if not NULL, before each task. at[d] is the content of handle d: already filled,
 * aligned to 64 bytes. It is NULL for scratch, which is allocated while its task runs. Reductions add to the handle
 * itself. Returns TW_FAILED if a kernel failed, or TW_NOMEM. */
int tw__serial_run(const struct tw_graph *, const struct tw__family *, uint64_t seed, void *const *at,
                   void (*before)(void *context, tw_task), void *context, struct tw_error *err);

/* Runs a single task, with a workspace of tw__family_workspace_bytes bytes. `at` is as for tw__serial_run. */
int tw__serial_task(const struct tw_graph *, const struct tw__family *, uint64_t seed, void *const *at, tw_task,
                    void *workspace, struct tw_error *err);

/* Allocates memory aligned to 64 bytes, which the caller frees with free(). Returns NULL if out of memory. */
void *tw__aligned_room(uint64_t bytes);

#endif
