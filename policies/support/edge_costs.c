#include "policies/support/edge_costs.h"

#include <stdlib.h>

#include "policies/support/worker_runs.h"

/* Sets the mean transfer. */
static void find_mean(struct tw_edge_costs *e, enum tw_worker_pairs pairs)
{
	int n_runs;
	const struct tw_sched *s = e->s;
	const double n = tw_n_workers(s), n_pairs = n * (pairs == TW_ALL_PAIRS ? n : n - 1);
	const struct tw_worker_run *runs = tw_worker_runs(s, &n_runs);
	if (n_pairs == 0)
		return;
	for (tw_worker a = 0; a < tw_n_workers(s); a++) {
		tw_node from = tw_worker_node(s, a);
		for (int i = 0; i < n_runs; i++) {
			tw_node to = runs[i].node;
			if (to == from)
				continue;
			double latency = tw_transfer_time(s, from, to, 0);
			double per_byte = (tw_transfer_time(s, from, to, 1 << 30) - latency) / (1 << 30);
			e->latency = tw_add_times(e->latency, latency, runs[i].n);
			e->per_byte = tw_add_times(e->per_byte, per_byte, runs[i].n);
		}
	}
	e->latency /= n_pairs;
	e->per_byte /= n_pairs;
}

struct tw_writers tw_writers_find(const struct tw_sched *s)
{
	const struct tw_graph *g = tw_sched_graph(s);
	tw_task n_tasks = tw_graph_n_tasks(g);
	size_t n_data = (size_t)tw_graph_n_data(g), n = 0;
	for (tw_task t = 0; t < n_tasks; t++)
		n += (size_t)tw_task_n_accesses(s, t);
	struct tw_writers w = {tw_run_alloc(s, (size_t)n_tasks, sizeof *w.first), tw_run_alloc(s, n, sizeof *w.of)};
	tw_task *last = tw_alloc(n_data, sizeof *last);
	for (size_t d = 0; d < n_data; d++)
		last[d] = TW_NONE;
	n = 0;
	for (tw_task t = 0; t < n_tasks; t++) {
		w.first[t] = n;
		for (int i = 0; i < tw_task_n_accesses(s, t); i++) {
			struct tw_access access = tw_task_access(s, t, i);
			w.of[n++] = access.mode & TW_R ? last[access.data] : (tw_task)TW_NONE;
		}
		for (int i = 0; i < tw_task_n_accesses(s, t); i++)
			if (tw_task_access(s, t, i).mode & TW_W)
				last[tw_task_access(s, t, i).data] = t;
	}
	free(last);
	return w;
}

struct tw_edge_costs tw_edge_costs_find(const struct tw_sched *s, enum tw_worker_pairs pairs)
{
	struct tw_edge_costs e = {.s = s};
	if (tw_n_nodes(s) > 1) {
		find_mean(&e, pairs);
		e.writers = tw_writers_find(s);
	}
	return e;
}

double tw_edge_cost(const struct tw_edge_costs *e, tw_task t, tw_task successor)
{
	double sum = 0;
	if (!e->writers.first)
		return 0;
	const tw_task *writer = &e->writers.of[e->writers.first[successor]];
	for (int i = 0; i < tw_task_n_accesses(e->s, successor); i++)
		if (writer[i] == t)
			sum += e->latency +
			       e->per_byte * (double)tw_data_bytes(e->s, tw_task_access(e->s, successor, i).data);
	return sum;
}
