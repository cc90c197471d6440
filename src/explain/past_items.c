/* One pass over a record: the runs of tasks, and what each of them waited for. */
#include "explain/past_items.h"

#include <stdlib.h>

#include "explain/pass.h"
#include "graph/graph.h"
#include "graph/reduction.h"
#include "trace/events.h"

/* The last of several things in the order of the record; on ties, the last that was taken. */
struct last {
	int32_t item; /* TW_NONE: none */
	size_t event;
};

static bool take_later(struct last *last, int32_t item, size_t event)
{
	const bool is_later = item != TW_NONE && (last->item == TW_NONE || event >= last->event);
	if (is_later)
		*last = (struct last){item, event};
	return is_later;
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
		const struct tw__held room = tw__past_room(p->items, m->room);
		m->for_run = run;
		if (room.kind == TW__HELD_BY_WRITE_BACK && asked_before(p->items, run, &p->items->moves[room.item]))
			p->items->moves[room.item].for_run = run;
		number = m->source_at >= 0 ? m->source : TW_NONE;
	}
}

/* The copies that the run uses are there now: what brought them, and what their room had waited for. */
static void use_copies(struct tw__pass *p, int32_t number, tw_node node)
{
	struct tw__past_run *run = &p->items->runs[number];
	const struct tw_graph *g = p->items->graph;
	struct last room = {TW_NONE, 0}, admitted = {TW_NONE, 0}, data = {TW_NONE, 0};
	for (uint32_t a = g->access_start[run->task]; a < g->access_start[run->task + 1]; a++) {
		struct tw__pass_spot *s = tw__pass_spot(p, accessed(p, g->access[a], run->worker), node);
		const int32_t evicted = tw__pass_room(p, s);
		take_later(&room, evicted, evicted == TW_NONE ? 0 : p->items->evictions[evicted].event);
		take_later(&admitted, s->admitted, s->admitted_event);
		if ((tw__access_mode(g->access[a]) & TW_R) && s->valid_event != TW__NO_EVENT &&
		    take_later(&data, s->by_move, s->valid_event))
			run->data_at = s->valid_at;
		transferred_for(p, s->by_move, number);
		s->user = number;
	}
	run->room = room.item;
	run->admitted = admitted.item;
	run->data = data.item;
	const struct tw__held held = tw__past_room(p->items, run->room);
	if (held.kind == TW__HELD_BY_WRITE_BACK)
		transferred_for(p, held.item, number);
}

/* Adds the runs of the further workers of a parallel task. All waited for the worker that was free last. */
static void start_team(struct tw__pass *p, const struct tw__event *e, int32_t number)
{
	struct tw__past_items *items = p->items;
	int32_t last = p->last_end[e->worker];
	for (tw_worker w = 0; (w = tw__teams_next(&p->teams, e->task, w)) != TW_NONE; w++)
		if (p->last_end[w] != TW_NONE &&
		    (last == TW_NONE || items->runs[p->last_end[w]].end > items->runs[last].end))
			last = p->last_end[w];
	items->runs[number].worker_free = last;
	for (tw_worker w = 0; (w = tw__teams_next(&p->teams, e->task, w)) != TW_NONE; w++) {
		TW_RESERVE(items->runs, items->runs_capacity, items->n_runs + 1);
		items->runs[items->n_runs] = items->runs[number];
		items->runs[items->n_runs].worker = w;
		p->last_start[w] = (int32_t)items->n_runs++;
	}
}

static void start_run(struct tw__pass *p, const struct tw__event *e, size_t i)
{
	struct tw__pass_task *t = &p->tasks[e->task];
	struct tw__past_items *items = p->items;
	TW_RESERVE(items->runs, items->runs_capacity, items->n_runs + 1);
	int32_t number = (int32_t)items->n_runs++;
	items->runs[number] = (struct tw__past_run){.task = e->task,
	                                            .worker = e->worker,
	                                            .submit = t->submit,
	                                            .ready = t->ready,
	                                            .assign = t->assign,
	                                            .start = e->date,
	                                            .end = -1,
	                                            .release = -1,
	                                            .joined = t->joined,
	                                            .start_event = i,
	                                            .pushed = t->pushed,
	                                            .pushed_by_move = t->pushed_by_move,
	                                            .slot = t->slot,
	                                            .before = p->last_start[e->worker],
	                                            .worker_free = p->last_end[e->worker]};
	t->run = number;
	p->last_start[e->worker] = number;
	use_copies(p, number, e->node);
	start_team(p, e, number);
}

