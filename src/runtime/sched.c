/* What policies see of a run, and what they may ask of it: tilewright/sched.h. */
#include <tilewright/sched.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "graph/reduction.h"
#include "runtime/runtime.h"

double tw_now(const struct tw_sched *rt) { return tw__seconds(rt->now); }
const struct tw_graph *tw_sched_graph(const struct tw_sched *rt) { return rt->graph; }
const struct tw_args *tw_eviction_args(const struct tw_sched *rt) { return rt->in->eviction_args; }

const struct tw_args *tw_sched_args(const struct tw_sched *rt) { return rt->in->policy_args; }

tw_worker tw_n_workers(const struct tw_sched *rt) { return rt->platform->n_workers; }
tw_node tw_worker_node(const struct tw_sched *rt, tw_worker w) { return rt->platform->workers[w].node; }
tw_arch tw_worker_arch(const struct tw_sched *rt, tw_worker w) { return rt->platform->workers[w].arch; }
int tw_n_archs(const struct tw_sched *rt) { return rt->platform->n_archs; }

bool tw_worker_is_accelerator(const struct tw_sched *rt, tw_worker w)
{
	return rt->platform->archs[rt->platform->workers[w].arch].accelerator;
}

int tw_worker_cores(const struct tw_sched *rt, tw_worker w) { return rt->platform->workers[w].cores; }

double tw_worker_idle_watts(const struct tw_sched *rt, tw_worker w) { return rt->platform->workers[w].idle_watts; }
double tw_worker_busy_watts(const struct tw_sched *rt, tw_worker w) { return rt->platform->workers[w].busy_watts; }

tw_node tw_n_nodes(const struct tw_sched *rt) { return rt->n_nodes; }
uint64_t tw_node_capacity(const struct tw_sched *rt, tw_node n) { return rt->memory[n].capacity; }
uint64_t tw_node_used(const struct tw_sched *rt, tw_node n) { return rt->memory[n].used; }

int tw_task_n_accesses(const struct tw_sched *rt, tw_task t) { return tw_graph_n_accesses(rt->graph, t); }
struct tw_access tw_task_access(const struct tw_sched *rt, tw_task t, int i)
{
	return tw_graph_access(rt->graph, t, i);
}

double tw_task_length(const struct tw_sched *rt, tw_task t, tw_worker w)
{
	double seconds = tw__task_seconds(rt->in->belief, rt->graph, t, rt->platform->workers[w].arch);
	return isnan(seconds) ? INFINITY : seconds;
}

tw_data tw_first_accumulator(const struct tw_sched *rt) { return tw__graph_own_data(rt->graph); }
tw_data tw_accumulator(const struct tw_sched *rt, tw_data d, tw_worker w)
{
	return tw__graph_accumulator(rt->graph, d, w);
}
uint64_t tw_data_bytes(const struct tw_sched *rt, tw_data d) { return rt->graph->data_bytes[d]; }
bool tw_data_valid(const struct tw_sched *rt, tw_data d, tw_node n) { return is_valid(rt, d, n); }

uint64_t tw_data_valid_nodes(const struct tw_sched *rt, tw_data d, tw_node first)
{
	return nodes_of(rt, d, VALID_ON)[first / 64];
}

bool tw_data_incoming(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return (*copy_flags(rt, d, n) & (COPY_INCOMING | COPY_VALID)) == COPY_INCOMING;
}
bool tw_data_allocated(const struct tw_sched *rt, tw_data d, tw_node n) { return is_allocated(rt, d, n); }

int64_t tw_submission_window(const struct tw_sched *rt) { return rt->params->window; }

bool tw_task_is_submitted(const struct tw_sched *rt, tw_task t) { return t < rt->n_submitted || t >= rt->n_own_tasks; }

/* From the best source, each byte taking `part` of what is predicted. */
static double data_transfer_time(const struct tw_sched *rt, tw_data d, tw_node to, double part)
{
	double bytes = part * (double)rt->graph->data_bytes[d], best = INFINITY;
	for (tw_node from = 0; (from = next_node(rt, d, VALID_ON, from)) >= 0; from++) {
		int way = from * rt->n_nodes + to;
		double time = rt->latency[way] + bytes * rt->inverse_bandwidth[way];
		if (time < best)
			best = time;
	}
	return best;
}

double tw_data_transfer_time(const struct tw_sched *rt, tw_data d, tw_node to)
{
	return data_transfer_time(rt, d, to, 1);
}

double tw_data_transfer_time_slowed(const struct tw_sched *rt, tw_data d, tw_node to, double most_slowdown)
{
	return data_transfer_time(rt, d, to, fmin(1, most_slowdown / rt->transfer_slowdown));
}

