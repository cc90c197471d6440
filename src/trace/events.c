#include "trace/events.h"

#include "graph/ranks.h"

#include <stdlib.h>

#include "base/hash.h"

void tw__events_begin(struct tw__events *all, const struct tw__record *r)
{
	all->next = all->end = r->events;
	all->left = 0;
	if (r->bytes) {
		all->place = (struct tw__binary_place){.at = r->bytes};
		all->left = r->n;
	} else if (r->n > 0) {
		all->end += r->n;
	}
}

bool tw__events_more(struct tw__events *all)
{
	const size_t n = all->left < TW__EVENTS_BLOCK ? all->left : TW__EVENTS_BLOCK;
	if (n == 0)
		return false;
	tw__binary_decode(&all->place, all->block, n);
	all->left -= n;
	all->next = all->block;
	all->end = all->block + n;
	return true;
}

void tw__record_spread(struct tw__record *r)
{
	if (!r->bytes)
		return;
	struct tw__binary_place place = {.at = r->bytes};
	r->events = tw_resize(NULL, r->n, sizeof *r->events);
	r->capacity = r->n;
	tw__binary_decode(&place, r->events, r->n);
	free(r->bytes);
	r->bytes = NULL;
}

void tw__record_append(struct tw__record *r, struct tw__record *binary)
{
	if (r->n == 0) {
		free(r->bytes);
		r->bytes = binary->bytes;
		r->last = binary->last;
		r->named = binary->named;
		r->n = binary->n;
		*binary = (struct tw__record){0};
		return;
	}
	struct tw__events all;
	tw__record_spread(r);
	tw__events_begin(&all, binary);
	for (const struct tw__event *e; (e = tw__events_next(&all));)
		tw__record_add(r, e);
	tw__record_finish(binary);
}

/* --- pairs of events ---------------------------------------------------------------------------------------------- */

/* A running transfer. */
struct moving {
	uint64_t id;
	size_t start; /* index of the event of its start */
	UT_hash_handle hh;
};

size_t *tw__record_pairs(const struct tw__record *r)
{
	struct moving *all = NULL, *m, *next;
	size_t *other_end = tw_resize(NULL, r->n, sizeof *other_end);
	struct tw__events each;
	tw__events_begin(&each, r);
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = tw__events_next(&each);
		other_end[i] = SIZE_MAX;
		if (e->kind == TW__TRANSFER_START) {
			m = tw_alloc(1, sizeof *m);
			*m = (struct moving){.id = e->offset, .start = i};
			HASH_ADD(hh, all, id, sizeof m->id, m);
		} else if (e->kind == TW__TRANSFER_END) {
			HASH_FIND(hh, all, &e->offset, sizeof e->offset, m);
			if (!m)
				continue;
			other_end[i] = m->start;
			other_end[m->start] = i;
			HASH_DEL(all, m);
			free(m);
		}
	}
	HASH_ITER(hh, all, m, next)
	{
		HASH_DEL(all, m);
		free(m);
	}
	return other_end;
}

bool tw__is_message_step(const struct tw_graph *g, const struct tw__event *e)
{
	switch ((enum tw__event_kind)e->kind) {
	case TW__SUBMIT:
	case TW__READY:
	case TW__ASSIGN:
	case TW__START:
	case TW__END:
	case TW__RELEASE:
		return tw__is_message(g, e->task);
	default:
		return false;
	}
}
