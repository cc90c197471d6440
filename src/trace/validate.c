/* Checks a record, sorted by date, against the rules in rules_tasks.c, rules_data.c and rules_transfers.c. Events are
 * checked one by one; events of one date in the record's order. Rules that hold at every date are checked when a date
 * is over. The reason is that one step of the runtime makes several events (INVALID here, VALID there). */
#include "trace/validate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/reduction.h"
#include "trace/event_fields.h"
#include "trace/replay.h"

const char *tw__rule_name(enum tw__rule rule)
{
	static const char *const names[TW__N_RULES] = {
		[TW__RULE_ONCE] = "once",           [TW__RULE_DEPENDENCIES] = "dependencies",
		[TW__RULE_EXCLUSIVE] = "exclusive", [TW__RULE_DURATION] = "duration",
		[TW__RULE_INPUTS] = "inputs",       [TW__RULE_COHERENCE] = "coherence",
		[TW__RULE_LAST_COPY] = "last copy", [TW__RULE_PINNED] = "pinned",
		[TW__RULE_CAPACITY] = "capacity",   [TW__RULE_TRANSFER] = "transfer",
		[TW__RULE_MAKESPAN] = "makespan",
	};
	return (unsigned)rule < TW__N_RULES ? names[rule] : "unknown rule";
}

int tw__violation(struct tw__replay *r, enum tw__rule rule, const char *format, ...)
{
	char what[sizeof r->err->message];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	r->broken = rule;
	return tw_fail(r->err, TW_FAILED, "%s: %s, at %.9f s", tw__rule_name(rule), what, tw__seconds(r->date));
}

void tw__touch(struct tw__replay *r, tw_data d)
{
	if (r->n_touched > 0 && r->touched[r->n_touched - 1] == d)
		return;
	TW_RESERVE(r->touched, r->touched_capacity, r->n_touched + 1);
	r->touched[r->n_touched++] = d;
}

/* --- the state ---------------------------------------------------------------------------------------------------- */

/* The state at the start of a run: no task has been submitted, and handles are valid at home. */
static void open(struct tw__replay *r, const struct tw__validation_input *in, const struct tw__record *record,
                 struct tw_error *err)
{
	const struct tw_graph *graph = record->extended ? record->extended : in->graph;
	size_t n_data = (size_t)graph->n_data, n_tasks = (size_t)graph->n_tasks;
	size_t n_nodes = (size_t)in->platform->n_nodes, n_workers = (size_t)in->platform->n_workers;
	size_t n_releasers = 0;
	for (size_t t = 0; t < n_tasks; t++)
		n_releasers += graph->n_predecessors[t];
	*r = (struct tw__replay){
		.in = in,
		.graph = graph,
		.measured = record->measured,
		.rounds = record->rounds,
		.err = err,
	};
	r->contributions = tw__arena_alloc(&r->memory, n_data, sizeof *r->contributions);
	r->copies = tw__arena_alloc(&r->memory, n_data * n_nodes, sizeof *r->copies);
	r->data = tw__arena_alloc(&r->memory, n_data, sizeof *r->data);
	r->tasks = tw__arena_alloc(&r->memory, n_tasks, sizeof *r->tasks);
	r->releasers = tw__arena_alloc(&r->memory, n_releasers, sizeof *r->releasers);
	r->running = tw__arena_alloc(&r->memory, n_workers, sizeof *r->running);
	r->rooms = tw__arena_alloc(&r->memory, n_nodes, sizeof *r->rooms);
	r->used = tw__arena_alloc(&r->memory, n_nodes, sizeof *r->used);
	for (size_t n = 0; n < n_nodes; n++)
		tw__intervals_init(&r->rooms[n]);
	for (size_t d = 0; d < n_data; d++) {
		bool valid =
			(tw_data)d < tw__graph_own_data(graph) && tw__data_use(graph, (tw_data)d) != TW__USE_SCRATCH;
		r->data[d] = (struct tw__data_state){
			.version = 1, .n_valid = valid, .writer = TW_NONE, .commit_node = TW_NONE};
		tw__copy_of(r, (tw_data)d, in->home)->valid = valid;
	}
	for (size_t t = n_tasks; t-- > 0;) {
		r->tasks[t].worker = TW_NONE;
		r->tasks[t].predecessors_left = graph->n_predecessors[t];
		n_releasers -= graph->n_predecessors[t];
		r->tasks[t].releasers = n_releasers;
	}
	for (size_t w = 0; w < n_workers; w++)
		r->running[w] = TW_NONE;
}

