/* Random numbers that depend on the run's seed alone: independent streams of GSL's Mersenne twister, and single numbers
 * from a hash. */
#ifndef TW__RANDOM_H
#define TW__RANDOM_H

#include <stdint.h>

enum tw__stream {
	TW__STREAM_POLICY = 1,
	TW__STREAM_EVICTION,
	TW__STREAM_ORDER,
	TW__STREAM_WORKLOAD,
	TW__STREAM_NOISE,
	TW__STREAM_BELIEF,
	TW__STREAM_ADVERSARY,
	TW__STREAM_DOMAIN = 64, /* + the number of a scheduling domain, from 1: its policy's stream */
	TW__STREAM_CHILD = 128  /* + the number of a policy's child (tilewright/compose.h), among all of the run */
};

struct tw__random; /* a stream of random numbers: a gsl_rng */

struct tw__random *tw__random_create(uint64_t seed, enum tw__stream); /* creates a stream */
void tw__random_destroy(struct tw__random *);
double tw__random_uniform(struct tw__random *);             /* returns a number in [0, 1) */
uint32_t tw__random_below(struct tw__random *, uint32_t n); /* returns one of 0 .. n-1 */

/* Returns a random number in (0, 1) that depends on the arguments alone, not on earlier calls. It is for values that
 * must not depend on the order of the calls. `a` and `b` identify the value, and `attempt` the draw for this value. */
double tw__random_at(uint64_t seed, enum tw__stream, uint64_t a, uint64_t b, uint64_t attempt);

#endif
