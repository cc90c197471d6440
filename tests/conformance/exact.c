/* Weighted max-min sharing, as in links/shares.c, by the plainest algorithm: all rates are computed anew at each begin
 * and end. Dates and bytes are long doubles. As in the engines, the latency of a transfer counts from its date. The
 * transfer flows no earlier than the ends that the runtime knew then. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>

#include "platform/weights.h"

typedef long double real;

struct flow {
	uint64_t id;
	const struct tw__route *route;
	size_t event;                    /* by which the transfer starts */
	real weight, enters, begin, end; /* ns; from `enters` on, bridges count the flow */
	real left, rate;                 /* bytes, and bytes/ns */
	bool fixed, done;
};

struct sim {
	const struct tw__platform *platform;
	struct tw__weights weights;
	struct flow *flows;
	size_t n;
	real now;
	real last_end; /* of the transfers whose ends the record has had so far */
	real unsure;   /* since flows last began to flow: see struct exact_end */
};

static bool flows_now(const struct sim *s, const struct flow *f) { return !f->done && f->begin <= s->now; }

/* --- rates ------------------------------------------------------------------------------------------------------ */

static real bandwidth(const struct sim *s, int link)
{
	const struct tw__link *l = &s->platform->links[link];
	int users = 0;
	for (size_t i = 0; i < s->n; i++)
		users += !s->flows[i].done && s->flows[i].enters <= s->now &&
		         tw__times_listed(s->flows[i].route, link) > 0;
	return (real)(users > 1 ? l->shared_bandwidth : l->bandwidth) / TW__NS_PER_S;
}

/* The rate per weight at which the link is full, if all flows without a final rate get the same. A fat pipe limits
 * each flow on its own, so it is full for the heaviest one. */
static real level_of(const struct sim *s, int link)
{
	real left = bandwidth(s, link), users = 0;
	bool fat = s->platform->links[link].sharing == TW__FATPIPE;
	for (size_t i = 0; i < s->n; i++) {
		const struct flow *f = &s->flows[i];
		int times = flows_now(s, f) ? tw__times_listed(f->route, link) : 0;
		if (fat)
			users = times && !f->fixed && f->weight > users ? f->weight : users;
		else if (f->fixed)
			left -= times * f->rate;
		else
			users += times * f->weight;
	}
	return users > 0 ? left / users : INFINITY;
}

static void find_rates(struct sim *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->flows[i].fixed = !flows_now(s, &s->flows[i]);
	for (;;) {
		real least = INFINITY;
		int narrowest = -1;
		for (int l = 0; l < s->platform->n_links; l++) {
			real level = level_of(s, l);
			narrowest = level < least ? l : narrowest;
			least = fminl(least, level);
		}
		if (narrowest < 0)
			return;
		bool fat = s->platform->links[narrowest].sharing == TW__FATPIPE;
		real most = bandwidth(s, narrowest);
		for (size_t i = 0; i < s->n; i++) {
			struct flow *f = &s->flows[i];
			if (f->fixed || !tw__times_listed(f->route, narrowest) || (fat && most / f->weight > least))
				continue;
			f->fixed = true;
			f->rate = least * f->weight;
		}
	}
}

/* --- time ------------------------------------------------------------------------------------------------------- */

static struct flow *find(const struct sim *s, uint64_t id)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->flows[i].id == id)
			return &s->flows[i];
	return NULL;
}

/* Moves to the next date at which a flow enters, begins or ends. False: there is none. */
static bool step(struct sim *s)
{
	real next = INFINITY;
	find_rates(s);
	for (size_t i = 0; i < s->n; i++) {
		const struct flow *f = &s->flows[i];
		if (!f->done)
			next = fminl(next, f->enters > s->now  ? f->enters
			                   : f->begin > s->now ? f->begin
			                                       : s->now + f->left / f->rate);
	}
	real lightest = INFINITY;
	for (size_t i = 0; i < s->n && next < INFINITY; i++) {
		struct flow *f = &s->flows[i];
		if (!flows_now(s, f))
			continue;
		lightest = fminl(lightest, f->weight);
		/* A flow ends now if its own end rounds to this date. */
		f->done = s->now + f->left / f->rate <= next;
		f->end = next;
		f->left -= (next - s->now) * f->rate;
	}
	s->unsure = lightest < INFINITY ? s->unsure + (next - s->now) / lightest : 0;
	s->now = next;
	return next < INFINITY;
}

/* Returns the end of the flow; NAN: it never ends. */
static real run_until_end(struct sim *s, const struct flow *f)
{
	while (f && !f->done && step(s))
		;
	return f && f->done ? f->end : NAN;
}

static void start(struct sim *s, const struct tw__event *e, size_t event)
{
	const struct tw__route *route = tw__route_of(s->platform, e->from, e->node);
	real wait = tw__weight_latency(&s->weights, s->platform, route) * (real)TW__NS_PER_S,
	     sleep = fmaxl(0, route->latency * (real)TW__NS_PER_S - wait);
	real enters = fmaxl((real)e->date + sleep, s->last_end);
	s->flows[s->n++] = (struct flow){
		.id = e->offset,
		.event = event,
		.route = route,
		.weight = tw__weight(&s->weights, s->platform, route),
		.enters = enters,
		.begin = enters + wait,
		.left = e->bytes,
	};
}

struct exact_end exact_end(const struct tw__platform *p, enum tw__link_shares shares, const struct tw__record *record,
                           size_t n, uint64_t id)
{
	struct sim s = {
		.platform = p,
		.flows = calloc(n + 1, sizeof *s.flows),
	};
	tw__weights_init(&s.weights, p, shares);
	for (size_t i = 0; s.flows && i < n; i++) {
		const struct tw__event *e = &record->events[i];
		if (e->kind == TW__TRANSFER_START)
			start(&s, e, i);
		else if (e->kind == TW__TRANSFER_END)
			s.last_end = fmaxl(s.last_end, run_until_end(&s, find(&s, e->offset)));
	}
	const struct flow *f = s.flows ? find(&s, id) : NULL;
	real end = run_until_end(&s, f), since = 0, slower = 1, events = 0, begin = 0;
	if (f) {
		const struct tw__event *start = &record->events[f->event];
		begin = start->date;
		since = fminl(end, (real)TW__FARTHEST_S * (real)TW__NS_PER_S + end - start->date);
		events = n - f->event;
		for (size_t i = 0; i < s.n; i++)
			slower = fmaxl(slower, s.flows[i].weight / f->weight);
	}
	free(s.flows);
	tw__weights_finish(&s.weights);
	/* At each event SimGrid rounds its clock, and the rest of each transfer. When a heavier flow joins, a light one
	 * becomes slower by as much, so it takes longer for these bytes. A weight of 1 that joins and leaves a sum with
	 * a light one leaves an error in the rate of the light one. The transfer may start at the end of a kernel that
	 * has run for years, whose end has lost half a unit of its date. */
	real error = 1e-5L + ((32 + events) * slower * since + begin + s.unsure) * 0x1p-53L;
	return (struct exact_end){end, error, (double)(since / TW__NS_PER_S)};
}
