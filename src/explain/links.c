/* The times in which links were saturated, from the counters that traces show (trace/usage.h). */
#include <stdlib.h>

#include "explain/past_items.h"
#include "trace/usage.h"

struct use {
	tw__ns since; /* when the link became saturated; TW__NEVER: it is not */
	struct tw__saturated_span last;
	struct tw__saturated_link of;
};

struct links {
	struct tw__explanation *e;
	const struct tw__platform *platform;
	struct use *uses; /* [n_links] */
	tw__ns date;      /* until then, the chain has been looked at */
	size_t part;      /* the part of the chain at that date */
};

/* --- the chain ---------------------------------------------------------------------------------------------------- */

/* Counts time in which the chain is in a transfer, or waits for one, for each saturated link on its way. */
static void count_part(struct links *l, const struct tw__chain_link *part, tw__ns time)
{
	if (part->data == TW_NONE || (part->why != TW__WHY_DATA && part->why != TW__WHY_MEMORY))
		return;
	const struct tw__route *route = tw__route_of(l->platform, part->from, part->to);
	bool any = false;
	for (int i = 0; i < route->n_links; i++) {
		struct use *u = &l->uses[route->links[i]];
		if (u->since == TW__NEVER || !tw__is_first_listed(route, i))
			continue;
		u->of.on_chain += time;
		any = true;
	}
	l->e->chain_saturated += any ? time : 0;
}

/* Follows the chain until `date`, with the links saturated that are so now. */
static void follow_chain(struct links *l, tw__ns date)
{
	while (l->date < date && l->part < l->e->n_links) {
		const struct tw__chain_link *part = &l->e->links[l->part];
		tw__ns end = tw__earliest(part->end, date);
		if (end > l->date)
			count_part(l, part, end - l->date);
		l->date = tw__latest(l->date, end);
		l->part += part->end <= date;
	}
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Keeps the link's last span if it is one of those that were saturated longest. Of equal ones, the first is kept. */
static void keep_last(struct use *u)
{
	struct tw__saturated_link *s = &u->of;
	int least = 0;
	if (u->last.saturated == 0)
		return;
	if (s->n_spans < TW__MOST_SATURATED_SPANS) {
		s->spans[s->n_spans++] = u->last;
		return;
	}
	s->n_other_spans++;
	for (int i = 1; i < s->n_spans; i++)
		if (s->spans[i].saturated <= s->spans[least].saturated)
			least = i;
	if (s->spans[least].saturated >= u->last.saturated)
		return;
	for (int i = least; i + 1 < s->n_spans; i++)
		s->spans[i] = s->spans[i + 1];
	s->spans[s->n_spans - 1] = u->last;
}

/* Whether the link's last span goes on with the saturated time from u->since to `date`. The gap between must be short,
 * and the span must remain saturated for three quarters of its time. */
static bool goes_on(const struct links *l, const struct use *u, tw__ns date)
{
	const struct tw__saturated_span *s = &u->last;
	double saturated = (double)s->saturated + (double)(date - u->since);
	return s->saturated > 0 && u->since - s->end < l->e->makespan / 100 &&
	       saturated >= 0.75 * (double)(date - s->start);
}

/* The link is no longer saturated. */
static void end_span(const struct links *l, struct use *u, tw__ns date)
{
	tw__ns time = date - u->since;
	u->of.saturated += time;
	if (goes_on(l, u, date)) {
		u->last.end = date;
		u->last.saturated += time;
	} else if (time > 0) {
		keep_last(u);
		u->last = (struct tw__saturated_span){u->since, date, time};
	}
	u->since = TW__NEVER;
}

/* A counter has a new value. */
static void take(void *context, int64_t date, enum tw__counter kind, int index, int64_t value)
{
	struct links *l = context;
	if (kind != TW__LINK_SATURATED)
		return;
	date = tw__earliest(date, l->e->makespan);
	follow_chain(l, date);
	if (value)
		l->uses[index].since = date;
	else
		end_span(l, &l->uses[index], date);
}

static int by_time(const void *a, const void *b)
{
	const struct tw__saturated_link *x = a, *y = b;
	return x->saturated != y->saturated ? (x->saturated < y->saturated) - (x->saturated > y->saturated)
	                                    : x->link - y->link;
}

/* Lists the links that were saturated. */
static void list(struct links *l)
{
	struct tw__explanation *e = l->e;
	follow_chain(l, e->makespan);
	for (int i = 0; i < l->platform->n_links; i++) {
		struct use *u = &l->uses[i];
		if (u->since != TW__NEVER)
			end_span(l, u, e->makespan);
		keep_last(u);
		if (u->of.saturated > 0)
			e->saturated[e->n_saturated++] = u->of;
	}
	qsort(e->saturated, (size_t)e->n_saturated, sizeof *e->saturated, by_time);
}

void tw__explain_links(struct tw__explanation *e, const struct tw__explained_run *run)
{
	const struct tw__platform *p = run->platform;
	const struct tw__traced traced = {.platform = p,
	                                  .graph = run->graph,
	                                  .record = run->record,
	                                  .capacity = run->capacity,
	                                  .shares = run->shares,
	                                  .domains = run->domains};
	struct tw__trace trace;
	struct links l = {.e = e, .platform = p, .uses = tw_alloc((size_t)p->n_links, sizeof *l.uses)};
	e->saturated = tw_alloc((size_t)p->n_links, sizeof *e->saturated);
	tw__trace_init(&trace, &traced);
	for (int i = 0; i < p->n_links; i++)
		l.uses[i] = (struct use){.since = TW__NEVER, .of = {.link = i}};
	if (run->schedule) {
		tw__schedule_with(run->schedule, &traced, take, &l);
	} else {
		struct tw__usage *usage = tw__usage_create(&trace, TW__USAGE_SATURATED, take, &l);
		tw__usage_pass(usage, NULL);
		tw__usage_destroy(usage);
	}
	list(&l);
	tw__trace_finish(&trace);
	free(l.uses);
}
