/* The chain of kernels and transfers that the makespan hangs on. It is found from its end: each kernel and transfer is
 * followed by the one that it waited for last. The time in between is a wait. A kernel's time has the cause for which
 * the next link of the chain needs the kernel. */
#include "explain/free_times.h"
#include "graph/graph.h"

struct walk {
	struct tw__explanation *e;
	const struct tw__explained_run *run;
	const struct tw__past_items *items;
	size_t capacity;
	tw__ns date;          /* all later time is in the chain */
	size_t event;         /* start of the last kernel or transfer; the next one must have started before */
	struct tw__held next; /* where the chain goes on */
	int32_t waits;        /* the run that waits for a worker until then, if `next` is WORKER; otherwise unused */
	struct tw__free_times free;
};

/* --- links of the chain ------------------------------------------------------------------------------------------- */

/* Adds the time from `date` to the start of the chain. `link`: what the time is about. */
static void go_back(struct walk *w, tw__ns date, enum tw__why why, struct tw__chain_link link)
{
	struct tw__explanation *e = w->e;
	date = tw__latest(date, 0);
	if (date >= w->date)
		return;
	TW_RESERVE(e->links, w->capacity, e->n_links + 1);
	link.why = why;
	link.start = date;
	link.end = w->date;
	e->links[e->n_links++] = link;
	e->chain[why] += w->date - date;
	w->date = date;
}

static struct tw__chain_link about_run(const struct tw__past_run *r)
{
	return (struct tw__chain_link){
		.task = r->task, .worker = r->worker, .data = TW_NONE, .from = TW_NONE, .to = TW_NONE};
}

static struct tw__chain_link about_move(const struct tw__past_move *m)
{
	return (struct tw__chain_link){
		.task = TW_NONE, .worker = TW_NONE, .data = m->data, .from = m->from, .to = m->to};
}

/* A worker was free and the task was ready since `date`, but the worker got it only at w->date. */
static void wait_for_policy(struct walk *w, tw__ns date, const struct tw__past_run *r)
{
	go_back(w, tw__latest(date, tw__later(date, w->run->patience)), TW__WHY_POLICY, about_run(r));
	go_back(w, date, TW__WHY_RUNTIME, about_run(r));
}

/* --- what came before --------------------------------------------------------------------------------------------- */

static size_t start_event_of(const struct walk *w, const struct tw__held *h)
{
	return tw__held_by_move(h) ? w->items->moves[h->item].start_event : w->items->runs[h->item].start_event;
}

/* Whether the chain can go on with `h`. A kernel or transfer must have started before the present one, so that the
 * chain has an end. */
static bool is_before(const struct walk *w, const struct tw__held *h)
{
	return h->kind != TW__HELD_BY_NOTHING && start_event_of(w, h) < w->event;
}

/* Takes the candidate if it is later than the best one so far; so earlier calls win ties. */
static void consider(const struct walk *w, struct tw__held *best, struct tw__held h, tw__ns until)
{
	if (is_before(w, &h) && h.date <= until && (best->kind == TW__HELD_BY_NOTHING || h.date > best->date))
		*best = h;
}

/* Whether the task accesses a divided handle or a part, which had to become usable before the push. */
static bool needs_filter(const struct walk *w, tw_task t)
{
	const struct tw_graph *g = w->items->graph;
	for (uint32_t a = g->access_start[t]; g->n_lineages && a < g->access_start[t + 1]; a++)
		if (tw__graph_lineage(g, tw__access_data(g->access[a])))
			return true;
	return false;
}

/* Goes back from when the task became ready to what made it so: a release, a submission, or a cancellation. */
static void before_ready(struct walk *w, const struct tw__past_run *r)
{
	const struct tw__held pushed = tw__past_pushed(w->items, r);
	tw__ns date = pushed.kind == TW__HELD_BY_NOTHING ? 0 : pushed.date;
	if (needs_filter(w, r->task))
		go_back(w, tw__latest(date, r->submit), TW__WHY_DATA, about_run(r));
	if (pushed.kind != TW__HELD_BY_CANCEL && r->submit > date) {
		go_back(w, r->submit, TW__WHY_RUNTIME, about_run(r));
		go_back(w, date, TW__WHY_SUBMISSION, about_run(r));
	}
	go_back(w, date, TW__WHY_RUNTIME, about_run(r));
	if (is_before(w, &pushed))
		w->next = pushed;
}

