/* From graph, platform and times to the numbers of a small problem. */
#include "bounds/small_problem.h"

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static int check(const struct tw__bounded *in, const char *workload, struct tw_error *err)
{
	const struct tw_graph *g = in->graph;
	const char *wrong = in->platform->rank_names     ? "a cluster: expected one node"
	                    : tw__has_wide(in->platform) ? "parallel tasks: expected each on one worker"
	                    : g->n_phases                ? "reductions: expected none"
	                    : g->around                  ? "recursive tasks: expected none"
	                    : g->n_lineages              ? "handles that are divided: expected none"
	                    : g->n_parts                 ? "several graphs: expected one"
	                                                 : NULL;
	if (wrong)
		return tw_fail(err, TW_INVALID, "optimum of '%.200s': it has %s", workload, wrong);
	if (g->n_tasks > TW__OPTIMUM_MAX_TASKS)
		return tw_fail(err, TW_INVALID, "optimum of '%.200s': it has %d tasks: expected at most %d", workload,
		               (int)g->n_tasks, TW__OPTIMUM_MAX_TASKS);
	return TW_OK;
}

static int check_length(struct tw__problem *p, const char *workload, struct tw_error *err)
{
	const size_t n = (size_t)p->n_tasks, memories = (size_t)p->n_memories;
	tw__ns all = 0;
	for (size_t t = 0; t < n; t++) {
		tw__ns longest = 0;
		for (size_t g = 0; g < (size_t)p->n_groups; g++)
			if (p->length[t * (size_t)p->n_groups + g] != TW__NEVER)
				longest = tw__latest(longest, p->length[t * (size_t)p->n_groups + g]);
		all = tw__later(all, longest);
		longest = 0;
		for (size_t i = 0; i < memories; i++)
			longest = tw__latest(longest, p->initial[t * memories + i]);
		for (size_t i = 0; i < n * memories * memories; i++)
			longest = tw__latest(longest, p->delay[t * n * memories * memories + i]);
		all = tw__later(all, longest);
	}
	p->horizon = all;
	return all <= TW__OPTIMUM_MOST_NS
	               ? TW_OK
	               : tw_fail(err, TW_INVALID,
	                         "optimum of '%.200s': its tasks and transfers take %g s together: expected "
	                         "at most %g s",
	                         workload, tw__seconds(all), tw__seconds(TW__OPTIMUM_MOST_NS));
}

/* --- workers and durations ---------------------------------------------------------------------------------------- */

static void find_groups(struct tw__problem *p, const struct tw__platform *platform)
{
	p->groups = tw__arena_alloc(&p->arena, (size_t)platform->n_workers, sizeof *p->groups);
	for (tw_worker w = 0; w < platform->n_workers; w++) {
		const struct tw__worker *worker = &platform->workers[w];
		int g = 0, memory = p->n_memories;
		for (; g < p->n_groups; g++) {
			if (p->groups[g].node == worker->node)
				memory = p->groups[g].memory;
			if (p->groups[g].node == worker->node && p->groups[g].arch == worker->arch)
				break;
		}
		if (g == p->n_groups) {
			p->groups[p->n_groups++] =
				(struct tw__group){.arch = worker->arch, .node = worker->node, .memory = memory};
			p->n_memories += memory == p->n_memories;
		}
		p->groups[g].n_workers += p->groups[g].n_workers < p->n_tasks || p->groups[g].n_workers == 0;
	}
	for (int g = 0; g < p->n_groups; g++) {
		p->groups[g].first = p->n_workers;
		p->n_workers += p->groups[g].n_workers;
	}
	p->order = tw__arena_alloc(&p->arena, (size_t)p->n_workers, sizeof *p->order);
}

