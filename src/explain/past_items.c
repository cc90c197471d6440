/* One pass over a record: the runs of tasks, and what each of them waited for. */
#include "explain/past_items.h"

#include <stdlib.h>

#include "explain/pass.h"
#include "graph/graph.h"
#include "graph/reduction.h"

/* The later of two; the second on ties, if it is set. */
static struct tw__held later(struct tw__held a, struct tw__held b)
{
	return b.kind == TW__HELD_BY_NOTHING || (a.kind != TW__HELD_BY_NOTHING && a.event > b.event) ? a : b;
}

static tw_data accessed(const struct tw__pass *p, tw__access access, tw_worker worker)
{
	tw_data d = tw__access_data(access);
	bool adds = (access & TW_REDUX) && p->run->record->extended;
	return adds ? tw__graph_accumulator(p->items->graph, d, worker) : d;
}

/* Whether the run asked for the transfer before the one that is known. */
static bool asked_before(const struct tw__past_items *items, int32_t run, const struct tw__past_move *m)
{
	return m->for_run == TW_NONE || items->runs[run].assign < items->runs[m->for_run].assign;
}

/* The transfer was for the run, and so were those that brought its source, and the write-backs that made their room. */
static void transferred_for(struct tw__pass *p, int32_t number, int32_t run)
{
	while (number != TW_NONE && asked_before(p->items, run, &p->items->moves[number])) {
		struct tw__past_move *m = &p->items->moves[number];
		m->for_run = run;
		if (m->room.kind == TW__HELD_BY_WRITE_BACK &&
		    asked_before(p->items, run, &p->items->moves[m->room.item]))
			p->items->moves[m->room.item].for_run = run;
		number = m->source.kind == TW__HELD_BY_TRANSFER ? m->source.item : TW_NONE;
	}
}

/* The copies that the run uses are there now: what brought them, and what their room had waited for. */
static void use_copies(struct tw__pass *p, int32_t number, tw_node node)
{
	struct tw__past_run *run = &p->items->runs[number];
	const struct tw_graph *g = p->items->graph;
	for (uint32_t a = g->access_start[run->task]; a < g->access_start[run->task + 1]; a++) {
		struct tw__pass_spot *s = tw__pass_spot(p, accessed(p, g->access[a], run->worker), node);
		run->room = later(run->room, tw__pass_room(p, s));
		run->admitted = later(run->admitted, s->admitted);
		if ((tw__access_mode(g->access[a]) & TW_R) && s->by_move != TW_NONE && s->valid_event != TW__NO_EVENT)
			run->data = later(run->data, (struct tw__held){.kind = TW__HELD_BY_TRANSFER,
			                                               .item = s->by_move,
			                                               .event = s->valid_event,
			                                               .date = p->events[s->valid_event].date});
		transferred_for(p, s->by_move, number);
		s->user = number;
	}
	if (run->room.kind == TW__HELD_BY_WRITE_BACK)
		transferred_for(p, run->room.item, number);
}

/* A worker may take a task when the handles of the one before it are there. */
static void take_slot(const struct tw__pass *p, struct tw__past_run *run, int32_t before)
{
	const struct tw__past_run *other = before == TW_NONE ? NULL : &p->items->runs[before];
	if (other && other->data.kind != TW__HELD_BY_NOTHING && other->data.date <= run->assign &&
	    (run->slot.kind == TW__HELD_BY_NOTHING || run->slot.date < other->data.date))
		run->slot = other->data;
}

static void start_run(struct tw__pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	struct tw__pass_task *t = &p->tasks[e->task];
	int32_t number = p->items->n_runs++;
	p->items->runs[number] = (struct tw__past_run){.task = e->task,
	                                               .worker = e->worker,
	                                               .submit = t->submit,
	                                               .ready = t->ready,
	                                               .assign = t->assign,
	                                               .start = e->date,
	                                               .end = -1,
	                                               .release = -1,
	                                               .start_event = i,
	                                               .pushed = t->pushed,
	                                               .slot = t->slot,
	                                               .worker_free = p->last_end[e->worker]};
	t->run = number;
	take_slot(p, &p->items->runs[number], p->last_start[e->worker]);
	p->last_start[e->worker] = number;
	use_copies(p, number, e->node);
}

