/* The turns of a cluster's run. It divides those of the engine among its nodes, and starts the transfers of
 * messages. */
#include <stdio.h>
#include <stdlib.h>

#include "cluster/member.h"

/* --- the nodes' turns --------------------------------------------------------------------------------------------- */

/* Nodes whose dates are equal take their turns in the order of their numbers. */
static bool due_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	const struct tw__member *a = TW__CONTAINER(x, const struct tw__member, due);
	const struct tw__member *b = TW__CONTAINER(y, const struct tw__member, due);
	return a->date != b->date ? a->date < b->date : a->rank.number < b->rank.number;
}

void tw__member_due(struct tw__member *m, tw__ns date)
{
	struct tw__heap *heap = &m->cluster->due;
	if (m->due.place >= 0 && m->date <= date)
		return;
	if (m->due.place >= 0)
		tw__heap_remove(heap, &m->due, due_before);
	m->date = date;
	if (date < TW__NEVER)
		tw__heap_push(heap, &m->due, due_before);
}

static void give_up(struct tw__cluster *c, const struct tw__member *failed)
{
	c->status = tw__run_status(failed->rt);
	tw_fail(c->err, c->status, "node '%.100s': %s", c->in->platform->rank_names[failed->rank.number],
	        failed->err.message);
	for (int i = 0; i < c->n; i++)
		if (c->members[i].rt && !c->members[i].is_over) {
			tw__run_give_up(c->members[i].rt);
			tw__member_due(&c->members[i], c->now);
		}
}

static void take_turn(struct tw__member *m)
{
	struct tw__cluster *c = m->cluster;
	const int n = m->n_ended;
	tw__ns until = TW__NEVER;
	tw__heap_remove(&c->due, &m->due, due_before);
	m->n_ended = 0;
	m->is_over = !tw__run_turn(m->rt, c->now, m->ended, n, &until);
	c->n_over += m->is_over;
	if (!m->is_over)
		tw__member_due(m, until);
	if (c->status == TW_OK && tw__run_status(m->rt) != TW_OK)
		give_up(c, m);
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

/* By priority; then the one whose two ends were ready first. */
static bool sent_before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	const struct tw__delivery *a = TW__CONTAINER(x, const struct tw__delivery, queued);
	const struct tw__delivery *b = TW__CONTAINER(y, const struct tw__delivery, queued);
	return a->priority != b->priority ? a->priority > b->priority : a->since < b->since;
}

struct tw__event tw__event_of_message(const struct tw_graph *g, int32_t message, tw_node from, tw_node to)
{
	const tw_data d = tw__access_data(g->access[g->access_start[g->ranks->messages[message].receive]]);
	return (struct tw__event){.data = d,
	                          .from = (int16_t)from,
	                          .node = (int16_t)to,
	                          .bytes = g->data_bytes[d],
	                          .offset = tw__transfer_of_message(g->ranks, message),
	                          .cause = TW__DEMAND};
}

static struct tw__event event_of(const struct tw__cluster *c, int32_t message, uint8_t kind, tw__ns date)
{
	const struct tw__delivery *d = &c->deliveries[message];
	struct tw__event e = tw__event_of_message(c->in->graph, message, d->from, d->to);
	e.kind = kind;
	e.date = date;
	return e;
}

static void start(struct tw__cluster *c, int32_t message)
{
	struct tw__job *job = tw__job_begin(c, NULL);
	const struct tw__message *m = &c->ranks->messages[message];
	struct tw__delivery *d = &c->deliveries[message];
	d->from = c->members[m->from].nodes[tw__message_memory(d->send)];
	d->to = c->members[m->to].nodes[d->receive ? tw__message_memory(d->receive) : TW_RAM];
	const struct tw__event e = event_of(c, message, TW__TRANSFER_START, c->now);
	const struct tw__engine_ops *ops = c->in->engine;
	job->message = message;
	c->counters->messages++;
	c->counters->network_bytes += e.bytes;
	if (c->in->record) {
		d->start_event = c->in->record->n;
		tw__record_add(c->in->record, &e);
	}
	if (ops->advance)
		ops->advance(c->engine, c->now);
	ops->transfer(c->engine, e.from, e.node, e.data, e.bytes, tw__job_token(job));
}

static void send(struct tw__member *m)
{
	const int64_t limit = m->in.params->send_limit;
	while (m->to_send.n && (!limit || m->n_sending < limit)) {
		struct tw__delivery *d = TW__CONTAINER(tw__heap_top(&m->to_send), struct tw__delivery, queued);
		tw__heap_remove(&m->to_send, &d->queued, sent_before);
		if (!tw__message_starts(d->send)) {
			d->send = NULL;
			tw__member_due(m, m->cluster->now);
			continue;
		}
		m->n_sending++;
		d->has_begun = true;
		m->cluster->n_made_room = 0;
		if (d->receive)
			tw__message_starts(d->receive);
		start(m->cluster, (int32_t)(d - m->cluster->deliveries));
	}
}

