/* One pass over a record: dates of tasks and transfers, and what each of them waited for. */
#include "explain/past.h"

#include <stdlib.h>

/* Out of memory is an ordinary error here; by default uthash ends the process. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <uthash.h>

#include "graph/graph.h"
#include "graph/reduction.h"

#define NO_EVENT SIZE_MAX

/* A copy of a handle in a memory. */
struct spot {
	size_t valid_event;       /* when the copy became valid; NO_EVENT: at the start */
	int32_t by_move;          /* the transfer that brought it; TW_NONE: a task wrote it */
	int32_t freed;            /* index of the eviction whose room it got; TW_NONE: none */
	tw_task user;             /* the last task that used it; TW_NONE: none */
	uint32_t evicted_version; /* version of the content when it was evicted; 0: never */
	uint32_t n_again;         /* how often it was loaded again */
	tw_data evictor;          /* the handle that got its room at the last eviction; TW_NONE: unknown */
};

struct content {
	uint32_t version; /* grows with each write, from 1 */
	tw_task writer;   /* the last task that wrote the handle, or TW_NONE */
	size_t written;   /* the event of its release */
	int32_t home_by;  /* the last write-back for room, or TW_NONE */
};

/* A transfer under way. */
struct open {
	uint64_t id;
	int32_t move;
	UT_hash_handle hh;
};

struct pass {
	const struct tw__explained_run *run;
	const struct tw__event *events;
	struct tw__past_items *items;
	struct tw__explanation *e;
	int n_nodes;
	struct spot *spots;         /* [data * n_nodes + node] */
	struct content *contents;   /* [data] */
	struct tw__held *last_end;  /* [workers] the last kernel that ended */
	struct tw__held *channel;   /* [2 * nodes] the last transfer that ended: into the memory; out of it */
	struct tw__held *evictions; /* what each eviction had to wait for */
	size_t n_evictions, evictions_capacity;
	int32_t *fresh;        /* [nodes] the last eviction since the last allocation, or TW_NONE */
	tw_data *fresh_victim; /* [nodes] its handle */
	tw_task last_released;
	struct open *open;
	bool out_of_memory;
};

static struct spot *spot_of(struct pass *p, tw_data d, tw_node n)
{
	return &p->spots[(size_t)d * (size_t)p->n_nodes + (size_t)n];
}

/* The later of two; the second on ties, if it is set. */
static struct tw__held later(struct tw__held a, struct tw__held b)
{
	return b.kind == TW__HELD_BY_NOTHING || (a.kind != TW__HELD_BY_NOTHING && a.event > b.event) ? a : b;
}

/* --- memories ----------------------------------------------------------------------------------------------------- */

/* What an eviction had to wait for: the victim's write-back, or the last task that used it. */
static void evict(struct pass *p, const struct tw__event *e)
{
	struct spot *s = spot_of(p, e->data, e->node);
	const struct content *c = &p->contents[e->data];
	struct tw__held held = {.kind = TW__HELD_BY_NOTHING};
	if (s->user != TW_NONE && p->items->tasks[s->user].release >= 0)
		held = (struct tw__held){.kind = TW__HELD_BY_ROOM,
		                         .item = s->user,
		                         .by_task = true,
		                         .date = p->items->tasks[s->user].release,
		                         .event = p->items->tasks[s->user].start_event};
	if (c->home_by != TW_NONE && p->items->moves[c->home_by].from == e->node &&
	    p->items->moves[c->home_by].end >= held.date)
		held = (struct tw__held){.kind = TW__HELD_BY_ROOM,
		                         .item = c->home_by,
		                         .date = p->items->moves[c->home_by].end,
		                         .event = p->items->moves[c->home_by].start_event};
	if (p->n_evictions == p->evictions_capacity) {
		size_t capacity = p->evictions_capacity ? 2 * p->evictions_capacity : 256;
		void *grown = realloc(p->evictions, capacity * sizeof *p->evictions);
		p->out_of_memory |= !grown;
		if (!grown)
			return;
		p->evictions = grown;
		p->evictions_capacity = capacity;
	}
	p->fresh[e->node] = (int32_t)p->n_evictions;
	p->fresh_victim[e->node] = e->data;
	p->evictions[p->n_evictions++] = held;
	s->evicted_version = c->version;
	p->e->memories[e->node].evictions++;
}

static void allocate(struct pass *p, const struct tw__event *e)
{
	struct spot *s = spot_of(p, e->data, e->node);
	s->freed = p->fresh[e->node];
	if (s->freed != TW_NONE)
		spot_of(p, p->fresh_victim[e->node], e->node)->evictor = e->data;
	p->fresh[e->node] = TW_NONE;
}

