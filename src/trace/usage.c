#include "trace/usage.h"

#include <math.h>
#include <stdlib.h>

#include "base/least.h"
#include "platform/bottlenecks.h"
#include "trace/stretch.h"

struct counter {
	enum tw__counter kind;
	int64_t value, told;
	bool changed; /* whether the counter is in the list of those that changed at the current date */
	bool moves;
	/* Bytes/s of a simulated run: the rate or the capacity from the end of the last stretch on. TW__LINK_SATURATED:
	 * the capacity. */
	double rate;
	double owed; /* bytes passed that are not in the counter's sum over time */
};

struct tw__usage {
	const struct tw__trace *t;
	unsigned of;                  /* sets of enum tw__usage_of */
	tw__ns *other_date;           /* [events] of a measured run: a transfer's start for its end, and vice versa */
	struct tw__platform narrowed; /* the platform with routes that have only links that can limit a transfer */
	tw__usage_fn *tell;
	void *context;
	int first[TW__N_COUNTERS + 1];
	struct counter *counters; /* [first[TW__N_COUNTERS]] all counters, sorted by enum tw__counter */
	int *changed, n_changed;
	int64_t date_ns;
	struct tw__stretch rates; /* of a simulated run: the first one whose rates the counters do not have yet */
	int *users;               /* [n_links] of a measured run: number of transfers on each link */
};

/* As llround, but inline for values of usual size. */
static inline int64_t rounded(double value)
{
	if (!(fabs(value) < 0x1p52))
		return llround(value);
	int64_t whole = (int64_t)value;
	double rest = value - (double)whole;
	return whole + (rest >= 0.5) - (rest <= -0.5);
}

static inline struct counter *counter_of(const struct tw__usage *u, enum tw__counter kind, int index)
{
	return &u->counters[u->first[kind] + index];
}

static inline void change(struct tw__usage *u, struct counter *c, int64_t value)
{
	if (value == c->value)
		return;
	if (!c->changed)
		u->changed[u->n_changed++] = (int)(c - u->counters);
	c->changed = true;
	c->value = value;
}

/* A sum that does not fit, as damaged records have it, stays at the limit. */
static void add(struct tw__usage *u, enum tw__counter kind, int index, int64_t amount)
{
	int64_t sum;
	struct counter *c = counter_of(u, kind, index);
	if (__builtin_add_overflow(c->value, amount, &sum))
		sum = amount < 0 ? -INT64_MAX : INT64_MAX;
	change(u, c, sum);
}

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

/* The model may end the last transfer a nanosecond after the trace, if another model made the record (SimGrid). */
static int64_t date_now(const struct tw__usage *u) { return u->date_ns < u->t->end_ns ? u->date_ns : u->t->end_ns; }

/* Tells whether the link is saturated, if that has changed. */
static inline void look_saturated(struct tw__usage *u, tw__ns date, int link, double used, double capacity)
{
	struct counter *c = counter_of(u, TW__LINK_SATURATED, link);
	const bool is_saturated = capacity > 0 && used >= TW__SATURATED * capacity;
	if (is_saturated == c->value)
		return;
	c->value = is_saturated;
	u->tell(u->context, date < u->t->end_ns ? date : u->t->end_ns, TW__LINK_SATURATED, link, is_saturated);
}

/* --- transfers of measured runs ---------------------------------------------------------------------------------- */

/* Returns the mean rate of a transfer in bytes/s, from either of its events. Rates are whole numbers, so that adding
 * and subtracting a rate leaves 0. */
static int64_t rate_of(const struct tw__usage *u, const struct tw__event *e, size_t i)
{
	if (u->other_date[i] == TW__NEVER)
		return 0;
	double seconds = fabs(tw__seconds(u->other_date[i] - e->date));
	double rate = seconds > 0 ? (double)e->bytes / seconds : 0;
	return rate < 1e18 ? llround(rate) : 0;
}

