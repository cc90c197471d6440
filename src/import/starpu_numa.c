/* NUMA nodes that StarPU has measured become main memories. StarPU's XML has a single memory for them, "RAM". Its
 * matrices name them, and have the copies between them and between each of them and each accelerator. */
#include "import/starpu_import.h"

#include <math.h>

#define MOVED(node) ((node) > 0 ? (node) + more : (node))

int tw__starpu_add_mains(struct tw__platform *p, int n_mains, struct tw_error *err)
{
	const int more = n_mains - 1, old = p->n_nodes, now = old + more;
	struct tw__route *routes = tw_alloc((size_t)now * (size_t)now, sizeof *routes);
	for (tw_node from = 0; from < old; from++)
		for (tw_node to = 0; to < old; to++)
			routes[MOVED(from) * now + MOVED(to)] = p->routes[from * old + to];
	free(p->routes);
	p->routes = routes;
	p->nodes = tw_resize(p->nodes, (size_t)now, sizeof *p->nodes);
	memmove(p->nodes + n_mains, p->nodes + 1, (size_t)(old - 1) * sizeof *p->nodes);
	for (tw_node n = 1; n < n_mains; n++)
		p->nodes[n] = (struct tw__node){.name = tw_format("%s%d", p->nodes[0].name, n), .main = n};
	p->n_nodes = now;
	p->nodes[0].backing = MOVED(p->nodes[0].backing);
	for (int w = 0; w < p->n_workers; w++)
		p->workers[w].node = MOVED(p->workers[w].node);
	for (tw_node n = n_mains; n < now; n++)
		for (tw_node m = 1; m < n_mains; m++)
			if (!strcmp(p->nodes[m].name, p->nodes[n].name))
				return tw_fail(err, TW_INVALID,
				               "import 'starpu:%.60s': memory '%.60s' has the name of a NUMA node: "
				               "expected another, or numa=first",
				               p->name, p->nodes[n].name);
	return TW_OK;
}

struct measured {
	struct tw__platform *p;
	int n_mains;
	const double *bandwidth, *latency;
};

static double time_of(const struct measured *s, tw_node from, tw_node to)
{
	return 1 / s->bandwidth[from * s->p->n_nodes + to];
}

/* Gives the route a link of its own with the measured values, before copies of other links. */
static void add_route(const struct measured *s, tw_node from, tw_node to, const struct tw__route *shared)
{
	struct tw__platform *p = s->p;
	struct tw__route *route = &p->routes[from * p->n_nodes + to];
	const int rest = shared && shared->n_links ? shared->n_links - 1 : 0;
	double latency = s->latency[from * p->n_nodes + to];
	route->n_links = 1 + rest;
	route->links = tw_alloc((size_t)route->n_links, sizeof *route->links);
	route->links[0] = p->n_links;
	for (int i = 1; i <= rest; i++) {
		route->links[i] = shared->links[i];
		latency -= p->links[shared->links[i]].latency;
	}
	p->links = tw_resize(p->links, (size_t)p->n_links + 1, sizeof *p->links);
	p->links[p->n_links++] = (struct tw__link){
		.name = tw_format("%s-%s", p->nodes[from].name, p->nodes[to].name),
		.bandwidth = s->bandwidth[from * p->n_nodes + to],
		.shared_bandwidth = s->bandwidth[from * p->n_nodes + to],
		.latency = fmax(0, latency),
		.origins[TW__LINK_BANDWIDTH] = tw_format("measured: by StarPU on %.200s, one copy at a time", p->name),
	};
}

/* An accelerator is near the memory with the fastest copies there and back. Its routes to other NUMA nodes than the
 * first share the links that its route to the first one shares. */
static void join_card(const struct measured *s, tw_node card)
{
	struct tw__platform *p = s->p;
	tw_node near = 0;
	for (tw_node n = 1; n < s->n_mains; n++) {
		if (time_of(s, n, card) + time_of(s, card, n) < time_of(s, near, card) + time_of(s, card, near))
			near = n;
		add_route(s, n, card, tw__route_of(p, 0, card));
		add_route(s, card, n, tw__route_of(p, card, 0));
	}
	p->nodes[card].main = p->nodes[card].backing = near;
}

/* StarPU's files do not say where cores are. It numbers them socket by socket, so each memory gets an equal part. */
static void spread_cores(const struct measured *s)
{
	struct tw__platform *p = s->p;
	int n_cores = 0, i = 0;
	for (int w = 0; w < p->n_workers; w++)
		n_cores += p->workers[w].node == TW_RAM;
	for (int w = 0; w < p->n_workers; w++)
		if (p->workers[w].node == TW_RAM)
			p->workers[w].node = (tw_node)((int64_t)i++ * s->n_mains / n_cores);
}

void tw__starpu_join_mains(struct tw__platform *p, int n_mains, const double *bandwidth, const double *latency)
{
	const struct measured s = {p, n_mains, bandwidth, latency};
	for (tw_node from = 0; from < n_mains; from++)
		for (tw_node to = 0; to < n_mains; to++)
			if (from != to)
				add_route(&s, from, to, NULL);
	for (tw_node card = n_mains; card < p->n_nodes; card++)
		if (p->nodes[card].backing == TW_RAM)
			join_card(&s, card);
	spread_cores(&s);
}