static struct tw__held room_of(const struct pass *p, const struct spot *s)
{
	return s->freed == TW_NONE ? (struct tw__held){.kind = TW__HELD_BY_NOTHING} : p->evictions[s->freed];
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

/* Transfers into one memory share its channel; those into main memory share the source's. */
static struct tw__held *channel_of(struct pass *p, const struct tw__event *e)
{
	return &p->channel[e->node == TW_RAM ? p->n_nodes + e->from : e->node];
}

static void begin_transfer(struct pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	const struct content *c = &p->contents[e->data];
	const struct spot *from = spot_of(p, e->data, e->from), *to = spot_of(p, e->data, e->node);
	int32_t number = p->items->n_moves++;
	struct tw__past_move *m = &p->items->moves[number];
	*m = (struct tw__past_move){.start = e->date,
	                            .end = -1,
	                            .start_event = i,
	                            .for_task = TW_NONE,
	                            .data = e->data,
	                            .from = e->from,
	                            .to = e->node,
	                            .for_room = e->cause == TW__EVICTION,
	                            .again = to->evicted_version == c->version,
	                            .room = room_of(p, to),
	                            .channel = *channel_of(p, e)};
	if (from->by_move != TW_NONE)
		m->source = (struct tw__held){.kind = TW__HELD_BY_TRANSFER,
		                              .item = from->by_move,
		                              .event = from->valid_event,
		                              .date = p->events[from->valid_event].date};
	else if (c->writer != TW_NONE)
		m->source = (struct tw__held){.kind = TW__HELD_BY_RELEASE,
		                              .item = c->writer,
		                              .event = c->written,
		                              .date = p->events[c->written].date};
	struct open *o = malloc(sizeof *o);
	if (o) {
		*o = (struct open){.id = e->offset, .move = number};
		HASH_ADD(hh, p->open, id, sizeof o->id, o);
	}
	if (!o || !o->hh.tbl) {
		free(o);
		p->out_of_memory = true;
	}
}

static void end_transfer(struct pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	struct open *o;
	HASH_FIND(hh, p->open, &e->offset, sizeof e->offset, o);
	if (!o)
		return;
	struct tw__past_move *m = &p->items->moves[o->move];
	m->end = e->date;
	*channel_of(p, e) =
		(struct tw__held){.kind = TW__HELD_BY_TRANSFER, .item = o->move, .event = i, .date = e->date};
	struct spot *to = spot_of(p, e->data, e->node);
	to->by_move = o->move; /* if it becomes valid now */
	if (m->for_room)
		p->contents[e->data].home_by = o->move;
	struct tw__memory_use *use = &p->e->memories[e->node];
	use->loads += !m->for_room;
	if (m->again && !m->for_room) {
		use->reloads++;
		use->reloaded_bytes += e->bytes;
		to->n_again++;
	}
	HASH_DEL(p->open, o);
	free(o);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static tw_data accessed(const struct pass *p, tw__access access, tw_worker worker)
{
	tw_data d = tw__access_data(access);
	return access & TW_REDUX ? tw__graph_accumulator(p->items->graph, d, worker) : d;
}

static void start_task(struct pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	const struct tw_graph *g = p->items->graph;
	struct tw__past_run *t = &p->items->tasks[e->task];
	t->start = e->date;
	t->end = t->release = -1;
	t->start_event = i;
	t->worker = e->worker;
	t->worker_free = p->last_end[e->worker];
	t->data = t->room = (struct tw__held){.kind = TW__HELD_BY_NOTHING};
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++) {
		struct spot *s = spot_of(p, accessed(p, g->access[a], e->worker), e->node);
		t->room = later(t->room, room_of(p, s));
		if ((tw__access_mode(g->access[a]) & TW_R) && s->by_move != TW_NONE && s->valid_event != NO_EVENT)
			t->data = later(t->data, (struct tw__held){.kind = TW__HELD_BY_TRANSFER,
			                                           .item = s->by_move,
			                                           .event = s->valid_event,
			                                           .date = p->events[s->valid_event].date});
		if (s->by_move != TW_NONE && p->items->moves[s->by_move].for_task == TW_NONE)
			p->items->moves[s->by_move].for_task = e->task;
		s->user = e->task;
	}
}

static void release_task(struct pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	const struct tw_graph *g = p->items->graph;
	p->items->tasks[e->task].release = e->date;
	p->items->last = p->last_released = e->task;
	for (uint32_t s = g->successor_start[e->task]; s < g->successor_start[e->task + 1]; s++)
		p->items->tasks[g->successor[s]].releaser = e->task;
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++) {
		if (!(tw__access_mode(g->access[a]) & TW_W) && !(g->access[a] & TW_REDUX))
			continue;
		tw_data d = accessed(p, g->access[a], e->worker);
		p->contents[d].version++;
		p->contents[d].writer = e->task;
		p->contents[d].written = i;
		spot_of(p, d, e->node)->by_move = TW_NONE;
	}
}

/* --- the pass ----------------------------------------------------------------------------------------------------- */