/* Sets the end of a run, and of those of the same parallel task. */
static void end_runs(struct tw__pass *p, const struct tw__event *e, int32_t number, bool cancelled)
{
	struct tw__past_items *items = p->items;
	for (size_t i = (size_t)number;
	     i < items->n_runs && items->runs[i].start_event == items->runs[number].start_event; i++) {
		items->runs[i].end = e->date;
		items->runs[i].cancelled = cancelled;
		p->last_end[items->runs[i].worker] = (int32_t)i;
	}
}

/* The kernel of the task's last run has ended, or was cancelled. */
static void end_run(struct tw__pass *p, const struct tw__event *e, bool cancelled)
{
	struct tw__pass_task *t = &p->tasks[e->task];
	if (t->run == TW_NONE)
		return;
	end_runs(p, e, t->run, cancelled);
	tw__teams_leave(&p->teams, e->task);
	if (cancelled) {
		t->ready = e->date;
		t->pushed = t->run;
		t->pushed_by_move = false;
	}
}

static void release(struct tw__pass *p, const struct tw__event *e, size_t i)
{
	const struct tw_graph *g = p->items->graph;
	int32_t number = p->tasks[e->task].run;
	if (number == TW_NONE) { /* a recursive task that was split ends with the last task inside */
		for (uint32_t s = g->successor_start[e->task]; s < g->successor_start[e->task + 1]; s++)
			p->tasks[g->successor[s]].pushed = p->last_released;
		return;
	}
	for (size_t r = (size_t)number;
	     r < p->items->n_runs && p->items->runs[r].start_event == p->items->runs[number].start_event; r++)
		p->items->runs[r].release = e->date;
	p->items->last = number;
	p->last_use[e->node] = (struct tw__pass_use){.run = number, .event = i, .date = e->date};
	p->last_released = number;
	for (uint32_t s = g->successor_start[e->task]; s < g->successor_start[e->task + 1]; s++) {
		p->tasks[g->successor[s]].pushed = number;
		p->tasks[g->successor[s]].pushed_by_move = false;
	}
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++) {
		if (!(tw__access_mode(g->access[a]) & TW_W) && !(g->access[a] & TW_REDUX))
			continue;
		tw_data d = accessed(p, g->access[a], e->worker);
		p->contents[d].version++;
		p->contents[d].writer = number;
		tw__pass_spot(p, d, e->node)->by_move = TW_NONE;
	}
}

static void take(struct tw__pass *p, const struct tw__event *e, size_t i)
{
	if (tw__is_message_step(p->items->graph, e)) {
		tw__pass_message_take(p, e);
		return;
	}
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
	case TW__JOIN:
		tw__teams_join(&p->teams, e);
		p->tasks[e->task].joined = e->date;
		break;
	case TW__START:
		start_run(p, e, i);
		break;
	case TW__CANCEL:
	case TW__END:
		end_run(p, e, e->kind == TW__CANCEL);
		break;
	case TW__RELEASE:
		release(p, e, i);
		break;
	default:
		tw__pass_copies_take(p, e, i);
		break;
	}
}

/* --- what runs and transfers waited for --------------------------------------------------------------------------- */

static const struct tw__held nothing = {.kind = TW__HELD_BY_NOTHING};

struct tw__held tw__past_end(const struct tw__past_items *items, int32_t run)
{
	return run == TW_NONE ? nothing : (struct tw__held){TW__HELD_BY_WORKER, run, items->runs[run].end};
}

struct tw__held tw__past_admitted(const struct tw__past_items *items, int32_t run)
{
	return run == TW_NONE ? nothing : (struct tw__held){TW__HELD_BY_USE, run, items->runs[run].release};
}

struct tw__held tw__past_room(const struct tw__past_items *items, int32_t eviction)
{
	return eviction == TW_NONE ? nothing : items->evictions[eviction].held;
}

struct tw__held tw__past_pushed(const struct tw__past_items *items, const struct tw__past_run *r)
{
	if (r->pushed == TW_NONE)
		return nothing;
	if (r->pushed_by_move)
		return (struct tw__held){TW__HELD_BY_TRANSFER, r->pushed, items->moves[r->pushed].end};
	const struct tw__past_run *by = &items->runs[r->pushed];
	return by->task == r->task ? (struct tw__held){TW__HELD_BY_CANCEL, r->pushed, by->end}
	                           : (struct tw__held){TW__HELD_BY_RELEASE, r->pushed, by->release};
}

