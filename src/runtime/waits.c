/* Why a task or a request waits, in a run in which nothing is under way. */
#include "runtime/waits.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime/state/copies.h"
#include "runtime/state/threads.h"
#include "runtime/teams.h"

void tw__text_add(struct tw__text *t, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	int length = vsnprintf(t->of + t->at, sizeof t->of - t->at, format, values);
	va_end(values);
	t->at = length > 0 && t->at + (size_t)length < sizeof t->of ? t->at + (size_t)length : sizeof t->of - 1;
}

static double megabytes(uint64_t bytes) { return (double)bytes / 1e6; }

static const char *node_name(const struct tw__rt *rt, tw_node n) { return rt->platform->nodes[n].name; }

/* --- reasons why a copy stays in a full memory -------------------------------------------------------------------- */

static bool has_pinned(const struct hold *h, tw_data d)
{
	int n = h->driver->fetching == h ? h->driver->fetch_index : h->n_accesses;
	for (int i = 0; i < n; i++)
		if (tw__access_data(h->access[i]) == d)
			return true;
	return false;
}

static bool writes(const struct hold *h, tw_data d)
{
	for (int i = 0; i < h->n_accesses; i++)
		if (tw__access_data(h->access[i]) == d && (tw__access_mode(h->access[i]) & TW_W))
			return true;
	return false;
}

/* The copies that occupy a memory, by the reason why they stay. */
struct occupants {
	int n;          /* held by `by` for that reason */
	uint64_t bytes; /* of them */
	tw_data data;   /* the first */
	struct tw__waiting by;
};

struct occupation {
	struct occupants leaked;  /* pinned more often than tasks and transfers have pinned it */
	struct occupants task;    /* pinned by another task */
	struct occupants request; /* a transfer pins it, fills it or writes it back */
	struct occupants written; /* the last valid copy, which another task is about to write */
	struct occupants free;    /* nothing holds it, and yet it stays */
	struct occupants own;     /* pinned by the task that waits for room */
};

static void occupy(const struct tw__rt *rt, struct occupants *o, tw_data d, tw_node n, struct tw__waiting by)
{
	if (o->n && (o->by.hold != by.hold || o->by.request != by.request))
		return;
	if (!o->n)
		o->data = d;
	o->by = by;
	o->n++;
	o->bytes += room_bytes(rt, d, n);
}

/* Requests of the handle that pin its copy on the node. */
static uint32_t pins_of_transfers(const struct tw__rt *rt, tw_data d, tw_node n, const struct request **one)
{
	uint32_t pins = 0;
	for (tw_node to = 0; (to = next_node(rt, d, REQUESTED_ON, to)) >= 0; to++) {
		const struct request *r = replicate_of(rt, d, to)->request;
		bool moves = r->state == REQUEST_ISSUED || r->state == REQUEST_LANDED;
		uint32_t its =
			(uint32_t)(moves && (r->from == n || r->to == n)) + (uint32_t)(r->in_transit && r->from == n);
		pins += its;
		if (its)
			*one = r;
	}
	return pins;
}

/* Files one copy under its reason. */
static void judge(const struct tw__rt *rt, struct occupation *o, tw_data d, tw_node n, struct tw__waiting who)
{
	const struct replicate *copy = replicate_of(rt, d, n);
	const struct request *moving = NULL;
	struct tw__waiting other = {0}, writer = {0};
	bool own = false;
	uint32_t pins = pins_of_transfers(rt, d, n, &moving);
	for (int i = 0; i < rt->n_drivers; i++)
		for (int k = 0; k < rt->drivers[i].n_held; k++) {
			const struct hold *h = held(&rt->drivers[i], k);
			if (h->driver->node == n && has_pinned(h, d)) {
				pins++;
				own |= h == who.hold;
				if (h != who.hold && !other.hold)
					other.hold = h;
			} else if (h != who.hold && writes(h, d) && !writer.hold) {
				writer.hold = h;
			}
		}
	tw_node backing = rt->platform->nodes[n].backing;
	const struct request *home = backing == TW_NONE ? NULL : replicate_of(rt, d, backing)->request;
	const struct request *request = moving ? moving : copy->request ? copy->request : home;
	if (copy->pins > pins)
		occupy(rt, &o->leaked, d, n, (struct tw__waiting){0});
	else if (other.hold)
		occupy(rt, &o->task, d, n, other);
	else if (own)
		occupy(rt, &o->own, d, n, who);
	else if (request && request != who.request)
		occupy(rt, &o->request, d, n, (struct tw__waiting){.request = request});
	else if (writer.hold && rt->data[d].n_writers)
		occupy(rt, &o->written, d, n, writer);
	else
		occupy(rt, &o->free, d, n, (struct tw__waiting){0});
}