static void take(struct pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	struct tw__past_run *task = &p->items->tasks[e->task];
	switch ((enum tw__event_kind)e->kind) {
	case TW__SUBMIT:
		task->submit = e->date;
		if (e->task >= tw__graph_own_tasks(p->items->graph)) /* a reduction appended it when this one ended */
			task->releaser = p->last_released;
		break;
	case TW__READY:
		task->ready = e->date;
		task->ready_event = i;
		break;
	case TW__ASSIGN:
		task->assign = e->date;
		break;
	case TW__START:
		start_task(p, i);
		break;
	case TW__CANCEL:
		task->ready = e->date;
		task->ready_event = i;
		p->last_end[e->worker] =
			(struct tw__held){.kind = TW__HELD_BY_TASK, .item = e->task, .event = i, .date = e->date};
		break;
	case TW__END:
		task->end = e->date;
		p->last_end[e->worker] =
			(struct tw__held){.kind = TW__HELD_BY_TASK, .item = e->task, .event = i, .date = e->date};
		break;
	case TW__RELEASE:
		release_task(p, i);
		break;
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
		spot_of(p, e->data, e->node)->valid_event = i;
		break;
	case TW__INVALID:
	case TW__N_EVENT_KINDS:
		break;
	}
}

/* Puts the copy among those that were loaded again most often. */
static void rank(struct tw__explanation *e, tw_data d, tw_node n, const struct spot *s)
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

static bool pass_init(struct pass *p)
{
	size_t data = (size_t)p->items->graph->n_data, nodes = (size_t)p->n_nodes;
	size_t workers = (size_t)p->run->platform->n_workers;
	p->spots = malloc((data * nodes + 1) * sizeof *p->spots);
	p->contents = malloc((data + 1) * sizeof *p->contents);
	p->last_end = calloc(workers + 1, sizeof *p->last_end);
	p->channel = calloc(2 * nodes + 1, sizeof *p->channel);
	p->fresh = malloc((nodes + 1) * sizeof *p->fresh);
	p->fresh_victim = malloc((nodes + 1) * sizeof *p->fresh_victim);
	if (!p->spots || !p->contents || !p->last_end || !p->channel || !p->fresh || !p->fresh_victim)
		return false;
	for (size_t i = 0; i < data * nodes; i++)
		p->spots[i] = (struct spot){.valid_event = NO_EVENT,
		                            .by_move = TW_NONE,
		                            .freed = TW_NONE,
		                            .user = TW_NONE,
		                            .evictor = TW_NONE};
	for (size_t d = 0; d < data; d++)
		p->contents[d] = (struct content){.version = 1, .writer = TW_NONE, .home_by = TW_NONE};
	for (size_t n = 0; n < nodes; n++)
		p->fresh[n] = TW_NONE;
	return true;
}

static void pass_finish(struct pass *p)
{
	struct open *o, *next;
	HASH_ITER(hh, p->open, o, next)
	{
		HASH_DEL(p->open, o);
		free(o);
	}
	free(p->spots);
	free(p->contents);
	free(p->last_end);
	free(p->channel);
	free(p->evictions);
	free(p->fresh);
	free(p->fresh_victim);
}

int tw__past_items_init(struct tw__past_items *items, const struct tw__explained_run *run, struct tw__explanation *e,
                        struct tw_error *err)
{
	const struct tw__record *r = run->record;
	size_t n_moves = 0;
	for (size_t i = 0; i < r->n; i++)
		n_moves += r->events[i].kind == TW__TRANSFER_START;
	*items = (struct tw__past_items){.graph = r->extended ? r->extended : run->graph, .last = TW_NONE};
	items->n_tasks = items->graph->n_tasks;
	items->tasks = malloc(((size_t)items->n_tasks + 1) * sizeof *items->tasks);
	items->moves = calloc(n_moves + 1, sizeof *items->moves);
	struct pass p = {.run = run,
	                 .events = r->events,
	                 .items = items,
	                 .e = e,
	                 .n_nodes = run->platform->n_nodes,
	                 .last_released = TW_NONE};
	p.out_of_memory = !items->tasks || !items->moves || !pass_init(&p);
	for (tw_task t = 0; t < items->n_tasks && !p.out_of_memory; t++)
		items->tasks[t] = (struct tw__past_run){.submit = -1,
		                                        .ready = -1,
		                                        .assign = -1,
		                                        .start = -1,
		                                        .end = -1,
		                                        .release = -1,
		                                        .worker = TW_NONE,
		                                        .releaser = TW_NONE};
	for (size_t i = 0; i < r->n && !p.out_of_memory; i++)
		take(&p, i);
	for (size_t i = 0; !p.out_of_memory && i < (size_t)items->graph->n_data * (size_t)p.n_nodes; i++)
		rank(e, (tw_data)(i / (size_t)p.n_nodes), (tw_node)(i % (size_t)p.n_nodes), &p.spots[i]);
	pass_finish(&p);
	return p.out_of_memory ? tw_fail(err, TW_NOMEM, "explain: out of memory") : TW_OK;
}

void tw__past_items_finish(struct tw__past_items *items)
{
	free(items->tasks);
	free(items->moves);
}
