/* The functions of tilewright/sched.h by which policies query a run. They do not change the run. */
#include <math.h>
#include <string.h>

#include <tilewright/sched.h>

#include "graph/reduction.h"
#include "runtime/room/room.h"
#include "runtime/state/copies.h"
#include "runtime/state/domain.h"
#include "runtime/state/threads.h"
#include "runtime/state/wrong.h"

double tw_now(const struct tw_sched *s) { return tw__seconds(s->rt->now); }
const struct tw_graph *tw_sched_graph(const struct tw_sched *s) { return s->rt->graph; }
const struct tw_args *tw_eviction_args(const struct tw_sched *s) { return s->rt->in->eviction_args; }

const struct tw_args *tw_sched_args(const struct tw_sched *s) { return s->domain->args; }

void *tw_sched_context(const struct tw_sched *s) { return s->domain->context; }

tw_worker tw_n_workers(const struct tw_sched *s) { return s->n_workers; }
tw_node tw_worker_node(const struct tw_sched *s, tw_worker w)
{
	return WRONG_WORKER(s, w) ? TW_RAM : s->worker[w].node;
}
tw_arch tw_worker_arch(const struct tw_sched *s, tw_worker w) { return WRONG_WORKER(s, w) ? 0 : s->worker[w].arch; }
int tw_worker_socket(const struct tw_sched *s, tw_worker w) { return WRONG_WORKER(s, w) ? 0 : s->worker[w].socket; }

int tw_n_archs(const struct tw_sched *s) { return s->rt->platform->n_archs; }

bool tw_worker_is_accelerator(const struct tw_sched *s, tw_worker w)
{
	return !WRONG_WORKER(s, w) && s->rt->platform->archs[s->worker[w].arch].accelerator;
}

int tw_worker_cores(const struct tw_sched *s, tw_worker w) { return WRONG_WORKER(s, w) ? 1 : s->worker[w].cores; }

double tw_worker_idle_watts(const struct tw_sched *s, tw_worker w)
{
	return WRONG_WORKER(s, w) ? NAN : s->worker[w].idle_watts;
}
double tw_worker_busy_watts(const struct tw_sched *s, tw_worker w)
{
	return WRONG_WORKER(s, w) ? NAN : s->worker[w].busy_watts;
}

tw_node tw_n_nodes(const struct tw_sched *s) { return s->rt->n_nodes; }
uint64_t tw_node_capacity(const struct tw_sched *s, tw_node n) { return WRONG_NODE(s, n) ? 0 : s->rt->capacity[n]; }
uint64_t tw_node_used(const struct tw_sched *s, tw_node n) { return WRONG_NODE(s, n) ? 0 : s->rt->pressure[n].used; }

bool tw_node_holds_all(const struct tw_sched *s, tw_node n)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_NODE(s, n))
		return false;
	if (!is_bounded(rt, n))
		return true;
	uint64_t left = rt->capacity[n], offset;
	/* refuses as soon as too few bytes are left, because the sum may be huge */
	for (tw_data d = 0; d < rt->graph->n_data; d++) {
		if (room_bytes(rt, d, n) > left)
			return false;
		left -= room_bytes(rt, d, n);
	}
	struct tw__room room;
	int allocations;
	uint64_t chunk = tw__run_chunk_bytes(rt->platform, rt->params, n);
	bool all = true;
	tw__room_init(&room, rt->capacity[n], chunk, rt->params->chunk_data_bytes);
	for (tw_data d = 0; all && d < rt->graph->n_data; d++)
		all = tw__room_take(&room, room_bytes(rt, d, n), &offset, &allocations) == TW_OK;
	tw__room_finish(&room);
	return all;
}

int tw_task_n_accesses(const struct tw_sched *s, tw_task t)
{
	const struct tw__rt *rt = s->rt;
	const uint32_t *start = rt->graph->access_start;
	return WRONG_TASK(s, t) ? 0 : (int)(start[t + 1] - start[t]);
}

struct tw_access tw_task_access(const struct tw_sched *s, tw_task t, int i)
{
	const struct tw__rt *rt = s->rt;
	const uint32_t *start = rt->graph->access_start;
	if (WRONG_TASK(s, t) || is_wrong(s, __func__, "access", i, (int32_t)(start[t + 1] - start[t])))
		return (struct tw_access){TW_NONE, TW_R};
	tw__access a = rt->graph->access[start[t] + (uint32_t)i];
	return (struct tw_access){tw__access_data(a), tw__access_mode(a)};
}