/* Goes back in the time of a kernel. */
static void compute(struct walk *w, tw__ns date, enum tw__why why, const struct tw__past_run *r)
{
	struct tw__chain_link link = about_run(r);
	link.computes = true;
	go_back(w, date, why, link);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* The kernel's time. The part that a faster worker would have saved comes first, at its end. The run `w->waits` waited
 * for this worker while another one was free: that part comes next. The time in which a parallel task waited for this
 * worker alone comes before. */
static void pass_kernel(struct walk *w, const struct tw__past_run *r, enum tw__held_kind needed_as)
{
	tw__ns from = tw__latest(0, tw__earliest(w->date, r->start)), end = w->date;
	if (r->cancelled) {
		compute(w, from, TW__WHY_CANCELLED, r);
		return;
	}
	if (r->end == end) /* else part of the kernel is not in the chain */
		compute(w, end - tw__gain_elsewhere(&w->free, r), TW__WHY_SLOW, r);
	if (needed_as == TW__HELD_BY_WORKER) {
		const struct tw__past_run *waits = &w->items->runs[w->waits];
		compute(w, tw__latest(from, tw__past_gathers(w->items, waits)), TW__WHY_TEAM, r);
		tw__ns ready = tw__latest(from, waits->ready);
		compute(w, tw__free_elsewhere(&w->free, waits, ready, w->date), TW__WHY_POLICY, r);
	}
	bool needed = needed_as == TW__HELD_BY_RELEASE;
	compute(w, from, needed ? TW__WHY_DEPENDENCIES : TW__WHY_BUSY, r);
}

/* The chain reaches a run: at the end of its kernel, or at its release. */
static void pass_run(struct walk *w, int32_t number, enum tw__held_kind needed_as)
{
	const struct tw__past_run *r = &w->items->runs[number];
	struct tw__held best = {.kind = TW__HELD_BY_NOTHING};
	bool at_end = needed_as == TW__HELD_BY_WORKER || needed_as == TW__HELD_BY_CANCEL;
	if (!at_end)
		go_back(w, r->release, TW__WHY_RUNTIME, about_run(r));
	go_back(w, r->end, TW__WHY_RUNTIME, about_run(r));
	w->event = r->start_event;
	pass_kernel(w, r, needed_as);
	const struct tw__held admitted = tw__past_admitted(w->items, r->admitted);
	consider(w, &best, tw__past_data(r), w->date);
	consider(w, &best, tw__past_room(w->items, r->room), w->date);
	consider(w, &best, tw__past_end(w->items, r->worker_free), w->date);
	consider(w, &best, tw__past_slot(w->items, r), w->date);
	if (admitted.date > r->assign)
		consider(w, &best, admitted, w->date);
	bool was_ready_last = best.kind == TW__HELD_BY_NOTHING || r->ready >= best.date;
	tw__ns since = was_ready_last ? r->ready : best.date;
	if (best.kind == TW__HELD_BY_USE || best.kind == TW__HELD_BY_WRITE_BACK) {
		go_back(w, since, was_ready_last ? TW__WHY_RUNTIME : TW__WHY_MEMORY, about_run(r));
	} else {
		if (r->joined >= 0) {
			go_back(w, tw__latest(since, r->joined), TW__WHY_RUNTIME, about_run(r));
			go_back(w, tw__latest(since, tw__past_gathers(w->items, r)), TW__WHY_TEAM, about_run(r));
		}
		go_back(w, tw__latest(since, r->assign), TW__WHY_RUNTIME, about_run(r));
		wait_for_policy(w, since, r);
	}
	if (was_ready_last) {
		before_ready(w, r);
	} else {
		w->next = best;
		w->waits = number;
	}
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

/* Whether the run that a transfer is for was ready by `date`, but no worker had taken it before the transfer
 * started. */
static bool could_be_asked(const struct walk *w, const struct tw__past_move *m, tw__ns date)
{
	const struct tw__past_run *r = m->for_run == TW_NONE ? NULL : &w->items->runs[m->for_run];
	return r && r->ready >= 0 && r->ready <= date && r->assign >= m->start;
}

/* Goes back to `date`, since when the transfer could have started. Until evictions had made room for it, the memory was
 * why it did not. A write-back for room waited for a victim. If no worker had taken the task, and the policy had not
 * asked for the transfer either, the policy was why. */
static void pass_delay(struct walk *w, tw__ns date, const struct tw__past_move *m)
{
	tw__ns room = tw__latest(date, m->room_at);
	if (m->message) {
		go_back(w, date, TW__WHY_NETWORK, about_move(m));
		return;
	}
	if (!m->for_room && could_be_asked(w, m, room))
		wait_for_policy(w, room, &w->items->runs[m->for_run]);
	else if (!m->for_room)
		go_back(w, room, TW__WHY_RUNTIME, about_move(m));
	go_back(w, date, TW__WHY_MEMORY, about_move(m));
}

/* Goes back to when the run that a transfer is for became ready, and a worker asked for the transfer. */
static void before_asked(struct walk *w, const struct tw__past_move *m, const struct tw__past_run *r)
{
	pass_delay(w, tw__latest(r->ready, tw__earliest(r->assign, m->start)), m);
	wait_for_policy(w, r->ready, r);
	before_ready(w, r);
}

static void pass_move(struct walk *w, const struct tw__past_move *m)
{
	struct tw__held best = {.kind = TW__HELD_BY_NOTHING}, channels[TW__MOST_CHANNELS];
	const struct tw__past_run *r = m->for_run == TW_NONE ? NULL : &w->items->runs[m->for_run];
	tw__ns start = tw__earliest(w->date, m->start);
	w->event = m->start_event;
	consider(w, &best, tw__past_source(w->items, m), start);
	consider(w, &best, tw__past_room(w->items, m->room), start);
	if (r && r->assign >= 0 && r->assign <= m->start) /* no worker had asked for it before */
		consider(w, &best, tw__past_slot(w->items, r), start);
	tw_node final = r ? w->run->platform->workers[r->worker].node : m->to;
	for (int n = tw__past_in_channels(w->items, m, final, start, channels), i = 0; i < n; i++)
		consider(w, &best, channels[i], start);
	if (r && r->assign >= 0 && r->assign < m->start)
		consider(w, &best, tw__past_admitted(w->items, m->admitted), start);
	bool waited_for_room = best.kind == TW__HELD_BY_USE || best.kind == TW__HELD_BY_WRITE_BACK;
	bool was_asked_last = r && r->ready >= 0 && r->ready <= m->start && r->start_event > m->start_event &&
	                      (best.kind == TW__HELD_BY_NOTHING || r->ready >= best.date);
	waited_for_room &= !was_asked_last;
	go_back(w, m->end, TW__WHY_RUNTIME, about_move(m));
	go_back(w, m->start,
	        m->message                                   ? TW__WHY_NETWORK
	        : m->for_room || m->again || waited_for_room ? TW__WHY_MEMORY
	                                                     : TW__WHY_DATA,
	        about_move(m));
	if (was_asked_last) {
		before_asked(w, m, r);
	} else if (best.kind != TW__HELD_BY_NOTHING) {
		if (waited_for_room)
			go_back(w, best.date, TW__WHY_MEMORY, about_move(m));
		pass_delay(w, best.date, m);
		w->next = best;
		w->waits = m->for_run;
	}
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static void walk(struct walk *w)
{
	w->next = (struct tw__held){.kind = w->items->last == TW_NONE ? TW__HELD_BY_NOTHING : TW__HELD_BY_RELEASE,
	                            .item = w->items->last};
	while (w->next.kind != TW__HELD_BY_NOTHING && w->date > 0) {
		struct tw__held h = w->next;
		w->next.kind = TW__HELD_BY_NOTHING;
		if (tw__held_by_move(&h))
			pass_move(w, &w->items->moves[h.item]);
		else
			pass_run(w, h.item, h.kind);
	}
	const struct tw__past_run nothing = {.task = TW_NONE, .worker = TW_NONE};
	go_back(w, 0, TW__WHY_RUNTIME, about_run(&nothing));
}

static void reverse(struct tw__chain_link *links, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct tw__chain_link link = links[i];
		links[i] = links[n - 1 - i];
		links[n - 1 - i] = link;
	}
}

void tw__explain_chain(struct tw__explanation *e, const struct tw__explained_run *run,
                       const struct tw__past_items *items)
{
	struct walk w = {.e = e, .run = run, .items = items, .date = e->makespan, .event = SIZE_MAX};
	tw__free_times_init(&w.free, run, items, e->makespan);
	walk(&w);
	tw__free_times_finish(&w.free);
	reverse(e->links, e->n_links);
}