/* Counts the start or the end of a transfer with its mean rate; the end has a negative rate. */
static void add_transfer(struct tw__usage *u, const struct tw__event *e, int64_t rate)
{
	const struct tw__route *route = tw__route_of(&u->narrowed, e->from, e->node);
	if (u->of & TW__USAGE_MEMORY_RATES) {
		add(u, TW__MEMORY_OUT, e->from, rate);
		add(u, TW__MEMORY_IN, e->node, rate);
	}
	for (int l = 0; l < route->n_links; l++) {
		int link = route->links[l];
		add(u, TW__LINK_USED, link, rate);
		if (!tw__is_first_listed(route, l))
			continue;
		u->users[link] += rate > 0 ? 1 : rate < 0 ? -1 : 0;
		if (capacity_changes(&u->narrowed.links[link]))
			change(u, counter_of(u, TW__LINK_CAPACITY, link),
			       capacity_of(&u->narrowed.links[link], u->users[link]));
	}
}

static void count_measured(struct tw__usage *u, const struct tw__event *e, size_t i)
{
	int64_t rate = rate_of(u, e, i);
	add_transfer(u, e, e->kind == TW__TRANSFER_START ? rate : -rate);
}

/* Finds the date of the other event of each transfer; TW__NEVER: not recorded. */
static void find_other_dates(struct tw__usage *u)
{
	const struct tw__record *r = u->t->record;
	size_t *pairs = tw__record_pairs(r);
	struct tw__events all;
	u->other_date = tw_resize(NULL, r->n, sizeof *u->other_date);
	for (size_t i = 0; i < r->n; i++)
		u->other_date[i] = TW__NEVER;
	tw__events_begin(&all, r);
	for (size_t i = 0; i < r->n; i++) {
		const tw__ns date = tw__events_next(&all)->date;
		if (pairs[i] != SIZE_MAX)
			u->other_date[pairs[i]] = date;
	}
	free(pairs);
}

/* --- transfers of simulated runs ---------------------------------------------------------------------------------- */

/* The error that rounding may leave in the sum of a counter, in bytes; by how much a rate may differ to correct it. */
#define MOST_OWED 64
#define MOST_CORRECTION 1e-3

/* Returns the value of a counter for a stretch of time. It is the rate at the start of the stretch, but its sum over
 * time must be the bytes passed. The sum is not quite that, since changes between whole nanoseconds are shown at the
 * later one. So the counter owes bytes. It pays them back if they are many, or if the rate is about to become 0. */
static inline int64_t value_for(struct counter *c, const struct tw__passed *passed, double seconds)
{
	const double rate = c->rate, was = (double)c->value, passed_bytes = c->owed + passed->bytes;
	const double owed = passed_bytes - rate * seconds;
	int64_t value = 0;
	if (rate > 0 && (fabs(owed) > MOST_OWED || !(passed->rate > 0)))
		value = rounded(rate + tw__greatest(-MOST_CORRECTION * rate,
		                                    tw__least(MOST_CORRECTION * rate, owed / seconds)));
	else if (rate > 0)
		value = fabs(was - rate) <= MOST_CORRECTION * rate && fabs(passed_bytes - was * seconds) <= MOST_OWED
		                ? c->value
		                : rounded(rate);
	c->owed += passed->bytes - (double)value * seconds;
	return value;
}

/* Sets a counter for the stretch of time in u->rates, and takes the rate at its end. */
static inline void set_rate(struct tw__usage *u, struct counter *c, const struct tw__passed *passed, double seconds)
{
	change(u, c, u->rates.until != TW__NEVER ? value_for(c, passed, seconds) : rounded(c->rate));
	c->rate = passed->rate;
}

static inline void set_link(struct tw__usage *u, int link, const struct tw__passed *passed, double seconds)
{
	struct counter *capacity = counter_of(u, TW__LINK_CAPACITY, link);
	set_rate(u, counter_of(u, TW__LINK_USED, link), passed, seconds);
	if (capacity_changes(&u->narrowed.links[link]))
		change(u, capacity, rounded(capacity->rate));
	capacity->rate = passed->capacity;
}

/* Looks which links are saturated from the end of the stretch in u->rates on. Each is first looked at with the capacity
 * that it had before. */
