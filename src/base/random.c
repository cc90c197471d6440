#include "base/random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <tilewright/workload.h>

static gsl_rng *rng(struct tw__random *r) { return (gsl_rng *)(void *)r; }

/* Hashes x (splitmix64), so that neighbouring seeds and streams give unrelated numbers. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

struct tw__random *tw__random_create(uint64_t seed, enum tw__stream stream)
{
	gsl_rng *r = tw_alloc(1, sizeof *r); /* gsl_rng_free frees both */
	r->type = gsl_rng_mt19937;
	r->state = tw_alloc(1, r->type->size);
	gsl_rng_set(r, (unsigned long)(mix(mix(seed) + stream) & 0xffffffffu));
	return (struct tw__random *)(void *)r;
}

void tw__random_destroy(struct tw__random *r)
{
	if (r)
		gsl_rng_free(rng(r));
}

double tw__random_uniform(struct tw__random *r) { return gsl_rng_uniform(rng(r)); }

uint32_t tw__random_below(struct tw__random *r, uint32_t n) { return (uint32_t)gsl_rng_uniform_int(rng(r), n); }

double tw__random_at(uint64_t seed, enum tw__stream stream, uint64_t a, uint64_t b, uint64_t attempt)
{
	uint64_t hash = mix(mix(mix(mix(mix(seed) + stream) ^ a) + b) + attempt);
	return ((double)(hash >> 11) + 0.5) * 0x1p-53;
}

/* The functions that tilewright/workload.h declares. */

static struct tw__random *inner(struct tw_rng *r) { return (struct tw__random *)(void *)r; }

struct tw_rng *tw_rng_create(uint64_t seed)
{
	return (struct tw_rng *)(void *)tw__random_create(seed, TW__STREAM_WORKLOAD);
}

void tw_rng_destroy(struct tw_rng *r) { tw__random_destroy(inner(r)); }

double tw_rng_uniform(struct tw_rng *r) { return tw__random_uniform(inner(r)); }

uint32_t tw_rng_below(struct tw_rng *r, uint32_t n) { return tw__random_below(inner(r), n); }

void tw_rng_shuffle(struct tw_rng *r, int32_t *items, size_t n_items)
{
	gsl_ran_shuffle(rng(inner(r)), items, n_items, sizeof *items);
}
