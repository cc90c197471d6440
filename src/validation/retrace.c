#include "validation/retrace.h"

#include <stdlib.h>

#include "base/heap.h"
#include "graph/graph.h"
#include "links/shares.h"

/* A kernel or a copy of the past run. In the array of items, kernels come first, by task; then copies, in the history's
 * order. */
struct item {
	struct tw__heap_item in_heap; /* in the heap of coming starts and ends of items, sorted by `date` */
	struct tw__share share;
	bool runs, has_started;
	tw__ns past_start, past_end;
	uint32_t n_awaited, n_left;
	tw__ns date;  /* date of the item's coming start or end */
	tw__ns ready; /* a kernel: when all that it waited for had ended, except the kernel before it on its worker */
	size_t first_waiter, n_waiters;
};

struct wait {
	int32_t waiter, awaited;
	bool is_queued; /* a kernel waits for the one before it on its worker: its launch does not */
};

struct tw__retrace {
	struct tw__retrace_setup setup;
	struct item *items;
	int32_t n_tasks, n;
	struct wait *waits;
	size_t n_waits, capacity;
	struct wait *waiters; /* the waits, grouped by the awaited item */
};

static const struct tw__past_copy *copy_of(const struct tw__retrace *r, int32_t item)
{
	return &r->setup.history->copies[item - r->n_tasks];
}

/* --- dependencies ------------------------------------------------------------------------------------------------- */

/* The state while the starts and ends of past items are visited in the order of dates. Numbers are indices of items;
 * -1: there is none. */
struct passing {
	struct tw__retrace *r;
	int32_t *arrived;   /* [n_data * n_nodes] the last copy of each handle to each node; -1: none */
	int32_t *written;   /* [n_data] the last kernel that wrote each handle; -1: none */
	int32_t *on_way;    /* [from * n_nodes + to] the last copy that started between two memories; -1: none */
	int32_t *on_worker; /* [n_workers] the last kernel that started on each worker; -1: none */
	int32_t last;       /* the kernel or copy that ended last; -1: none */
};

/* Makes an item wait for another one. *known: becomes the latest end of the waiter's dependencies. */
static void await(struct passing *p, int32_t waiter, int32_t awaited, bool is_queued, tw__ns *known)
{
	struct tw__retrace *r = p->r;
	if (awaited < 0 || r->items[awaited].past_end > r->items[waiter].past_start)
		return; /* there is no awaited item, or the waiter started before its end */
	TW_RESERVE(r->waits, r->capacity, r->n_waits + 1);
	r->waits[r->n_waits++] = (struct wait){waiter, awaited, is_queued};
	r->items[waiter].n_awaited++;
	r->items[awaited].n_waiters++;
	*known = tw__latest(*known, r->items[awaited].past_end);
}