/* The first reason in the order of `occupation`, as the end of a sentence. */
static struct tw__waiting explain_full(const struct tw__rt *rt, tw_node n, struct tw__waiting who, struct tw__text *t)
{
	struct occupation o = {0};
	for (tw_data d = 0; d < rt->graph->n_data; d++)
		if (is_allocated(rt, d, n))
			judge(rt, &o, d, n, who);
	if (o.leaked.n) {
		tw__text_add(t,
		             "data %d (%.4g MB) is pinned there by no task and no transfer: a pin was never given back",
		             (int)o.leaked.data, megabytes(o.leaked.bytes));
		return (struct tw__waiting){0};
	}
	static const struct {
		size_t at;
		const char *verb;
	} reasons[] = {
		{offsetof(struct occupation, task), "pinned"},
		{offsetof(struct occupation, request), "moved"},
		{offsetof(struct occupation, written), "about to be written"},
	};
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		const struct occupants *found = (const struct occupants *)((const char *)&o + reasons[i].at);
		if (found->n) {
			tw__text_add(t, "%s there: %d data (%.4g MB), by ", reasons[i].verb, found->n,
			             megabytes(found->bytes));
			return found->by;
		}
	}
	if (o.free.n)
		tw__text_add(t, "data %d (%.4g MB) could leave, but is not evicted", (int)o.free.data,
		             megabytes(o.free.bytes));
	else
		tw__text_add(t, "no data of others are there: its free room is in too small pieces");
	return (struct tw__waiting){0};
}

/* --- reasons why a request or a task waits ------------------------------------------------------------------------ */

/* The request that writes back the victim of a memory, or NULL. */
static const struct request *write_back_from(const struct tw__rt *rt, tw_node n)
{
	tw_node backing = rt->platform->nodes[n].backing;
	for (tw_data d = 0; backing != TW_NONE && d < rt->graph->n_data; d++) {
		const struct request *r = replicate_of(rt, d, backing)->request;
		if (r && r->reclaims == n)
			return r;
	}
	return NULL;
}

static bool needs_room(const struct tw__rt *rt, const struct request *r)
{
	return r->state == REQUEST_QUEUED && is_bounded(rt, r->to) && !is_allocated(rt, r->data, r->to);
}

static struct tw__waiting explain_request(const struct tw__rt *rt, struct tw__waiting who, struct tw__text *t)
{
	const struct request *r = who.request;
	const struct hold *drained = drained_for(rt, r->to);
	const struct request *victim = rt->pressure[r->to].victim != TW_NONE ? write_back_from(rt, r->to) : NULL;
	if (r->state == REQUEST_AFTER_HOP) {
		const struct request *hop = replicate_of(rt, r->data, r->from)->request;
		tw__text_add(t, "needs a copy in '%s' first%s", node_name(rt, r->from),
		             hop ? ", by " : ", and nobody requests it");
		return (struct tw__waiting){.request = hop};
	}
	if (!needs_room(rt, r)) {
		tw__text_add(t, "%s, and no thread goes on with it",
		             r->state == REQUEST_LANDED   ? "has landed"
		             : r->state == REQUEST_ISSUED ? "was issued"
		                                          : "is queued");
		return (struct tw__waiting){0};
	}
	tw__text_add(t, "waits for room in '%s' (%.4g of %.4g MB used): ", node_name(rt, r->to),
	             megabytes(rt->pressure[r->to].used), megabytes(rt->capacity[r->to]));
	if (victim && victim != r) {
		tw__text_add(t, "a victim leaves by ");
		return (struct tw__waiting){.request = victim};
	}
	if (drained && drained != who.hold && r->cause != TW__EVICTION) {
		tw__text_add(t, "it is emptied for ");
		return (struct tw__waiting){.hold = drained};
	}
	return explain_full(rt, r->to, who, t);
}

static const struct request *awaited_by(const struct tw__rt *rt, const struct hold *h)
{
	for (int i = 0; i < h->n_accesses; i++) {
		tw_data d = tw__access_data(h->access[i]);
		for (tw_node n = 0; (n = next_node(rt, d, REQUESTED_ON, n)) >= 0; n++)
			for (const struct waiter *w = replicate_of(rt, d, n)->request->waiters; w; w = w->next)
				if (w->hold == h)
					return replicate_of(rt, d, n)->request;
	}
	return NULL;
}

/* Another task that has reserved room in the memory; if possible one that still waits for its data. */
static const struct hold *admitted_at(const struct tw__rt *rt, tw_node n, const struct hold *but)
{
	const struct hold *found = NULL;
	for (int i = 0; i < rt->n_drivers; i++)
		for (int k = 0; k < rt->drivers[i].n_held && rt->drivers[i].node == n; k++) {
			const struct hold *h = held(&rt->drivers[i], k);
			if (h->admitted && h != but && (!found || (h->missing && !found->missing)))
				found = h;
		}
	return found;
}

