#include "trace/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/reduction.h"
#include "platform/platform.h"

void tw__record_init(struct tw__record *r) { *r = (struct tw__record){0}; }

void tw__record_finish(struct tw__record *r)
{
	free(r->events);
	free(r->bytes);
	tw_graph_destroy(r->extended);
	*r = (struct tw__record){0};
}

void tw__record_add(struct tw__record *r, const struct tw__event *e)
{
	TW_RESERVE(r->events, r->capacity, r->n + 1);
	r->events[r->n++] = *e;
}

struct tw_graph *tw__record_extend(const struct tw_graph *g, const struct tw__platform *p)
{
	int *rank_of = g->ranks ? tw_alloc((size_t)p->n_workers, sizeof *rank_of) : NULL;
	for (tw_worker w = 0; rank_of && w < p->n_workers; w++)
		rank_of[w] = p->workers[w].rank;
	struct tw_graph *extended = tw__graph_extend_ranks(g, p->n_workers, rank_of);
	free(rank_of);
	return extended;
}

/* An event that was recorded after another event with a later date. */
struct late {
	tw__ns date;
	size_t number; /* in the order of the record */
};

static int by_date_then_number(const void *a, const void *b)
{
	const struct late *x = a, *y = b;
	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Sorts events by date. Few events are recorded late: the starts of kernels and transfers. Only late events are moved
 * out, sorted, and merged with the others. So sorting is two passes over millions of events, and O(n log n) at
 * worst. */
void tw__record_sort(struct tw__record *r)
{
	if (r->n < 2 || r->bytes)
		return;
	struct tw__event *events = r->events, *moved = NULL;
	size_t n_late = 0, capacity = 0, timely = 0;
	for (size_t i = 0; i < r->n; i++) {
		if (timely == 0 || events[i].date >= events[timely - 1].date) {
			if (timely++ < i)
				events[timely - 1] = events[i];
			continue;
		}
		TW_RESERVE(moved, capacity, n_late + 1);
		moved[n_late++] = events[i];
	}
	struct late *late = tw_resize(NULL, n_late, sizeof *late);
	for (size_t l = 0; l < n_late; l++)
		late[l] = (struct late){moved[l].date, l};
	qsort(late, n_late, sizeof *late, by_date_then_number);
	/* Merge from the back, so that no timely event is overwritten. Of one date, a late event comes last: it was
	 * recorded after the others of its date. */
	for (size_t to = r->n; n_late > 0;) {
		if (timely > 0 && events[timely - 1].date > late[n_late - 1].date)
			events[--to] = events[--timely];
		else
			events[--to] = moved[late[--n_late].number];
	}
	free(late);
	free(moved);
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

/* The bytes that are left to read. They come from a process with code of others, so counts are checked. */
struct packed {
	const char *at;
	size_t left;
};

static bool take(void *to, struct packed *p, size_t n, size_t element_bytes)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, element_bytes, &bytes) || bytes > p->left)
		return false;
	memcpy(to, p->at, bytes);
	p->at += bytes;
	p->left -= bytes;
	return true;
}

static bool take_reduction(struct tw_graph *g, struct packed *p, tw_data *used, int n_workers)
{
	int32_t phase, n;
	if (!take(&phase, p, 1, sizeof phase) || !take(&n, p, 1, sizeof n) || n < 1 || n > n_workers ||
	    !take(used, p, (size_t)n, sizeof *used))
		return false;
	if (phase < 0 || phase >= g->n_phases || (uint32_t)n > g->phases[phase].n_contributors)
		return false;
	tw__graph_append_reduction(g, phase, used, n);
	return true;
}

bool tw__record_unpack(struct tw__record *r, const char *bytes, size_t n_bytes, const struct tw_graph *graph,
                       const struct tw__platform *platform)
{
	struct packed p = {bytes, n_bytes};
	struct head head;
	*r = (struct tw__record){0};
	if (!take(&head, &p, 1, sizeof head) || head.n > p.left / sizeof *r->events ||
	    head.n_reductions > graph->n_phases)
		return false;
	*r = (struct tw__record){
		.events = tw_resize(NULL, head.n, sizeof *r->events),
		.n = head.n,
		.capacity = head.n,
		.makespan = head.makespan,
		.measured = head.measured,
		.rounds = head.rounds,
		.extended = head.extends ? tw__record_extend(graph, platform) : NULL,
	};
	take(r->events, &p, head.n, sizeof *r->events);
	tw_data *used = tw_alloc((size_t)platform->n_workers, sizeof *used);
	bool whole = r->extended || head.n_reductions == 0;
	for (int64_t i = 0; whole && i < head.n_reductions; i++)
		whole = take_reduction(r->extended, &p, used, platform->n_workers);
	free(used);
	if (!whole || p.left > 0)
		tw__record_finish(r);
	return whole && p.left == 0;
}