/* The task of one end is ready. If both are, they may take their places in memory. */
void tw__member_announces(const struct tw__rank *rank, int32_t message, struct tw__parcel *parcel)
{
	struct tw__cluster *c = TW__CONTAINER(rank, struct tw__member, rank)->cluster;
	struct tw__delivery *d = &c->deliveries[message];
	const struct tw__message *of = &c->ranks->messages[message];
	const tw__ns now = tw__run_now(c->members[rank->number].rt);
	d->ends[rank->number != of->from] = parcel;
	d->announced[rank->number != of->from] = true;
	for (int i = 0; i < 2 && d->announced[0] && d->announced[1]; i++) {
		struct tw__member *m = &c->members[i ? of->to : of->from];
		if (!d->ends[i])
			continue;
		tw__message_go(m->rt, d->ends[i], !d->has_begun);
		if (m->rank.number != rank->number)
			tw__member_due(m, now);
	}
}

void tw__member_gives_up(const struct tw__rank *rank, int32_t message)
{
	struct tw__cluster *c = TW__CONTAINER(rank, struct tw__member, rank)->cluster;
	*(rank->number == c->ranks->messages[message].from ? &c->deliveries[message].send
	                                                   : &c->deliveries[message].receive) = NULL;
}

/* Whether the message may go to a temporary buffer, as its receiver is not ready. Receivers whose place will be on a
 * card are waited for. */
static bool goes_early(const struct tw__delivery *d, const struct tw__member *to)
{
	return to->takes_early && !(d->ends[1] && tw__message_memory(d->ends[1]) != TW_RAM);
}

/* One end of a message is ready. */
void tw__member_is_ready(const struct tw__rank *rank, int32_t message, struct tw__parcel *parcel)
{
	struct tw__member *m = TW__CONTAINER(rank, struct tw__member, rank);
	struct tw__cluster *c = m->cluster;
	struct tw__delivery *d = &c->deliveries[message];
	const struct tw__message *of = &c->ranks->messages[message];
	const bool sends = rank->number == of->from;
	c->now = tw__run_now(m->rt);
	*(sends ? &d->send : &d->receive) = parcel;
	if (d->has_arrived) {
		tw__message_ended(m->rt, parcel, c->now, c->now);
		return;
	}
	if (d->has_begun && !sends)
		tw__message_starts(parcel);
	if (d->has_begun || !d->send || !(d->receive || goes_early(d, &c->members[of->to])) || d->queued.place >= 0)
		return;
	m = &c->members[of->from];
	d->since = c->n_ready++;
	d->priority = tw__message_priority(d->send);
	tw__heap_push(&m->to_send, &d->queued, sent_before);
	send(m);
}

static void message_ended(struct tw__cluster *c, int32_t message, const struct tw__completion *end)
{
	const struct tw__message *of = &c->ranks->messages[message];
	struct tw__delivery *d = &c->deliveries[message];
	struct tw__member *from = &c->members[of->from], *to = &c->members[of->to];
	if (c->in->record) {
		const struct tw__event e = event_of(c, message, TW__TRANSFER_END, end->end);
		c->in->record->events[d->start_event].date = end->start;
		tw__record_add(c->in->record, &e);
	}
	tw__message_ended(from->rt, d->send, end->start, end->end);
	d->has_arrived = true;
	if (d->receive)
		tw__message_ended(to->rt, d->receive, end->start, end->end);
	from->n_sending--;
	tw__member_due(from, c->now);
	tw__member_due(to, c->now);
	if (c->status == TW_OK)
		send(from);
}

/* --- the cluster's turn ------------------------------------------------------------------------------------------- */

static void complete(struct tw__cluster *c, const struct tw__completion *ended)
{
	struct tw__job *job = (struct tw__job *)(uintptr_t)ended->token;
	struct tw__member *m = job->member;
	if (!m) {
		message_ended(c, job->message, ended);
	} else {
		TW_RESERVE(m->ended, m->ended_capacity, (size_t)m->n_ended + 1);
		m->ended[m->n_ended] = *ended;
		m->ended[m->n_ended++].token = job->token;
		tw__member_due(m, c->now);
	}
	tw__job_end(c, job);
}

static tw__ns next_date(const struct tw__cluster *c)
{
	const struct tw__heap_item *first = tw__heap_top(&c->due);
	return first ? TW__CONTAINER(first, const struct tw__member, due)->date : TW__NEVER;
}

