/* One pass over a record: copies of handles, and what each transfer waited for. */
#include <stdlib.h>

#include "explain/pass.h"
#include "graph/graph.h"

/* --- memories ----------------------------------------------------------------------------------------------------- */

/* Finds the event that an eviction had to wait for: the last use of the victim, or its write-back. A memory also admits
 * a task only when all its handles are sure to find room; so an eviction at the date of a release waited for that. */
static void before_eviction(const struct tw__pass *p, const struct tw__event *e, struct tw__past_eviction *evicted)
{
	const struct tw__pass_spot *s = tw__pass_spot(p, e->data, e->node);
	const struct tw__past_run *user = s->user == TW_NONE ? NULL : &p->items->runs[s->user];
	int32_t home_by = p->contents[e->data].home_by;
	const struct tw__past_move *move = home_by == TW_NONE ? NULL : &p->items->moves[home_by];
	const struct tw__pass_use *use = &p->last_use[e->node];
	struct tw__held *held = &evicted->held;
	if (user && user->release >= 0) {
		*held = (struct tw__held){.kind = TW__HELD_BY_USE, .item = s->user, .date = user->release};
		evicted->event = user->start_event;
	}
	if (move && move->from == e->node && move->end >= held->date) {
		*held = (struct tw__held){.kind = TW__HELD_BY_WRITE_BACK, .item = home_by, .date = move->end};
		evicted->event = move->start_event;
	}
	if (use->run != TW_NONE && use->date == e->date && held->date < e->date) {
		*held = (struct tw__held){.kind = TW__HELD_BY_USE, .item = use->run, .date = use->date};
		evicted->event = use->event;
	}
}

/* The last eviction whose room a handle may still get at that date; TW_NONE: there is none. */
static int32_t fresh_at(const struct tw__pass_fresh *f, tw__ns date)
{
	return f->got && f->date < date ? TW_NONE : f->eviction;
}

static void evict(struct tw__pass *p, const struct tw__event *e)
{
	struct tw__past_items *items = p->items;
	struct tw__pass_fresh *fresh = &p->fresh[e->node];
	TW_RESERVE(items->evictions, items->evictions_capacity, items->n_evictions + 1);
	struct tw__past_eviction evicted = {.victim = e->data, .before = fresh_at(fresh, e->date)};
	before_eviction(p, e, &evicted);
	const struct tw__past_eviction *before = evicted.before == TW_NONE ? NULL : &items->evictions[evicted.before];
	if (before && fresh->date == e->date && before->held.date > evicted.held.date) {
		evicted.held = before->held;
		evicted.event = before->event;
	}
	*fresh = (struct tw__pass_fresh){.eviction = (int32_t)items->n_evictions, .date = e->date};
	items->evictions[items->n_evictions++] = evicted;
	tw__pass_spot(p, e->data, e->node)->evicted_version = p->contents[e->data].version;
	p->e->memories[e->node].evictions++;
}

/* The run that used the memory and was released at this date, for which the allocation may have waited. */
static int32_t admission(const struct tw__pass *p, const struct tw__event *e)
{
	const struct tw__pass_use *use = &p->last_use[e->node];
	bool bounded = p->run->capacity[e->node] != UINT64_MAX;
	return bounded && use->date == e->date ? use->run : TW_NONE;
}

/* The first allocation behind evictions gets their room, and so do all others at the date of the last one. */
static void allocate(struct tw__pass *p, const struct tw__event *e)
{
	struct tw__pass_spot *s = tw__pass_spot(p, e->data, e->node);
	struct tw__past_eviction *evictions = p->items->evictions;
	struct tw__pass_fresh *fresh = &p->fresh[e->node];
	int32_t last = fresh_at(fresh, e->date);
	s->freed = fresh->eviction = last;
	s->room_at = e->date;
	s->admitted = last == TW_NONE ? admission(p, e) : TW_NONE;
	s->admitted_event = p->last_use[e->node].event;
	if (last == TW_NONE)
		return;
	for (int32_t i = last; i != TW_NONE; i = evictions[i].before)
		tw__pass_spot(p, evictions[i].victim, e->node)->evictor = e->data;
	evictions[last].before = TW_NONE;
	fresh->got = true;
	if (fresh->date < e->date)
		fresh->eviction = TW_NONE;
}

