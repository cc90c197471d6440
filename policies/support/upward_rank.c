#include "policies/support/upward_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies/support/edge_costs.h"
#include "policies/support/worker_runs.h"

struct workers {
	struct tw_worker_run *runs;
	int n_runs, n_archs;
	tw_worker *of_arch; /* see tw_arch_workers */
	double *length;     /* [archs] the times of the task at hand */
	/* [task classes * (archs + 1)] the times of the task that was last ranked, and their mean: most tasks of a
	 * class have equal times */
	double *known;
};

static struct workers find_workers(const struct tw_sched *s)
{
	size_t archs = (size_t)tw_n_archs(s);
	struct workers w = {.n_archs = tw_n_archs(s)};
	w.runs = tw_worker_runs(s, &w.n_runs);
	w.of_arch = tw_arch_workers(s);
	w.length = tw_run_alloc(s, archs, sizeof *w.length);
	w.known = tw_run_alloc(s, (size_t)tw_n_task_classes(s) * (archs + 1), sizeof *w.known);
	return w;
}

static double mean_length(const struct tw_sched *s, const struct workers *workers, tw_task t)
{
	size_t archs = (size_t)workers->n_archs;
	double *known = &workers->known[(size_t)tw_task_class(s, t) * (archs + 1)];
	if (memcmp(known, workers->length, archs * sizeof *known) != 0) {
		double sum = 0;
		int n = 0;
		for (int i = 0; i < workers->n_runs; i++) {
			double length = workers->length[workers->runs[i].arch];
			if (!isinf(length)) {
				sum = tw_add_times(sum, length, workers->runs[i].n);
				n += workers->runs[i].n;
			}
		}
		memcpy(known, workers->length, archs * sizeof *known);
		known[archs] = n ? sum / n : 0; /* no worker of this domain runs tasks of others */
	}
	return known[archs];
}

static double least_length(const struct workers *workers)
{
	double least = INFINITY;
	for (int arch = 0; arch < workers->n_archs; arch++)
		least = fmin(least, workers->length[arch]);
	return isinf(least) ? 0 : least;
}

/* Returns the task's mean time over the workers that can run it, or else its least time. */
static double length_of(const struct tw_sched *s, const struct workers *workers, tw_task t, bool mean)
{
	tw_arch_lengths(s, workers->of_arch, t, workers->length);
	return mean ? mean_length(s, workers, t) : least_length(workers);
}

/* Returns the rank of each task of the graph, in seconds. The caller frees the array. */
static double *upward_ranks(const struct tw_sched *s, struct workers *workers, const struct tw_edge_costs *edges,
                            bool mean)
{
	const struct tw_graph *g = tw_sched_graph(s);
	double *ranks = tw_alloc((size_t)tw_graph_n_tasks(g), sizeof *ranks);
	/* Goes backwards, since successors are submitted later than their predecessors. */
	for (tw_task t = tw_graph_n_tasks(g) - 1; t >= 0; t--) {
		int n;
		const tw_task *successors = tw_graph_successors(g, t, &n);
		double behind = 0;
		for (int i = 0; i < n; i++)
			behind = fmax(behind, ranks[successors[i]] + tw_edge_cost(edges, t, successors[i]));
		ranks[t] = behind + length_of(s, workers, t, mean);
	}
	return ranks;
}

double *tw_upward_ranks(const struct tw_sched *s)
{
	bool mean = strcmp(tw_args_text(tw_sched_args(s), "rank"), "mean") == 0;
	struct workers workers = find_workers(s);
	struct tw_edge_costs edges = {0};
	if (mean)
		edges = tw_edge_costs_find(s, TW_ALL_PAIRS);
	return upward_ranks(s, &workers, &edges, mean);
}

double *tw_path_lengths(const struct tw_sched *s)
{
	const struct tw_graph *g = tw_sched_graph(s);
	tw_task n_tasks = tw_graph_n_tasks(g);
	struct workers workers = find_workers(s);
	struct tw_edge_costs edges = tw_edge_costs_find(s, TW_DISTINCT_PAIRS);
	double *upward = upward_ranks(s, &workers, &edges, true);
	double *downward = tw_alloc((size_t)n_tasks, sizeof *downward);
	double *lengths = tw_run_alloc(s, (size_t)n_tasks, sizeof *lengths), longest = 0;
	for (tw_task t = 0; t < n_tasks; t++) {
		int n;
		const tw_task *successors = tw_graph_successors(g, t, &n);
		double end = downward[t] + length_of(s, &workers, t, true);
		for (int i = 0; i < n; i++)
			downward[successors[i]] =
				fmax(downward[successors[i]], end + tw_edge_cost(&edges, t, successors[i]));
		lengths[t] = upward[t] + downward[t];
		if (tw_task_is_mine(s, t))
			longest = fmax(longest, lengths[t]);
	}
	for (tw_task t = 0; t < n_tasks && longest > 0; t++)
		lengths[t] = round(lengths[t] / longest * (1 << 20));
	free(upward);
	free(downward);
	return lengths;
}

int32_t *tw_upward_rank_levels(const struct tw_sched *s)
{
	size_t n = (size_t)tw_graph_n_tasks(tw_sched_graph(s));
	int32_t *levels = tw_run_alloc(s, n, sizeof *levels);
	double *ranks = tw_upward_ranks(s), greatest = 0;
	for (size_t t = 0; t < n; t++)
		greatest = fmax(greatest, ranks[t]);
	for (size_t t = 0; t < n && greatest > 0; t++)
		levels[t] = (int32_t)(ranks[t] / greatest * (1 << 20) + 0.5);
	free(ranks);
	return levels;
}

struct ranked {
	double rank;
	tw_task task;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return x->rank != y->rank ? (x->rank < y->rank) - (x->rank > y->rank)
	                          : (x->task > y->task) - (x->task < y->task);
}

void tw_rank_sort(const struct tw_sched *s, const double *ranks, tw_task *order)
{
	size_t n = (size_t)tw_graph_n_tasks(tw_sched_graph(s));
	struct ranked *ranked = tw_alloc(n, sizeof *ranked);
	for (size_t t = 0; t < n; t++)
		ranked[t] = (struct ranked){ranks[t], (tw_task)t};
	qsort(ranked, n, sizeof *ranked, by_rank);
	for (size_t i = 0; i < n; i++)
		order[i] = ranked[i].task;
	free(ranked);
}

tw_task *tw_rank_order(const struct tw_sched *s, const double *ranks)
{
	tw_task *order = tw_run_alloc(s, (size_t)tw_graph_n_tasks(tw_sched_graph(s)), sizeof *order);
	tw_rank_sort(s, ranks, order);
	return order;
}

tw_task *tw_upward_rank_order(const struct tw_sched *s)
{
	double *ranks = tw_upward_ranks(s);
	tw_task *order = tw_rank_order(s, ranks);
	free(ranks);
	return order;
}
