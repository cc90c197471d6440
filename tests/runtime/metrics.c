#include "metrics.h"

#include <string.h>

/* The policy eager, which counts how many times CPU workers ask it for a task. */
static int64_t n_asked;

static const struct tw_policy *eager(void)
{
	int p = 0;
	while (strcmp(tw__policies[p]->name, "eager") != 0)
		p++;
	return tw__policies[p];
}

static tw_task pop_and_count(struct tw_sched *s, void *state, tw_worker worker)
{
	n_asked++;
	return eager()->pop(s, state, worker);
}

static void finish_and_report(struct tw_sched *s, void *state)
{
	(void)state;
	tw_report(s, "asked", (double)n_asked);
}

struct tw_policy counting_eager(void)
{
	struct tw_policy p = *eager();
	p.pop = pop_and_count;
	p.finish = finish_and_report;
	p.flags &= ~(unsigned)TW_POP_ONLY_TAKES; /* a pop in vain is made, too */
	return p;
}

int64_t makespan_ns(const struct world *w, const struct outcome *o)
{
	(void)w;
	return o->counters.makespan;
}
int64_t loads(const struct world *w, const struct outcome *o)
{
	(void)w;
	return o->counters.loads;
}
int64_t evictions(const struct world *w, const struct outcome *o)
{
	(void)w;
	return o->counters.evictions;
}
int64_t completes(const struct world *w, const struct outcome *o)
{
	(void)w;
	return o->ran;
}

/* Of every byte of the record. */
int64_t digest(const struct world *w, const struct outcome *o)
{
	(void)w;
	return (int64_t)o->fingerprint;
}

int64_t questions(const struct world *w, const struct outcome *o)
{
	(void)w;
	for (int i = 0; i < o->counters.n_figures; i++)
		if (strcmp(o->counters.figures[i].name, "asked") == 0)
			return (int64_t)o->counters.figures[i].value;
	return -1;
}

/* The greatest sum, at any date, of what one function gives for the events so far. */
typedef int step(const struct world *, const struct tw__event *);

static int64_t most(const struct world *w, const struct outcome *o, step *one)
{
	int64_t now = 0, top = 0;
	for (size_t e = 0; e < o->n_events; e++) {
		now += one(w, &o->events[e]);
		top = now > top ? now : top;
	}
	return top;
}

static int64_t sum(const struct world *w, const struct outcome *o, step *one)
{
	int64_t all = 0;
	for (size_t e = 0; e < o->n_events; e++)
		all += one(w, &o->events[e]);
	return all;
}

static int submitted(const struct world *w, const struct tw__event *e)
{
	(void)w;
	return (e->kind == TW__SUBMIT) - (e->kind == TW__RELEASE);
}
int64_t most_submitted(const struct world *w, const struct outcome *o) { return most(w, o, submitted); }

/* Worker 0 is an accelerator, if the scene has one. */
static int held_by_first(const struct world *w, const struct tw__event *e)
{
	(void)w;
	return e->worker == 0 ? (e->kind == TW__ASSIGN) - (e->kind == TW__RELEASE) : 0;
}
int64_t most_held(const struct world *w, const struct outcome *o) { return most(w, o, held_by_first); }

/* When the n-th transfer of a cause begins. */
static int64_t nth_start_ns(const struct outcome *o, int cause, int n)
{
	for (size_t e = 0; e < o->n_events; e++)
		if (o->events[e].kind == TW__TRANSFER_START && o->events[e].cause == cause && n-- == 1)
			return o->events[e].date;
	return -1;
}
int64_t third_demand_ns(const struct world *w, const struct outcome *o)
{
	(void)w;
	return nth_start_ns(o, TW__DEMAND, 3);
}
int64_t third_prefetch_ns(const struct world *w, const struct outcome *o)
{
	(void)w;
	return nth_start_ns(o, TW__PREFETCH, 3);
}

static int starts_idle(const struct world *w, const struct tw__event *e)
{
	(void)w;
	return e->kind == TW__TRANSFER_START && e->cause == TW__IDLE;
}
int64_t idle_write_backs(const struct world *w, const struct outcome *o) { return sum(w, o, starts_idle); }

static int starts_prefetch(const struct world *w, const struct tw__event *e)
{
	(void)w;
	return e->kind == TW__TRANSFER_START && e->cause == TW__PREFETCH;
}
int64_t prefetches(const struct world *w, const struct outcome *o) { return sum(w, o, starts_prefetch); }

static int is_write_back(const struct world *w, const struct tw__event *e)
{
	(void)w;
	return e->kind == TW__TRANSFER_START && e->cause == TW__EVICTION;
}
int64_t reclaiming_write_backs(const struct world *w, const struct outcome *o) { return sum(w, o, is_write_back); }

/* The greatest number of transfers in flight at once between the first two accelerators, in both directions. */
static int between_peers(const struct world *w, const struct tw__event *e)
{
	tw_node a = w->platform->workers[0].node, b = w->platform->workers[1].node;
	bool here = (e->from == a && e->node == b) || (e->from == b && e->node == a);
	return here ? (e->kind == TW__TRANSFER_START) - (e->kind == TW__TRANSFER_END) : 0;
}
int64_t most_between_peers(const struct world *w, const struct outcome *o) { return most(w, o, between_peers); }

int64_t first_landing_ns(const struct world *w, const struct outcome *o)
{
	int64_t first = INT64_MAX;
	(void)w;
	for (size_t e = 0; e < o->n_events; e++)
		if (o->events[e].kind == TW__TRANSFER_END && o->events[e].date < first)
			first = o->events[e].date;
	return first;
}

/* Of all tasks, the sum of their workers' ids. */
static int starts_on(const struct world *w, const struct tw__event *e)
{
	(void)w;
	return e->kind == TW__START ? e->worker : 0;
}
int64_t sum_of_ids(const struct world *w, const struct outcome *o) { return sum(w, o, starts_on); }

/* How many tasks the first accelerator takes while the write-back of a victim leaves its memory. */
int64_t taken_during_write_back(const struct world *w, const struct outcome *o)
{
	tw_node node = w->platform->workers[0].node;
	int64_t under_way = 0, taken = 0;
	for (size_t i = 0; i < o->n_events; i++) {
		const struct tw__event *e = &o->events[i];
		if (e->cause == TW__EVICTION && e->from == node)
			under_way += (e->kind == TW__TRANSFER_START) - (e->kind == TW__TRANSFER_END);
		taken += under_way > 0 && (e->kind == TW__ASSIGN || e->kind == TW__RELEASE) && e->worker == 0;
	}
	return taken;
}

static bool reads(const struct tw_graph *g, tw_task t, tw_data d)
{
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (tw__access_data(g->access[a]) == d)
			return true;
	return false;
}

/* How many prefetched copies leave before a task there has used them. */
int64_t prefetches_lost(const struct world *w, const struct outcome *o)
{
	int64_t lost = 0;
	for (size_t i = 0; i < o->n_events; i++) {
		const struct tw__event *load = &o->events[i];
		if (load->kind != TW__TRANSFER_END || load->cause != TW__PREFETCH)
			continue;
		for (size_t j = i + 1; j < o->n_events; j++) {
			const struct tw__event *e = &o->events[j];
			if (e->node != load->node)
				continue;
			if (e->kind == TW__ASSIGN && reads(w->graph, e->task, load->data))
				break;
			if (e->kind == TW__FREE && e->data == load->data) {
				lost++;
				break;
			}
		}
	}
	return lost;
}