struct tw__held tw__past_data(const struct tw__past_run *r)
{
	return r->data == TW_NONE ? nothing : (struct tw__held){TW__HELD_BY_TRANSFER, r->data, r->data_at};
}

/* A worker may take a task when the handles of the one before it are there. */
struct tw__held tw__past_slot(const struct tw__past_items *items, const struct tw__past_run *r)
{
	const struct tw__held end = tw__past_end(items, r->slot);
	const struct tw__held data = r->before == TW_NONE ? nothing : tw__past_data(&items->runs[r->before]);
	return data.kind != TW__HELD_BY_NOTHING && data.date <= r->assign &&
	                       (end.kind == TW__HELD_BY_NOTHING || end.date < data.date)
	               ? data
	               : end;
}

tw__ns tw__past_gathers(const struct tw__past_items *items, const struct tw__past_run *r)
{
	if (r->joined < 0)
		return TW__NEVER;
	const tw__ns own = r->before == TW_NONE ? 0 : items->runs[r->before].end;
	return tw__latest(tw__latest(r->assign, own), r->data == TW_NONE ? 0 : r->data_at);
}

struct tw__held tw__past_source(const struct tw__past_items *items, const struct tw__past_move *m)
{
	if (m->source == TW_NONE)
		return nothing;
	return m->source_at >= 0 ? (struct tw__held){TW__HELD_BY_TRANSFER, m->source, m->source_at}
	                         : (struct tw__held){TW__HELD_BY_RELEASE, m->source, items->runs[m->source].release};
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
	int32_t *sorted = tw_alloc(2 * items->n_ended, sizeof *sorted);
	for (size_t i = 0; i < items->n_ended; i++)
		for (int k = channels_of(items, &items->moves[items->ended[i]], channels); k-- > 0;)
			first[channels[k] + 2]++;
	for (int c = 2; c < n + 2; c++)
		first[c] += first[c - 1];
	for (size_t i = 0; i < items->n_ended; i++) /* first[c + 1] moves from the channel's start to its end */
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

void tw__past_items_init(struct tw__past_items *items, const struct tw__explained_run *run, struct tw__explanation *e)
{
	const struct tw__record *r = run->record;
	*items = (struct tw__past_items){
		.graph = r->extended ? r->extended : run->graph, .last = TW_NONE, .n_nodes = run->platform->n_nodes};
	struct tw__pass p = {
		.run = run, .items = items, .e = e, .n_nodes = run->platform->n_nodes, .last_released = TW_NONE};
	size_t n_tasks = (size_t)items->graph->n_tasks, n_workers = (size_t)run->platform->n_workers;
	p.tasks = tw__arena_alloc(&p.memory, n_tasks, sizeof *p.tasks);
	p.last_end = tw__arena_alloc(&p.memory, n_workers, sizeof *p.last_end);
	p.last_start = tw__arena_alloc(&p.memory, n_workers, sizeof *p.last_start);
	tw__teams_init(&p.teams, run->platform->n_workers,
	               tw__arena_alloc(&p.memory, n_workers, sizeof *p.teams.joined));
	tw__pass_copies_open(&p);
	for (size_t t = 0; t < n_tasks; t++)
		p.tasks[t] = (struct tw__pass_task){.submit = -1,
		                                    .ready = -1,
		                                    .assign = -1,
		                                    .joined = -1,
		                                    .run = TW_NONE,
		                                    .pushed = TW_NONE,
		                                    .slot = TW_NONE};
	for (size_t w = 0; w < n_workers; w++)
		p.last_start[w] = p.last_end[w] = TW_NONE;
	struct tw__events all;
	const struct tw__event *event;
	tw__events_begin(&all, r);
	for (size_t i = 0; (event = tw__events_next(&all)); i++)
		take(&p, event, i);
	tw__pass_rank(&p);
	sort_channels(items);
	tw__pass_copies_close(&p);
	tw__arena_finish(&p.memory);
}

void tw__past_items_finish(struct tw__past_items *items)
{
	free(items->runs);
	free(items->moves);
	free(items->evictions);
	free(items->ended);
	free(items->first_ended);
}
