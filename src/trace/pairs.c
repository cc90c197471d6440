/* Finds the two events of each transfer in a record. */
#include <stdlib.h>

/* Out of memory is an ordinary error here; by default uthash ends the process. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <uthash.h>

#include "trace/record.h"

/* A running transfer. */
struct moving {
	uint64_t id;
	size_t start; /* index of the event of its start */
	UT_hash_handle hh;
};

bool tw__record_pairs(const struct tw__record *r, size_t *other_end)
{
	struct moving *all = NULL, *m, *next;
	bool ok = true;
	for (size_t i = 0; i < r->n && ok; i++) {
		const struct tw__event *e = &r->events[i];
		other_end[i] = SIZE_MAX;
		if (e->kind == TW__TRANSFER_START) {
			m = malloc(sizeof *m);
			if (m) {
				*m = (struct moving){.id = e->offset, .start = i};
				HASH_ADD(hh, all, id, sizeof m->id, m);
			}
			ok = m && m->hh.tbl;
			if (m && !ok)
				free(m);
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
	return ok;
}