static void find_lengths(struct tw__problem *p, const struct tw__bounded *in)
{
	p->length = tw__arena_alloc(&p->arena, (size_t)(p->n_tasks * p->n_groups), sizeof *p->length);
	p->least = tw__arena_alloc(&p->arena, (size_t)p->n_tasks, sizeof *p->least);
	for (tw_task t = 0; t < p->n_tasks; t++) {
		p->least[t] = TW__NEVER;
		for (int g = 0; g < p->n_groups; g++) {
			tw_arch a = p->groups[g].arch;
			bool can = tw__task_can_run(in->times, in->graph, t, a);
			tw__ns length = can ? tw__task_length(in->times, in->graph, t, a) : TW__NEVER;
			p->length[t * p->n_groups + g] = length;
			p->least[t] = tw__earliest(p->least[t], length);
		}
	}
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

/* Fills ns[from * nodes + to] with the least time of a handle from memory to memory, on the fastest way over others. */
static void find_ways(const struct tw__platform *platform, uint64_t bytes, tw__ns *ns)
{
	const int n = platform->n_nodes;
	for (int from = 0; from < n; from++)
		for (int to = 0; to < n; to++) {
			const struct tw__route *r = tw__route_of(platform, from, to);
			ns[from * n + to] = from == to       ? 0
			                    : r->n_links > 0 ? tw__ns_after(r->latency + (double)bytes / r->bandwidth)
			                                     : TW__NEVER;
		}
	for (int over = 0; over < n; over++)
		for (int from = 0; from < n; from++)
			for (int to = 0; to < n; to++)
				if (ns[from * n + over] != TW__NEVER && ns[over * n + to] != TW__NEVER)
					ns[from * n + to] = tw__earliest(
						ns[from * n + to], tw__later(ns[from * n + over], ns[over * n + to]));
}

/* Whether the handle may be in the memory at the start. If that depends on the runtime's parameters or on limits, it
 * may be in each main memory. */
static bool starts_in(const struct tw__bounded *in, tw_data d, tw_node n)
{
	const struct tw__platform *p = in->platform;
	const tw_node said = tw__graph_place(in->graph, TW__HOME, d);
	const bool is_said = said != TW_NONE && said < p->n_nodes;
	const bool is_open =
		is_said && tw__is_main(p, said) && (p->nodes[said].memory_bytes || p->nodes[said].limit_bytes);
	return is_said && !is_open ? n == said : tw__is_main(p, n);
}

/* Adds the time of a handle that task j reads, and that task i wrote last; i < 0: no task did. */
static void add_handle(struct tw__problem *p, const struct tw__bounded *in, tw_data d, int i, tw_task j,
                       const tw__ns *ways)
{
	for (int g = 0; g < p->n_groups; g++) {
		const tw_node to = p->groups[g].node;
		tw__ns arrival = TW__NEVER, *initial = &p->initial[j * p->n_memories + p->groups[g].memory];
		for (tw_node n = 0; n < in->platform->n_nodes; n++)
			if (starts_in(in, d, n))
				arrival = tw__earliest(arrival, ways[n * in->platform->n_nodes + to]);
		if (i < 0)
			*initial = tw__latest(*initial, arrival);
		for (int h = 0; i >= 0 && h < p->n_groups; h++) {
			const int from = p->groups[h].memory, pair = i * p->n_tasks + j;
			tw__ns *delay = &p->delay[(pair * p->n_memories + from) * p->n_memories + p->groups[g].memory];
			*delay = tw__latest(*delay, ways[p->groups[h].node * in->platform->n_nodes + to]);
		}
	}
}

static void find_delays(struct tw__problem *p, const struct tw__bounded *in)
{
	const struct tw_graph *g = in->graph;
	const size_t n = (size_t)p->n_tasks, memories = (size_t)p->n_memories, nodes = (size_t)in->platform->n_nodes;
	p->initial = tw__arena_alloc(&p->arena, n * memories, sizeof *p->initial);
	p->delay = tw__arena_alloc(&p->arena, n * n * memories * memories, sizeof *p->delay);
	p->before = tw__arena_alloc(&p->arena, n, sizeof *p->before);
	int *writer = tw__arena_alloc(&p->arena, (size_t)g->n_data, sizeof *writer); /* 1 + the last task; 0: none */
	tw__ns *ways = tw__arena_alloc(&p->arena, nodes * nodes, sizeof *ways);
	for (tw_task t = 0; t < p->n_tasks; t++) {
		for (uint32_t i = g->successor_start[t]; i < g->successor_start[t + 1]; i++)
			p->before[g->successor[i]] |= UINT64_C(1) << t;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			const tw_data d = tw__access_data(g->access[a]);
			if (!(tw__access_mode(g->access[a]) & TW_R))
				continue;
			find_ways(in->platform, g->data_bytes[d], ways);
			add_handle(p, in, d, writer[d] - 1, t, ways);
			p->before[t] |= writer[d] ? UINT64_C(1) << (writer[d] - 1) : 0;
		}
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			if (tw__access_mode(g->access[a]) & TW_W)
				writer[tw__access_data(g->access[a])] = t + 1;
	}
}

