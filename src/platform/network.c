#include "platform/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/wiring.h"

static void free_link(struct tw__link *link)
{
	free(link->name);
	for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
		free(link->origins[n]);
}

void tw__network_finish(struct tw__network *network)
{
	for (int r = 0; network->names && r < network->n_ranks; r++)
		free(network->names[r]);
	for (int l = 0; l < network->n_links; l++)
		free_link(&network->links[l]);
	for (int r = 0; network->routes && r < network->n_ranks * network->n_ranks; r++)
		free(network->routes[r].links);
	free(network->names);
	free(network->links);
	free(network->routes);
	*network = (struct tw__network){0};
}

/* --- topologies --------------------------------------------------------------------------------------------------- */

/* Each host has a limiter and a cable, and then comes the backbone. */
static int wire_flat(struct tw__wiring *w)
{
	const struct tw__raw_cluster *c = w->cluster;
	const int n = c->n_hosts;
	struct tw__cable *cables = tw_alloc((size_t)n, sizeof *cables);
	int *limiters = tw_alloc((size_t)n, sizeof *limiters), backbone = TW_NONE, status = TW_OK;
	if (c->backbone_bandwidth > 0)
		backbone = tw__wire_link(w, c->backbone_bandwidth, c->backbone_latency, c->backbone_sharing,
		                         "%s_backbone", c->id);
	for (int h = 0; h < n; h++) {
		limiters[h] = tw__wire_limiter(w, c->radicals[h]);
		cables[h] = tw__wire_cable(w, c->bandwidth, "%s_link_%d", c->id, c->radicals[h]);
	}
	for (int from = 0; from < n && status == TW_OK; from++)
		for (int to = 0; to < n && status == TW_OK; to++) {
			if (from == to)
				continue;
			tw__wire_hop(w, limiters[from]);
			tw__wire_hop(w, cables[from].up);
			tw__wire_hop(w, backbone);
			tw__wire_hop(w, cables[to].down);
			tw__wire_hop(w, limiters[to]);
			status = tw__wire_route(w, from, to);
		}
	free(cables);
	free(limiters);
	return status;
}

static int wire_cluster(struct tw__network *network, const struct tw__raw *raw, struct tw_error *err)
{
	static int (*const wire[])(struct tw__wiring *) = {[TW__FLAT] = wire_flat,
	                                                   [TW__FAT_TREE] = tw__wire_fat_tree,
	                                                   [TW__DRAGONFLY] = tw__wire_dragonfly,
	                                                   [TW__TORUS] = tw__wire_torus};
	struct tw__wiring w = {.raw = raw, .cluster = raw->cluster, .network = network, .err = err};
	int status = wire[raw->cluster->topology](&w);
	free(w.hops);
	return status;
}

/* --- hosts, links and routes -------------------------------------------------------------------------------------- */

static int check_hosts(const struct tw__raw *raw, struct tw_error *err)
{
	if (!raw->n_hosts && !raw->cluster)
		return tw__raw_fail(raw, raw->last_line, err, "a cluster without nodes, expected hosts or <cluster>");
	if (raw->n_hosts > TW__MAX_RANKS)
		return tw__raw_fail(raw, raw->hosts[TW__MAX_RANKS].line, err, "too many nodes, expected at most %d",
		                    TW__MAX_RANKS);
	for (int h = 0; h < raw->n_hosts; h++) {
		const struct tw__raw_host *host = &raw->hosts[h];
		if (host->arch || host->memory_bytes || host->role != TW__ROLE_NOT_SAID || host->main_memory)
			return tw__raw_fail(
				raw, host->line, err,
				"host '%.80s' of a cluster: expected no prop arch, memory, main_memory or role, "
				"as its node has a platform of its own",
				host->id);
	}
	return TW_OK;
}

/* Takes the routes of a file. Routes from a node to itself are left out: no transfer takes them. */
static int take_routes(struct tw__network *network, const struct tw__raw *raw, struct tw_error *err)
{
	const int n = raw->n_hosts;
	for (int i = 0; i < raw->n_routes; i++) {
		const struct tw__raw_route *from = &raw->routes[i];
		for (int back = 0; back <= from->symmetrical && from->from != from->to; back++) {
			const int ends[2] = {back ? from->to : from->from, back ? from->from : from->to};
			struct tw__route *route = &network->routes[ends[0] * n + ends[1]];
			if (route->n_links)
				return tw__raw_fail(raw, from->line, err,
				                    "the route from '%.80s' to '%.80s' is defined twice, expected once",
				                    raw->hosts[ends[0]].id, raw->hosts[ends[1]].id);
			route->n_links = from->n_links;
			route->links = tw_alloc((size_t)from->n_links, sizeof *route->links);
			for (int l = 0; l < from->n_links; l++)
				route->links[l] = tw__raw_route_link(raw, from, back, l);
		}
	}
	for (int r = 0; r < n * n; r++)
		if (!network->routes[r].n_links && r / n != r % n)
			return tw__raw_fail(raw, raw->hosts[r / n].line, err,
			                    "no route from '%.80s' to '%.80s', expected one", raw->hosts[r / n].id,
			                    raw->hosts[r % n].id);
	return TW_OK;
}

/* Leaves out links that no route lists, such as loopbacks. */
static void drop_links(struct tw__network *network)
{
	const int n_routes = network->n_ranks * network->n_ranks;
	int *number = tw_alloc((size_t)network->n_links, sizeof *number), n = 0;
	for (int r = 0; r < n_routes; r++)
		for (int l = 0; l < network->routes[r].n_links; l++)
			number[network->routes[r].links[l]] = 1;
	for (int l = 0; l < network->n_links; l++) {
		if (number[l])
			network->links[n] = network->links[l];
		else
			free_link(&network->links[l]);
		number[l] = number[l] ? n++ : TW_NONE;
	}
	network->n_links = n;
	for (int r = 0; r < n_routes; r++)
		for (int l = 0; l < network->routes[r].n_links; l++)
			network->routes[r].links[l] = number[network->routes[r].links[l]];
	free(number);
}

int tw__network_init(struct tw__network *network, const struct tw__raw *raw, struct tw_error *err)
{
	const size_t n = (size_t)(raw->cluster ? raw->cluster->n_hosts : raw->n_hosts);
	*network = (struct tw__network){0};
	int status = check_hosts(raw, err);
	if (status < 0)
		return status;
	network->n_ranks = (int)n;
	network->names = tw_alloc(n, sizeof *network->names);
	network->routes = tw_alloc(n * n, sizeof *network->routes);
	for (size_t r = 0; r < n; r++)
		network->names[r] = tw_copy_text(raw->cluster ? raw->cluster->names[r] : raw->hosts[r].id);
	if (raw->cluster) {
		status = wire_cluster(network, raw, err);
	} else {
		network->links = tw__raw_make_links(raw);
		network->n_links = raw->n_links;
		status = take_routes(network, raw, err);
	}
	if (status == TW_OK)
		drop_links(network);
	if (status < 0)
		tw__network_finish(network);
	return status;
}
