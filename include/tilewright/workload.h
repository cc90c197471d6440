/* Workloads generate task graphs. A shared object of your own exports `const struct tw_workload
 * tilewright_workload`. */
#ifndef TILEWRIGHT_WORKLOAD_H
#define TILEWRIGHT_WORKLOAD_H

#include <tilewright/graph.h>
#include <tilewright/params.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TW_WORKLOAD_ABI TW_ABI(2, struct tw_workload)

struct tw_workload {
	int abi; /* must be TW_WORKLOAD_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* table of parameters, but without `priority`, which all workloads have; ends
	                                * with {0}; or NULL */
	/* Adds handles and tasks to the graph and sets its flops. The library calls tw_graph_finish afterwards. Returns
	 * a negative status, with the reason in `err`, for parameters that do not fit together. For a shared object the
	 * library calls it twice, first in a process of its own, where a crash does no harm. */
	int (*generate)(struct tw_graph *, const struct tw_args *, struct tw_error *err);
};

/* A stream of random numbers for workloads: GSL's Mersenne twister. The numbers depend on the seed alone, so a workload
 * with the same parameters always gives the same graph. The runtime and the policies have streams of their own. */
struct tw_rng;

struct tw_rng *tw_rng_create(uint64_t seed); /* creates a stream */
void tw_rng_destroy(struct tw_rng *);
double tw_rng_uniform(struct tw_rng *);                               /* returns a number, uniform in [0, 1) */
uint32_t tw_rng_below(struct tw_rng *, uint32_t n);                   /* returns 0 .. n-1, all equally likely; n > 0 */
void tw_rng_shuffle(struct tw_rng *, int32_t *items, size_t n_items); /* shuffles; every order is equally likely */

#ifdef __cplusplus
}
#endif
#endif
