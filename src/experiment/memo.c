#include "experiment/memo.h"

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* The parameters of the noise: all durations that it draws depend on these alone. */
struct key {
	uint64_t seed, kind;
	double amount;
};

struct drawn {
	struct key key;
	struct tw__memo_bounds bounds;
	UT_hash_handle hh;
};

struct tw__memo {
	struct drawn *drawn;
	char *fits; /* runtime model with which all tasks fit the memories; NULL: none known */
};

struct tw__memo *tw__memo_create(void) { return calloc(1, sizeof(struct tw__memo)); }

void tw__memo_destroy(struct tw__memo *memo)
{
	if (!memo)
		return;
	struct drawn *d, *next;
	HASH_ITER(hh, memo->drawn, d, next)
	{
		HASH_DEL(memo->drawn, d);
		free(d);
	}
	free(memo->fits);
	free(memo);
}

static struct key key_of(const struct tw__noise *noise)
{
	return (struct key){noise->seed, noise->kind, noise->amount};
}

const struct tw__memo_bounds *tw__memo_bounds(const struct tw__memo *memo, const struct tw__noise *noise)
{
	const struct key key = key_of(noise);
	struct drawn *d;
	HASH_FIND(hh, memo->drawn, &key, sizeof key, d);
	return d ? &d->bounds : NULL;
}

void tw__memo_add_bounds(struct tw__memo *memo, const struct tw__noise *noise, struct tw__memo_bounds bounds)
{
	struct drawn *d = calloc(1, sizeof *d);
	if (!d)
		return;
	d->key = key_of(noise);
	d->bounds = bounds;
	HASH_ADD(hh, memo->drawn, key, sizeof d->key, d);
	if (!d->hh.tbl) /* uthash was out of memory and did not add `d` */
		free(d);
}

bool tw__memo_fits(const struct tw__memo *memo, const char *runtime)
{
	return memo->fits && strcmp(memo->fits, runtime) == 0;
}

void tw__memo_add_fits(struct tw__memo *memo, const char *runtime)
{
	if (tw__memo_fits(memo, runtime))
		return;
	free(memo->fits);
	memo->fits = strdup(runtime);
}