double tw_task_length(const struct tw_sched *s, tw_task t, tw_worker w)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_TASK(s, t) || WRONG_WORKER(s, w))
		return INFINITY;
	double seconds = tw__task_seconds(rt->in->belief, rt->graph, t, s->worker[w].arch);
	return isnan(seconds) ? INFINITY : seconds;
}

/* Whether the task is not inside a recursive one, or inside one that is split. */
static bool is_needed(const struct tw__rt *rt, tw_task t)
{
	const tw_task around = tw_graph_around(rt->graph, t);
	return around == TW_NONE || rt->inside_left[around] > 0;
}

/* Whether the task sends or receives a message, so that no worker runs it. */
static bool is_message(const struct tw__rt *rt, tw_task t)
{
	return rt->in->rank && t < rt->in->rank->n_tasks && rt->in->rank->message_of[t] != TW_NONE;
}

bool tw_task_is_mine(const struct tw_sched *s, tw_task t)
{
	if (WRONG_TASK(s, t))
		return false;
	if ((s->rt->inside_left && !is_needed(s->rt, t)) || is_message(s->rt, t))
		return false;
	if (!s->child && s->rt->in->n_domains == 1)
		return true;
	return s->child ? tw__children_is_its(s, t) : s == tw__domain_of(s->rt, t) || s == s->rt->root;
}

int tw_task_class(const struct tw_sched *s, tw_task t)
{
	return WRONG_TASK(s, t) ? 0 : tw__class_of(&s->rt->classes, s->rt->graph, t);
}
int tw_n_task_classes(const struct tw_sched *s) { return s->rt->classes.n; }

int32_t tw_task_priority(const struct tw_sched *s, tw_task t)
{
	if (WRONG_TASK(s, t))
		return 0;
	/* with children, the task's policy may be one above or below the caller */
	return s->rt->newest_child ? tw__priority_for(s->rt, s->policy->flags, t) : tw__domain_priority(s->rt, t);
}

tw_data tw_first_accumulator(const struct tw_sched *s) { return tw__graph_own_data(s->rt->graph); }
tw_data tw_accumulator(const struct tw_sched *s, tw_data d, tw_worker w)
{
	const struct tw__rt *rt = s->rt;
	bool reduced = !WRONG_DATA(s, d) && !WRONG_WORKER(s, w) && tw__data_use(rt->graph, d) == TW__USE_REDUX;
	return reduced ? tw__graph_accumulator(rt->graph, d, s->global[w]) : TW_NONE;
}
tw_data tw_accumulated(const struct tw_sched *s, tw_data d)
{
	tw_data of;
	tw_worker unused;
	if (WRONG_DATA(s, d))
		return TW_NONE;
	return tw__graph_is_accumulator(s->rt->graph, d, &of, &unused) ? of : d;
}
uint64_t tw_data_bytes(const struct tw_sched *s, tw_data d)
{
	return WRONG_DATA(s, d) ? 0 : s->rt->graph->data_bytes[d];
}
bool tw_data_valid(const struct tw_sched *s, tw_data d, tw_node n)
{
	return !WRONG_DATA(s, d) && !WRONG_NODE(s, n) && is_valid(s->rt, d, n);
}

uint64_t tw_data_valid_nodes(const struct tw_sched *s, tw_data d, tw_node first)
{
	return WRONG_DATA(s, d) || WRONG_NODE(s, first) ? 0 : nodes_of(s->rt, d, VALID_ON)[first / 64];
}

bool tw_data_incoming(const struct tw_sched *s, tw_data d, tw_node n)
{
	const struct tw__rt *rt = s->rt;
	return !WRONG_DATA(s, d) && !WRONG_NODE(s, n) &&
	       (*copy_flags(rt, d, n) & (COPY_INCOMING | COPY_VALID)) == COPY_INCOMING;
}
bool tw_data_allocated(const struct tw_sched *s, tw_data d, tw_node n)
{
	return !WRONG_DATA(s, d) && !WRONG_NODE(s, n) && is_allocated(s->rt, d, n);
}

int64_t tw_submission_window(const struct tw_sched *s) { return s->rt->params->window; }

bool tw_task_is_submitted(const struct tw_sched *s, tw_task t)
{
	return !WRONG_TASK(s, t) && (t >= s->rt->n_own_tasks || t < submitter_of(s->rt, t)->next);
}

/* Returns the predicted seconds of a transfer from the fastest source. `part` scales the predicted time per byte. */
static double data_transfer_time(const struct tw__rt *rt, tw_data d, tw_node to, double part)
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

double tw_data_transfer_time(const struct tw_sched *s, tw_data d, tw_node to)
{
	return WRONG_DATA(s, d) || WRONG_NODE(s, to) ? INFINITY : data_transfer_time(s->rt, d, to, 1);
}

