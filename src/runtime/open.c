/* Creates the state of a run from its input, and frees it. */
#include "runtime/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/reduction.h"
#include "runtime/filters.h"
#include "runtime/messages.h"
#include "runtime/recursive.h"
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/state/uses.h"
#include "runtime/state/wakeups.h"
#include "runtime/transfers/transfers.h"

/* Returns the number by which predicted bandwidths are divided. Equations 3.4 and 3.5 are those of Augonnet 2011,
 * section 3.6.2. As printed, they multiply by the bandwidth; "the bandwidth used in equation 3.4 is thus divided by the
 * number of accelerators" tells what is meant. */
static double predicted_slowdown(const struct tw__rt *rt)
{
	const int accelerators = tw__platform_accelerators(rt->platform);
	if (strcmp(rt->params->bus, "eq3.4") == 0)
		return 1;
	return fmax(1, strcmp(rt->params->bus, "eq3.5") ? rt->params->contention * accelerators : accelerators);
}

/* Predicts the transfer times between all pairs of memories. Without a direct route, a transfer goes through their main
 * memories. */
static void believe(struct tw__rt *rt)
{
	const struct tw__platform *p = rt->platform;
	rt->transfer_slowdown = predicted_slowdown(rt);
	for (tw_node from = 0; from < rt->n_nodes; from++)
		for (tw_node to = 0; to < rt->n_nodes; to++) {
			const bool direct = from == to || tw__route_of(p, from, to)->n_links;
			const tw_node stops[] = {from, direct ? from : p->nodes[from].main,
			                         direct ? to : p->nodes[to].main, to};
			const int way = from * rt->n_nodes + to;
			for (int hop = 0; hop < 3; hop++) {
				if (stops[hop] == stops[hop + 1])
					continue;
				const struct tw__route *route = tw__route_of(p, stops[hop], stops[hop + 1]);
				rt->latency[way] += route->predicted_latency;
				rt->inverse_bandwidth[way] += rt->transfer_slowdown / route->predicted_bandwidth;
			}
		}
}

/* Creates one driver (thread) per worker. Memories without an accelerator's thread (disks) get a driver of their own,
 * which issues their transfers. So do main memories if there are several, or if the only one is bounded. */
static void open_drivers(struct tw__rt *rt)
{
	const struct tw__platform *p = rt->platform;
	const int most = p->n_workers + 3 * rt->n_nodes + 1; /* with those of ends.c, filters.c and messages.c */
	rt->drivers = tw_alloc((size_t)most, sizeof *rt->drivers);
	rt->at_nodes = tw_alloc((size_t)most, sizeof(struct driver *));
	rt->of_arch = tw_alloc((size_t)p->n_archs, sizeof *rt->of_arch);
	tw__turns_open(rt, most);
	struct tw_id_set *sets[] = {&rt->idle, &rt->notified, &rt->stay_woken, &rt->accelerators, &rt->movers};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		tw_id_set_init(sets[i], p->n_workers);
	tw_id_set_init(&rt->moving, most);
	for (int a = 0; a < p->n_archs; a++)
		tw_id_set_init(&rt->of_arch[a], p->n_workers);
	for (int w = 0; w < p->n_workers; w++) {
		struct driver *d = &rt->drivers[rt->n_drivers++];
		bool accelerator = p->archs[p->workers[w].arch].accelerator;
		d->worker = w;
		d->node = p->workers[w].node;
		d->accelerator = accelerator;
		d->idle = true;
		tw_id_set_put(&rt->idle, w, true);
		tw_id_set_put(&rt->of_arch[p->workers[w].arch], w, true);
		tw_id_set_put(&rt->accelerators, w, accelerator);
		if (rt->params->cpus_race && rt->order != ORDER_IDLE_TIME)
			tw_id_set_put(&rt->stay_woken, w, !accelerator);
		d->pipeline = (int)(accelerator ? rt->params->gpu_pipeline : rt->params->cpu_pipeline);
		d->n_polled = accelerator ? 2 : 1;
		if (d->node >= rt->n_mains && !rt->at_node[d->node].mover)
			rt->at_node[d->node].mover = d;
	}
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		if (rt->at_node[n].mover || (n < rt->n_mains && rt->n_mains == 1 && !is_bounded(rt, n)))
			continue;
		struct driver *d = &rt->drivers[rt->n_drivers++];
		d->worker = TW_NONE;
		d->node = n;
		rt->at_node[n].mover = d;
	}
	tw__ends_open(rt);
	tw__filters_open(rt);
	tw__messages_open(rt);
	for (int i = 0; i < rt->n_drivers; i++) {
		struct driver *d = &rt->drivers[i];
		d->rt = rt;
		d->id = i;
		d->turn.place = -1;
		d->landed_end = &d->landed;
		rt->at_node[d->node].n++;
		if (rt->at_node[d->node].mover == d)
			d->waiting = tw_alloc(N_CLASSES * rt->lane_words, sizeof *d->waiting);
		d->may_idle = rt->order == ORDER_ID && d->worker != TW_NONE;
		if (d->worker != TW_NONE)
			tw_id_set_put(&rt->movers, d->worker, d->waiting || is_bounded(rt, d->node));
		tw__rt_sleep(d);
	}
	struct driver **at_node = rt->at_nodes;
	for (tw_node n = 0; n < rt->n_nodes; n++) {
		rt->at_node[n].threads = at_node;
		at_node += rt->at_node[n].n;
		rt->at_node[n].n = 0;
	}
	for (int i = 0; i < rt->n_drivers; i++) {
		struct node_threads *at = &rt->at_node[rt->drivers[i].node];
		at->threads[at->n++] = &rt->drivers[i];
	}
}

