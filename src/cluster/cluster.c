#include "cluster/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cluster/member.h"
#include "graph/reduction.h"
#include "platform/cluster.h"
#include "trace/record.h"

#define FROM(array, first) ((array) = (array) ? (array) + (first) : NULL)

/* Task times of the whole graph, for a node's: tasks have other numbers there, and so have archs if nodes differ. The
 * rows of kernels remain as long as they are: n_archs. */
static struct tw__times times_of(const struct tw__cluster *c, const struct tw__member *m, const struct tw__times *whole)
{
	struct tw__times t = *whole;
	const tw_arch first = c->in->platform->workers[*m->workers].arch - m->platform->workers->arch;
	FROM(t.mean, first);
	FROM(t.stddev, first);
	FROM(t.instead, first);
	FROM(t.recorded, first);
	FROM(t.draws, first);
	FROM(t.arch_key, first);
	FROM(t.row, first);
	t.noise.numbers = m->numbers ? m->numbers : c->ranks->origin + m->rank.first_task;
	t.noise.n_numbers = (tw_task)(m->graph->n_tasks + m->rank.most_appended);
	t.n_tasks = m->graph->n_tasks;
	if (!whole->own)
		return t;
	t.own = tw_alloc((size_t)t.n_archs, sizeof *t.own);
	for (tw_arch a = 0; a < t.n_archs - first; a++)
		t.own[a] = whole->own[first + a] ? whole->own[first + a] + m->rank.first_task : NULL;
	return t;
}

uint64_t tw__cluster_seed(uint64_t seed, int rank) { return seed + (uint64_t)rank * UINT64_C(0x9e3779b97f4a7c15); }

/* Appends to the whole graph what a node's reduction has appended to its own. */
static void append(const struct tw__rank *rank, const struct tw_graph *own, tw_task first, const tw_data *accumulators,
                   int n)
{
	struct tw__member *m = TW__CONTAINER(rank, struct tw__member, rank);
	struct tw_graph *whole = rank->extended;
	const int32_t phase = m->cluster->ranks->first_phase[rank->number] + tw__graph_appended_for(own, first);
	tw_data *there = tw_alloc((size_t)n, sizeof *there), d;
	tw_worker worker;
	for (int i = 0; i < n; i++) {
		tw__graph_is_accumulator(own, accumulators[i], &d, &worker);
		there[i] = tw__graph_accumulator(whole, d + rank->first_data, rank->workers[worker]);
	}
	for (tw_task t = tw__graph_append_reduction(whole, phase, there, n); t < whole->n_tasks; t++)
		rank->appended[m->n_appended++] = t;
	free(there);
}

/* Makes room for the numbers of what the node's reductions append. */
static void open_reductions(struct tw__cluster *c, struct tw__member *m)
{
	size_t n = 0;
	m->rank.extended = c->extended;
	m->rank.append = append;
	if (!c->extended)
		return;
	for (int32_t p = 0; p < m->graph->n_phases; p++)
		n += m->graph->phases[p].n_contributors;
	m->rank.most_appended = (tw_task)n;
	m->numbers = tw_alloc((size_t)m->graph->n_tasks + n, sizeof *m->numbers);
	memcpy(m->numbers, c->ranks->origin + m->rank.first_task, (size_t)m->graph->n_tasks * sizeof *m->numbers);
	m->rank.appended = m->numbers + m->graph->n_tasks;
}

static bool announces(const struct tw__run_input *in)
{
	const struct tw__platform *p = in->platform;
	bool any = false;
	for (tw_node n = 0; n < tw__n_mains(p); n++)
		any |= p->nodes[n].limit_bytes || p->nodes[n].memory_bytes;
	return any;
}

void tw__member_init(struct tw__cluster *c, struct tw__member *m, int number)
{
	const struct tw__run_input *in = c->in;
	m->cluster = c;
	m->due.place = -1;
	m->platform = tw__cluster_rank(in->platform, number, &m->workers, &m->nodes);
	m->rank = (struct tw__rank){.number = number,
	                            .n = c->n,
	                            .message_of = c->ranks->message_of + c->ranks->first[number],
	                            .first_task = c->ranks->first[number],
	                            .n_tasks = c->ranks->first[number + 1] - c->ranks->first[number],
	                            .first_data = c->ranks->first_data[number],
	                            .workers = m->workers,
	                            .nodes = m->nodes,
	                            .announces = announces(in) || in->params->gpudirect,
	                            .announce = tw__member_announces,
	                            .ready = tw__member_is_ready,
	                            .give_up = tw__member_gives_up};
	m->graph = tw__graph_of_rank(in->graph, number);
	if (!m->graph)
		return;
	m->takes_early = in->params->early_messages && !in->platform->nodes[m->nodes[TW_RAM]].limit_bytes &&
	                 !in->platform->nodes[m->nodes[TW_RAM]].memory_bytes;
	open_reductions(c, m);
	m->truth = times_of(c, m, in->truth);
	m->belief = times_of(c, m, in->belief);
	m->in = *in;
	m->in.platform = m->platform;
	m->in.graph = m->graph;
	m->in.truth = &m->truth;
	m->in.belief = &m->belief;
	m->in.rank = &m->rank;
	m->in.domains += in->policy_of ? in->policy_of[number] : 0;
	m->in.n_domains = 1;
	m->in.pulse = NULL;
	m->in.seed = tw__cluster_seed(in->seed, number);
	m->in.engine = in->engine->next ? &tw__member_engine : &tw__member_engine_without_next;
}

