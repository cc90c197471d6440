/* Runs of the real engine in several processes, each of which has a node like this one. */
#include <stdlib.h>
#include <string.h>

#include "cluster/processes.h"
#include "experiment/load.h"
#include "platform/cluster.h"

/* The network is not modelled, as messages take the time that they take. Bounds and validation do not read these. */
#define ASSUMED_BANDWIDTH 1e10
#define ASSUMED_LATENCY 1e-6

static int check_ranks(const struct tw__scene *scene, struct tw_error *err)
{
	const int n = scene->request->n_processes, n_ranks = scene->platform->n_ranks;
	return n_ranks == n
	               ? TW_OK
	               : tw_fail(err, TW_INVALID,
	                         "platform '%.100s' has %d nodes: the MPI launcher has started %d processes: expected "
	                         "as many",
	                         scene->platform->name, n_ranks, n);
}

int tw__scene_multiply(struct tw__scene *scene, struct tw_error *err)
{
	const int n = scene->request->n_processes;
	struct tw__platform *node = scene->platform;
	if (n <= 1)
		return TW_OK;
	if (node->n_ranks > 1)
		return check_ranks(scene, err);
	char link_name[] = "network";
	int first_link = 0;
	struct tw__link link = {.name = link_name,
	                        .bandwidth = ASSUMED_BANDWIDTH,
	                        .shared_bandwidth = ASSUMED_BANDWIDTH,
	                        .latency = ASSUMED_LATENCY};
	struct tw__network network = {
		.name = node->name, .summary = node->summary, .n_ranks = n, .n_links = 1, .links = &link};
	const struct tw__platform **nodes = tw_alloc((size_t)n, sizeof *nodes);
	network.names = tw_alloc((size_t)n, sizeof *network.names);
	network.routes = tw_alloc((size_t)n * (size_t)n, sizeof *network.routes);
	for (int i = 0; i < n; i++) {
		nodes[i] = node;
		network.names[i] = tw_format("process%d", i);
	}
	for (int i = 0; i < n * n; i++)
		network.routes[i] = (struct tw__route){.n_links = 1, .links = &first_link};
	const int status = tw__cluster_join(&scene->platform, &network, nodes, err);
	scene->cpus *= n;
	scene->gpus *= n;
	for (int i = 0; i < n; i++)
		free(network.names[i]);
	free(network.names);
	free(network.routes);
	free(nodes);
	tw__platform_destroy(node);
	return status;
}

/* Returns the part of the request that several processes cannot do; NULL: there is none. */
static const char *refused(const struct tw__plan *plan)
{
	const struct tw__request *q = plan->request;
	if (q->learn)
		return "--learn";
	if (q->trace)
		return "--trace";
	if (q->assign || plan->domain_of)
		return "scheduling domains";
	if (plan->scene->graph->n_phases)
		return "a workload with reductions";
	const struct tw__runtime_params *p = &plan->params;
	if (p->send_limit || p->early_messages || p->message_cost > 0 || p->receive_chunk_cost > 0)
		return "--runtime with costs or limits of messages";
	return strcmp(tw_args_text(plan->plugins.engine_args, "mode"), "timed") == 0 ? "mode=timed" : NULL;
}

int tw__processes_check(const struct tw__plan *plan, struct tw_error *err)
{
	const int n = plan->request->n_processes;
	const struct tw__ranks *ranks = plan->scene->graph->ranks;
	if (n <= 1)
		return TW_OK;
	if (refused(plan))
		return tw_fail(err, TW_INVALID, "%s: not with engine 'real' in %d processes: expected none",
		               refused(plan), n);
	for (int r = 0; r < n; r++)
		if (ranks->first[r] == ranks->first[r + 1])
			return tw_fail(
				err, TW_INVALID,
				"process %d of %d has no tasks: expected fewer processes, or another --distribution", r,
				n);
	return tw__transport_load(err) ? TW_OK : TW_INVALID;
}