/* Gives each worker the places of its pipeline, with room for the accesses of any task. */
static void open_holds(struct tw__rt *rt)
{
	const size_t most = (size_t)tw_graph_most_accesses(rt->in->graph);
	size_t n = 0;
	for (int i = 0; i < rt->n_drivers; i++)
		n += (size_t)rt->drivers[i].pipeline;
	struct hold *hold = rt->holds = tw_alloc(n, sizeof *rt->holds);
	tw__access *access = rt->hold_accesses = tw_resize(NULL, n * most, sizeof *access);
	for (size_t h = 0; h < n; h++)
		hold[h].access = access + h * most;
	if (rt->ops->caps & TW__ENGINE_COMPUTES)
		rt->placed = tw_resize(NULL, most, sizeof *rt->placed);
	for (int i = 0; i < rt->platform->n_workers; i++) {
		rt->drivers[i].hold = hold;
		hold += rt->drivers[i].pipeline;
	}
}

static void sync_kernels(struct tw__rt *rt)
{
	for (int k = 0; k < rt->graph->n_kernels; k++) {
		const char *name = rt->graph->kernels[k].name, *at = rt->params->sync_kernels;
		size_t length = strlen(name);
		for (; at; at = strchr(at, '+'), at = at ? at + 1 : NULL)
			rt->sync_kernel[k] |= !strncmp(at, name, length) && (at[length] == '\0' || at[length] == '+');
	}
}

static void launch_blocks(struct tw__rt *rt)
{
	if (!*rt->params->launch_blocks)
		return;
	rt->launch_blocks = tw_alloc((size_t)rt->graph->n_kernels, sizeof *rt->launch_blocks);
	for (int k = 0; k < rt->graph->n_kernels; k++) {
		const struct tw__kernel *kernel = &rt->graph->kernels[k];
		rt->launch_blocks[k] = tw__ns_of(tw__launch_block_s(rt->params, kernel->name, kernel->size));
	}
}

