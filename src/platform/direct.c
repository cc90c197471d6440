/* Routes of GPUDirect: from the memories of cards to those of other nodes of a cluster. They cross the links between
 * card and main memory, and those of the network. */
#include <stdlib.h>

#include "platform/cluster.h"

/* Adds the links of a route, if there is one. */
static void add_links(struct tw__route *to, const struct tw__route *leg)
{
	for (int l = 0; l < leg->n_links; l++)
		to->links[to->n_links++] = leg->links[l];
}

/* Whether messages may leave from the memory, or go to it: the first main memory of its node, or a card with routes. */
static bool has_ways(const struct tw__platform *p, tw_node main, tw_node n)
{
	return n == main ||
	       (tw__is_card(p, n) && tw__route_of(p, n, main)->n_links && tw__route_of(p, main, n)->n_links);
}

static struct tw__route route_between(const struct tw__platform *p, const tw_node *main_of, tw_node from, tw_node to,
                                      int *times)
{
	const tw_node main[] = {main_of[p->nodes[from].rank], main_of[p->nodes[to].rank]};
	const struct tw__route *own = tw__route_of(p, from, to), *out = tw__route_of(p, from, main[0]),
			       *across = tw__route_of(p, main[0], main[1]), *in = tw__route_of(p, main[1], to);
	if (own->n_links || main[0] == main[1] || !has_ways(p, main[0], from) || !has_ways(p, main[1], to))
		return tw__route_copy(own, 0);
	struct tw__route route = {0};
	route.links = tw_alloc((size_t)(out->n_links + across->n_links + in->n_links), sizeof *route.links);
	add_links(&route, out);
	add_links(&route, across);
	add_links(&route, in);
	tw__route_measure(p, &route, times);
	route.predicted_latency = route.latency;
	route.predicted_bandwidth = route.bandwidth;
	return route;
}

void tw__direct_routes_init(struct tw__platform *direct, const struct tw__platform *p)
{
	tw_node *main_of = tw_alloc((size_t)p->n_ranks, sizeof *main_of);
	int *times = tw_alloc((size_t)p->n_links, sizeof *times);
	for (tw_node n = tw__n_mains(p); n-- > 0;)
		main_of[p->nodes[n].rank] = n;
	*direct = *p;
	direct->routes = tw_alloc((size_t)p->n_nodes * (size_t)p->n_nodes, sizeof *direct->routes);
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++)
			direct->routes[from * p->n_nodes + to] = route_between(p, main_of, from, to, times);
	free(main_of);
	free(times);
}

void tw__direct_routes_finish(struct tw__platform *direct)
{
	for (int r = 0; direct->routes && r < direct->n_nodes * direct->n_nodes; r++)
		free(direct->routes[r].links);
	free(direct->routes);
	direct->routes = NULL;
}
