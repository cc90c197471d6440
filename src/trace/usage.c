#include "trace/usage.h"

#include <math.h>
#include <stdlib.h>

#include "platform/bottlenecks.h"
#include "trace/rates.h"

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
	struct tw__rates rates; /* of a simulated run: the first stretch whose rates the counters do not have yet */
	int *users;             /* [n_links] of a measured run: number of transfers on each link */
	int status;             /* TW_NOMEM: rates are missing */
};

/* Returns what n transfers together can get from a link, in bytes/s. */
static int64_t capacity_of(const struct tw__link *link, int n)
{
	if (link->sharing == TW__FATPIPE)
		return llround(link->bandwidth * n);
	return llround(n > 1 ? link->shared_bandwidth : link->bandwidth);
}

/* Whether the link can pass more or less bytes/s while more transfers are on it. */
static bool capacity_changes(const struct tw__link *link)
{
	return link->sharing == TW__FATPIPE || link->shared_bandwidth < link->bandwidth;
}

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

static void set(struct tw__usage *u, enum tw__counter kind, int index, int64_t value)
{
	int i = u->first[kind] + index;
	struct counter *c = &u->counters[i];
	if (!c->changed && value != c->value)
		u->changed[u->n_changed++] = i;
	c->changed |= value != c->value;
	c->value = value;
}

static void add(struct tw__usage *u, enum tw__counter kind, int index, int64_t amount)
{
	set(u, kind, index, u->counters[u->first[kind] + index].value + amount);
}

/* --- transfers of measured runs ---------------------------------------------------------------------------------- */

/* Counts the start or the end of a transfer with its mean rate; the end has a negative rate. */
static void add_transfer(struct tw__usage *u, const struct tw__event *e, int64_t rate)
{
	const struct tw__route *route = tw__route_of(&u->narrowed, e->from, e->node);
	add(u, TW__MEMORY_OUT, e->from, rate);
	add(u, TW__MEMORY_IN, e->node, rate);
	for (int l = 0; l < route->n_links; l++) {
		int link = route->links[l];
		add(u, TW__LINK_USED, link, rate);
		if (!tw__is_first_listed(route, l))
			continue;
		u->users[link] += rate > 0 ? 1 : rate < 0 ? -1 : 0;
		if (capacity_changes(&u->narrowed.links[link]))
			set(u, TW__LINK_CAPACITY, link, capacity_of(&u->narrowed.links[link], u->users[link]));
	}
}

/* --- transfers of simulated runs ---------------------------------------------------------------------------------- */

static void set_rates(struct tw__usage *u)
{
	const struct tw_platform *p = &u->narrowed;
	for (int i = 0; i < u->rates.use.n_listed; i++) {
		int of = u->rates.use.listed[i], link = of - tw__passed_link(p, 0);
		enum tw__counter kind = of < p->n_nodes ? TW__MEMORY_IN : link < 0 ? TW__MEMORY_OUT : TW__LINK_USED;
		int index = kind == TW__LINK_USED ? link : of % p->n_nodes;
		set(u, kind, index, llround(tw__rates_used(&u->rates, of)));
		if (kind == TW__LINK_USED && capacity_changes(&p->links[link]))
			set(u, TW__LINK_CAPACITY, link, llround(tw__rates_capacity(&u->rates, link)));
	}
}

static void tell_changed(struct tw__usage *);

/* Sets the rates of all stretches that begin before `date`, and reports what changes at the dates between. */
static void pass_rates(struct tw__usage *u, int64_t date_ns)
{
	while (u->status == TW_OK && u->rates.from < date_ns) {
		if (u->rates.from != u->date_ns)
			tell_changed(u);
		u->date_ns = u->rates.from;
		set_rates(u);
		u->status = tw__rates_next(&u->rates);
	}
}

/* --- events ------------------------------------------------------------------------------------------------------- */

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
		if (u->t->record->measured)
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

