/* The family of real kernels of one workload, from a plug-in: see tilewright/kernels.h. */
#ifndef TW__FAMILY_H
#define TW__FAMILY_H

#include <tilewright/kernels.h>

struct tw__family;

/* Loads the plug-in of kernels ($TILEWRIGHT_KERNELS if set), and opens the workload's family for one of its graphs.
 * `workload` is only the name, as in "cholesky"; `args` are its parameters, which need not outlive the call. TW_FAILED:
 * there is no plug-in. TW_INVALID: it has no kernels for this workload or these parameters. TW_NOMEM. */
int tw__family_open(struct tw__family **, const char *workload, const struct tw_args *args, const struct tw_graph *,
                    struct tw_error *err);
void tw__family_close(struct tw__family *);

/* Returns the codelet of a kernel of the graph; never NULL. */
const struct tw_codelet *tw__family_codelet(const struct tw__family *, tw_kernel);
const void *tw__family_shape(const struct tw__family *);
uint64_t tw__family_workspace_bytes(const struct tw__family *); /* the greatest workspace of the graph's kernels */
void tw__family_fill(const struct tw__family *, uint64_t seed, tw_data, void *at, uint64_t bytes);
int tw__family_check(const struct tw__family *, uint64_t seed, void *const *at, double *residual, struct tw_error *err);

#endif