/* --- tails -------------------------------------------------------------------------------------------------------- */

static void find_tail(struct tw__problem *p, tw_task i, int g)
{
	const int from = p->groups[g].memory;
	tw__ns *tail = &p->tail[i * p->n_groups + g], *most = &p->most_delay[i * p->n_memories + from];
	for (tw_task j = i + 1; j < p->n_tasks; j++) {
		if (!(p->before[j] >> i & 1))
			continue;
		tw__ns least = TW__NEVER;
		for (int h = 0; h < p->n_groups; h++) {
			const tw__ns delay = tw__delay(p, i, j, from, p->groups[h].memory);
			const tw__ns length = p->length[j * p->n_groups + h];
			*most = tw__latest(*most, delay);
			if (length != TW__NEVER)
				least = tw__earliest(least, delay + length + p->tail[j * p->n_groups + h]);
		}
		*tail = tw__latest(*tail, least);
	}
}

static void find_tails(struct tw__problem *p)
{
	const size_t n = (size_t)p->n_tasks;
	p->tail = tw__arena_alloc(&p->arena, n * (size_t)p->n_groups, sizeof *p->tail);
	p->least_tail = tw__arena_alloc(&p->arena, n, sizeof *p->least_tail);
	p->most_delay = tw__arena_alloc(&p->arena, n * (size_t)p->n_memories, sizeof *p->most_delay);
	p->by_tail = tw__arena_alloc(&p->arena, n, sizeof *p->by_tail);
	for (tw_task t = p->n_tasks - 1; t >= 0; t--) {
		p->least_tail[t] = TW__NEVER;
		for (int g = 0; g < p->n_groups; g++) {
			find_tail(p, t, g);
			if (p->length[t * p->n_groups + g] != TW__NEVER)
				p->least_tail[t] = tw__earliest(p->least_tail[t], p->tail[t * p->n_groups + g]);
		}
		int at = p->n_tasks - 1 - t;
		for (; at > 0 && p->least_tail[p->by_tail[at - 1]] < p->least_tail[t]; at--)
			p->by_tail[at] = p->by_tail[at - 1];
		p->by_tail[at] = t;
	}
}

/* --- what can change places --------------------------------------------------------------------------------------- */

/* Whether tasks a and b have the same durations, data and neighbours. */
static bool are_twins(const struct tw__problem *p, tw_task a, tw_task b)
{
	const int memories = p->n_memories, block = memories * memories;
	if (p->before[a] != p->before[b])
		return false;
	for (int g = 0; g < p->n_groups; g++)
		if (p->length[a * p->n_groups + g] != p->length[b * p->n_groups + g])
			return false;
	for (int m = 0; m < memories; m++)
		if (p->initial[a * memories + m] != p->initial[b * memories + m])
			return false;
	for (tw_task t = 0; t < p->n_tasks; t++) {
		const tw__ns *to_a = &p->delay[(t * p->n_tasks + a) * block],
			     *of_a = &p->delay[(a * p->n_tasks + t) * block];
		const tw__ns *to_b = &p->delay[(t * p->n_tasks + b) * block],
			     *of_b = &p->delay[(b * p->n_tasks + t) * block];
		if ((p->before[t] >> a & 1) != (p->before[t] >> b & 1))
			return false;
		for (int i = 0; i < block; i++)
			if (to_a[i] != to_b[i] || of_a[i] != of_b[i])
				return false;
	}
	return true;
}