static void look_links(struct tw__usage *u)
{
	const int first = 2 * u->narrowed.n_nodes;
	for (int i = 0; i < u->rates.use.n_listed; i++) {
		const int link = u->rates.use.listed[i] - first;
		const struct tw__passed *passed = &u->rates.use.of[u->rates.use.listed[i]];
		if (link < 0)
			continue;
		double *capacity = &counter_of(u, TW__LINK_SATURATED, link)->rate;
		look_saturated(u, u->rates.until, link, passed->rate, *capacity);
		*capacity = passed->capacity;
		look_saturated(u, u->rates.until, link, passed->rate, *capacity);
	}
}

/* Sets the counters of links and memories for the stretch of time in u->rates. */
static void take_rates(struct tw__usage *u)
{
	const int n_nodes = u->narrowed.n_nodes;
	if (u->of & TW__USAGE_SATURATED)
		look_links(u);
	if (u->of == TW__USAGE_SATURATED)
		return;
	const double seconds = tw__seconds(u->rates.until - u->rates.from); /* of no use if the stretch has no end */
	for (int i = 0; i < u->rates.use.n_listed; i++) {
		const int of = u->rates.use.listed[i];
		const struct tw__passed *passed = &u->rates.use.of[of];
		if (of >= 2 * n_nodes)
			set_link(u, of - 2 * n_nodes, passed, seconds);
		else if (of < n_nodes)
			set_rate(u, counter_of(u, TW__MEMORY_IN, of), passed, seconds);
		else
			set_rate(u, counter_of(u, TW__MEMORY_OUT, of - n_nodes), passed, seconds);
	}
}

/* --- the record --------------------------------------------------------------------------------------------------- */

static void count(struct tw__usage *u, const struct tw__event *e, size_t i)
{
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
			count_measured(u, e, i);
		break;
	case TW__ALLOC:
	case TW__FREE:
		add(u, TW__MEMORY_USED, e->node, e->kind == TW__ALLOC ? (int64_t)e->bytes : -(int64_t)e->bytes);
		break;
	default:
		break;
	}
}

static void tell_changed(struct tw__usage *u)
{
	for (int i = 0; i < u->n_changed; i++) {
		struct counter *c = &u->counters[u->changed[i]];
		const int index = u->changed[i] - u->first[c->kind];
		if (c->value != c->told)
			u->tell(u->context, date_now(u), c->kind, index, c->value);
		c->told = c->value;
		c->changed = false;
		if (u->t->record->measured && (u->of & TW__USAGE_SATURATED) &&
		    (c->kind == TW__LINK_USED || c->kind == TW__LINK_CAPACITY))
			look_saturated(u, u->date_ns, index, (double)counter_of(u, TW__LINK_USED, index)->told,
			               (double)counter_of(u, TW__LINK_CAPACITY, index)->told);
	}
	u->n_changed = 0;
}

/* Sets the rates of all stretches that begin before `date_ns`, and reports what changes at the dates between. */
static void pass_rates(struct tw__usage *u, int64_t date_ns)
{
	while (u->rates.from < date_ns) {
		if (u->rates.from != u->date_ns)
			tell_changed(u);
		u->date_ns = u->rates.from;
		take_rates(u);
		tw__stretch_next(&u->rates);
	}
}

static void mark(struct tw__usage *u, enum tw__counter kind, int index) { counter_of(u, kind, index)->moves = true; }

static void mark_transfer(struct tw__usage *u, const struct tw__event *e)
{
	const struct tw__route *route = tw__route_of(&u->narrowed, e->from, e->node);
	if (u->of & TW__USAGE_MEMORY_RATES) {
		mark(u, TW__MEMORY_OUT, e->from);
		mark(u, TW__MEMORY_IN, e->node);
	}
	for (int l = 0; l < route->n_links; l++) {
		mark(u, TW__LINK_USED, route->links[l]);
		if (capacity_changes(&u->narrowed.links[route->links[l]]))
			mark(u, TW__LINK_CAPACITY, route->links[l]);
	}
}