void tw_data_transfer_times_slowed(const struct tw_sched *rt, tw_data d, double most_slowdown, double *seconds)
{
	double part = fmin(1, most_slowdown / rt->transfer_slowdown), bytes = part * (double)rt->graph->data_bytes[d];
	for (tw_node to = 0; to < rt->n_nodes; to++)
		seconds[to] = INFINITY;
	for (tw_node from = 0; (from = next_node(rt, d, VALID_ON, from)) >= 0; from++) {
		const double *latency = &rt->latency[from * rt->n_nodes];
		const double *inverse_bandwidth = &rt->inverse_bandwidth[from * rt->n_nodes];
		for (tw_node to = 0; to < rt->n_nodes; to++) {
			double time = latency[to] + bytes * inverse_bandwidth[to];
			seconds[to] = time < seconds[to] ? time : seconds[to];
		}
	}
}

double tw_transfer_time(const struct tw_sched *rt, tw_node from, tw_node to, uint64_t bytes)
{
	int way = from * rt->n_nodes + to;
	return from == to ? 0 : rt->latency[way] + (double)bytes * rt->inverse_bandwidth[way];
}

double tw_task_transfer_time(const struct tw_sched *rt, tw_task t, tw_node to)
{
	const uint8_t *copies = copy_flags(rt, 0, to);
	double sum = 0;
	for (uint32_t a = rt->graph->access_start[t]; a < rt->graph->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(rt->graph->access[a]);
		if ((tw__access_mode(rt->graph->access[a]) & TW_R) && !(copies[d] & (COPY_VALID | COPY_INCOMING)))
			sum += tw_data_transfer_time(rt, d, to);
	}
	return sum;
}

tw_task tw_max_tasks(const struct tw_sched *rt) { return tw__graph_max_tasks(rt->graph); }

bool tw_task_lacks_less(const struct tw_sched *rt, tw_task t, tw_node n, struct tw_lack *least)
{
	const uint8_t *copies = copy_flags(rt, 0, n);
	struct tw_lack lack = {0, 0, 0};
	for (uint32_t a = rt->graph->access_start[t]; a < rt->graph->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(rt->graph->access[a]);
		if ((copies[d] & COPY_VALID) || !(tw__access_mode(rt->graph->access[a]) & TW_RW))
			continue;
		uint64_t bytes = rt->graph->data_bytes[d];
		lack.not_valid += bytes;
		if (lack.not_valid > least->not_valid)
			return false;
		lack.not_loading += copies[d] & COPY_LOADING ? 0 : bytes;
		lack.not_allocated += copies[d] & COPY_ALLOCATED ? 0 : bytes;
	}
	if (lack.not_valid == least->not_valid &&
	    (lack.not_loading > least->not_loading ||
	     (lack.not_loading == least->not_loading && lack.not_allocated >= least->not_allocated)))
		return false;
	*least = lack;
	return true;
}

int tw_copies_changed(const struct tw_sched *rt, tw_node n, uint64_t *seen, tw_data *changed)
{
	const struct memory *m = &rt->memory[n];
	uint64_t first = *seen, count = m->n_flagged - first;
	*seen = m->n_flagged;
	if (count > TW_MOST_CHANGES)
		return TW_NONE;
	for (uint64_t i = 0; i < count; i++)
		changed[i] = m->flagged[(first + i) % TW_MOST_CHANGES];
	return (int)count;
}

double tw_random(struct tw_sched *rt) { return tw__random_uniform(rt->policy_random); }
double tw_random_victim(struct tw_sched *rt) { return tw__random_uniform(rt->eviction_random); }

struct tw_planned_use tw_data_planned_use(struct tw_sched *rt, tw_data d, tw_node n)
{
	return rt->in->policy->planned_use(rt, rt->policy_state, d, n);
}

void tw_abort_run(struct tw_sched *rt, const char *message)
{
	tw__rt_fail(rt, TW_FAILED, "policy '%s' or eviction '%s': %s", rt->in->policy->name, rt->in->eviction->name,
	            message);
}

void tw_report(struct tw_sched *rt, const char *name, double value)
{
	struct tw__run_counters *c = rt->counters;
	int i = 0;
	while (i < c->n_figures && strcmp(c->figures[i].name, name) != 0)
		i++;
	assert(i < TW_MAX_FIGURES + TW__OWN_FIGURES && strlen(name) < sizeof c->figures[i].name);
	if (i == c->n_figures)
		strcpy(c->figures[c->n_figures++].name, name);
	c->figures[i].value = value;
}