static void finish(struct tw__replay *r)
{
	struct tw__moving *m, *next;
	HASH_ITER(hh, r->moving, m, next)
	{
		HASH_DEL(r->moving, m);
		free(m);
	}
	for (tw_node n = 0; n < r->in->platform->n_nodes; n++)
		tw__intervals_finish(&r->rooms[n]);
	tw__arena_finish(&r->memory);
	free(r->touched);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static enum tw__rule rule_of(const struct tw__event *e)
{
	switch ((enum tw__event_kind)e->kind) {
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		return TW__RULE_TRANSFER;
	case TW__ALLOC:
	case TW__FREE:
		return TW__RULE_CAPACITY;
	case TW__VALID:
	case TW__INVALID:
		return TW__RULE_COHERENCE;
	default:
		return TW__RULE_ONCE;
	}
}

/* Checks that the run has all that the event names, because its numbers are used as indices. */
static int check_event(struct tw__replay *r, const struct tw__event *e)
{
	char named[40];
	if (tw__event_exists(e, r->in->platform, r->graph, named))
		return TW_OK;
	return tw__violation(r, rule_of(e), "the event '%s' names %s, which the run does not have",
	                     e->kind < TW__N_EVENT_KINDS ? tw__event_names[e->kind] : "?", named);
}

static int replay_event(struct tw__replay *r, const struct tw__event *e)
{
	switch ((enum tw__event_kind)e->kind) {
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		return tw__replay_transfer(r, e);
	case TW__ALLOC:
	case TW__FREE:
		return tw__replay_room(r, e);
	case TW__VALID:
	case TW__INVALID:
		return tw__replay_copy(r, e);
	default:
		return tw__replay_task(r, e);
	}
}

/* Checks that no date of the record is negative or infinite. */
static int check_dates(struct tw__replay *r, const struct tw__record *record)
{
	for (size_t i = 0; i < record->n; i++)
		if (record->events[i].date < 0 || record->events[i].date == TW__NEVER)
			return tw__violation(r, TW__RULE_MAKESPAN, "event %zu of the record has the date %g s", i,
			                     tw__seconds(record->events[i].date));
	return TW_OK;
}

static int replay(struct tw__replay *r, struct tw__record *record)
{
	int status = check_dates(r, record);
	if (status != TW_OK)
		return status;
	tw__record_sort(record);
	for (size_t i = 0; i < record->n && status == TW_OK; i++) {
		const struct tw__event *e = &record->events[i];
		if (e->date != r->date)
			status = tw__replay_settle(r);
		if (status == TW_OK)
			status = check_event(r, e);
		if (status == TW_OK) {
			r->date = e->date;
			if (e->kind != TW__TRANSFER_START && e->kind != TW__TRANSFER_END)
				r->last_act = e->date;
			status = replay_event(r, e);
		}
	}
	if (status == TW_OK)
		status = tw__replay_settle(r);
	if (status == TW_OK)
		status = tw__replay_transfers_end(r);
	if (status == TW_OK)
		status = tw__replay_tasks_end(r, record->makespan);
	if (status == TW_OK)
		status = tw__replay_flows(r, record);
	return status;
}

int tw__validate(const struct tw__validation_input *in, struct tw__record *record, enum tw__rule *broken,
                 struct tw_error *err)
{
	struct tw__replay r;
	open(&r, in, record, err);
	int status = replay(&r, record);
	if (status == TW_FAILED && broken)
		*broken = r.broken;
	finish(&r);
	return status;
}
