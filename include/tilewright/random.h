/* Random numbers for generators of workloads: GSL's Mersenne twister. They depend on the seed alone, so that a
 * workload's words always give the same task graph; nothing that the runtime or a policy draws comes from them. */
#ifndef TILEWRIGHT_RANDOM_H
#define TILEWRIGHT_RANDOM_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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