/* Ends of messages keep places in bounded main memories, and other ends wait for these places. Lets one message, for
 * which both ends may take their places, have them first: all others on its nodes give theirs up. */
static bool make_room(struct tw__cluster *c)
{
	for (int32_t n = c->n_made_room; n < c->ranks->n_messages; n++) {
		const struct tw__delivery *d = &c->deliveries[n];
		const struct tw__message *of = &c->ranks->messages[n];
		if (d->has_begun || !d->announced[0] || !d->announced[1])
			continue;
		struct tw__member *ends[2] = {&c->members[of->from], &c->members[of->to]};
		c->n_made_room = n + 1;
		bool any = false;
		for (int i = 0; i < 2; i++) {
			any |= tw__messages_give_up(ends[i]->rt, d->ends[i]);
			tw__member_due(ends[i], c->now);
		}
		if (any)
			return true;
	}
	return false;
}

/* Nothing is under way on any node. Lets one drop what is in the way of others. */
static bool unjam(struct tw__cluster *c)
{
	for (int i = 0; i < c->n; i++)
		if (c->members[i].rt && !c->members[i].is_over && tw__run_unjam(c->members[i].rt)) {
			tw__member_due(&c->members[i], c->now);
			return true;
		}
	return make_room(c);
}

/* Whether the task of this end of a message, 0 for the sender's, is ready. */
static bool has_end(const struct tw__delivery *d, int end) { return d->announced[end] || (end ? d->receive : d->send); }

/* Says which message waits for what: the first of which one end is ready, or else both. */
static void blame_message(struct tw__cluster *c)
{
	const struct tw__delivery *d = c->deliveries, *end = d + c->ranks->n_messages;
	char *const *name = c->in->platform->rank_names, content[80] = "without data";
	while (d < end && (d->has_begun || has_end(d, 0) == has_end(d, 1)))
		d++;
	if (d == end)
		for (d = c->deliveries; d < end && (d->has_begun || !has_end(d, 0));)
			d++;
	if (d == end) {
		c->status = tw_fail(c->err, TW_FAILED, "at %.9f s: stuck: all nodes wait", tw__seconds(c->now));
		return;
	}
	const int32_t number = (int32_t)(d - c->deliveries);
	const struct tw__message *m = &c->ranks->messages[number];
	const tw_data data = c->ranks->data_origin[event_of(c, number, 0, 0).data];
	if (data != TW_NONE)
		snprintf(content, sizeof content, "with version %d of data %d", (int)m->version, (int)data);
	struct tw_error why;
	const bool lacks_send = !has_end(d, 0);
	if (has_end(d, 0) && has_end(d, 1))
		tw_fail(&why, TW_FAILED, "room in main memory");
	else
		tw_fail(&why, TW_FAILED, "node '%.80s', which does not %s it: its task %d is not ready",
		        name[lacks_send ? m->from : m->to], lacks_send ? "send" : "receive",
		        (int)(lacks_send ? m->send : m->receive));
	c->status = tw_fail(c->err, TW_FAILED,
	                    "at %.9f s: stuck: message %d %s, from node '%.80s' to node '%.80s', waits for %s",
	                    tw__seconds(c->now), (int)number, content, name[m->from], name[m->to], why.message);
}

static void stuck(struct tw__cluster *c)
{
	for (int i = 0; i < c->n; i++) {
		struct tw__member *m = &c->members[i];
		if (m->rt && !m->is_over && tw__run_is_stuck(m->rt)) {
			give_up(c, m);
			return;
		}
	}
	blame_message(c);
	for (int i = 0; i < c->n; i++)
		if (c->members[i].rt && !c->members[i].is_over) {
			tw__run_give_up(c->members[i].rt);
			tw__member_due(&c->members[i], c->now);
		}
}

bool tw__cluster_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__cluster *c = arg;
	c->now = now;
	for (int i = 0; i < n; i++)
		complete(c, &ended[i]);
	for (;;) {
		while (next_date(c) <= now) {
			c->now = now;
			take_turn(TW__CONTAINER(tw__heap_top(&c->due), struct tw__member, due));
		}
		*until = next_date(c);
		if (c->n_over == c->n || c->n_under_way || *until < TW__NEVER)
			break;
		/* nodes may have gone on within their turns */
		for (int i = 0; i < c->n; i++)
			now = c->members[i].rt ? tw__latest(now, tw__run_now(c->members[i].rt)) : now;
		c->now = now;
		if (!unjam(c))
			stuck(c);
	}
	return c->n_over < c->n || c->n_under_way;
}