static int open_member(struct tw__cluster *c, struct tw__member *m, int number)
{
	const struct tw__run_input *in = c->in;
	tw__member_init(c, m, number);
	if (!m->graph) {
		m->is_over = true;
		c->n_over++;
		return TW_OK;
	}
	int status = tw__run_open(&m->rt, &m->in, &m->counters, &m->err);
	tw__run_attach(m->rt, tw__view_of(m));
	if (status < 0)
		return tw_fail(c->err, status, "node '%.100s': %s", in->platform->rank_names[number], m->err.message);
	tw__member_due(m, 0);
	return TW_OK;
}

void tw__count_member(struct tw__run_counters *all, const struct tw__run_counters *of)
{
	all->makespan = tw__latest(all->makespan, of->makespan);
	all->tasks += of->tasks;
	all->gpu_tasks += of->gpu_tasks;
	all->transfers += of->transfers;
	all->transferred_bytes += of->transferred_bytes;
	all->h2d_bytes += of->h2d_bytes;
	all->d2h_bytes += of->d2h_bytes;
	all->p2p_bytes += of->p2p_bytes;
	all->loads += of->loads;
	all->evictions += of->evictions;
	all->writebacks += of->writebacks;
	all->busy = tw__later(all->busy, of->busy);
	all->gpu_busy = tw__later(all->gpu_busy, of->gpu_busy);
	all->looks += of->looks;
	all->decision_looks += of->decision_looks;
	all->joules += of->joules;
}

void tw__member_finish(struct tw__member *m)
{
	if (m->truth.own) {
		free(m->truth.own);
		free(m->belief.own);
	}
	tw__heap_finish(&m->to_send);
	free(m->ended);
	free(m->numbers);
	tw_graph_destroy(m->graph);
	tw__platform_destroy(m->platform);
	free(m->workers);
	free(m->nodes);
}

static int drive(struct tw__cluster *c)
{
	const struct tw__run_input *in = c->in;
	uint64_t *capacity = tw_alloc((size_t)in->platform->n_nodes, sizeof *capacity);
	tw__run_capacities(in->platform, in->params, capacity);
	const struct tw__engine_setup setup = {
		.platform = in->platform,
		.graph = in->graph,
		.shares = tw__run_link_shares(in->params),
		.capacity = capacity,
		.homes = tw__run_homes(in->platform, in->graph, in->params, capacity),
		.seed = in->seed,
		.config = in->engine_config,
	};
	int status = in->engine->open(&c->engine, &setup, c->err);
	if (status == TW_OK)
		status = in->engine->drive(c->engine, tw__cluster_turn, c, c->err);
	if (c->engine)
		in->engine->close(c->engine);
	free(capacity);
	return status == TW_OK ? c->status : status;
}

/* Makes the graph to which the reductions of all nodes append tasks. */
static int extend(struct tw__cluster *c)
{
	const struct tw_graph *g = c->in->graph;
	int64_t accumulators = 0;
	if (!g->n_phases)
		return TW_OK;
	for (tw_worker w = 0; w < c->in->platform->n_workers; w++) {
		const tw_data *first = &g->ranks->first_data[c->in->platform->workers[w].rank];
		for (tw_data d = first[0]; d < first[1]; d++)
			accumulators += tw__data_use(g, d) == TW__USE_REDUX;
	}
	if (g->n_data + accumulators > TW__MAX_DATA)
		return tw_fail(c->err, TW_INVALID,
		               "reductions on all nodes: %lld accumulators beside %d data, expected at most %d in all",
		               (long long)accumulators, (int)g->n_data, TW__MAX_DATA);
	c->extended = tw__record_extend(g, c->in->platform);
	return TW_OK;
}

int tw__cluster_run(const struct tw__run_input *in, struct tw__run_counters *counters, struct tw_error *err)
{
	struct tw__cluster c = {.in = in, .ranks = in->graph->ranks, .err = err, .counters = counters};
	int status = TW_OK;
	if (!in->graph->ranks)
		return tw__run(in, counters, err);
	c.n = c.ranks->n;
	*counters = (struct tw__run_counters){.engine = {NAN, NAN, NAN, NAN, NAN}};
	c.members = tw_alloc((size_t)c.n, sizeof *c.members);
	c.deliveries = tw_alloc((size_t)c.ranks->n_messages, sizeof *c.deliveries);
	for (int32_t i = 0; i < c.ranks->n_messages; i++)
		c.deliveries[i].queued.place = -1;
	status = extend(&c);
	for (int i = 0; i < c.n && status == TW_OK; i++)
		status = open_member(&c, &c.members[i], i);
	if (status == TW_OK)
		status = drive(&c);
	for (int i = 0; i < c.n; i++) {
		if (c.members[i].rt)
			status = tw__run_close(c.members[i].rt, status);
		tw__member_finish(&c.members[i]);
		tw__count_member(counters, &c.members[i].counters);
	}
	if (in->record) {
		in->record->makespan = counters->makespan;
		in->record->rounds = in->engine->caps & TW__ENGINE_ROUNDS;
		in->record->extended = c.extended;
	} else {
		tw_graph_destroy(c.extended);
	}
	tw__heap_finish(&c.due);
	tw__arena_finish(&c.memory);
	free(c.members);
	free(c.deliveries);
	return status;
}
