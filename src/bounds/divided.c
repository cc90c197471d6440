/* Bounds of a distribution over the nodes of a cluster (ranks): the area bound of each node's own tasks on its own
 * workers, and the messages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds/bounds.h"
#include "graph/ranks.h"

/* Returns the platform with the workers of one rank, in an array of this function's caller. */
static struct tw__platform workers_of(const struct tw__platform *whole, int rank, struct tw__worker *workers)
{
	struct tw__platform p = *whole;
	p.workers = workers;
	p.n_workers = 0;
	for (tw_worker w = 0; w < whole->n_workers; w++)
		if (whole->workers[w].rank == rank)
			workers[p.n_workers++] = whole->workers[w];
	return p;
}

/* Returns the tasks of one rank without messages, and their times, for the area bound alone. Both have arrays of their
 * own, which finish() frees. */
static struct tw_graph tasks_of(const struct tw__bounded *in, int rank, struct tw__times *times)
{
	const struct tw_graph *whole = in->divided.graph;
	const struct tw__ranks *r = whole->ranks;
	const size_t most = (size_t)(r->first[rank + 1] - r->first[rank]);
	struct tw_graph g = {
		.kernels = whole->kernels, .n_kernels = whole->n_kernels, .kernel = tw_alloc(most, sizeof *g.kernel)};
	*times = *in->divided.times;
	if (times->own)
		times->own = tw_alloc((size_t)times->n_archs, sizeof *times->own);
	for (tw_arch a = 0; times->own && a < times->n_archs; a++)
		if (in->divided.times->own[a])
			times->own[a] = tw_alloc(most, sizeof **times->own);
	for (tw_task t = r->first[rank]; t < r->first[rank + 1]; t++) {
		if (tw__is_message(whole, t))
			continue;
		for (tw_arch a = 0; times->own && a < times->n_archs; a++)
			if (times->own[a])
				times->own[a][g.n_tasks] = in->divided.times->own[a][t];
		g.kernel[g.n_tasks++] = whole->kernel[t];
	}
	times->n_tasks = g.n_tasks;
	return g;
}

static void finish(struct tw_graph *g, struct tw__times *times)
{
	free(g->kernel);
	for (tw_arch a = 0; times->own && a < times->n_archs; a++)
		free(times->own[a]);
	free(times->own);
}

static int find_area(const struct tw__bounded *in, int rank, struct tw__worker *workers, double *seconds,
                     struct tw_error *err)
{
	struct tw__times times;
	const struct tw__platform platform = workers_of(in->platform, rank, workers);
	struct tw_graph graph = tasks_of(in, rank, &times);
	const struct tw__bounded own = {.platform = &platform, .graph = &graph, .times = &times};
	*seconds = 0;
	int status = graph.n_tasks ? tw__bound_area(&own, NULL, seconds, err) : TW_OK;
	finish(&graph, &times);
	return status;
}

static void count_messages(struct tw__divided_bounds *b, const struct tw_graph *g)
{
	b->n_messages = g->ranks->n_messages;
	b->message_bytes = 0;
	for (int32_t m = 0; m < b->n_messages; m++) {
		const tw_task send = g->ranks->messages[m].send;
		b->message_bytes += g->data_bytes[tw__access_data(g->access[g->access_start[send]])];
	}
}

int tw__bound_divided(struct tw__divided_bounds *b, const struct tw__bounded *in, const char *workload,
                      struct tw_error *err)
{
	static const char cholesky[] = "cholesky";
	const bool has_formula = workload && strcspn(workload, ":") == strlen(cholesky) &&
	                         strncmp(workload, cholesky, strlen(cholesky)) == 0 && in->graph->n_flushes == 0;
	struct tw__worker *workers = tw_alloc((size_t)in->platform->n_workers, sizeof *workers);
	int status = TW_OK;
	*b = (struct tw__divided_bounds){
		.leading_bytes = has_formula ? in->divided.sends * (double)tw__graph_working_set(in->graph) : NAN};
	count_messages(b, in->divided.graph);
	for (int rank = 0; rank < in->platform->n_ranks && status == TW_OK; rank++) {
		double seconds;
		status = find_area(in, rank, workers, &seconds, err);
		if (status == TW_OK && seconds > b->area_s) {
			b->area_s = seconds;
			b->rank = rank;
		}
	}
	free(workers);
	return status;
}
