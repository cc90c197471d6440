#include "validation/retrace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/array.h>

#include "base/heap.h"
#include "engine/shares.h"
#include "graph/graph.h"

/* A kernel or a copy. Kernels come first, by task; then copies, as in the history. */
struct item {
	struct tw__heap_item in_heap; /* of what is to come: its start, or its own end */
	struct tw__share share;
	bool runs, has_started;
	double past_start, past_end;
	double delay_s; /* from the end of all that it waited for to its start */
	uint32_t n_awaited, n_left;
	double date; /* in the heap */
	size_t first_waiter, n_waiters;
};

struct wait {
	int32_t waiter, awaited;
};

struct tw__retrace {
	struct tw__retrace_setup setup;
	struct item *items;
	int32_t n_tasks, n;
	struct wait *waits;
	size_t n_waits, capacity;
	int32_t *waiters; /* those of each item side by side */
	double tail_s;    /* from the last end to the makespan */
};

static int no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "validation: out of memory"); }

/* --- what waits for what ------------------------------------------------------------------------------------------ */

/* While the past passes by, in the order of dates. */
struct passing {
	struct tw__retrace *r;
	int32_t *arrived;   /* [n_data * n_nodes] the last copy of the handle to there; -1: none */
	int32_t *written;   /* [n_data] the last kernel that wrote it */
	int32_t *on_way;    /* [n_nodes * n_nodes] the last copy that started on that way */
	int32_t *on_worker; /* [n_workers] same, of kernels */
	int32_t last;       /* what ended last; -1: nothing has */
	bool failed;
};

static const struct tw__past_copy *copy_of(const struct tw__retrace *r, int32_t item)
{
	return &r->setup.history->copies[item - r->n_tasks];
}

/* The latest end of what the item waits for is in *known_s. */
static void await(struct passing *p, int32_t waiter, int32_t awaited, double *known_s)
{
	struct tw__retrace *r = p->r;
	if (awaited < 0 || r->items[awaited].past_end > r->items[waiter].past_start)
		return; /* there is none, or nobody waited for it */
	if (!TW_HAS_ROOM(r->waits, r->capacity, r->n_waits + 1)) {
		p->failed = true;
		return;
	}
	r->waits[r->n_waits++] = (struct wait){waiter, awaited};
	r->items[waiter].n_awaited++;
	r->items[awaited].n_waiters++;
	*known_s = fmax(*known_s, r->items[awaited].past_end);
}

