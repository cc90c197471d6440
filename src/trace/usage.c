#include "trace/usage.h"

#include <math.h>
#include <stdlib.h>

#include "platform/bottlenecks.h"
#include "trace/text.h"

struct counter {
	int64_t value, told;
	bool changed; /* whether the counter is in the list of those that changed at the current date */
	bool moves;
};

struct tw__usage {
	const struct tw__trace *t;
	struct tw_platform narrowed; /* the platform with routes that have only links that can limit a transfer */
	tw__usage_fn *tell;
	void *context;
	int first[TW__N_COUNTERS + 1];
	struct counter *counters; /* [first[TW__N_COUNTERS]] all counters, sorted by enum tw__counter */
	int *changed, n_changed;
	int64_t date_ns;
};

/* Returns the mean rate of a transfer in bytes/s, from either of its events. Rates are whole numbers, so that adding
 * and subtracting a rate leaves 0. */
static int64_t rate_of(const struct tw__trace *t, size_t i)
{
	size_t other = t->other_end[i];
	if (other == SIZE_MAX)
		return 0;
	double seconds = fabs(tw__seconds(t->record->events[other].date - t->record->events[i].date));
	double rate = seconds > 0 ? (double)t->record->events[i].bytes / seconds : 0;
	return rate < 1e18 ? llround(rate) : 0;
}

static void add(struct tw__usage *u, enum tw__counter kind, int index, int64_t amount)
{
	int i = u->first[kind] + index;
	struct counter *c = &u->counters[i];
	c->value += amount;
	if (!c->changed && amount)
		u->changed[u->n_changed++] = i;
	c->changed |= amount != 0;
}

static void add_transfer(struct tw__usage *u, const struct tw__event *e, int64_t rate)
{
	const struct tw__route *route = tw__route_of(&u->narrowed, e->from, e->node);
	add(u, TW__MEMORY_OUT, e->from, rate);
	add(u, TW__MEMORY_IN, e->node, rate);
	for (int l = 0; l < route->n_links; l++)
		add(u, TW__LINK_USED, route->links[l], rate);
}

static void count(struct tw__usage *u, size_t i)
{
	const struct tw__event *e = &u->t->record->events[i];
	switch (e->kind) {
	case TW__SUBMIT:
	case TW__RELEASE:
		add(u, TW__TASKS_SUBMITTED, 0, e->kind == TW__SUBMIT ? 1 : -1);
		break;
	case TW__READY:
	case TW__CANCEL: /* the task is ready again */
	case TW__ASSIGN:
		add(u, TW__TASKS_READY, 0, e->kind == TW__ASSIGN ? -1 : 1);
		break;
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		add_transfer(u, e, e->kind == TW__TRANSFER_START ? rate_of(u->t, i) : -rate_of(u->t, i));
		break;
	case TW__ALLOC:
	case TW__FREE:
		add(u, TW__MEMORY_USED, e->node, e->kind == TW__ALLOC ? (int64_t)e->bytes : -(int64_t)e->bytes);
		break;
	default:
		break;
	}
}

static enum tw__counter kind_of(const struct tw__usage *u, int i)
{
	int kind = 0;
	while (i >= u->first[kind + 1])
		kind++;
	return (enum tw__counter)kind;
}

static void tell_changed(struct tw__usage *u)
{
	for (int i = 0; i < u->n_changed; i++) {
		struct counter *c = &u->counters[u->changed[i]];
		enum tw__counter kind = kind_of(u, u->changed[i]);
		if (c->value != c->told)
			u->tell(u->context, u->date_ns, kind, u->changed[i] - u->first[kind], c->value);
		c->told = c->value;
		c->changed = false;
	}
	u->n_changed = 0;
}

/* Finds the counters that ever change, and resets all counters to 0. */
static void find_moving(struct tw__usage *u)
{
	for (size_t i = 0; i < u->t->record->n; i++)
		count(u, i);
	for (int i = 0; i < u->n_changed; i++)
		u->counters[u->changed[i]] = (struct counter){.moves = true};
	u->n_changed = 0;
}

struct tw__usage *tw__usage_create(const struct tw__trace *t, tw__usage_fn *tell, void *context)
{
	struct tw__usage *u = calloc(1, sizeof *u);
	if (!u)
		return NULL;
	*u = (struct tw__usage){.t = t, .tell = tell, .context = context};
	int n_nodes = t->platform->n_nodes;
	const int sizes[TW__N_COUNTERS] = {n_nodes, n_nodes, n_nodes, t->platform->n_links, 1, 1};
	for (int kind = 0; kind < TW__N_COUNTERS; kind++)
		u->first[kind + 1] = u->first[kind] + sizes[kind];
	size_t n = (size_t)u->first[TW__N_COUNTERS];
	u->counters = calloc(n, sizeof *u->counters);
	u->changed = calloc(n, sizeof *u->changed);
	if (!u->counters || !u->changed || tw__bottlenecks_init(&u->narrowed, t->platform) < 0) {
		tw__usage_destroy(u);
		return NULL;
	}
	find_moving(u);
	return u;
}

void tw__usage_destroy(struct tw__usage *u)
{
	if (!u)
		return;
	tw__bottlenecks_finish(&u->narrowed);
	free(u->counters);
	free(u->changed);
	free(u);
}

bool tw__usage_moves(const struct tw__usage *u, enum tw__counter kind, int index)
{
	return u->counters[u->first[kind] + index].moves;
}

void tw__usage_begin(struct tw__usage *u)
{
	for (int i = 0; i < u->first[TW__N_COUNTERS]; i++) {
		enum tw__counter kind = kind_of(u, i);
		if (u->counters[i].moves)
			u->tell(u->context, 0, kind, i - u->first[kind], 0);
	}
}

void tw__usage_step(struct tw__usage *u, size_t i)
{
	int64_t date_ns = u->t->record->events[i].date;
	if (date_ns != u->date_ns)
		tell_changed(u);
	u->date_ns = date_ns;
	count(u, i);
}

void tw__usage_end(struct tw__usage *u) { tell_changed(u); }
