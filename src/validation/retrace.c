#include "validation/retrace_items.h"

#include <math.h>
#include <stdlib.h>

static void take_past(struct tw__retrace *r)
{
	const struct tw__history *h = r->setup.history;
	tw__ns last = 0;
	for (int32_t i = 0; i < r->n; i++) {
		bool is_task = i < r->n_tasks;
		struct tw__past_item *item = &r->items[i];
		item->past_start = is_task ? h->tasks[i].start : tw__past_copy_of(r, i)->start;
		item->past_end = is_task ? h->tasks[i].end : tw__past_copy_of(r, i)->end;
		item->runs = item->past_end > 0;
		if (is_task)
			last = tw__latest(last, item->past_end);
	}
	r->tail = tw__latest(0, h->makespan - last);
}

struct tw__retrace *tw__retrace_create(const struct tw__retrace_setup *setup)
{
	struct tw__retrace *r = tw_alloc(1, sizeof *r);
	r->setup = *setup;
	r->n_tasks = setup->history->n_tasks;
	r->n = r->n_tasks + (int32_t)setup->history->n_copies;
	r->items = tw_alloc((size_t)r->n, sizeof *r->items);
	take_past(r);
	tw__retrace_find_waits(r);
	return r;
}

void tw__retrace_destroy(struct tw__retrace *r)
{
	free(r->items);
	free(r->waits);
	free(r->waiters);
	free(r);
}

/* --- replaying a run with other durations ------------------------------------------------------------------------- */

struct telling {
	struct tw__retrace *r;
	const struct tw__retrace_how *how;
	struct tw__heap coming; /* coming starts of items, and ends of items that do not share links */
	struct tw__shares shares;
	tw__ns turn;      /* how->turn_s in ns */
	tw__ns last;      /* the latest end of a kernel so far */
	tw__ns turn_ends; /* the end of the latest turn so far */
};

static bool comes_before(const struct tw__heap_item *a, const struct tw__heap_item *b)
{
	const struct tw__past_item *x = TW__CONTAINER(a, struct tw__past_item, in_heap),
				   *y = TW__CONTAINER(b, struct tw__past_item, in_heap);
	return x->date != y->date ? x->date < y->date : x < y;
}

static void schedule(struct telling *t, struct tw__past_item *item, tw__ns date)
{
	item->date = date;
	tw__heap_push(&t->coming, &item->in_heap, comes_before);
}

static void all_have_ended(struct telling *t, struct tw__past_item *item, tw__ns date)
{
	bool is_task = item < t->r->items + t->r->n_tasks;
	if (!t->how->no_delays)
		date += item->delay;
	else if (is_task && t->turn > 0)
		date = t->turn_ends = tw__latest(date, t->turn_ends) + t->turn;
	schedule(t, item, date);
}

static void ended(struct telling *t, struct tw__past_item *item, tw__ns date)
{
	if (item < t->r->items + t->r->n_tasks)
		t->last = tw__latest(t->last, date);
	for (size_t w = 0; w < item->n_waiters; w++) {
		struct tw__past_item *waiter = &t->r->items[t->r->waiters[item->first_waiter + w]];
		if (--waiter->n_left == 0)
			all_have_ended(t, waiter, date);
	}
}

static void start_now(struct telling *t, struct tw__past_item *item)
{
	int32_t i = (int32_t)(item - t->r->items);
	item->has_started = true;
	if (i < t->r->n_tasks || !t->how->model_copies) {
		schedule(t, item, item->date + (item->past_end - item->past_start));
		return;
	}
	const struct tw__past_copy *copy = tw__past_copy_of(t->r, i);
	tw__shares_begin(&t->shares, &item->share, copy->from, copy->to, (double)copy->bytes, tw__seconds(item->date));
}

static void tell(struct telling *t)
{
	for (int32_t i = 0; i < t->r->n; i++) {
		struct tw__past_item *item = &t->r->items[i];
		item->n_left = item->n_awaited;
		item->has_started = false;
		if (item->runs && item->n_left == 0)
			all_have_ended(t, item, 0);
	}
	for (;;) {
		struct tw__heap_item *top = tw__heap_top(&t->coming);
		double copies_s = tw__shares_next(&t->shares);
		tw__ns copies = tw__ns_after(copies_s);
		struct tw__past_item *next = top ? TW__CONTAINER(top, struct tw__past_item, in_heap) : NULL;
		if (!next && copies == TW__NEVER)
			return;
		if (!next || copies <= next->date) {
			struct tw__share *share = tw__shares_end(&t->shares, copies_s);
			ended(t, TW__CONTAINER(share, struct tw__past_item, share), copies);
			continue;
		}
		tw__heap_remove(&t->coming, top, comes_before);
		if (next->has_started)
			ended(t, next, next->date);
		else
			start_now(t, next);
	}
}

double tw__retrace_run(struct tw__retrace *r, const struct tw__retrace_how *how)
{
	struct telling t = {.r = r, .how = how, .turn = tw__ns_of(how->turn_s)};
	tw__shares_init(&t.shares, r->setup.platform, 0);
	tell(&t);
	tw__shares_finish(&t.shares);
	tw__heap_finish(&t.coming);
	return tw__seconds(t.last + (how->no_delays ? 0 : r->tail));
}
