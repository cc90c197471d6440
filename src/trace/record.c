#include "trace/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#include "base/memory.h"
#include "graph/reduction.h"

void tw__record_init(struct tw__record *r) { *r = (struct tw__record){0}; }

void tw__record_finish(struct tw__record *r)
{
	free(r->events);
	tw_graph_destroy(r->extended);
	*r = (struct tw__record){0};
}

void tw__record_add(struct tw__record *r, const struct tw__event *e)
{
	TW_RESERVE(r->events, r->capacity, r->n + 1);
	r->events[r->n++] = *e;
}

/* An event that was recorded after another event with a later date. */
struct late {
	tw__ns date;
	size_t index;
};

static int by_date_then_index(const void *a, const void *b)
{
	const struct late *x = a, *y = b;
	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Whether the event at `index` was recorded after an event with a later date. *latest: the greatest date of earlier
 * events, which is updated. */
static bool is_late(const struct tw__record *r, size_t index, tw__ns *latest)
{
	if (r->events[index].date < *latest)
		return true;
	*latest = r->events[index].date;
	return false;
}

/* Sorts events by date. Few events are recorded late: the starts of kernels and transfers. Only late events are sorted,
 * by (date, index in the record), and then merged with the others. So sorting is one pass over millions of events, and
 * O(n log n) at worst. */
void tw__record_sort(struct tw__record *r)
{
	if (r->n < 2)
		return;
	size_t n_late = 0;
	tw__ns latest = r->events[0].date;
	for (size_t i = 0; i < r->n; i++)
		n_late += is_late(r, i, &latest);
	if (!n_late)
		return;

	struct late *late = tw_resize(NULL, n_late, sizeof *late);
	struct tw__event *sorted = tw_resize(NULL, r->n, sizeof *sorted);
	/* Move the events that are not late to the front of `sorted`. Their indices are not needed below: a late event
	 * was always recorded after the other events of its date. */
	size_t n_timely = 0, l = 0;
	latest = r->events[0].date;
	for (size_t i = 0; i < r->n; i++) {
		if (is_late(r, i, &latest))
			late[l++] = (struct late){r->events[i].date, i};
		else
			sorted[n_timely++] = r->events[i];
	}
	qsort(late, n_late, sizeof *late, by_date_then_index);
	/* Merge late events from the back into `sorted`, so that no second buffer is needed. */
	size_t timely = n_timely;
	l = n_late;
	for (size_t to = r->n; l > 0;) {
		if (timely > 0 && sorted[timely - 1].date > late[l - 1].date)
			sorted[--to] = sorted[--timely];
		else
			sorted[--to] = r->events[late[--l].index];
	}
	free(late);
	free(r->events);
	r->events = sorted;
	r->capacity = r->n;
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
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
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

/* --- a record as bytes -------------------------------------------------------------------------------------------- */

/* The front of the bytes. The events follow; then, for each reduction, its number, the number of accumulators that it
 * combined, and these. */
struct head {
	size_t n;
	int64_t n_reductions;
	tw__ns makespan;
	bool measured, rounds, extends;
};

static int64_t put_reductions(FILE *f, const struct tw_graph *g, int n_workers)
{
	tw_data *used = tw_alloc((size_t)n_workers, sizeof *used);
	int64_t n_reductions = 0;
	for (tw_task first = tw__graph_own_tasks(g), next; first < g->n_tasks; first = next, n_reductions++) {
		const int32_t phase = tw__graph_appended_for(g, first), n = tw__graph_appended(g, first, used, &next);
		fwrite(&phase, sizeof phase, 1, f);
		fwrite(&n, sizeof n, 1, f);
		fwrite(used, sizeof *used, (size_t)n, f);
	}
	free(used);
	return n_reductions;
}

char *tw__record_pack(const struct tw__record *r, int n_workers, size_t *bytes)
{
	struct head head = {0};
	char *text;
	FILE *f = tw__text_open(&text, bytes);
	memset(&head, 0, sizeof head); /* the padding, too */
	head.n = r->n;
	head.makespan = r->makespan;
	head.measured = r->measured;
	head.rounds = r->rounds;
	head.extends = r->extended;
	fwrite(&head, sizeof head, 1, f);
	fwrite(r->events, sizeof *r->events, r->n, f);
	if (r->extended)
		head.n_reductions = put_reductions(f, r->extended, n_workers);
	tw__text_close(f);
	memcpy(text, &head, sizeof head);
	return text;
}

static const char *take(void *to, const char *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return from + bytes;
}

void tw__record_unpack(struct tw__record *r, const char *bytes, const struct tw_graph *graph, int n_workers)
{
	struct head head;
	bytes = take(&head, bytes, sizeof head);
	*r = (struct tw__record){
		.events = tw_resize(NULL, head.n, sizeof *r->events),
		.n = head.n,
		.capacity = head.n,
		.makespan = head.makespan,
		.measured = head.measured,
		.rounds = head.rounds,
		.extended = head.extends ? tw__graph_extend(graph, n_workers) : NULL,
	};
	bytes = take(r->events, bytes, head.n * sizeof *r->events);
	tw_data *used = tw_alloc((size_t)n_workers, sizeof *used);
	for (int64_t i = 0; i < head.n_reductions; i++) {
		int32_t phase, n;
		bytes = take(&phase, bytes, sizeof phase);
		bytes = take(&n, bytes, sizeof n);
		bytes = take(used, bytes, (size_t)n * sizeof *used);
		tw__graph_append_reduction(r->extended, phase, used, n);
	}
	free(used);
}