static struct tw__waiting explain_admission(const struct tw__rt *rt, const struct hold *h, struct tw__text *t)
{
	tw_node n = h->driver->node;
	const struct hold *drained = drained_for(rt, n), *other = admitted_at(rt, n, h);
	uint64_t bytes = 0;
	for (int i = 0; i < h->n_accesses; i++)
		bytes += room_bytes(rt, tw__access_data(h->access[i]), n);
	tw__text_add(t, "waits to reserve %.4g MB in '%s', ", megabytes(bytes), node_name(rt, n));
	if (drained == h) {
		tw__text_add(t, "which is emptied for it: ");
		return explain_full(rt, n, (struct tw__waiting){.hold = h}, t);
	}
	if (drained)
		tw__text_add(t, "which is emptied for ");
	else if (other)
		tw__text_add(t, "where room is reserved by ");
	else
		tw__text_add(t, "where no task has reserved room");
	return (struct tw__waiting){.hold = drained ? drained : other};
}

/* Says which worker of its team a task waits for, and returns what that worker holds. */
static struct tw__waiting explain_team(const struct tw__rt *rt, const struct team *team, struct tw__text *t)
{
	for (int i = 0; i < team->n; i++) {
		const struct driver *d = &rt->drivers[team->worker[i]];
		const struct hold *holds = d->n_held ? held((struct driver *)d, 0) : NULL;
		if (team->hold[i] && team->hold[i] == holds)
			continue;
		tw__text_add(t, "waits for '%s', which has not popped it%s", rt->platform->workers[d->worker].name,
		             holds ? ", by " : "");
		return (struct tw__waiting){.hold = holds};
	}
	tw__text_add(t, "has its team, and its thread does not go on");
	return (struct tw__waiting){0};
}

static struct tw__waiting explain_hold(const struct tw__rt *rt, const struct hold *h, struct tw__text *t)
{
	struct driver *d = h->driver;
	const struct request *r = awaited_by(rt, h), *beneficiary = beneficiary_of(rt, d->node);
	if (d->fetching == h && !h->admitted && !tw__team_may_reserve(h))
		return explain_team(rt, h->team, t);
	if (d->fetching == h && !h->admitted && is_bounded(rt, d->node))
		return explain_admission(rt, h, t);
	if (d->fetching == h && r && needs_room(rt, r) && r->to == d->node) {
		tw__text_add(t, "needs data %d (%.4g MB) and ", (int)r->data,
		             megabytes(rt->graph->data_bytes[r->data]));
		return explain_request(rt, (struct tw__waiting){.hold = h, .request = r}, t);
	}
	if (d->fetching == h && r) {
		tw__text_add(t, "waits for ");
		return (struct tw__waiting){.request = r};
	}
	if (h->team && !h->missing && h == held(d, 0))
		return explain_team(rt, h->team, t);
	if (h->state == HOLD_READY && h != held(d, 0)) {
		tw__text_add(t, "runs behind ");
		return (struct tw__waiting){.hold = held(d, 0)};
	}
	if (beneficiary) {
		tw__text_add(t, "has a thread that first serves ");
		return (struct tw__waiting){.request = beneficiary};
	}
	tw__text_add(t, "has its data, and its thread does not go on");
	return (struct tw__waiting){0};
}

struct tw__waiting tw__waiting_explain(const struct tw__rt *rt, struct tw__waiting w, struct tw__text *t)
{
	return w.hold ? explain_hold(rt, w.hold, t) : explain_request(rt, w, t);
}

void tw__waiting_name(const struct tw__rt *rt, struct tw__waiting w, struct tw__text *t)
{
	const struct request *r = w.request;
	if (w.hold && w.hold == w.hold->driver->hold && w.hold->driver->worker == TW_NONE)
		tw__text_add(t, "the data that must be in '%s' at the end", node_name(rt, w.hold->driver->node));
	else if (w.hold && w.hold->driver->worker == TW_NONE)
		tw__text_add(t, "the filter of data %d", (int)tw__access_data(w.hold->access[0]));
	else if (w.hold)
		tw__text_add(t, "task %d (%s) on '%s'", (int)w.hold->task,
		             tw_graph_kernel_name(rt->graph, rt->graph->kernel[w.hold->task]),
		             rt->platform->workers[w.hold->driver->worker].name);
	else if (r->from == r->to)
		tw__text_add(t, "the request for data %d in '%s'", (int)r->data, node_name(rt, r->to));
	else
		tw__text_add(t, "the transfer of data %d from '%s' to '%s'", (int)r->data, node_name(rt, r->from),
		             node_name(rt, r->to));
}