int tw__rt_open(struct tw__rt *rt)
{
	size_t n = (size_t)rt->n_nodes;
	rt->plugins_memory = tw_alloc(1, sizeof *rt->plugins_memory);
	rt->node_words = tw__bit_words(rt->n_nodes);
	rt->n_mains = tw__n_mains(rt->platform);
	rt->lane_words = tw__bit_words(rt->n_nodes + rt->n_mains);
	uint64_t *capacity = rt->capacity = tw_alloc(n, sizeof *rt->capacity);
	rt->n_computing = tw_alloc(n, sizeof *rt->n_computing);
	tw__run_capacities(rt->platform, rt->params, capacity);
	int status = tw__run_check_fit(rt->in, capacity, rt->err);
	if (status != TW_OK)
		return rt->status = status;
	tw__reduce_open(rt);
	const struct tw_graph *g = rt->graph;
	size_t tasks = (size_t)tw__graph_max_tasks(g), own_tasks = (size_t)rt->n_own_tasks;
	for (int w = 0; w < rt->platform->n_workers; w++)
		rt->n_computing[rt->platform->workers[w].node]++;
	rt->remaining = tw_resize(NULL, tasks, sizeof *rt->remaining);
	tw__classes_init(&rt->classes, rt->in->belief, rt->platform, g);
	rt->sync_kernel = tw_alloc((size_t)g->n_kernels, sizeof *rt->sync_kernel);
	rt->at_node = tw_alloc(n, sizeof *rt->at_node);
	rt->latency = tw_alloc(n * n, sizeof *rt->latency);
	rt->inverse_bandwidth = tw_alloc(n * n, sizeof *rt->inverse_bandwidth);
	rt->eviction_random = tw__random_create(rt->in->seed, TW__STREAM_EVICTION);
	rt->order_random = tw__random_create(rt->in->seed, TW__STREAM_ORDER);
	tw__domains_open(rt);
	rt->eviction_state = tw_alloc(1, rt->in->eviction->state_size + 1);
	rt->planned_uses = tw_alloc(n, sizeof *rt->planned_uses);
	rt->homes = tw__run_homes(rt->platform, rt->in->graph, rt->params, capacity);
	rt->order = !strcmp(rt->params->order, "id")       ? ORDER_ID
	            : !strcmp(rt->params->order, "random") ? ORDER_RANDOM
	                                                   : ORDER_IDLE_TIME;
	rt->only_channels = !strcmp(rt->params->conflicts, "channel");
	tw__recursive_open(rt);
	tw__submit_open(rt);
	tw__memory_open(rt);
	tw__transfers_open(rt);
	open_drivers(rt);
	open_holds(rt);
	believe(rt);
	sync_kernels(rt);
	launch_blocks(rt);
	for (size_t t = 0; t < own_tasks; t++)
		rt->remaining[t] = 1;
	tw__graph_count_predecessors(rt->in->graph, rt->remaining);
	return rt->status;
}

void tw__rt_close(struct tw__rt *rt)
{
	tw__ends_close(rt);
	tw__messages_close(rt);
	for (int i = 0; i < rt->n_drivers; i++)
		free(rt->drivers[i].waiting);
	tw__submit_close(rt);
	tw__recursive_close(rt);
	tw__transfers_close(rt);
	tw__memory_close(rt);
	tw__random_destroy(rt->eviction_random);
	tw__random_destroy(rt->order_random);
	free(rt->remaining);
	tw__classes_finish(&rt->classes);
	free(rt->sync_kernel);
	free(rt->launch_blocks);
	free(rt->latency);
	free(rt->inverse_bandwidth);
	tw__domains_close(rt);
	tw__uses_close(rt);
	free(rt->planned_uses);
	free(rt->eviction_state);
	free(rt->drivers);
	free(rt->holds);
	free(rt->hold_accesses);
	free(rt->placed);
	free(rt->at_nodes);
	for (int a = 0; rt->of_arch && a < rt->platform->n_archs; a++)
		tw_id_set_finish(&rt->of_arch[a]);
	free(rt->of_arch);
	tw_id_set_finish(&rt->idle);
	tw_id_set_finish(&rt->notified);
	tw_id_set_finish(&rt->stay_woken);
	tw_id_set_finish(&rt->accelerators);
	tw_id_set_finish(&rt->movers);
	tw_id_set_finish(&rt->moving);
	tw__turns_close(rt);
	free(rt->capacity);
	free(rt->at_node);
	free(rt->n_computing);
	tw__reduce_close(rt);
	tw__arena_finish(rt->plugins_memory);
	free(rt->plugins_memory);
}
