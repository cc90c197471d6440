#include "policies/support/upward_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies/support/worker_runs.h"

struct workers {
	struct tw_worker_run *runs;
	int n_runs, n, n_archs;
	tw_worker *of_arch; /* see tw_arch_workers */
	double *length;     /* [archs] the times of the task at hand */
	/* [task classes * (archs + 1)] the times of the task that was last ranked, and their mean: most tasks of a
	 * class have equal times */
	double *known;
};

static struct workers find_workers(const struct tw_sched *s)
{
	size_t archs = (size_t)tw_n_archs(s);
	struct workers w = {.n = tw_n_workers(s), .n_archs = tw_n_archs(s)};
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

/* The mean transfer over all ordered pairs of workers: it takes latency + bytes x per_byte seconds. */
struct way {
	double latency, per_byte;
};

static struct way mean_way(const struct tw_sched *s, const struct workers *workers)
{
	struct way mean = {0, 0};
	for (tw_worker a = 0; a < workers->n; a++) {
		tw_node from = tw_worker_node(s, a);
		for (int i = 0; i < workers->n_runs; i++) {
			tw_node to = workers->runs[i].node;
			if (to == from)
				continue;
			double latency = tw_transfer_time(s, from, to, 0);
			double per_byte = (tw_transfer_time(s, from, to, 1 << 30) - latency) / (1 << 30);
			mean.latency = tw_add_times(mean.latency, latency, workers->runs[i].n);
			mean.per_byte = tw_add_times(mean.per_byte, per_byte, workers->runs[i].n);
		}
	}
	mean.latency /= (double)workers->n * workers->n;
	mean.per_byte /= (double)workers->n * workers->n;
	return mean;
}

/* The task that wrote what each access reads; TW_NONE: no task did, or the access does not read. */
struct writers {
	size_t *first; /* [tasks] index in `of` of the task's first access */
	tw_task *of;
};

static struct writers find_writers(const struct tw_sched *s, const struct tw_graph *g)
{
	tw_task n_tasks = tw_graph_n_tasks(g);
	size_t n_data = (size_t)tw_graph_n_data(g), n = 0;
	for (tw_task t = 0; t < n_tasks; t++)
		n += (size_t)tw_task_n_accesses(s, t);
	struct writers w = {tw_alloc((size_t)n_tasks, sizeof *w.first), tw_alloc(n, sizeof *w.of)};
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

/* Returns the transfer time of the data that t writes for the successor to read. */
static double transfer(const struct tw_sched *s, const struct writers *writers, tw_task t, tw_task successor,
                       struct way way)
{
	const tw_task *writer = &writers->of[writers->first[successor]];
	double sum = 0;
	for (int i = 0; i < tw_task_n_accesses(s, successor); i++)
		if (writer[i] == t)
			sum += way.latency +
			       way.per_byte * (double)tw_data_bytes(s, tw_task_access(s, successor, i).data);
	return sum;
}

/* Returns the rank of each task of the graph, in seconds. The caller frees the array. */
static double *upward_ranks(const struct tw_sched *s)
{
	const struct tw_graph *g = tw_sched_graph(s);
	double *ranks = tw_alloc((size_t)tw_graph_n_tasks(g), sizeof *ranks);
	bool mean = strcmp(tw_args_text(tw_sched_args(s), "rank"), "mean") == 0;
	bool transfers = mean && tw_n_nodes(s) > 1;
	struct writers writers = transfers ? find_writers(s, g) : (struct writers){NULL, NULL};
	struct workers workers = find_workers(s);
	struct way way = transfers ? mean_way(s, &workers) : (struct way){0, 0};
	/* Goes backwards, since successors are submitted later than their predecessors. */
	for (tw_task t = tw_graph_n_tasks(g) - 1; t >= 0; t--) {
		int n;
		const tw_task *successors = tw_graph_successors(g, t, &n);
		double behind = 0;
		for (int i = 0; i < n; i++)
			behind = fmax(behind, ranks[successors[i]] +
			                              (transfers ? transfer(s, &writers, t, successors[i], way) : 0));
		ranks[t] = behind + length_of(s, &workers, t, mean);
	}
	free(writers.first);
	free(writers.of);
	return ranks;
}

int32_t *tw_upward_rank_levels(const struct tw_sched *s)
{
	size_t n = (size_t)tw_graph_n_tasks(tw_sched_graph(s));
	int32_t *levels = tw_run_alloc(s, n, sizeof *levels);
	double *ranks = upward_ranks(s), greatest = 0;
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

tw_task *tw_upward_rank_order(const struct tw_sched *s)
{
	size_t n = (size_t)tw_graph_n_tasks(tw_sched_graph(s));
	double *ranks = upward_ranks(s);
	struct ranked *ranked = tw_alloc(n, sizeof *ranked);
	tw_task *order = tw_run_alloc(s, n, sizeof *order);
	for (size_t t = 0; t < n; t++)
		ranked[t] = (struct ranked){ranks[t], (tw_task)t};
	qsort(ranked, n, sizeof *ranked, by_rank);
	for (size_t i = 0; i < n; i++)
		order[i] = ranked[i].task;
	free(ranks);
	free(ranked);
	return order;
}