/* Whether the groups a and b have the same durations, and each memory is as far from one as from the other. */
static bool are_alike(const struct tw__problem *p, int a, int b)
{
	const int at_a = p->groups[a].memory, at_b = p->groups[b].memory;
	if (p->groups[a].n_workers != p->groups[b].n_workers)
		return false;
	for (int g = 0; g < p->n_groups; g++) /* groups that share one of the memories do not change places */
		if (g != a && g != b && (p->groups[g].memory == at_a || p->groups[g].memory == at_b))
			return false;
	for (tw_task j = 0; j < p->n_tasks; j++) {
		if (p->length[j * p->n_groups + a] != p->length[j * p->n_groups + b] ||
		    p->initial[j * p->n_memories + at_a] != p->initial[j * p->n_memories + at_b])
			return false;
		for (tw_task i = 0; i < j; i++)
			for (int m = 0; m < p->n_memories; m++) {
				const int other = m == at_a ? at_b : m == at_b ? at_a : m;
				if (tw__delay(p, i, j, at_a, m) != tw__delay(p, i, j, at_b, other) ||
				    tw__delay(p, i, j, m, at_a) != tw__delay(p, i, j, other, at_b))
					return false;
			}
	}
	return true;
}

static void find_equals(struct tw__problem *p)
{
	p->twin = tw__arena_alloc(&p->arena, (size_t)p->n_tasks, sizeof *p->twin);
	for (tw_task t = 0; t < p->n_tasks; t++)
		for (p->twin[t] = t - 1; p->twin[t] >= 0 && !are_twins(p, p->twin[t], t);)
			p->twin[t]--;
	for (int g = 0; g < p->n_groups; g++)
		for (p->groups[g].alike = g - 1; p->groups[g].alike >= 0 && !are_alike(p, p->groups[g].alike, g);)
			p->groups[g].alike--;
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* A price is so small that the price of all workers times the horizon is at most 2^60. */
static void set_prices(struct tw__problem *p, struct tw__prices *prices, const double *of_arch)
{
	const double scale = fmin(0x1p30, 0x1p60 / (double)tw__latest(1, p->horizon));
	prices->of_group = tw__arena_alloc(&p->arena, (size_t)p->n_groups, sizeof *prices->of_group);
	prices->cost = tw__arena_alloc(&p->arena, (size_t)p->n_tasks, sizeof *prices->cost);
	double all = 0;
	for (int g = 0; g < p->n_groups; g++)
		all += p->groups[g].n_workers * (of_arch ? of_arch[p->groups[g].arch] : 1);
	for (int g = 0; g < p->n_groups && all > 0; g++)
		prices->of_group[g] = (int64_t)(scale * (of_arch ? of_arch[p->groups[g].arch] : 1) / all);
	for (tw_task t = 0; t < p->n_tasks; t++) {
		prices->cost[t] = INT64_MAX;
		for (int g = 0; g < p->n_groups; g++)
			if (p->length[t * p->n_groups + g] != TW__NEVER)
				prices->cost[t] = tw__earliest(prices->cost[t],
				                               prices->of_group[g] * p->length[t * p->n_groups + g]);
	}
}

static int find_prices(struct tw__problem *p, const struct tw__bounded *in, struct tw_error *err)
{
	double *price = tw__arena_alloc(&p->arena, (size_t)in->platform->n_archs, sizeof *price), seconds;
	int status = tw__bound_area(in, price, &seconds, err);
	set_prices(p, &p->prices[0], price);
	set_prices(p, &p->prices[1], NULL);
	return status;
}

int tw__problem_init(struct tw__problem *p, const struct tw__bounded *in, const char *workload, struct tw_error *err)
{
	*p = (struct tw__problem){.n_tasks = in->graph->n_tasks};
	int status = check(in, workload, err);
	if (status < 0)
		return status;
	find_groups(p, in->platform);
	find_lengths(p, in);
	find_delays(p, in);
	status = check_length(p, workload, err);
	if (status < 0)
		return status;
	find_tails(p);
	find_equals(p);
	return find_prices(p, in, err);
}

void tw__problem_finish(struct tw__problem *p) { tw__arena_finish(&p->arena); }
