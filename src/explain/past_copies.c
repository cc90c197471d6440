/* One pass over a record: copies of handles, and what each transfer waited for. */
#include <stdlib.h>

#include "explain/pass.h"
#include "graph/graph.h"

/* --- memories ----------------------------------------------------------------------------------------------------- */

/* Finds the event that an eviction had to wait for: the last use of the victim, or its write-back. A memory also admits
 * a task only when all its handles are sure to find room; so an eviction at the date of a release waited for that. */
static struct tw__held before_eviction(const struct tw__pass *p, const struct tw__event *e)
{
	const struct tw__pass_spot *s = tw__pass_spot(p, e->data, e->node);
	const struct tw__past_run *user = s->user == TW_NONE ? NULL : &p->items->runs[s->user];
	int32_t home_by = p->contents[e->data].home_by;
	const struct tw__past_move *move = home_by == TW_NONE ? NULL : &p->items->moves[home_by];
	struct tw__held held = {.kind = TW__HELD_BY_NOTHING};
	if (user && user->release >= 0)
		held = (struct tw__held){
			.kind = TW__HELD_BY_USE, .item = s->user, .date = user->release, .event = user->start_event};
	if (move && move->from == e->node && move->end >= held.date)
		held = (struct tw__held){
			.kind = TW__HELD_BY_WRITE_BACK, .item = home_by, .date = move->end, .event = move->start_event};
	const struct tw__held *last_use = &p->last_use[e->node];
	return last_use->kind != TW__HELD_BY_NOTHING && last_use->date == e->date && held.date < e->date ? *last_use
	                                                                                                 : held;
}

/* The last eviction whose room a handle may still get at that date; TW_NONE: there is none. */
static int32_t fresh_at(const struct tw__pass *p, tw_node n, tw__ns date)
{
	int32_t last = p->fresh[n];
	return last != TW_NONE && p->evictions[last].got && p->evictions[last].date < date ? TW_NONE : last;
}

static void evict(struct tw__pass *p, const struct tw__event *e)
{
	TW_RESERVE(p->evictions, p->evictions_capacity, p->n_evictions + 1);
	struct tw__pass_eviction evicted = {e->data, e->date, before_eviction(p, e), fresh_at(p, e->node, e->date),
	                                    false};
	const struct tw__pass_eviction *before = evicted.before == TW_NONE ? NULL : &p->evictions[evicted.before];
	if (before && before->date == e->date && before->held.date > evicted.held.date)
		evicted.held = before->held;
	p->fresh[e->node] = (int32_t)p->n_evictions;
	p->evictions[p->n_evictions++] = evicted;
	tw__pass_spot(p, e->data, e->node)->evicted_version = p->contents[e->data].version;
	p->e->memories[e->node].evictions++;
}

/* The release of a run that used the memory at this date, for which the allocation may have waited. */
static struct tw__held admission(const struct tw__pass *p, const struct tw__event *e)
{
	const struct tw__held *use = &p->last_use[e->node];
	bool bounded = p->run->capacity[e->node] != UINT64_MAX;
	return bounded && use->date == e->date ? *use : (struct tw__held){.kind = TW__HELD_BY_NOTHING};
}

/* The first allocation behind evictions gets their room, and so do all others at the date of the last one. */
static void allocate(struct tw__pass *p, const struct tw__event *e)
{
	struct tw__pass_spot *s = tw__pass_spot(p, e->data, e->node);
	int32_t last = fresh_at(p, e->node, e->date);
	p->fresh[e->node] = last;
	s->freed = last;
	s->room_at = e->date;
	s->admitted = last == TW_NONE ? admission(p, e) : (struct tw__held){.kind = TW__HELD_BY_NOTHING};
	if (last == TW_NONE)
		return;
	for (int32_t i = last; i != TW_NONE; i = p->evictions[i].before)
		tw__pass_spot(p, p->evictions[i].victim, e->node)->evictor = e->data;
	p->evictions[last].before = TW_NONE;
	p->evictions[last].got = true;
	if (p->evictions[last].date < e->date)
		p->fresh[e->node] = TW_NONE;
}

