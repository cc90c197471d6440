#include "validation/retrace_items.h"

#include <stdlib.h>

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
static void await(struct passing *p, int32_t waiter, int32_t awaited, tw__ns *known)
{
	struct tw__retrace *r = p->r;
	if (awaited < 0 || r->items[awaited].past_end > r->items[waiter].past_start)
		return; /* there is no awaited item, or the waiter started before its end */
	TW_RESERVE(r->waits, r->capacity, r->n_waits + 1);
	r->waits[r->n_waits++] = (struct tw__past_wait){waiter, awaited};
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
	await(p, item, p->on_worker[worker], known);
	for (uint32_t a = g->access_start[item]; a < g->access_start[item + 1]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		await(p, item, p->arrived[d * n_nodes + node], known);
		await(p, item, p->written[d], known);
	}
	p->on_worker[worker] = item;
}

static void start_copy(struct passing *p, int32_t item, tw__ns *known)
{
	const struct tw__past_copy *copy = tw__past_copy_of(p->r, item);
	int n_nodes = p->r->setup.platform->n_nodes;
	if (copy->data < p->r->setup.graph->n_data) {
		await(p, item, p->arrived[copy->data * n_nodes + copy->from], known);
		await(p, item, p->written[copy->data], known);
	}
	await(p, item, p->on_way[copy->from * n_nodes + copy->to], known);
	p->on_way[copy->from * n_nodes + copy->to] = item;
}

static void start_item(struct passing *p, int32_t i)
{
	struct tw__past_item *item = &p->r->items[i];
	tw__ns known = 0;
	if (i < p->r->n_tasks)
		start_task(p, i, &known);
	else
		start_copy(p, i, &known);
	if (item->past_start - known > tw__ns_of(p->r->setup.patience_s))
		await(p, i, p->last, &known);
	item->delay = tw__latest(0, item->past_start - known);
}

static void end_item(struct passing *p, int32_t i)
{
	const struct tw_graph *g = p->r->setup.graph;
	p->last = i;
	if (i >= p->r->n_tasks) {
		const struct tw__past_copy *copy = tw__past_copy_of(p->r, i);
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
		struct tw__past_item *awaited = &r->items[r->waits[w].awaited];
		r->waiters[awaited->first_waiter + awaited->n_waiters++] = r->waits[w].waiter;
	}
}

void tw__retrace_find_waits(struct tw__retrace *r)
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
