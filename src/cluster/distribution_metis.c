/* Distributions by METIS (Karypis, Kumar 1998). It partitions the tasks so that parts have equal work, and few bytes
 * flow between parts. Bytes flow between the first task that writes a handle, whose rank owns it, and all later tasks
 * that use the handle. Before it is written, they flow from each reader to the next one. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cluster/kinds.h"
#include "graph/edges.h"
#include "policies/support/halving.h"

/* A flow from or to a task. */
struct flow {
	tw_task other;
	double bytes;
};

struct partition {
	const struct tw_graph *graph;
	size_t *first;     /* [tasks + 1] index of each task's first flow */
	struct flow *flow; /* NULL: flows are being counted */
	double most_bytes; /* of one flow */
	tw_task *vertex;   /* [tasks] vertex of each task that is being halved; TW_NONE: of other tasks */
	int32_t *rank;     /* [tasks] the result */
	struct tw_halving halving;
};

/* --- flows between tasks ------------------------------------------------------------------------------------------ */

/* While flows are counted, first[t + 2] counts those of task t; then first[t + 1] moves from the first to the end. */
static void add_flow(struct partition *p, tw_task from, tw_task to, double bytes)
{
	if (p->flow) {
		p->most_bytes = fmax(p->most_bytes, bytes);
		p->flow[p->first[from + 1]++] = (struct flow){to, bytes};
		p->flow[p->first[to + 1]++] = (struct flow){from, bytes};
	} else {
		p->first[from + 2]++;
		p->first[to + 2]++;
	}
}

/* The current version of a handle, while tasks are gone through in the order of submission. */
struct version {
	tw_task from;       /* the first task that wrote the handle; until then, its last reader; TW_NONE: none */
	int32_t *n_readers; /* the number of tasks that only read this version; NULL: no task wrote it */
};

/* Returns how often the handle is sent for a task, if this is not on the rank of `from`, which owns the handle. It
 * gets what other ranks write, and sends them what they read. Ranks get a version once for all their tasks that read
 * it, so each of these counts as a part. */
static double transfers(const struct version *v, bool reads, bool writes)
{
	const bool is_owned = v->n_readers;
	return writes ? reads + is_owned : is_owned ? 1.0 / *v->n_readers : 1;
}

static void add_flows(struct partition *p, struct version *versions, int32_t *n_readers, const struct tw__edge *orders,
                      size_t n_orders)
{
	const struct tw_graph *g = p->graph;
	for (tw_data d = 0; d < g->n_data; d++)
		versions[d] = (struct version){TW_NONE, NULL};
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			const tw_data d = tw__access_data(g->access[a]);
			const bool reads = g->access[a] & TW_R, writes = g->access[a] & TW_W;
			struct version *v = &versions[d];
			if (!reads && !writes)
				continue;
			if (!writes && v->n_readers && !p->flow)
				++*v->n_readers;
			if (v->from != TW_NONE)
				add_flow(p, v->from, t, (double)g->data_bytes[d] * transfers(v, reads, writes));
			if (!v->n_readers)
				v->from = t;
			if (writes)
				v->n_readers = &n_readers[a];
		}
	for (size_t i = 0; i < n_orders; i++)
		add_flow(p, orders[i].from, orders[i].to, 1);
}

static int find_flows(struct partition *p, struct tw_error *err)
{
	const struct tw_graph *g = p->graph;
	const size_t n = (size_t)g->n_tasks;
	struct tw__edge *orders;
	size_t n_orders;
	int status = tw__graph_orders(&orders, &n_orders, g, err);
	if (status < 0)
		return status;
	struct version *versions = tw_alloc((size_t)g->n_data, sizeof *versions);
	int32_t *n_readers = tw_alloc(g->access_start[n], sizeof *n_readers);
	p->first = tw_alloc(n + 2, sizeof *p->first);
	add_flows(p, versions, n_readers, orders, n_orders);
	for (size_t i = 1; i < n + 2; i++)
		p->first[i] += p->first[i - 1];
	p->flow = tw_alloc(p->first[n + 1], sizeof *p->flow);
	add_flows(p, versions, n_readers, orders, n_orders);
	free(orders);
	free(versions);
	free(n_readers);
	return TW_OK;
}

