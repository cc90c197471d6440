/* The family of real kernels of one workload, from a plug-in: see tilewright/kernels.h. */
#ifndef TW__FAMILY_H
#define TW__FAMILY_H

#include <tilewright/kernels.h>

struct tw__family;

/* Loads the plug-in of kernels ($TILEWRIGHT_KERNELS if set), and opens the workload's family for one of its graphs.
 * `workload` is only the name, as in "cholesky"; `args` are its parameters, which need not outlive the call. TW_FAILED:
 * there is no plug-in. TW_INVALID: it has no kernels for this workload or these parameters. */
int tw__family_open(struct tw__family **, const char *workload, const struct tw_args *args, const struct tw_graph *,
                    struct tw_error *err);
void tw__family_close(struct tw__family *);

/* Returns the codelet of a kernel of the graph; never NULL. */
const struct tw_codelet *tw__family_codelet(const struct tw__family *, tw_kernel);
const void *tw__family_shape(const struct tw__family *);
uint64_t tw__family_workspace_bytes(const struct tw__family *); /* the greatest workspace of the graph's kernels */
void tw__family_fill(const struct tw__family *, uint64_t seed, tw_data, void *at, uint64_t bytes);
int tw__family_check(const struct tw__family *, uint64_t seed, void *const *at, double *residual, struct tw_error *err);

/* --- serial.c ----------------------------------------------------------------------------------------------------- */

/* A serial run, which gives the reference results: runs a graph's tasks one after the other, in the order of
 * submission, in the calling thread. */

/* Runs all tasks. Calls `before`, if not NULL, before each task. at[d] is the content of handle d: already filled,
 * aligned to 64 bytes. It is NULL for scratch, which is allocated while its task runs. Reductions add to the handle
 * itself. Returns TW_FAILED if a kernel failed. */
int tw__serial_run(const struct tw_graph *, const struct tw__family *, uint64_t seed, void *const *at,
                   void (*before)(void *context, tw_task), void *context, struct tw_error *err);

/* Runs a single task, with a workspace of tw__family_workspace_bytes bytes. `at` is as for tw__serial_run. */
int tw__serial_task(const struct tw_graph *, const struct tw__family *, uint64_t seed, void *const *at, tw_task,
                    void *workspace, struct tw_error *err);

#endif