static void start_task(struct passing *p, int32_t item, tw__ns *known)
{
	const struct tw__retrace *r = p->r;
	const struct tw_graph *g = r->setup.graph;
	tw_worker worker = r->setup.history->tasks[item].worker;
	int n_nodes = r->setup.platform->n_nodes;
	tw_node node = r->setup.platform->workers[worker].node;
	await(p, item, p->on_worker[worker], true, known);
	for (uint32_t a = g->access_start[item]; a < g->access_start[item + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		await(p, item, p->arrived[d * n_nodes + node], false, known);
		await(p, item, p->written[d], false, known);
	}
	p->on_worker[worker] = item;
}

static void start_copy(struct passing *p, int32_t item, tw__ns *known)
{
	const struct tw__past_copy *copy = copy_of(p->r, item);
	int n_nodes = p->r->setup.platform->n_nodes;
	if (copy->data < p->r->setup.graph->n_data) {
		await(p, item, p->arrived[copy->data * n_nodes + copy->from], false, known);
		await(p, item, p->written[copy->data], false, known);
	}
	await(p, item, p->on_way[copy->from * n_nodes + copy->to], false, known);
	p->on_way[copy->from * n_nodes + copy->to] = item;
}

static void start_item(struct passing *p, int32_t i)
{
	tw__ns known = 0, launches = 0;
	const struct tw__past_task *tasks = p->r->setup.history->tasks;
	/* the kernel may have waited for its launch, and for the one before */
	if (i < p->r->n_tasks && tasks[i].call > 0)
		launches = tasks[i].call +
		           (p->on_worker[tasks[i].worker] < 0 ? 0 : tasks[p->on_worker[tasks[i].worker]].call);
	if (i < p->r->n_tasks)
		start_task(p, i, &known);
	else
		start_copy(p, i, &known);
	if (p->r->items[i].past_start - known > tw__later(tw__ns_of(p->r->setup.patience_s), launches))
		await(p, i, p->last, false, &known);
}

static void end_item(struct passing *p, int32_t i)
{
	const struct tw_graph *g = p->r->setup.graph;
	p->last = i;
	if (i >= p->r->n_tasks) {
		const struct tw__past_copy *copy = copy_of(p->r, i);
		if (copy->data < g->n_data)
			p->arrived[copy->data * p->r->setup.platform->n_nodes + copy->to] = i;
		return;
	}
	for (uint32_t a = g->access_start[i]; a < g->access_start[i + 1]; a++)
		if (tw__access_mode(g->access[a]) & (TW_W | TW_REDUX))
			p->written[tw__access_data(g->access[a])] = i;
}

/* A past start or end of a kernel or copy. */
struct passage {
	tw__ns date;
	int32_t item;
	bool is_end;
};

/* Sorts starts and ends by date. At one date, ends come before starts, but an item without duration starts before it
 * ends. */
static int in_order(const void *a, const void *b)
{
	const struct passage *x = a, *y = b;
	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	if (x->item == y->item)
		return x->is_end - y->is_end;
	return x->is_end != y->is_end ? y->is_end - x->is_end : (x->item > y->item) - (x->item < y->item);
}

static size_t list_passages(const struct tw__retrace *r, struct passage *passages)
{
	size_t n = 0;
	for (int32_t i = 0; i < r->n; i++) {
		if (!r->items[i].runs)
			continue;
		passages[n++] = (struct passage){r->items[i].past_start, i, false};
		passages[n++] = (struct passage){r->items[i].past_end, i, true};
	}
	qsort(passages, n, sizeof *passages, in_order);
	return n;
}

static int32_t *nobody(size_t n)
{
	int32_t *list = tw_alloc(n, sizeof *list);
	for (size_t i = 0; i < n; i++)
		list[i] = -1;
	return list;
}

static void list_waiters(struct tw__retrace *r)
{
	size_t at = 0;
	r->waiters = tw_alloc(r->n_waits, sizeof *r->waiters);
	for (int32_t i = 0; i < r->n; i++) {
		r->items[i].first_waiter = at;
		at += r->items[i].n_waiters;
		r->items[i].n_waiters = 0;
	}
	for (size_t w = 0; w < r->n_waits; w++) {
		struct item *awaited = &r->items[r->waits[w].awaited];
		r->waiters[awaited->first_waiter + awaited->n_waiters++] = r->waits[w];
	}
}

/* Finds the dependencies of items from their past dates, and lists the waiters of each item. */
static void find_waits(struct tw__retrace *r)
{
	const size_t n_nodes = (size_t)r->setup.platform->n_nodes, n_data = (size_t)r->setup.graph->n_data;
	struct passing p = {
		.r = r,
		.arrived = nobody(n_data * n_nodes),
		.written = nobody(n_data),
		.on_way = nobody(n_nodes * n_nodes),
		.on_worker = nobody((size_t)r->setup.platform->n_workers),
		.last = -1,
	};
	struct passage *passages = tw_alloc(2 * (size_t)r->n, sizeof *passages);
	size_t n = list_passages(r, passages);
	for (size_t i = 0; i < n; i++)
		if (passages[i].is_end)
			end_item(&p, passages[i].item);
		else
			start_item(&p, passages[i].item);
	free(p.arrived);
	free(p.written);
	free(p.on_way);
	free(p.on_worker);
	free(passages);
	list_waiters(r);
}

static void take_past(struct tw__retrace *r)
{
	const struct tw__history *h = r->setup.history;
	for (int32_t i = 0; i < r->n; i++) {
		bool is_task = i < r->n_tasks;
		struct item *item = &r->items[i];
		item->past_start = is_task ? h->tasks[i].start : copy_of(r, i)->start;
		item->past_end = is_task ? h->tasks[i].end : copy_of(r, i)->end;
		item->runs = item->past_end > 0;
	}
}

struct tw__retrace *tw__retrace_create(const struct tw__retrace_setup *setup)
{
	struct tw__retrace *r = tw_alloc(1, sizeof *r);
	r->setup = *setup;
	r->n_tasks = setup->history->n_tasks;
	r->n = r->n_tasks + (int32_t)setup->history->n_copies;
	r->items = tw_alloc((size_t)r->n, sizeof *r->items);
	take_past(r);
	find_waits(r);
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

/* The thread of a GPU, and the last two kernels that have ended there. A launch waits for the first of them, since a
 * GPU holds two tasks. */
struct launching {
	tw__ns free_at, ends[2];
};

struct telling {
	struct tw__retrace *r;
	bool model_copies, model_launches;
	struct launching *launching; /* [n_workers] */
	struct tw__heap coming;      /* coming starts of items, and ends of items that do not share links */
	struct tw__shares shares;
	tw__ns turn;      /* duration of a turn */
	tw__ns last;      /* the latest end of a kernel so far */
	tw__ns turn_ends; /* the end of the latest turn so far */
};

static bool comes_before(const struct tw__heap_item *a, const struct tw__heap_item *b)
{
	const struct item *x = TW__CONTAINER(a, struct item, in_heap), *y = TW__CONTAINER(b, struct item, in_heap);
	return x->date != y->date ? x->date < y->date : x < y;
}

static void schedule(struct telling *t, struct item *item, tw__ns date)
{
	item->date = date;
	tw__heap_push(&t->coming, &item->in_heap, comes_before);
}

/* Returns the date at which a kernel starts that is launched once it can be. `date`: when the kernel before it on its
 * worker, and all else that it waited for, had ended. */
static tw__ns launched(struct telling *t, const struct item *item, tw__ns date)
{
	const struct tw__retrace_setup *s = &t->r->setup;
	const ptrdiff_t task = item - t->r->items;
	const struct tw__past_task *past = &s->history->tasks[task];
	if (past->call == 0)
		return date;
	struct launching *l = &t->launching[past->worker];
	const tw__ns queue = t->model_launches ? s->launch : 0;
	const tw__ns blocks = !t->model_launches ? past->call : s->blocks ? s->blocks[task] : 0;
	const tw__ns begin = tw__latest(tw__latest(item->ready, l->ends[0]), l->free_at);
	const tw__ns length = item->past_end - item->past_start;
	l->free_at = begin + queue + blocks;
	return tw__latest(date, begin + queue + tw__latest(0, blocks - length));
}

static void all_have_ended(struct telling *t, struct item *item, tw__ns date)
{
	bool is_task = item < t->r->items + t->r->n_tasks;
	if (is_task && t->turn > 0)
		date = t->turn_ends = tw__latest(date, t->turn_ends) + t->turn;
	schedule(t, item, is_task ? launched(t, item, date) : date);
}

static void task_ended(struct telling *t, const struct item *item, tw__ns date)
{
	struct launching *l = &t->launching[t->r->setup.history->tasks[item - t->r->items].worker];
	t->last = tw__latest(t->last, date);
	l->ends[0] = l->ends[1];
	l->ends[1] = date;
}

static void ended(struct telling *t, struct item *item, tw__ns date)
{
	if (item < t->r->items + t->r->n_tasks)
		task_ended(t, item, date);
	for (size_t w = 0; w < item->n_waiters; w++) {
		const struct wait *wait = &t->r->waiters[item->first_waiter + w];
		struct item *waiter = &t->r->items[wait->waiter];
		if (!wait->is_queued)
			waiter->ready = tw__latest(waiter->ready, date);
		if (--waiter->n_left == 0)
			all_have_ended(t, waiter, date);
	}
}

static void start_now(struct telling *t, struct item *item)
{
	int32_t i = (int32_t)(item - t->r->items);
	item->has_started = true;
	if (i < t->r->n_tasks || !t->model_copies) {
		schedule(t, item, item->date + (item->past_end - item->past_start));
		return;
	}
	const struct tw__past_copy *copy = copy_of(t->r, i);
	tw__shares_begin(&t->shares, &item->share, copy->from, copy->to, (double)copy->bytes, tw__seconds(item->date));
}

static void tell(struct telling *t)
{
	for (int32_t i = 0; i < t->r->n; i++) {
		struct item *item = &t->r->items[i];
		item->n_left = item->n_awaited;
		item->has_started = false;
		item->ready = 0;
		if (item->runs && item->n_left == 0)
			all_have_ended(t, item, 0);
	}
	for (;;) {
		struct tw__heap_item *top = tw__heap_top(&t->coming);
		double copies_s = tw__shares_next(&t->shares);
		tw__ns copies = tw__ns_after(copies_s);
		struct item *next = top ? TW__CONTAINER(top, struct item, in_heap) : NULL;
		if (!next && copies == TW__NEVER)
			return;
		if (!next || copies <= next->date) {
			struct tw__share *share = tw__shares_end(&t->shares, copies_s);
			ended(t, TW__CONTAINER(share, struct item, share), copies);
			continue;
		}
		tw__heap_remove(&t->coming, top, comes_before);
		if (next->has_started)
			ended(t, next, next->date);
		else
			start_now(t, next);
	}
}

double tw__retrace_run(struct tw__retrace *r, bool model_copies, bool model_launches, double turn_s)
{
	struct telling t = {
		.r = r, .model_copies = model_copies, .model_launches = model_launches, .turn = tw__ns_of(turn_s)};
	t.launching = tw_alloc((size_t)r->setup.platform->n_workers, sizeof *t.launching);
	tw__shares_init(&t.shares, r->setup.platform, &(struct tw__weights){0});
	tell(&t);
	tw__shares_finish(&t.shares);
	tw__heap_finish(&t.coming);
	free(t.launching);
	return tw__seconds(t.last);
}
