/* The chain of kernels and transfers that the makespan hangs on. It is found from its end: each kernel and transfer is
 * followed by the one that it waited for last. The time in between is a wait. */
#include <math.h>
#include <stdlib.h>

#include "explain/past.h"

struct walk {
	struct tw__explanation *e;
	const struct tw__explained_run *run;
	const struct tw__past_items *items;
	size_t capacity;
	tw__ns date;          /* all later time is in the chain */
	size_t event;         /* start of the last kernel or transfer; the next one must have started before */
	struct tw__held next; /* where the chain goes on */
	bool out_of_memory;
};

/* --- links of the chain ------------------------------------------------------------------------------------------- */

/* Adds the time from `date` to the start of the chain. `link`: what the time is about. */
static void go_back(struct walk *w, tw__ns date, enum tw__why why, struct tw__chain_link link)
{
	struct tw__explanation *e = w->e;
	date = tw__latest(date, 0);
	if (date >= w->date)
		return;
	if (e->n_links == w->capacity) {
		w->capacity = w->capacity ? 2 * w->capacity : 256;
		void *grown = realloc(e->links, w->capacity * sizeof *e->links);
		w->out_of_memory |= !grown;
		if (!grown)
			return;
		e->links = grown;
	}
	link.why = why;
	link.start = date;
	link.end = w->date;
	e->links[e->n_links++] = link;
	e->chain[why] += w->date - date;
	w->date = date;
}

static struct tw__chain_link about_task(const struct walk *w, tw_task t)
{
	return (struct tw__chain_link){.task = t,
	                               .worker = t == TW_NONE ? TW_NONE : w->items->tasks[t].worker,
	                               .data = TW_NONE,
	                               .from = TW_NONE,
	                               .to = TW_NONE};
}

static struct tw__chain_link about_move(const struct tw__past_move *m)
{
	return (struct tw__chain_link){
		.task = TW_NONE, .worker = TW_NONE, .data = m->data, .from = m->from, .to = m->to};
}

/* A worker was free and the task was ready since `date`, but the worker got it only at w->date. */
static void wait_for_policy(struct walk *w, tw__ns date, tw_task t)
{
	tw__ns runtime_until = tw__later(date, w->run->patience);
	go_back(w, tw__latest(date, runtime_until), TW__WHY_POLICY, about_task(w, t));
	go_back(w, date, TW__WHY_RUNTIME, about_task(w, t));
}

/* --- what came before --------------------------------------------------------------------------------------------- */

static size_t start_event_of(const struct walk *w, const struct tw__held *h)
{
	bool is_task = h->kind == TW__HELD_BY_TASK || h->kind == TW__HELD_BY_RELEASE || h->by_task;
	return is_task ? w->items->tasks[h->item].start_event : w->items->moves[h->item].start_event;
}

/* Takes the candidate if it is later than the best one so far; so earlier calls win ties. A kernel or transfer must
 * have started before the present one, so that the chain has an end. */
static void consider(const struct walk *w, struct tw__held *best, const struct tw__held *h)
{
	if (h->kind == TW__HELD_BY_NOTHING || h->date > w->date || start_event_of(w, h) >= w->event)
		return;
	if (best->kind == TW__HELD_BY_NOTHING || h->date > best->date)
		*best = *h;
}

