/* Transfers of two runs, by memories and causes. */
#include <stdlib.h>

#include "explain/diff.h"
#include "explain/tally.h"

/* A key for each direction and cause; keys are in the order of the memories, then of the causes. */
static uint64_t key_of(const struct tw__diff *d, int run, const struct tw__event *e)
{
	const int *number = d->memories.number[run];
	uint64_t direction = (uint64_t)number[e->from] * (uint64_t)d->memories.n + (uint64_t)number[e->node];
	return direction * TW__N_CAUSES + e->cause;
}

static struct tw__diff_bytes row_of(const struct tw__diff *d, const struct tw__count *c)
{
	uint64_t direction = c->key / TW__N_CAUSES, n = (uint64_t)d->memories.n;
	return (struct tw__diff_bytes){.from = (int)(direction / n),
	                               .to = (int)(direction % n),
	                               .cause = (enum tw__cause)(c->key % TW__N_CAUSES),
	                               .transfers = {c->n[0], c->n[1]},
	                               .bytes = {c->bytes[0], c->bytes[1]}};
}

bool tw__diff_bytes(struct tw__diff *d)
{
	struct tw__tally tally = {0};
	for (int run = 0; run < 2; run++) {
		const struct tw__record *r = d->runs[run]->record;
		for (size_t i = 0; i < r->n; i++)
			if (r->events[i].kind == TW__TRANSFER_START)
				tw__tally_add(&tally, key_of(d, run, &r->events[i]), run, r->events[i].bytes);
	}
	tw__tally_fold(&tally);
	d->bytes = malloc((tally.n + 1) * sizeof *d->bytes);
	bool ok = d->bytes && !tally.out_of_memory;
	for (size_t i = 0; ok && i < tally.n; i++)
		d->bytes[d->n_bytes++] = row_of(d, &tally.counts[i]);
	tw__tally_finish(&tally);
	return ok;
}