void tw_prefetch_data(struct tw_sched *rt, tw_data d, tw_node n) { tw__prefetch(rt, d, n, TW_R, 0, CLASS_PREFETCH); }

void tw_prefetch_task(struct tw_sched *rt, tw_task t, tw_node n)
{
	const struct tw_graph *g = rt->graph;
	bool ready = rt->remaining[t] == 0;
	if (rt->prefetched[t].node == n || rt->remaining[t] == UINT32_MAX)
		return;
	tw__claims_drop(rt, t);
	rt->prefetched[t].node = (int16_t)n;
	rt->prefetched[t].moves++;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		unsigned mode = tw__access_mode(g->access[a]);
		tw_data d = tw__access_data(g->access[a]);
		if (!(mode & TW_R))
			continue;
		/* Others may still need the old value of what a task that is not ready will write. */
		tw__claim(rt, t, d, n, ready ? mode : TW_R);
	}
}

/* --- cancelling ------------------------------------------------------------------------------------------------- */

tw_task tw_running_task(const struct tw_sched *rt, tw_worker worker, double *start)
{
	struct driver *d = &rt->drivers[worker];
	const struct hold *h = tw__driver_running(d);
	if (!h)
		return TW_NONE;
	*start = tw__seconds(tw__latest(h->start, d->last_end));
	return h->task;
}

bool tw_can_cancel(const struct tw_sched *rt) { return rt->ops->caps & TW__ENGINE_CANCELS; }

tw_task tw_cancel(struct tw_sched *rt, tw_worker worker)
{
	struct driver *d = &rt->drivers[worker];
	struct hold *h = tw__driver_running(d);
	if (!h || h != held(d, 0) || !tw_can_cancel(rt) || rt->ops->cancel(rt->engine, (uint64_t)(uintptr_t)h) != TW_OK)
		return TW_NONE;
	tw_task task = h->task;
	rt->n_under_way--;
	tw__task_cancel(d, h);
	tw__driver_drop(d);
	if (rt->params->eviction_waits && d->accelerator)
		tw__memory_changed(rt, d->node);
	return task;
}

/* --- waking ----------------------------------------------------------------------------------------------------- */

static bool longer_idle(const struct driver *a, const struct driver *b)
{
	if (a->accelerator != b->accelerator)
		return a->accelerator;
	return a->idle_since < b->idle_since;
}

/* Of 64 workers, those that can run the task. */
static uint64_t able(const struct tw_sched *rt, tw_task task, int word)
{
	uint64_t who = 0;
	for (tw_arch a = 0; a < rt->platform->n_archs; a++)
		if (tw__task_can_run(rt->in->belief, rt->graph, task, a))
			who |= rt->of_arch[a].words[word];
	return who;
}

/* Up to and including the first worker, in the profile's order, that sleeps and has not been told already. */
void tw_wake_first_idle(struct tw_sched *rt, tw_task task)
{
	struct driver *first = NULL;
	for (int word = 0; word < rt->idle.n_words; word++) {
		uint64_t who = rt->idle.words[word];
		if (!who || !(who &= able(rt, task, word)))
			continue;
		uint64_t untold = who & ~rt->notified.words[word];
		if (rt->order != ORDER_IDLE_TIME) {
			if (untold)
				who &= untold ^ (untold - 1); /* up to its first */
			rt->notified.words[word] |= who;
			tw__rt_signal_workers(rt, word, who);
			if (untold)
				return;
		}
		for (; untold; untold &= untold - 1) {
			struct driver *d = &rt->drivers[64 * word + __builtin_ctzll(untold)];
			if (!first || longer_idle(d, first))
				first = d;
		}
	}
	if (first) {
		tw_id_set_put(&rt->notified, first->worker, true);
		tw__rt_signal(first);
	}
}

void tw_wake(struct tw_sched *rt, tw_worker worker)
{
	tw_worker n = rt->platform->n_workers;
	if (worker >= 0 && worker < n)
		tw__rt_signal(&rt->drivers[worker]);
	for (tw_worker w = 0; worker == TW_ALL && w < n; w += 64)
		tw__rt_signal_workers(rt, w / 64, n - w < 64 ? ((uint64_t)1 << (n - w)) - 1 : UINT64_MAX);
}

void tw_wake_set(struct tw_sched *rt, const struct tw_id_set *who)
{
	tw_worker n = rt->platform->n_workers;
	for (int32_t word = 0; word < who->n_words && 64 * word < n; word++) {
		uint64_t workers = who->words[word];
		if (n - 64 * word < 64)
			workers &= (UINT64_C(1) << (n - 64 * word)) - 1;
		if (workers)
			tw__rt_signal_workers(rt, word, workers);
	}
}