/* The model may end the last transfer a nanosecond after the trace, if another model made the record (SimGrid). */
static void tell_changed(struct tw__usage *u)
{
	int64_t date_ns = u->date_ns < u->t->end_ns ? u->date_ns : u->t->end_ns;
	for (int i = 0; i < u->n_changed; i++) {
		struct counter *c = &u->counters[u->changed[i]];
		enum tw__counter kind = kind_of(u, u->changed[i]);
		if (c->value != c->told)
			u->tell(u->context, date_ns, kind, u->changed[i] - u->first[kind], c->value);
		c->told = c->value;
		c->changed = false;
	}
	u->n_changed = 0;
}

static void mark(struct tw__usage *u, enum tw__counter kind, int index)
{
	u->counters[u->first[kind] + index].moves = true;
}

static void mark_transfer(struct tw__usage *u, const struct tw__event *e)
{
	const struct tw__route *route = tw__route_of(&u->narrowed, e->from, e->node);
	mark(u, TW__MEMORY_OUT, e->from);
	mark(u, TW__MEMORY_IN, e->node);
	for (int l = 0; l < route->n_links; l++) {
		mark(u, TW__LINK_USED, route->links[l]);
		if (capacity_changes(&u->narrowed.links[route->links[l]]))
			mark(u, TW__LINK_CAPACITY, route->links[l]);
	}
}

/* Finds the counters that ever change, and resets all counters to their values before the first event. */
static void find_moving(struct tw__usage *u)
{
	const struct tw__record *r = u->t->record;
	for (size_t i = 0; i < r->n; i++)
		count(u, i);
	for (int i = 0; i < u->n_changed; i++)
		u->counters[u->changed[i]] = (struct counter){.moves = true};
	u->n_changed = 0;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__TRANSFER_START && r->events[i].bytes > 0)
			mark_transfer(u, &r->events[i]);
	for (int l = 0; l < u->narrowed.n_links; l++) {
		struct counter *c = &u->counters[u->first[TW__LINK_CAPACITY] + l];
		c->value = c->told = capacity_of(&u->narrowed.links[l], 0);
		u->users[l] = 0;
	}
}

static int open_rates(struct tw__usage *u)
{
	const struct tw__trace *t = u->t;
	if (t->record->measured) {
		u->rates.from = TW__NEVER;
		return TW_OK;
	}
	int status = tw__rates_init(&u->rates, t->record, &u->narrowed, tw__weight_unit(t->platform, t->shares));
	return status == TW_OK ? tw__rates_next(&u->rates) : status;
}

struct tw__usage *tw__usage_create(const struct tw__trace *t, tw__usage_fn *tell, void *context)
{
	struct tw__usage *u = calloc(1, sizeof *u);
	if (!u)
		return NULL;
	*u = (struct tw__usage){.t = t, .tell = tell, .context = context};
	int n_nodes = t->platform->n_nodes, n_links = t->platform->n_links;
	const int sizes[TW__N_COUNTERS] = {n_nodes, n_nodes, n_nodes, n_links, n_links, 1, 1};
	for (int kind = 0; kind < TW__N_COUNTERS; kind++)
		u->first[kind + 1] = u->first[kind] + sizes[kind];
	size_t n = (size_t)u->first[TW__N_COUNTERS];
	u->counters = calloc(n, sizeof *u->counters);
	u->changed = calloc(n, sizeof *u->changed);
	u->users = calloc((size_t)n_links + 1, sizeof *u->users);
	if (!u->counters || !u->changed || !u->users || tw__bottlenecks_init(&u->narrowed, t->platform) < 0 ||
	    open_rates(u) < 0) {
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
	tw__rates_finish(&u->rates);
	tw__bottlenecks_finish(&u->narrowed);
	free(u->users);
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
			u->tell(u->context, 0, kind, i - u->first[kind], u->counters[i].value);
	}
}

void tw__usage_step(struct tw__usage *u, size_t i)
{
	int64_t date_ns = u->t->record->events[i].date;
	pass_rates(u, date_ns);
	if (date_ns != u->date_ns)
		tell_changed(u);
	u->date_ns = date_ns;
	count(u, i);
}

int tw__usage_end(struct tw__usage *u)
{
	pass_rates(u, TW__NEVER);
	tell_changed(u);
	return u->status;
}
