/* Opens a struct tw__shares: a platform's links become loads, its routes become lanes, and lanes form parts. */
#include <math.h>
#include <stdlib.h>

#include "base/least.h"
#include "links/shares.h"

static bool is_bridge(const struct tw__link *link) { return link->shared_bandwidth < link->bandwidth; }

/* Fills a lane from its route. Its crossings list each shared link once. A fat pipe bounds each transfer on its own,
 * however often the route lists it. */
static void lane_init(struct tw__lane *lane, const struct tw__platform *p, const struct tw__route *route,
                      const struct tw__weights *weights, struct tw__load *loads)
{
	double most = INFINITY;
	struct tw__sharer *sharer = &lane->sharer;
	sharer->weight = tw__weight(weights, p, route);
	lane->wait = tw__weight_latency(weights, p, route);
	lane->sleep = tw__greatest(0, route->latency - lane->wait);
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &p->links[route->links[l]];
		if (link->sharing == TW__FATPIPE)
			most = tw__least(most, link->bandwidth);
		else if (tw__is_first_listed(route, l))
			sharer->crossings[sharer->n_crossings++] = (struct tw__crossing){
				&loads[route->links[l]], tw__times_listed(route, route->links[l])};
		if (is_bridge(link))
			lane->lead = lane->wait;
	}
	sharer->most = most / sharer->weight;
}

/* --- parts ------------------------------------------------------------------------------------------------------- */

static size_t link_of(const struct tw__shares *s, const struct tw__lane *lane, int crossing)
{
	return (size_t)(lane->sharer.crossings[crossing].load - s->loads.of);
}

/* Moves the link that all lanes of the part cross, if there is one, to the front of the lane's crossings.
 * `n_lanes`: for each link, the number of lanes that cross it. */
static void put_hub_first(const struct tw__shares *s, struct tw__lane *lane, const int *n_lanes)
{
	struct tw__crossing *crossings = lane->sharer.crossings;
	struct tw__part *part = lane->part;
	for (int c = 0; c < lane->sharer.n_crossings; c++) {
		struct tw__crossing crossing = crossings[c];
		if (n_lanes[link_of(s, lane, c)] < part->n_lanes || (part->hub && part->hub != crossing.load))
			continue;
		part->hub = crossing.load;
		crossings[c] = crossings[0];
		crossings[0] = crossing;
		return;
	}
}

/* Finds the part of each lane, and the hubs of parts. */
static void find_parts(struct tw__shares *s, const struct tw__platform *p)
{
	const size_t n_links = (size_t)p->n_links;
	int *groups = tw__link_groups(p), *n_lanes = tw_alloc(n_links, sizeof *n_lanes);
	for (int i = 0; i < s->n_lanes; i++) {
		struct tw__lane *lane = &s->lanes[i];
		for (int c = 0; c < lane->sharer.n_crossings; c++)
			n_lanes[link_of(s, lane, c)]++;
		lane->part = &s->parts[lane->sharer.n_crossings ? (size_t)groups[link_of(s, lane, 0)] : n_links];
		lane->part->n_lanes++;
	}
	for (int i = 0; i < s->n_lanes; i++)
		put_hub_first(s, &s->lanes[i], n_lanes);
	free(groups);
	free(n_lanes);
	struct tw__lane **busy = s->parts_busy;
	for (size_t l = 0; l <= n_links; l++) {
		s->parts[l].busy = busy;
		busy += s->parts[l].n_lanes;
	}
}

/* --- opening and closing ----------------------------------------------------------------------------------------- */

void tw__shares_init(struct tw__shares *s, const struct tw__platform *p, const struct tw__weights *weights)
{
	const size_t n_routes = (size_t)p->n_nodes * (size_t)p->n_nodes, n_links = (size_t)p->n_links;
	size_t n_lanes = 0, n_crossings = 0;
	for (size_t r = 0; r < n_routes; r++) {
		n_lanes += p->routes[r].n_links > 0;
		n_crossings += (size_t)p->routes[r].n_links;
	}
	struct tw__arena memory = {0}, *a = &memory;
	*s = (struct tw__shares){
		.n_nodes = p->n_nodes,
		.lanes = tw__arena_alloc(a, n_lanes, sizeof *s->lanes),
		.lane_of = tw__arena_alloc(a, n_routes, sizeof *s->lane_of),
		.crossings = tw__arena_alloc(a, n_crossings, sizeof *s->crossings),
		.loads = {.of = tw__arena_alloc(a, n_links, sizeof *s->loads.of),
	                  .used = tw__arena_alloc(a, n_links, sizeof(struct tw__load *))},
		.busy = tw__arena_alloc(a, n_lanes, sizeof(struct tw__lane *)),
		.due = tw__arena_alloc(a, n_lanes, sizeof(struct tw__lane *)),
		.parts = tw__arena_alloc(a, n_links + 1, sizeof *s->parts),
		.parts_busy = tw__arena_alloc(a, n_lanes, sizeof(struct tw__lane *)),
		.due_parts = tw__arena_alloc(a, n_links + 1, sizeof(struct tw__part *)),
		.sharers = tw__arena_alloc(a, n_lanes, sizeof(struct tw__sharer *)),
		.flowing = tw__arena_alloc(a, n_lanes, sizeof *s->flowing),
	};
	s->memory = memory;
	for (size_t l = 0; l < n_links; l++) {
		s->loads.of[l].bandwidth = p->links[l].bandwidth;
		s->loads.of[l].shared_bandwidth = p->links[l].shared_bandwidth;
	}
	struct tw__crossing *crossings = s->crossings;
	for (size_t r = 0; r < n_routes; r++) {
		s->lane_of[r] = s->n_lanes;
		if (!p->routes[r].n_links)
			continue;
		struct tw__lane *lane = &s->lanes[s->n_lanes++];
		lane->route = (int)r;
		lane->sharer.crossings = crossings;
		lane_init(lane, p, &p->routes[r], weights, s->loads.of);
		crossings += p->routes[r].n_links;
	}
	find_parts(s, p);
}

void tw__shares_finish(struct tw__shares *s)
{
	tw__heap_finish(&s->parts_by_date);
	tw__arena_finish(&s->memory);
}