/* --- halving the set of tasks ------------------------------------------------------------------------------------- */

static double work(const struct tw_graph *g, tw_task t)
{
	const double flops = g->kernels[g->kernel[t]].flops;
	return flops > 0 ? flops : 1;
}

static void make_graph(struct partition *p, const tw_task *tasks, tw_task n)
{
	const double n_flows = (double)p->first[p->graph->n_tasks];
	tw_halving_begin(&p->halving, n);
	for (tw_task v = 0; v < n; v++)
		p->vertex[tasks[v]] = v;
	for (tw_task v = 0; v < n; v++) {
		p->halving.work[v] = work(p->graph, tasks[v]);
		tw_halving_vertex(&p->halving, v);
		for (size_t i = p->first[tasks[v]]; i < p->first[tasks[v] + 1]; i++) {
			const tw_task other = p->vertex[p->flow[i].other];
			if (other != TW_NONE)
				tw_halving_join(&p->halving, v, other,
				                tw_halving_weight(p->flow[i].bytes, p->most_bytes, n_flows));
		}
	}
	for (tw_task v = 0; v < n; v++)
		p->vertex[tasks[v]] = TW_NONE;
}

/* Distributes the tasks, given in ascending order, over the ranks from `rank` on. Returns METIS_OK, or METIS' error. */
static int share_out(struct partition *p, tw_task *tasks, tw_task n, int32_t rank, int n_ranks)
{
	if (n_ranks == 1) {
		for (tw_task i = 0; i < n; i++)
			p->rank[tasks[i]] = rank;
		return METIS_OK;
	}
	const int half = n_ranks / 2;
	tw_task n_first;
	make_graph(p, tasks, n);
	int result = tw_halve(&p->halving, tasks, n, (double)half / n_ranks, &n_first);
	if (result == METIS_OK)
		result = share_out(p, tasks, n_first, rank, half);
	return result == METIS_OK ? share_out(p, tasks + n_first, n - n_first, rank + half, n_ranks - half) : result;
}

static int partition(struct partition *p, int n_ranks, struct tw_error *err)
{
	const tw_task n = p->graph->n_tasks;
	const size_t edges = p->first[n];
	if (edges > TW_HALVING_EDGES)
		return tw_fail(err, TW_INVALID, "distribution 'metis': %zu edges between tasks: expected at most %d",
		               edges, TW_HALVING_EDGES);
	tw_task *tasks = tw_alloc((size_t)n, sizeof *tasks);
	p->vertex = tw_alloc((size_t)n, sizeof *p->vertex);
	tw_halving_init(&p->halving, (size_t)n, edges);
	for (tw_task t = 0; t < n; t++) {
		tasks[t] = t;
		p->vertex[t] = TW_NONE;
	}
	const int result = share_out(p, tasks, n, 0, n_ranks);
	tw_halving_finish(&p->halving);
	free(p->vertex);
	free(tasks);
	if (result == METIS_OK)
		return TW_OK;
	return result == METIS_ERROR_MEMORY ? tw_fail(err, TW_NOMEM, "distribution 'metis': out of memory")
	                                    : tw_fail(err, TW_FAILED, "distribution 'metis': METIS failed");
}

static int fill(struct tw__distribution *d, const struct tw_graph *g, const struct tw_args *args, int n_ranks,
                struct tw_error *err)
{
	(void)args;
	d->rank = tw_alloc((size_t)g->n_tasks, sizeof *d->rank);
	struct partition p = {.graph = g, .rank = d->rank};
	int status = find_flows(&p, err);
	if (status == TW_OK)
		status = partition(&p, n_ranks, err);
	free(p.first);
	free(p.flow);
	return status;
}

static const struct tw_param no_params[] = {{0}};

const struct tw__distribution_kind tw__distribution_metis = {.name = "metis", .params = no_params, .fill = fill};