struct tw__held tw__pass_room(const struct tw__pass *p, const struct tw__pass_spot *s)
{
	return s->freed == TW_NONE ? (struct tw__held){.kind = TW__HELD_BY_NOTHING} : p->evictions[s->freed].held;
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

/* Finds the event that made the source of a transfer valid. */
static struct tw__held source_of(const struct tw__pass *p, const struct tw__event *e)
{
	const struct tw__pass_spot *from = tw__pass_spot(p, e->data, e->from);
	const struct tw__pass_content *c = &p->contents[e->data];
	if (from->by_move != TW_NONE && from->valid_event != TW__NO_EVENT)
		return (struct tw__held){.kind = TW__HELD_BY_TRANSFER,
		                         .item = from->by_move,
		                         .event = from->valid_event,
		                         .date = p->events[from->valid_event].date};
	if (c->writer != TW_NONE)
		return (struct tw__held){.kind = TW__HELD_BY_RELEASE,
		                         .item = c->writer,
		                         .event = c->written,
		                         .date = p->events[c->written].date};
	return (struct tw__held){.kind = TW__HELD_BY_NOTHING};
}

static void begin_transfer(struct tw__pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	const struct tw__pass_spot *to = tw__pass_spot(p, e->data, e->node);
	int32_t number = p->items->n_moves++;
	p->items->moves[number] = (struct tw__past_move){.start = e->date,
	                                                 .end = -1,
	                                                 .start_event = i,
	                                                 .for_run = TW_NONE,
	                                                 .data = e->data,
	                                                 .from = e->from,
	                                                 .to = e->node,
	                                                 .for_room = e->cause == TW__EVICTION,
	                                                 .again = to->evicted_version == p->contents[e->data].version,
	                                                 .source = source_of(p, e),
	                                                 .room_at = to->freed == TW_NONE ? -1 : to->room_at,
	                                                 .room = tw__pass_room(p, to)};
	struct tw__past_move *m = &p->items->moves[number];
	if (to->room_at == e->date)
		m->admitted = to->admitted;
	/* The first of two hops waits for room where the handle goes in the end. */
	struct tw__past_move *hop = m->source.kind == TW__HELD_BY_TRANSFER ? &p->items->moves[m->source.item] : NULL;
	if (hop && hop->room.kind == TW__HELD_BY_NOTHING && to->room_at == hop->start) {
		hop->room = m->room;
		hop->room_at = m->room_at;
		hop->admitted = to->admitted;
	}
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

static void end_transfer(struct tw__pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	int32_t number = take_moving(p, e->offset);
	if (number == TW_NONE)
		return;
	struct tw__past_move *m = &p->items->moves[number];
	m->end = e->date;
	p->items->ended[p->items->n_ended++] = number;
	struct tw__pass_spot *to = tw__pass_spot(p, e->data, e->node);
	to->by_move = number; /* if it becomes valid now */
	if (m->for_room)
		p->contents[e->data].home_by = number;
	struct tw__memory_use *use = &p->e->memories[e->node];
	use->loads += !m->for_room;
	if (m->again && !m->for_room) {
		use->reloads++;
		use->reloaded_bytes += e->bytes;
		to->n_again++;
	}
}

void tw__pass_copies_take(struct tw__pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	switch ((enum tw__event_kind)e->kind) {
	case TW__TRANSFER_START:
		begin_transfer(p, i);
		break;
	case TW__TRANSFER_END:
		end_transfer(p, i);
		break;
	case TW__ALLOC:
		allocate(p, e);
		break;
	case TW__FREE:
		if (e->cause == TW__EVICTION)
			evict(p, e);
		break;
	case TW__VALID:
		tw__pass_spot(p, e->data, e->node)->valid_event = i;
		break;
	default:
		break;
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
	p->last_use = tw__arena_alloc(&p->memory, nodes, sizeof *p->last_use);
	p->fresh = tw__arena_alloc(&p->memory, nodes, sizeof *p->fresh);
	for (size_t i = 0; i < data * nodes; i++)
		p->spots[i] = (struct tw__pass_spot){.valid_event = TW__NO_EVENT,
		                                     .by_move = TW_NONE,
		                                     .freed = TW_NONE,
		                                     .user = TW_NONE,
		                                     .evictor = TW_NONE};
	for (size_t d = 0; d < data; d++)
		p->contents[d] = (struct tw__pass_content){.version = 1, .writer = TW_NONE, .home_by = TW_NONE};
	for (size_t n = 0; n < nodes; n++)
		p->fresh[n] = TW_NONE;
}

void tw__pass_copies_close(struct tw__pass *p)
{
	HASH_CLEAR(hh, p->moving);
	free(p->evictions);
}