/* Goes back from when the task became ready to the release, or the submission, that made it so. */
static void before_ready(struct walk *w, tw_task t)
{
	const struct tw__past_run *past = &w->items->tasks[t];
	tw_task releaser = past->releaser;
	tw__ns released = releaser == TW_NONE ? 0 : tw__latest(w->items->tasks[releaser].release, 0);
	if (releaser != TW_NONE && w->items->tasks[releaser].start_event >= w->event)
		releaser = TW_NONE;
	if (past->submit > released) {
		go_back(w, past->submit, TW__WHY_RUNTIME, about_task(w, t));
		go_back(w, released, TW__WHY_SUBMISSION, about_task(w, t));
	}
	go_back(w, released, TW__WHY_RUNTIME, about_task(w, t));
	w->next = (struct tw__held){.kind = releaser == TW_NONE ? TW__HELD_BY_NOTHING : TW__HELD_BY_RELEASE,
	                            .item = releaser};
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* How much longer the kernel took than on the fastest arch. */
static tw__ns excess(const struct walk *w, tw_task t, tw__ns took)
{
	const struct tw__explained_run *run = w->run;
	double best = INFINITY, own;
	if (t >= run->graph->n_tasks)
		return 0;
	tw_arch arch = run->platform->workers[w->items->tasks[t].worker].arch;
	for (tw_arch a = 0; a < run->times->n_archs; a++)
		if (tw__has_worker(run->platform, a) && tw__task_can_run(run->times, run->graph, t, a))
			best = fmin(best, tw__task_run_seconds(run->times, run->graph, t, a));
	own = tw__task_run_seconds(run->times, run->graph, t, arch);
	return own > best ? (tw__ns)((double)took * (1 - best / own)) : 0;
}

static void pass_kernel(struct walk *w, tw_task t, bool waited_for_worker)
{
	const struct tw__past_run *past = &w->items->tasks[t];
	tw__ns took = w->date - tw__earliest(w->date, past->start);
	enum tw__why why = waited_for_worker || past->releaser == TW_NONE ? TW__WHY_BUSY : TW__WHY_DEPENDENCIES;
	go_back(w, w->date - (took - excess(w, t, took)), why, about_task(w, t));
	go_back(w, past->start, TW__WHY_SLOW, about_task(w, t));
}

/* The chain reaches a task: at the end of its kernel, or at its release. */
static void pass_task(struct walk *w, tw_task t, bool at_release)
{
	const struct tw__past_run *past = &w->items->tasks[t];
	struct tw__held best = {.kind = TW__HELD_BY_NOTHING};
	if (at_release)
		go_back(w, past->release, TW__WHY_RUNTIME, about_task(w, t));
	go_back(w, past->end, TW__WHY_RUNTIME, about_task(w, t));
	w->event = past->start_event;
	tw__ns end = w->date;
	w->date = tw__earliest(w->date, past->start); /* for consider() */
	consider(w, &best, &past->data);
	consider(w, &best, &past->room);
	consider(w, &best, &past->worker_free);
	w->date = end;
	bool was_ready_last = best.kind == TW__HELD_BY_NOTHING || past->ready >= best.date;
	pass_kernel(w, t, !was_ready_last && best.kind == TW__HELD_BY_TASK);
	tw__ns since = was_ready_last ? past->ready : best.date;
	if (!was_ready_last && best.kind == TW__HELD_BY_ROOM) {
		go_back(w, since, TW__WHY_MEMORY, about_task(w, t));
	} else {
		go_back(w, tw__latest(since, past->assign), TW__WHY_RUNTIME, about_task(w, t));
		wait_for_policy(w, since, t);
	}
	w->next = best;
	if (was_ready_last)
		before_ready(w, t);
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

static void pass_move(struct walk *w, const struct tw__past_move *m)
{
	struct tw__held best = {.kind = TW__HELD_BY_NOTHING};
	tw_task t = m->for_task;
	const struct tw__past_run *past = t == TW_NONE ? NULL : &w->items->tasks[t];
	enum tw__why why = m->for_room || m->again ? TW__WHY_MEMORY : TW__WHY_DATA;
	go_back(w, m->end, TW__WHY_RUNTIME, about_move(m));
	go_back(w, m->start, why, about_move(m));
	w->event = m->start_event;
	consider(w, &best, &m->source);
	consider(w, &best, &m->room);
	if (past && past->assign >= 0 && past->assign <= m->start) /* no worker had asked for it before */
		consider(w, &best, &past->worker_free);
	consider(w, &best, &m->channel);
	bool was_asked_last = past && past->ready >= 0 && past->ready <= m->start &&
	                      past->start_event > m->start_event &&
	                      (best.kind == TW__HELD_BY_NOTHING || past->ready >= best.date);
	if (was_asked_last) {
		go_back(w, tw__latest(past->ready, tw__earliest(past->assign, m->start)), TW__WHY_RUNTIME,
		        about_move(m));
		wait_for_policy(w, past->ready, t);
		before_ready(w, t);
		return;
	}
	if (best.kind != TW__HELD_BY_NOTHING)
		go_back(w, best.date, best.kind == TW__HELD_BY_ROOM ? TW__WHY_MEMORY : TW__WHY_RUNTIME, about_move(m));
	w->next = best;
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static void walk(struct walk *w)
{
	w->next = (struct tw__held){.kind = w->items->last == TW_NONE ? TW__HELD_BY_NOTHING : TW__HELD_BY_RELEASE,
	                            .item = w->items->last};
	while (w->next.kind != TW__HELD_BY_NOTHING && w->date > 0 && !w->out_of_memory) {
		struct tw__held h = w->next;
		w->next.kind = TW__HELD_BY_NOTHING;
		if (h.kind == TW__HELD_BY_TASK || h.kind == TW__HELD_BY_RELEASE || h.by_task)
			pass_task(w, h.item, h.kind != TW__HELD_BY_TASK);
		else
			pass_move(w, &w->items->moves[h.item]);
	}
	go_back(w, 0, TW__WHY_RUNTIME, about_task(w, TW_NONE));
}

static void reverse(struct tw__chain_link *links, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct tw__chain_link link = links[i];
		links[i] = links[n - 1 - i];
		links[n - 1 - i] = link;
	}
}

int tw__explain_chain(struct tw__explanation *e, const struct tw__explained_run *run,
                      const struct tw__past_items *items, struct tw_error *err)
{
	struct walk w = {.e = e, .run = run, .items = items, .date = e->makespan, .event = SIZE_MAX};
	walk(&w);
	reverse(e->links, e->n_links);
	return w.out_of_memory ? tw_fail(err, TW_NOMEM, "explain: out of memory") : TW_OK;
}
