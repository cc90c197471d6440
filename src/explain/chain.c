/* The chain of kernels and transfers that the makespan hangs on. It is found from its end: each kernel and transfer is
 * followed by the one that it waited for last. The time in between is a wait. A kernel's time has the cause for which
 * the next link of the chain needs the kernel. */
#include <math.h>
#include <stdlib.h>

#include "explain/past_items.h"
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
	struct free_time {
		tw__ns start, end;
	} * times;     /* in which workers had no task */
	size_t *first; /* [workers + 1] worker w has the times from first[w] on, and before first[w + 1] */
};

/* --- where else a task could have run ----------------------------------------------------------------------------- */

/* A worker counts as free when it has had no task for the run's patience. It is free for a task if it then stays
 * without one for as long as the task would take there. This includes transfers from main memory of all handles that
 * the task reads. So a task on a free worker would have delayed no other. */

/* The time for which a worker had a task: from its assignment until its thread had handled the end. */
struct busy {
	tw_worker worker;
	tw__ns start, end;
};

static int compare(const void *x, const void *y)
{
	const struct busy *a = x, *b = y;
	if (a->worker != b->worker)
		return a->worker < b->worker ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static struct busy busy_time(const struct tw__past_run *r, tw__ns makespan)
{
	tw__ns assign = r->assign >= 0 ? tw__earliest(r->assign, r->start) : r->start;
	tw__ns end = r->release >= 0 ? r->release : r->end >= 0 ? r->end : makespan;
	return (struct busy){r->worker, assign, tw__latest(end, assign)};
}

/* Lists the times in which workers had no task. */
static void list_free_times(struct walk *w)
{
	size_t n_runs = (size_t)w->items->n_runs, n_workers = (size_t)w->run->platform->n_workers, n = 0, i = 0;
	tw__ns makespan = w->e->makespan;
	struct busy *busy = tw_alloc(n_runs, sizeof *busy);
	w->times = tw_alloc(n_runs + n_workers, sizeof *w->times);
	w->first = tw_alloc(n_workers + 1, sizeof *w->first);
	for (size_t r = 0; r < n_runs; r++)
		busy[r] = busy_time(&w->items->runs[r], makespan);
	qsort(busy, n_runs, sizeof *busy, compare);
	for (size_t worker = 0; worker < n_workers; worker++) {
		tw__ns free_from = 0;
		w->first[worker] = n;
		for (; i < n_runs && busy[i].worker == (tw_worker)worker; i++) {
			if (busy[i].start > free_from)
				w->times[n++] = (struct free_time){free_from, busy[i].start};
			free_from = tw__latest(free_from, busy[i].end);
		}
		if (free_from < makespan)
			w->times[n++] = (struct free_time){free_from, makespan};
	}
	w->first[n_workers] = n;
	free(busy);
}

/* The first date in [from, until) at which the worker is free for a task of that length; TW__NEVER: none. */
static tw__ns first_free(const struct walk *w, tw_worker worker, tw__ns from, tw__ns until, tw__ns length)
{
	size_t low = w->first[worker], high = w->first[worker + 1];
	while (low < high) { /* the first gap that ends after `from` */
		size_t middle = low + (high - low) / 2;
		if (w->times[middle].end <= from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < w->first[worker + 1] && w->times[low].start < until; low++) {
		tw__ns date = tw__latest(from, tw__later(w->times[low].start, w->run->patience));
		if (date < until && tw__later(date, length) <= w->times[low].end)
			return date;
	}
	return TW__NEVER;
}

/* How long the handles that the task reads take from main memory, one after the other. */
static double transfer_seconds(const struct tw__explained_run *run, const struct tw_graph *g, tw_task t, tw_node to)
{
	double seconds = 0;
	const struct tw__route *route = tw__route_of(run->platform, TW_RAM, to);
	if (to == TW_RAM || route->n_links == 0)
		return 0;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (tw__access_mode(g->access[a]) & TW_R)
			seconds += route->latency +
			           (double)g->data_bytes[tw__access_data(g->access[a])] / route->bandwidth;
	return seconds;
}

/* How long the run's task would take on another worker, if times there deviate from the model as its own did;
 * TW__NEVER: it cannot run there. */
static tw__ns length_on(const struct walk *w, const struct tw__past_run *r, tw_worker worker)
{
	const struct tw__explained_run *run = w->run;
	const struct tw__worker *other = &run->platform->workers[worker];
	if (worker == r->worker || r->task >= run->graph->n_tasks) /* nothing is known about tasks of reductions */
		return TW__NEVER;
	if (!tw__task_can_run(run->times, run->graph, r->task, other->arch))
		return TW__NEVER;
	double seconds = tw__task_run_seconds(run->times, run->graph, r->task, other->arch);
	double own = tw__task_run_seconds(run->times, run->graph, r->task, run->platform->workers[r->worker].arch);
	if (own > 0 && isfinite(own)) /* NAN or INFINITY: a damaged trace, where the task could not run */
		seconds *= tw__seconds(r->end - r->start) / own;
	if (other->node != run->platform->workers[r->worker].node)
		seconds += transfer_seconds(run, run->graph, r->task, other->node);
	return tw__ns_of(seconds);
}

/* The first date from `from` on at which another worker that is no slower was free for the run's task; at most
 * `until`. */
static tw__ns free_elsewhere(const struct walk *w, const struct tw__past_run *r, tw__ns from, tw__ns until)
{
	for (tw_worker other = 0; other < w->run->platform->n_workers && from < until; other++) {
		tw__ns length = length_on(w, r, other);
		if (length <= r->end - r->start)
			until = tw__earliest(until, first_free(w, other, from, until, length));
	}
	return tw__latest(from, until);
}

/* By how much earlier the kernel would have ended on a faster worker that became free before its end; at least 0. */
static tw__ns gain_elsewhere(const struct walk *w, const struct tw__past_run *r)
{
	tw__ns best = r->end;
	for (tw_worker other = 0; other < w->run->platform->n_workers; other++) {
		tw__ns length = length_on(w, r, other);
		if (length >= r->end - r->start)
			continue;
		tw__ns date = first_free(w, other, r->start, best - length, length);
		if (date != TW__NEVER)
			best = date + length;
	}
	return tw__latest(0, r->end - best);
}

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
static void consider(const struct walk *w, struct tw__held *best, const struct tw__held *h, tw__ns until)
{
	if (is_before(w, h) && h->date <= until && (best->kind == TW__HELD_BY_NOTHING || h->date > best->date))
		*best = *h;
}

/* Goes back from when the task became ready to what made it so: a release, a submission, or a cancellation. */
static void before_ready(struct walk *w, const struct tw__past_run *r)
{
	const struct tw__held *pushed = &r->pushed;
	tw__ns date = pushed->kind == TW__HELD_BY_NOTHING ? 0 : pushed->date;
	if (pushed->kind != TW__HELD_BY_CANCEL && r->submit > date) {
		go_back(w, r->submit, TW__WHY_RUNTIME, about_run(r));
		go_back(w, date, TW__WHY_SUBMISSION, about_run(r));
	}
	go_back(w, date, TW__WHY_RUNTIME, about_run(r));
	if (is_before(w, pushed))
		w->next = *pushed;
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
 * for this worker while another one was free: that part comes next. */
static void pass_kernel(struct walk *w, const struct tw__past_run *r, enum tw__held_kind needed_as)
{
	tw__ns from = tw__latest(0, tw__earliest(w->date, r->start)), end = w->date;
	if (r->cancelled) {
		compute(w, from, TW__WHY_CANCELLED, r);
		return;
	}
	if (r->end == end) /* else part of the kernel is not in the chain */
		compute(w, end - gain_elsewhere(w, r), TW__WHY_SLOW, r);
	if (needed_as == TW__HELD_BY_WORKER) {
		const struct tw__past_run *waits = &w->items->runs[w->waits];
		tw__ns ready = tw__latest(from, waits->ready);
		compute(w, free_elsewhere(w, waits, ready, w->date), TW__WHY_POLICY, r);
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
	consider(w, &best, &r->data, w->date);
	consider(w, &best, &r->room, w->date);
	consider(w, &best, &r->worker_free, w->date);
	consider(w, &best, &r->slot, w->date);
	if (r->admitted.date > r->assign)
		consider(w, &best, &r->admitted, w->date);
	bool was_ready_last = best.kind == TW__HELD_BY_NOTHING || r->ready >= best.date;
	tw__ns since = was_ready_last ? r->ready : best.date;
	if (best.kind == TW__HELD_BY_USE || best.kind == TW__HELD_BY_WRITE_BACK) {
		go_back(w, since, was_ready_last ? TW__WHY_RUNTIME : TW__WHY_MEMORY, about_run(r));
	} else {
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
	consider(w, &best, &m->source, start);
	consider(w, &best, &m->room, start);
	if (r && r->assign >= 0 && r->assign <= m->start) /* no worker had asked for it before */
		consider(w, &best, &r->slot, start);
	tw_node final = r ? w->run->platform->workers[r->worker].node : m->to;
	for (int n = tw__past_in_channels(w->items, m, final, start, channels), i = 0; i < n; i++)
		consider(w, &best, &channels[i], start);
	if (r && r->assign >= 0 && r->assign < m->start)
		consider(w, &best, &m->admitted, start);
	bool waited_for_room = best.kind == TW__HELD_BY_USE || best.kind == TW__HELD_BY_WRITE_BACK;
	bool was_asked_last = r && r->ready >= 0 && r->ready <= m->start && r->start_event > m->start_event &&
	                      (best.kind == TW__HELD_BY_NOTHING || r->ready >= best.date);
	waited_for_room &= !was_asked_last;
	go_back(w, m->end, TW__WHY_RUNTIME, about_move(m));
	go_back(w, m->start, m->for_room || m->again || waited_for_room ? TW__WHY_MEMORY : TW__WHY_DATA, about_move(m));
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
	list_free_times(&w);
	walk(&w);
	free(w.times);
	free(w.first);
	reverse(e->links, e->n_links);
}
