/* Random numbers, only ever from the run's seed: independent streams of GSL's Mersenne twister, and numbers
 * without a state. */
#ifndef TW__RANDOM_H
#define TW__RANDOM_H

#include <stdint.h>

enum tw__stream {
	TW__STREAM_POLICY = 1,
	TW__STREAM_EVICTION,
	TW__STREAM_ORDER,
	TW__STREAM_WORKLOAD,
	TW__STREAM_NOISE,
	TW__STREAM_BELIEF
};

struct tw__random; /* a gsl_rng */

struct tw__random *tw__random_create(uint64_t seed, enum tw__stream); /* NULL: out of memory */
void tw__random_destroy(struct tw__random *);
double tw__random_uniform(struct tw__random *);             /* [0, 1) */
uint32_t tw__random_below(struct tw__random *, uint32_t n); /* 0 .. n-1 */

/* A number in (0, 1) that depends on these alone, however many were drawn before: for what must be the same whoever asks
 * first. `a` and `b` say what it is for, `attempt` tells the draws for that apart. */
double tw__random_at(uint64_t seed, enum tw__stream, uint64_t a, uint64_t b, uint64_t attempt);

#endif
