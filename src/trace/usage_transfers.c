/* Counters of links and memories: the rates of transfers. */
#include <math.h>

#include "trace/usage_counters.h"

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

static void mark(struct tw__usage *u, enum tw__counter kind, int index)
{
	u->counters[u->first[kind] + index].moves = true;
}

void tw__usage_mark_transfer(struct tw__usage *u, const struct tw__event *e)
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

void tw__usage_reset_links(struct tw__usage *u)
{
	for (int l = 0; l < u->narrowed.n_links; l++) {
		struct tw__usage_counter *c = &u->counters[u->first[TW__LINK_CAPACITY] + l];
		c->value = c->told = capacity_of(&u->narrowed.links[l], 0);
		c->rate = (double)c->value;
		u->users[l] = 0;
	}
}

/* --- transfers of measured runs ---------------------------------------------------------------------------------- */

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

/* Counts the start or the end of a transfer with its mean rate; the end has a negative rate. */
static void add_transfer(struct tw__usage *u, const struct tw__event *e, int64_t rate)
{
	const struct tw__route *route = tw__route_of(&u->narrowed, e->from, e->node);
	tw__usage_add(u, TW__MEMORY_OUT, e->from, rate);
	tw__usage_add(u, TW__MEMORY_IN, e->node, rate);
	for (int l = 0; l < route->n_links; l++) {
		int link = route->links[l];
		tw__usage_add(u, TW__LINK_USED, link, rate);
		if (!tw__is_first_listed(route, l))
			continue;
		u->users[link] += rate > 0 ? 1 : rate < 0 ? -1 : 0;
		if (capacity_changes(&u->narrowed.links[link]))
			tw__usage_set(u, TW__LINK_CAPACITY, link,
			              capacity_of(&u->narrowed.links[link], u->users[link]));
	}
}

void tw__usage_measured(struct tw__usage *u, size_t i)
{
	const struct tw__event *e = &u->t->record->events[i];
	int64_t rate = rate_of(u->t, i);
	add_transfer(u, e, e->kind == TW__TRANSFER_START ? rate : -rate);
}

/* --- transfers of simulated runs ---------------------------------------------------------------------------------- */

/* The error that rounding may leave in the sum of a counter, in bytes; by how much a rate may differ to correct it. */
#define MOST_OWED 64
#define MOST_CORRECTION 1e-3

/* Sets a counter for a stretch of time. Its value is the rate at the start of the stretch, but its sum over time must
 * be the bytes passed. The sum is not quite that, since changes between whole nanoseconds are shown at the later one.
 * So the counter owes bytes. It pays them back if they are many, or if the rate is about to become 0. */
static void set_rate(struct tw__usage *u, enum tw__counter kind, int index, const struct tw__passed *passed)
{
	struct tw__usage_counter *c = &u->counters[u->first[kind] + index];
	double seconds = tw__seconds(u->rates.until - u->rates.from), value = c->rate;
	if (c->rate > 0 && u->rates.until != TW__NEVER) {
		double owed = c->owed + passed->bytes - value * seconds;
		bool keeps = fabs((double)c->value - c->rate) <= MOST_CORRECTION * c->rate &&
		             fabs(c->owed + passed->bytes - (double)c->value * seconds) <= MOST_OWED;
		if (fabs(owed) > MOST_OWED || !(passed->rate > 0))
			value += fmax(-MOST_CORRECTION * value, fmin(MOST_CORRECTION * value, owed / seconds));
		else if (keeps)
			value = (double)c->value;
	}
	tw__usage_set(u, kind, index, llround(value));
	if (u->rates.until != TW__NEVER)
		c->owed += passed->bytes - (double)c->value * seconds;
	c->rate = passed->rate;
}

void tw__usage_simulated(struct tw__usage *u)
{
	const struct tw_platform *p = &u->narrowed;
	for (int i = 0; i < u->rates.use.n_listed; i++) {
		int of = u->rates.use.listed[i], link = of - tw__passed_link(p, 0);
		const struct tw__passed *passed = &u->rates.use.of[of];
		if (of < p->n_nodes) {
			set_rate(u, TW__MEMORY_IN, of, passed);
		} else if (link < 0) {
			set_rate(u, TW__MEMORY_OUT, of - p->n_nodes, passed);
		} else {
			struct tw__usage_counter *capacity = &u->counters[u->first[TW__LINK_CAPACITY] + link];
			set_rate(u, TW__LINK_USED, link, passed);
			if (capacity_changes(&p->links[link]))
				tw__usage_set(u, TW__LINK_CAPACITY, link, llround(capacity->rate));
			capacity->rate = passed->capacity;
		}
	}
}

/* --- rates over time ---------------------------------------------------------------------------------------------- */

static void find_start(struct tw__rates *r)
{
	while (r->next < r->record->n && r->record->events[r->next].kind != TW__TRANSFER_START)
		r->next++;
}

static tw__ns next_start(const struct tw__rates *r)
{
	return r->next < r->record->n ? r->record->events[r->next].date : TW__NEVER;
}

/* Begins the transfers that start at the stretch's end, and looks at the rates from then on. */
static int look_ahead(struct tw__rates *r)
{
	int status = TW_OK;
	while (status == TW_OK && next_start(r) <= r->until) {
		const struct tw__event *e = &r->record->events[r->next++];
		status = tw__use_begin(&r->use, e->from, e->node, e->bytes);
		find_start(r);
	}
	tw__use_run(&r->use, r->until); /* transfers without latency flow at once */
	tw__use_look(&r->use);
	return status;
}

int tw__rates_init(struct tw__rates *r, const struct tw__record *record, const struct tw_platform *p, double unit)
{
	*r = (struct tw__rates){.record = record};
	int status = tw__use_init(&r->use, p, unit);
	find_start(r);
	return status == TW_OK ? look_ahead(r) : status;
}

void tw__rates_finish(struct tw__rates *r) { tw__use_finish(&r->use); }

int tw__rates_next(struct tw__rates *r)
{
	tw__use_clear(&r->use);
	r->from = r->until;
	if (r->from == TW__NEVER)
		return TW_OK;
	r->until = tw__earliest(tw__use_next(&r->use), next_start(r));
	if (r->until == TW__NEVER)
		return TW_OK;
	r->until = tw__latest(r->until, r->from + 1);
	tw__use_run(&r->use, r->until);
	return look_ahead(r);
}