/* Finds the counters that ever change. */
static void find_moving(struct tw__usage *u)
{
	struct tw__events all;
	tw__events_begin(&all, u->t->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		if (e->kind == TW__SUBMIT || e->kind == TW__RELEASE)
			mark(u, TW__TASKS_SUBMITTED, 0);
		else if (e->kind == TW__READY || e->kind == TW__ASSIGN || e->kind == TW__CANCEL)
			mark(u, TW__TASKS_READY, 0);
		else if ((e->kind == TW__ALLOC || e->kind == TW__FREE) && e->bytes > 0)
			mark(u, TW__MEMORY_USED, e->node);
		else if (e->kind == TW__TRANSFER_START && e->bytes > 0)
			mark_transfer(u, e);
	}
}

struct tw__usage *tw__usage_create(const struct tw__trace *t, unsigned of, tw__usage_fn *tell, void *context)
{
	struct tw__usage *u = tw_alloc(1, sizeof *u);
	*u = (struct tw__usage){.t = t, .of = of, .tell = tell, .context = context};
	int n_nodes = t->platform->n_nodes, n_links = t->platform->n_links;
	const int sizes[TW__N_COUNTERS] = {n_nodes, n_nodes, n_nodes, n_links, n_links, 1, 1, n_links};
	for (int kind = 0; kind < TW__N_COUNTERS; kind++)
		u->first[kind + 1] = u->first[kind] + sizes[kind];
	size_t n = (size_t)u->first[TW__N_COUNTERS];
	u->counters = tw_alloc(n, sizeof *u->counters);
	u->changed = tw_alloc(n, sizeof *u->changed);
	u->users = tw_alloc((size_t)n_links, sizeof *u->users);
	for (int kind = 0; kind < TW__N_COUNTERS; kind++)
		for (int i = u->first[kind]; i < u->first[kind + 1]; i++)
			u->counters[i].kind = (enum tw__counter)kind;
	tw__bottlenecks_init(&u->narrowed, t->platform);
	for (int l = 0; l < n_links; l++) {
		struct counter *c = counter_of(u, TW__LINK_CAPACITY, l);
		c->value = c->told = capacity_of(&u->narrowed.links[l], 0);
		c->rate = counter_of(u, TW__LINK_SATURATED, l)->rate = (double)c->value;
	}
	if (of != TW__USAGE_SATURATED)
		find_moving(u);
	if (t->record->measured) {
		find_other_dates(u);
		u->rates.from = TW__NEVER;
		return u;
	}
	tw__stretch_open(&u->rates, t, &u->narrowed, !(of & TW__USAGE_MEMORY_RATES));
	u->rates.use.rates_only = of == TW__USAGE_SATURATED;
	return u;
}

void tw__usage_destroy(struct tw__usage *u)
{
	if (!u->t->record->measured)
		tw__use_finish(&u->rates.use);
	tw__bottlenecks_finish(&u->narrowed);
	free(u->other_date);
	free(u->users);
	free(u->counters);
	free(u->changed);
	free(u);
}

bool tw__usage_moves(const struct tw__usage *u, enum tw__counter kind, int index)
{
	return counter_of(u, kind, index)->moves;
}

void tw__usage_pass(struct tw__usage *u, tw__usage_take *take)
{
	bool goes_on = take || u->t->record->measured || u->of != TW__USAGE_SATURATED;
	struct tw__events all;
	const struct tw__event *e;
	for (int i = 0; i < u->first[TW__N_COUNTERS]; i++) {
		const struct counter *c = &u->counters[i];
		if (c->moves)
			u->tell(u->context, 0, c->kind, i - u->first[c->kind], c->value);
	}
	tw__events_begin(&all, u->t->record);
	for (size_t i = 0; goes_on && (e = tw__events_next(&all)); i++) {
		const int64_t date_ns = e->date;
		pass_rates(u, date_ns);
		if (date_ns != u->date_ns)
			tell_changed(u);
		u->date_ns = date_ns;
		count(u, e, i);
		goes_on = !take || tw__is_message_step(u->t->graph, e) || take(u->context, e, i);
	}
	pass_rates(u, TW__NEVER);
	tell_changed(u);
}