int32_t tw__pass_room(const struct tw__pass *p, const struct tw__pass_spot *s)
{
	return s->freed != TW_NONE && p->items->evictions[s->freed].held.kind != TW__HELD_BY_NOTHING ? s->freed
	                                                                                             : TW_NONE;
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

/* The handle that leaves its memory: of a message, the sender's. */
static tw_data sent_as(const struct tw__pass *p, const struct tw__event *e)
{
	const struct tw_graph *g = p->items->graph;
	const struct tw__node *nodes = p->run->platform->nodes;
	if (nodes[e->from].rank == nodes[e->node].rank)
		return e->data;
	const struct tw__message *m = &g->ranks->messages[tw__message_of_transfer(g->ranks, e->offset)];
	return tw__access_data(g->access[g->access_start[m->send]]);
}

static void begin_transfer(struct tw__pass *p, const struct tw__event *e, size_t i)
{
	const tw_data sent = sent_as(p, e);
	const struct tw__pass_spot *to = tw__pass_spot(p, e->data, e->node), *from = tw__pass_spot(p, sent, e->from);
	const struct tw__pass_content *content = &p->contents[sent];
	const bool was_brought = from->by_move != TW_NONE && from->valid_event != TW__NO_EVENT;
	struct tw__past_items *items = p->items;
	TW_RESERVE(items->moves, items->moves_capacity, items->n_moves + 1);
	int32_t number = (int32_t)items->n_moves++;
	struct tw__past_move *m = &items->moves[number];
	*m = (struct tw__past_move){.start = e->date,
	                            .end = -1,
	                            .start_event = i,
	                            .for_run = TW_NONE,
	                            .data = e->data,
	                            .from = e->from,
	                            .to = e->node,
	                            .for_room = e->cause == TW__EVICTION,
	                            .again = sent == e->data && to->evicted_version == content->version,
	                            .message = sent != e->data,
	                            .source = was_brought ? from->by_move : content->writer,
	                            .source_at = was_brought ? from->valid_at : -1,
	                            .room_at = to->freed == TW_NONE ? -1 : to->room_at,
	                            .room = tw__pass_room(p, to),
	                            .admitted = to->room_at == e->date ? to->admitted : TW_NONE};
	/* The first of two hops waits for room where the handle goes in the end. */
	struct tw__past_move *hop = was_brought ? &items->moves[m->source] : NULL;
	if (hop && hop->room == TW_NONE && to->room_at == hop->start) {
		hop->room = m->room;
		hop->room_at = m->room_at;
		hop->admitted = to->admitted;
	}
	if (m->message)
		p->move_of[tw__message_of_transfer(p->items->graph->ranks, e->offset)] = number;
	struct tw__pass_moving *moving = p->ended ? p->ended : tw__arena_alloc(&p->memory, 1, sizeof *moving);
	p->ended = moving->next;
	*moving = (struct tw__pass_moving){.id = e->offset, .move = number};
	HASH_ADD(hh, p->moving, id, sizeof moving->id, moving);
}

/* The transfer that an event ends, which is no longer under way; TW_NONE: its start is not recorded. */
static int32_t take_moving(struct tw__pass *p, uint64_t id)
{
	struct tw__pass_moving *moving;
	HASH_FIND(hh, p->moving, &id, sizeof id, moving);
	if (!moving)
		return TW_NONE;
	const int32_t move = moving->move;
	HASH_DEL(p->moving, moving);
	moving->next = p->ended;
	p->ended = moving;
	return move;
}

static void end_transfer(struct tw__pass *p, const struct tw__event *e)
{
	int32_t number = take_moving(p, e->offset);
	if (number == TW_NONE)
		return;
	struct tw__past_move *m = &p->items->moves[number];
	m->end = e->date;
	TW_RESERVE(p->items->ended, p->items->ended_capacity, p->items->n_ended + 1);
	p->items->ended[p->items->n_ended++] = number;
	struct tw__pass_spot *to = tw__pass_spot(p, e->data, e->node);
	to->by_move = number; /* if it becomes valid now */
	if (m->for_room)
		p->contents[e->data].home_by = number;
	struct tw__memory_use *use = &p->e->memories[e->node];
	use->loads += !m->for_room && !m->message;
	if (m->again && !m->for_room) {
		use->reloads++;
		use->reloaded_bytes += e->bytes;
		to->n_again++;
	}
}

static void become_valid(struct tw__pass_spot *s, size_t event, tw__ns date)
{
	s->valid_event = event;
	s->valid_at = date;
}

void tw__pass_copies_take(struct tw__pass *p, const struct tw__event *e, size_t i)
{
	switch ((enum tw__event_kind)e->kind) {
	case TW__TRANSFER_START:
		begin_transfer(p, e, i);
		break;
	case TW__TRANSFER_END:
		end_transfer(p, e);
		break;
	case TW__ALLOC:
		allocate(p, e);
		break;
	case TW__FREE:
		if (e->cause == TW__EVICTION)
			evict(p, e);
		break;
	case TW__VALID:
		become_valid(tw__pass_spot(p, e->data, e->node), i, e->date);
		break;
	default:
		break;
	}
}

/* --- messages between nodes of a cluster -------------------------------------------------------------------------- */

void tw__pass_message_take(struct tw__pass *p, const struct tw__event *e)
{
	const struct tw_graph *g = p->items->graph;
	const struct tw__message *m = &g->ranks->messages[tw__pass_message(p, e->task)];
	const tw_data d = tw__access_data(g->access[g->access_start[e->task]]);
	if (e->kind != TW__RELEASE)
		return;
	if (m->receive == e->task) {
		p->contents[d].version++;
		p->contents[d].writer = TW_NONE;
	}
	for (uint32_t s = g->successor_start[e->task]; s < g->successor_start[e->task + 1]; s++) {
		struct tw__pass_task *t = &p->tasks[g->successor[s]];
		t->pushed = p->move_of[tw__pass_message(p, e->task)];
		t->pushed_by_move = t->pushed != TW_NONE;
	}
}

/* --- handles loaded again ----------------------------------------------------------------------------------------- */

/* Puts the copy among those that were loaded again most often. */
static void rank(struct tw__explanation *e, tw_data d, tw_node n, const struct tw__pass_spot *s)
{
	int i = e->n_reloaded;
	if (!s->n_again || (i == TW__MOST_RELOADED && e->reloaded[i - 1].times >= s->n_again))
		return;
	if (i == TW__MOST_RELOADED)
		i--;
	else
		e->n_reloaded++;
	for (; i > 0 && e->reloaded[i - 1].times < s->n_again; i--)
		e->reloaded[i] = e->reloaded[i - 1];
	e->reloaded[i] = (struct tw__reloaded){d, n, s->n_again, s->evictor};
}

void tw__pass_rank(struct tw__pass *p)
{
	for (tw_data d = 0; d < p->items->graph->n_data; d++)
		for (int n = 0; n < p->n_nodes; n++)
			rank(p->e, d, (tw_node)n, tw__pass_spot(p, d, (tw_node)n));
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

void tw__pass_copies_open(struct tw__pass *p)
{
	size_t data = (size_t)p->items->graph->n_data, nodes = (size_t)p->n_nodes;
	p->spots = tw__arena_alloc(&p->memory, data * nodes, sizeof *p->spots);
	p->contents = tw__arena_alloc(&p->memory, data, sizeof *p->contents);
	const size_t messages = p->items->graph->ranks ? (size_t)p->items->graph->ranks->n_messages : 0;
	p->move_of = tw__arena_alloc(&p->memory, messages, sizeof *p->move_of);
	for (size_t i = 0; i < messages; i++)
		p->move_of[i] = TW_NONE;
	p->last_use = tw__arena_alloc(&p->memory, nodes, sizeof *p->last_use);
	p->fresh = tw__arena_alloc(&p->memory, nodes, sizeof *p->fresh);
	for (size_t i = 0; i < data * nodes; i++)
		p->spots[i] = (struct tw__pass_spot){.valid_event = TW__NO_EVENT,
		                                     .admitted = TW_NONE,
		                                     .by_move = TW_NONE,
		                                     .freed = TW_NONE,
		                                     .user = TW_NONE,
		                                     .evictor = TW_NONE};
	for (size_t d = 0; d < data; d++)
		p->contents[d] = (struct tw__pass_content){.version = 1, .writer = TW_NONE, .home_by = TW_NONE};
	for (size_t n = 0; n < nodes; n++) {
		p->last_use[n].run = TW_NONE;
		p->fresh[n].eviction = TW_NONE;
	}
}

void tw__pass_copies_close(struct tw__pass *p) { HASH_CLEAR(hh, p->moving); }
