#include "trace/usage.h"

#include <stdlib.h>

#include "platform/bottlenecks.h"
#include "trace/usage_counters.h"

static void count(struct tw__usage *u, size_t i)
{
	const struct tw__event *e = &u->t->record->events[i];
	switch (e->kind) {
	case TW__SUBMIT:
	case TW__RELEASE:
		tw__usage_add(u, TW__TASKS_SUBMITTED, 0, e->kind == TW__SUBMIT ? 1 : -1);
		break;
	case TW__READY:
	case TW__CANCEL: /* the task is ready again */
	case TW__ASSIGN:
		tw__usage_add(u, TW__TASKS_READY, 0, e->kind == TW__ASSIGN ? -1 : 1);
		break;
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		if (u->t->record->measured)
			tw__usage_measured(u, i);
		break;
	case TW__ALLOC:
	case TW__FREE:
		tw__usage_add(u, TW__MEMORY_USED, e->node,
		              e->kind == TW__ALLOC ? (int64_t)e->bytes : -(int64_t)e->bytes);
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
		struct tw__usage_counter *c = &u->counters[u->changed[i]];
		enum tw__counter kind = kind_of(u, u->changed[i]);
		if (c->value != c->told)
			u->tell(u->context, date_ns, kind, u->changed[i] - u->first[kind], c->value);
		c->told = c->value;
		c->changed = false;
	}
	u->n_changed = 0;
}

/* Sets the rates of all stretches that begin before `date_ns`, and reports what changes at the dates between. */
static void pass_rates(struct tw__usage *u, int64_t date_ns)
{
	while (u->status == TW_OK && u->rates.from < date_ns) {
		if (u->rates.from != u->date_ns)
			tell_changed(u);
		u->date_ns = u->rates.from;
		tw__usage_simulated(u);
		u->status = tw__rates_next(&u->rates);
	}
}

/* Finds the counters that ever change, and resets all counters to their values before the first event. */
static void find_moving(struct tw__usage *u)
{
	const struct tw__record *r = u->t->record;
	for (size_t i = 0; i < r->n; i++)
		count(u, i);
	for (int i = 0; i < u->n_changed; i++)
		u->counters[u->changed[i]] = (struct tw__usage_counter){.moves = true};
	u->n_changed = 0;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__TRANSFER_START && r->events[i].bytes > 0)
			tw__usage_mark_transfer(u, &r->events[i]);
	tw__usage_reset_links(u);
}

static int open_rates(struct tw__usage *u)
{
	const struct tw__trace *t = u->t;
	if (t->record->measured) {
		u->rates.from = TW__NEVER;
		return TW_OK;
	}
	return tw__rates_init(&u->rates, t->record, &u->narrowed, tw__weight_unit(t->platform, t->shares));
}

/* Takes the rates at date 0, and moves to the stretch that begins then. */
static void start_rates(struct tw__usage *u)
{
	if (u->rates.from == TW__NEVER)
		return;
	tw__usage_simulated(u);
	u->status = tw__rates_next(&u->rates);
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
	start_rates(u);
	if (u->status == TW_OK)
		return u;
	tw__usage_destroy(u);
	return NULL;
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