/* The kernel of the task's last run has ended, or was cancelled. */
static void end_run(struct tw__pass *p, size_t i, bool cancelled)
{
	const struct tw__event *e = &p->events[i];
	struct tw__pass_task *t = &p->tasks[e->task];
	if (t->run == TW_NONE)
		return;
	struct tw__past_run *run = &p->items->runs[t->run];
	const struct tw__held held = {.item = t->run, .event = i, .date = e->date};
	run->end = e->date;
	run->cancelled = cancelled;
	p->last_end[e->worker] = held;
	p->last_end[e->worker].kind = TW__HELD_BY_WORKER;
	if (cancelled) {
		t->ready = e->date;
		t->pushed = held;
		t->pushed.kind = TW__HELD_BY_CANCEL;
	}
}

static void release(struct tw__pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	const struct tw_graph *g = p->items->graph;
	int32_t number = p->tasks[e->task].run;
	if (number == TW_NONE)
		return;
	p->items->runs[number].release = e->date;
	p->items->last = number;
	p->last_use[e->node] = (struct tw__held){.kind = TW__HELD_BY_USE, .item = number, .event = i, .date = e->date};
	p->last_released = (struct tw__held){.kind = TW__HELD_BY_RELEASE, .item = number, .event = i, .date = e->date};
	for (uint32_t s = g->successor_start[e->task]; s < g->successor_start[e->task + 1]; s++)
		p->tasks[g->successor[s]].pushed = p->last_released;
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++) {
		if (!(tw__access_mode(g->access[a]) & TW_W) && !(g->access[a] & TW_REDUX))
			continue;
		tw_data d = accessed(p, g->access[a], e->worker);
		p->contents[d].version++;
		p->contents[d].writer = number;
		p->contents[d].written = i;
		tw__pass_spot(p, d, e->node)->by_move = TW_NONE;
	}
}

static void take(struct tw__pass *p, size_t i)
{
	const struct tw__event *e = &p->events[i];
	switch ((enum tw__event_kind)e->kind) {
	case TW__SUBMIT:
		p->tasks[e->task].submit = e->date;
		if (e->task >= tw__graph_own_tasks(p->items->graph)) /* a reduction appended it when this one ended */
			p->tasks[e->task].pushed = p->last_released;
		break;
	case TW__READY:
		p->tasks[e->task].ready = e->date;
		break;
	case TW__ASSIGN:
		p->tasks[e->task].assign = e->date;
		p->tasks[e->task].slot = p->last_end[e->worker];
		break;
	case TW__START:
		start_run(p, i);
		break;
	case TW__CANCEL:
	case TW__END:
		end_run(p, i, e->kind == TW__CANCEL);
		break;
	case TW__RELEASE:
		release(p, i);
		break;
	default:
		tw__pass_copies_take(p, i);
		break;
	}
}

/* --- channels: sets of transfers that wait for each other -------------------------------------------------------- */

/* There are three for each memory: transfers into it; those from it to main memory; those from it to another memory,
 * which are also in the first of that one. */
static int channel_of(const struct tw__past_items *items, tw_node from, tw_node to)
{
	return to == TW_RAM ? items->n_nodes + from : to;
}

/* The channels of a transfer; returns their number. */
static int channels_of(const struct tw__past_items *items, const struct tw__past_move *m, int channels[2])
{
	channels[0] = channel_of(items, m->from, m->to);
	channels[1] = 2 * items->n_nodes + m->from;
	return m->from != TW_RAM && m->to != TW_RAM ? 2 : 1;
}