static void start_task(struct passing *p, int32_t item, double *known_s)
{
	const struct tw__retrace *r = p->r;
	const struct tw_graph *g = r->setup.graph;
	tw_worker worker = r->setup.history->tasks[item].worker;
	int n_nodes = r->setup.platform->n_nodes;
	tw_node node = r->setup.platform->workers[worker].node;
	await(p, item, p->on_worker[worker], known_s);
	for (uint32_t a = g->access_start[item]; a < g->access_start[item + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		await(p, item, p->arrived[d * n_nodes + node], known_s);
		await(p, item, p->written[d], known_s);
	}
	p->on_worker[worker] = item;
}

static void start_copy(struct passing *p, int32_t item, double *known_s)
{
	const struct tw__past_copy *copy = copy_of(p->r, item);
	int n_nodes = p->r->setup.platform->n_nodes;
	if (copy->data < p->r->setup.graph->n_data) {
		await(p, item, p->arrived[copy->data * n_nodes + copy->from], known_s);
		await(p, item, p->written[copy->data], known_s);
	}
	await(p, item, p->on_way[copy->from * n_nodes + copy->to], known_s);
	p->on_way[copy->from * n_nodes + copy->to] = item;
}

static void start_item(struct passing *p, int32_t i)
{
	struct item *item = &p->r->items[i];
	double known_s = 0;
	if (i < p->r->n_tasks)
		start_task(p, i, &known_s);
	else
		start_copy(p, i, &known_s);
	if (item->past_start - known_s > p->r->setup.patience_s)
		await(p, i, p->last, &known_s);
	item->delay_s = fmax(0, item->past_start - known_s);
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

/* A start or an end. */
struct passage {
	double date;
	int32_t item;
	bool is_end;
};

/* Ends before starts of the same date. What takes no time starts before it ends. */
static int in_order(const void *a, const void *b)
{
	const struct passage *x = a, *y = b;
	if (x->date < y->date || x->date > y->date)
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
	int32_t *list = malloc((n + 1) * sizeof *list);
	for (size_t i = 0; list && i < n; i++)
		list[i] = -1;
	return list;
}

static int find_waits(struct tw__retrace *r, struct tw_error *err)
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
	struct passage *passages = malloc((2 * (size_t)r->n + 1) * sizeof *passages);
	p.failed = !p.arrived || !p.written || !p.on_way || !p.on_worker || !passages;
	size_t n = p.failed ? 0 : list_passages(r, passages);
	for (size_t i = 0; i < n && !p.failed; i++)
		if (passages[i].is_end)
			end_item(&p, passages[i].item);
		else
			start_item(&p, passages[i].item);
	free(p.arrived);
	free(p.written);
	free(p.on_way);
	free(p.on_worker);
	free(passages);
	return p.failed ? no_memory(err) : TW_OK;
}

static int list_waiters(struct tw__retrace *r, struct tw_error *err)
{
	size_t at = 0;
	r->waiters = malloc((r->n_waits + 1) * sizeof *r->waiters);
	if (!r->waiters)
		return no_memory(err);
	for (int32_t i = 0; i < r->n; i++) {
		r->items[i].first_waiter = at;
		at += r->items[i].n_waiters;
		r->items[i].n_waiters = 0;
	}
	for (size_t w = 0; w < r->n_waits; w++) {
		struct item *awaited = &r->items[r->waits[w].awaited];
		r->waiters[awaited->first_waiter + awaited->n_waiters++] = r->waits[w].waiter;
	}
	return TW_OK;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void take_past(struct tw__retrace *r)
{
	const struct tw__history *h = r->setup.history;
	double last = 0;
	for (int32_t i = 0; i < r->n; i++) {
		bool is_task = i < r->n_tasks;
		struct item *item = &r->items[i];
		item->past_start = is_task ? h->tasks[i].start : copy_of(r, i)->start;
		item->past_end = is_task ? h->tasks[i].end : copy_of(r, i)->end;
		item->runs = item->past_end > 0;
		if (is_task)
			last = fmax(last, item->past_end);
	}
	r->tail_s = fmax(0, h->makespan - last);
}

int tw__retrace_create(struct tw__retrace **out, const struct tw__retrace_setup *setup, struct tw_error *err)
{
	struct tw__retrace *r = *out = calloc(1, sizeof *r);
	if (!r)
		return no_memory(err);
	r->setup = *setup;
	r->n_tasks = setup->history->n_tasks;
	r->n = r->n_tasks + (int32_t)setup->history->n_copies;
	r->items = calloc((size_t)r->n + 1, sizeof *r->items);
	if (!r->items)
		return no_memory(err);
	take_past(r);
	int status = find_waits(r, err);
	return status == TW_OK ? list_waiters(r, err) : status;
}

void tw__retrace_destroy(struct tw__retrace *r)
{
	if (!r)
		return;
	free(r->items);
	free(r->waits);
	free(r->waiters);
	free(r);
}

/* --- told again --------------------------------------------------------------------------------------------------- */

struct telling {
	struct tw__retrace *r;
	const struct tw__retrace_how *how;
	struct tw__heap coming; /* starts, and ends of what has a duration of its own */
	struct tw__shares shares;
	double last; /* end of a kernel */
	bool failed;
};

static bool comes_before(const struct tw__heap_item *a, const struct tw__heap_item *b)
{
	const struct item *x = TW__CONTAINER(a, struct item, in_heap), *y = TW__CONTAINER(b, struct item, in_heap);
	return x->date < y->date || (x->date <= y->date && x < y);
}

static void schedule(struct telling *t, struct item *item, double date)
{
	item->date = date;
	t->failed |= tw__heap_push(&t->coming, &item->in_heap) != TW_OK;
}

static void all_have_ended(struct telling *t, struct item *item, double date)
{
	bool is_task = item < t->r->items + t->r->n_tasks;
	schedule(t, item, date + (!t->how->no_delays ? item->delay_s : is_task ? t->how->delay_s : 0));
}

static void ended(struct telling *t, struct item *item, double date)
{
	if (item < t->r->items + t->r->n_tasks)
		t->last = fmax(t->last, date);
	for (size_t w = 0; w < item->n_waiters; w++) {
		struct item *waiter = &t->r->items[t->r->waiters[item->first_waiter + w]];
		if (--waiter->n_left == 0)
			all_have_ended(t, waiter, date);
	}
}

static void start_now(struct telling *t, struct item *item)
{
	int32_t i = (int32_t)(item - t->r->items);
	item->has_started = true;
	if (i < t->r->n_tasks || !t->how->model_copies) {
		schedule(t, item, item->date + (item->past_end - item->past_start));
		return;
	}
	const struct tw__past_copy *copy = copy_of(t->r, i);
	tw__shares_begin(&t->shares, &item->share, copy->from, copy->to, (double)copy->bytes, item->date);
}

static void tell(struct telling *t)
{
	for (int32_t i = 0; i < t->r->n; i++) {
		struct item *item = &t->r->items[i];
		item->n_left = item->n_awaited;
		item->has_started = false;
		if (item->runs && item->n_left == 0)
			all_have_ended(t, item, 0);
	}
	for (;;) {
		struct tw__heap_item *top = tw__heap_top(&t->coming);
		double copies_s = tw__shares_next(&t->shares);
		struct item *next = top ? TW__CONTAINER(top, struct item, in_heap) : NULL;
		if (t->failed || (!next && isinf(copies_s)))
			return;
		if (!next || copies_s <= next->date) {
			struct tw__share *share = tw__shares_end(&t->shares, copies_s);
			ended(t, TW__CONTAINER(share, struct item, share), share->end);
			continue;
		}
		tw__heap_remove(&t->coming, top);
		if (next->has_started)
			ended(t, next, next->date);
		else
			start_now(t, next);
	}
}

int tw__retrace_run(struct tw__retrace *r, const struct tw__retrace_how *how, double *makespan_s, struct tw_error *err)
{
	struct telling t = {.r = r, .how = how};
	tw__heap_init(&t.coming, comes_before);
	t.failed = tw__shares_init(&t.shares, r->setup.platform, 0) != TW_OK;
	if (!t.failed)
		tell(&t);
	tw__shares_finish(&t.shares);
	tw__heap_finish(&t.coming);
	*makespan_s = t.last + (how->no_delays ? 0 : r->tail_s);
	return t.failed ? no_memory(err) : TW_OK;
}