double tw_data_transfer_time_slowed(const struct tw_sched *s, tw_data d, tw_node to, double most_slowdown)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_DATA(s, d) || WRONG_NODE(s, to))
		return INFINITY;
	return data_transfer_time(rt, d, to, fmin(1, most_slowdown / rt->transfer_slowdown));
}

/* Fills seconds[] with data_transfer_time() of the n nodes from `first` on. */
static void data_transfer_times(const struct tw__rt *rt, tw_data d, tw_node first, tw_node n, double part,
                                double *seconds)
{
	double bytes = part * (double)rt->graph->data_bytes[d];
	for (tw_node i = 0; i < n; i++)
		seconds[i] = INFINITY;
	for (tw_node from = 0; (from = next_node(rt, d, VALID_ON, from)) >= 0; from++) {
		const double *latency = &rt->latency[from * rt->n_nodes + first];
		const double *inverse_bandwidth = &rt->inverse_bandwidth[from * rt->n_nodes + first];
		for (tw_node i = 0; i < n; i++) {
			double time = latency[i] + bytes * inverse_bandwidth[i];
			seconds[i] = time < seconds[i] ? time : seconds[i];
		}
	}
}

void tw_data_transfer_times_slowed(const struct tw_sched *s, tw_data d, double most_slowdown, double *seconds)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_DATA(s, d))
		for (tw_node to = 0; to < rt->n_nodes; to++)
			seconds[to] = INFINITY;
	else
		data_transfer_times(rt, d, 0, rt->n_nodes, fmin(1, most_slowdown / rt->transfer_slowdown), seconds);
}

double tw_transfer_time(const struct tw_sched *s, tw_node from, tw_node to, uint64_t bytes)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_NODE(s, from) || WRONG_NODE(s, to))
		return INFINITY;
	int way = from * rt->n_nodes + to;
	return from == to ? 0 : rt->latency[way] + (double)bytes * rt->inverse_bandwidth[way];
}

static bool is_there(const struct tw__rt *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & (COPY_VALID | COPY_INCOMING);
}

double tw_task_transfer_time(const struct tw_sched *s, tw_task t, tw_node to)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_TASK(s, t) || WRONG_NODE(s, to))
		return INFINITY;
	double sum = 0;
	for (uint32_t a = rt->graph->access_start[t]; a < rt->graph->access_start[t + 1]; a++) {
		tw_data d = tw__access_data(rt->graph->access[a]);
		if ((tw__access_mode(rt->graph->access[a]) & TW_R) && !is_there(rt, d, to))
			sum += data_transfer_time(rt, d, to, 1);
	}
	return sum;
}

void tw_task_transfer_times(const struct tw_sched *s, tw_task t, double *seconds)
{
	const struct tw__rt *rt = s->rt;
	bool wrong = WRONG_TASK(s, t);
	double of_handle[64];
	for (tw_node to = 0; to < rt->n_nodes; to++)
		seconds[to] = wrong ? INFINITY : 0;
	for (tw_node first = 0; first < rt->n_nodes && !wrong; first += 64) {
		tw_node n = rt->n_nodes - first < 64 ? rt->n_nodes - first : 64;
		uint64_t all = UINT64_MAX >> (64 - n);
		for (uint32_t a = rt->graph->access_start[t]; a < rt->graph->access_start[t + 1]; a++) {
			tw_data d = tw__access_data(rt->graph->access[a]);
			uint64_t valid = nodes_of(rt, d, VALID_ON)[first / 64];
			if (!(tw__access_mode(rt->graph->access[a]) & TW_R) || valid == all)
				continue;
			data_transfer_times(rt, d, first, n, 1, of_handle);
			for (tw_node i = 0; i < n; i++)
				seconds[first + i] += is_there(rt, d, first + i) ? 0 : of_handle[i];
		}
	}
}

tw_task tw_max_tasks(const struct tw_sched *s) { return tw__graph_max_tasks(s->rt->graph); }

bool tw_task_lacks_less(const struct tw_sched *s, tw_task t, tw_node n, struct tw_lack *least)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_TASK(s, t) || WRONG_NODE(s, n))
		return false;
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

int tw_copies_changed(const struct tw_sched *s, tw_node n, uint64_t *seen, tw_data *changed)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_NODE(s, n))
		return TW_NONE;
	const struct flag_changes *changes = &rt->flag_changes[n];
	uint64_t first = *seen, count = changes->n - first;
	*seen = changes->n;
	if (count > TW_MOST_CHANGES)
		return TW_NONE;
	for (uint64_t i = 0; i < count; i++)
		changed[i] = changes->data[(first + i) % TW_MOST_CHANGES];
	return (int)count;
}