static void sort_channels(struct tw__past_items *items)
{
	int n = 3 * items->n_nodes, channels[2];
	int32_t *first = items->first_ended = tw_alloc((size_t)n + 2, sizeof *first);
	int32_t *sorted = tw_alloc(2 * (size_t)items->n_ended, sizeof *sorted);
	for (int32_t i = 0; i < items->n_ended; i++)
		for (int k = channels_of(items, &items->moves[items->ended[i]], channels); k-- > 0;)
			first[channels[k] + 2]++;
	for (int c = 2; c < n + 2; c++)
		first[c] += first[c - 1];
	for (int32_t i = 0; i < items->n_ended; i++) /* first[c + 1] moves from the channel's start to its end */
		for (int k = channels_of(items, &items->moves[items->ended[i]], channels); k-- > 0;)
			sorted[first[channels[k] + 1]++] = items->ended[i];
	free(items->ended);
	items->ended = sorted;
}

/* The last transfer of the channel that ended by `date`. */
static struct tw__held last_ended(const struct tw__past_items *items, int channel, tw__ns date)
{
	int32_t low = items->first_ended[channel], high = items->first_ended[channel + 1];
	while (low < high) { /* the first that ended after `date` */
		int32_t middle = low + (high - low) / 2;
		if (items->moves[items->ended[middle]].end <= date)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == items->first_ended[channel])
		return (struct tw__held){.kind = TW__HELD_BY_NOTHING};
	int32_t last = items->ended[low - 1];
	return (struct tw__held){.kind = TW__HELD_BY_TRANSFER, .item = last, .date = items->moves[last].end};
}

int tw__past_in_channels(const struct tw__past_items *items, const struct tw__past_move *m, tw_node final, tw__ns date,
                         struct tw__held held[TW__MOST_CHANNELS])
{
	int n = 0;
	held[n++] = last_ended(items, channel_of(items, m->from, m->to), date);
	if (m->to != TW_RAM)
		held[n++] = last_ended(items, 2 * items->n_nodes + m->to, date);
	if (m->from != TW_RAM && m->to != TW_RAM)
		held[n++] = last_ended(items, m->from, date);
	if (final != m->to && final != TW_RAM)
		held[n++] = last_ended(items, final, date);
	return n;
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

static size_t count(const struct tw__record *r, enum tw__event_kind kind)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += r->events[i].kind == kind;
	return n;
}

void tw__past_items_init(struct tw__past_items *items, const struct tw__explained_run *run, struct tw__explanation *e)
{
	const struct tw__record *r = run->record;
	*items = (struct tw__past_items){
		.graph = r->extended ? r->extended : run->graph, .last = TW_NONE, .n_nodes = run->platform->n_nodes};
	struct tw__pass p = {
		.run = run, .events = r->events, .items = items, .e = e, .n_nodes = run->platform->n_nodes};
	size_t n_tasks = (size_t)items->graph->n_tasks;
	items->runs = tw_alloc(count(r, TW__START), sizeof *items->runs);
	size_t n_moves = count(r, TW__TRANSFER_START), n_workers = (size_t)run->platform->n_workers;
	items->moves = tw_alloc(n_moves, sizeof *items->moves);
	items->ended = tw_alloc(n_moves, sizeof *items->ended);
	p.tasks = tw__arena_alloc(&p.memory, n_tasks, sizeof *p.tasks);
	p.last_end = tw__arena_alloc(&p.memory, n_workers, sizeof *p.last_end);
	p.last_start = tw__arena_alloc(&p.memory, n_workers, sizeof *p.last_start);
	tw__pass_copies_open(&p);
	for (size_t t = 0; t < n_tasks; t++)
		p.tasks[t] = (struct tw__pass_task){.submit = -1, .ready = -1, .assign = -1, .run = TW_NONE};
	for (size_t w = 0; w < n_workers; w++)
		p.last_start[w] = TW_NONE;
	for (size_t i = 0; i < r->n; i++)
		take(&p, i);
	tw__pass_rank(&p);
	sort_channels(items);
	tw__pass_copies_close(&p);
	tw__arena_finish(&p.memory);
}

void tw__past_items_finish(struct tw__past_items *items)
{
	free(items->runs);
	free(items->moves);
	free(items->ended);
	free(items->first_ended);
}
