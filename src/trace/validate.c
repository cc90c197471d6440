/* Checks a record, sorted by date, against the rules in rules_tasks.c, rules_data.c and rules_transfers.c. Events are
 * checked one by one; events of one date in the record's order. Rules that hold at every date are checked when a date
 * is over. The reason is that one step of the runtime makes several events (INVALID here, VALID there). */
#include "trace/validate.h"

#include "trace/event_fields.h"
#include "trace/events.h"
#include "trace/replay.h"

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
	case TW__FILTER:
		return TW__RULE_FILTER;
	default:
		return TW__RULE_ONCE;
	}
}

/* Checks that the run has all that the event names, because its numbers are used as indices. */
static int check_event(struct tw__replay *r, const struct tw__event *e)
{
	char named[40];
	if (tw__event_exists(e, r->in->platform, r->graph, named))
		return tw__replay_rank(r, e, tw__event_fields((enum tw__event_kind)e->kind));
	return tw__violation(r, rule_of(e), "the event '%s' names %s, which the run does not have",
	                     e->kind < TW__N_EVENT_KINDS ? tw__event_names[e->kind] : "?", named);
}

static int replay_event(struct tw__replay *r, const struct tw__event *e)
{
	switch ((enum tw__event_kind)e->kind) {
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		return tw__replay_is_sent(r, e) ? tw__replay_sent(r, e) : tw__replay_transfer(r, e);
	case TW__ALLOC:
	case TW__FREE:
		return tw__replay_room(r, e);
	case TW__VALID:
	case TW__INVALID:
		return tw__replay_copy(r, e);
	case TW__FILTER:
		return tw__replay_filter(r, e);
	case TW__START:
		return r->graph->n_lineages && tw__replay_usable(r, e) < 0 ? TW_FAILED : tw__replay_task(r, e);
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
	tw__record_spread(record); /* rules look back at the starts of transfers */
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
		status = tw__replay_places_end(r);
	if (status == TW_OK)
		status = tw__replay_flows(r, record);
	return status;
}

int tw__validate(const struct tw__validation_input *in, struct tw__record *record, enum tw__rule *broken,
                 struct tw_error *err)
{
	struct tw__replay r;
	tw__replay_init(&r, in, record, err);
	tw__replay_messages_init(&r);
	int status = replay(&r, record);
	if (status == TW_FAILED && broken)
		*broken = r.broken;
	tw__replay_finish(&r);
	return status;
}
