/* Workloads: generators of task graphs. One in a shared object of your own is a `const struct tw_workload
 * tilewright_workload`. */
#ifndef TILEWRIGHT_WORKLOAD_H
#define TILEWRIGHT_WORKLOAD_H

#include <tilewright/graph.h>
#include <tilewright/params.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TW_WORKLOAD_ABI 1

struct tw_workload {
	int abi; /* TW_WORKLOAD_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* ends with {0}; NULL: none. Not `priority`, which all have */
	/* Submits the data and tasks and sets the flops; the library finishes the graph. Fills `err` and returns
	 * a negative status when the parameters do not go together. Of a shared object it is called twice: first in a process
	 * of its own, where a crash does no harm. */
	int (*generate)(struct tw_graph *, const struct tw_args *, struct tw_error *err);
};

/* Random numbers for generators: GSL's Mersenne twister. They depend on the seed alone, so that a workload's words always
 * give the same task graph; nothing that the runtime or a policy draws comes from them. */
struct tw_rng;

struct tw_rng *tw_rng_create(uint64_t seed); /* NULL: out of memory */
void tw_rng_destroy(struct tw_rng *);
double tw_rng_uniform(struct tw_rng *);                               /* [0, 1) */
uint32_t tw_rng_below(struct tw_rng *, uint32_t n);                   /* 0 .. n-1; n > 0 */
void tw_rng_shuffle(struct tw_rng *, int32_t *items, size_t n_items); /* every order is as likely */

#ifdef __cplusplus
}
#endif
#endif
