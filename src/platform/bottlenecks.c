/* Removes from routes the links that can never limit a flow. A shared link is redundant if other shared links cover it:
 * each route that lists the link lists one of the others at least as often. The total bandwidth of the covering links
 * must be at most the bandwidth of the covered one. Examples: a link in series with a narrower one; a link for the sum
 * of a bridge's two directions.
 *
 * A link that is not shared (FATPIPE) bounds each flow on its own. Such a link is redundant if each route that lists it
 * also lists another link that is at least as narrow. Links are removed one at a time, and only because of links that
 * remain. So the remaining links limit flows exactly as all links do. */
#include "platform/bottlenecks.h"

#include <stdlib.h>

enum { MAX_COVER = 2 }; /* the most links that together may cover a shared link */

struct cover {
	int link[MAX_COVER], n;
	/* bandwidth of the covered link minus the bandwidths of the links chosen to cover it, bytes/s */
	double bandwidth;
};

/* For each link, the routes that list it, in the platform's order. Removing a link from its routes leaves the lists of
 * the other links valid. */
struct uses {
	const struct tw__platform *p;
	size_t *start; /* [n_links + 1]: where each link's routes begin in `route` */
	int *route;
};

static bool covers(const struct cover *cover, const struct tw__route *route, int times)
{
	for (int c = 0; c < cover->n; c++)
		if (tw__times_listed(route, cover->link[c]) >= times)
			return true;
	return false;
}

/* Whether the links in `cover`, and possibly further links, cover `link` on all its routes from index `first` on.
 * Searches by backtracking, with at most MAX_COVER covering links. */
static bool can_cover(const struct uses *u, int link, size_t first, struct cover cover)
{
	const struct tw__platform *p = u->p;
	const struct tw__route *route = NULL;
	int times = 0;
	for (; first < u->start[link + 1]; first++) {
		route = &p->routes[u->route[first]];
		times = tw__times_listed(route, link);
		if (!covers(&cover, route, times))
			break;
	}
	if (first == u->start[link + 1])
		return true;
	for (int l = 0; cover.n < MAX_COVER && l < route->n_links; l++) {
		const struct tw__link *other = &p->links[route->links[l]];
		if (route->links[l] == link || other->sharing != TW__SHARED || other->bandwidth > cover.bandwidth ||
		    tw__times_listed(route, route->links[l]) < times)
			continue;
		struct cover more = cover;
		more.link[more.n++] = route->links[l];
		more.bandwidth -= other->bandwidth;
		if (can_cover(u, link, first + 1, more))
			return true;
	}
	return false;
}

/* Returns the bandwidth that a link leaves for a flow that is alone on the route, in bytes/s. */
static double share_of(const struct tw__platform *p, const struct tw__route *route, int link)
{
	const struct tw__link *l = &p->links[link];
	return l->sharing == TW__FATPIPE ? l->bandwidth : l->bandwidth / tw__times_listed(route, link);
}

static bool has_narrower(const struct tw__platform *p, const struct tw__route *route, int link)
{
	double share = share_of(p, route, link);
	for (int l = 0; l < route->n_links; l++)
		if (route->links[l] != link && share_of(p, route, route->links[l]) <= share)
			return true;
	return false;
}

static bool is_needed(const struct uses *u, int link)
{
	const struct tw__platform *p = u->p;
	if (p->links[link].sharing == TW__SHARED)
		return !can_cover(u, link, u->start[link],
		                  (struct cover){.bandwidth = p->links[link].shared_bandwidth});
	for (size_t i = u->start[link]; i < u->start[link + 1]; i++)
		if (!has_narrower(p, &p->routes[u->route[i]], link))
			return true;
	return false;
}

static void leave_out(struct tw__platform *p, const struct uses *u, int link)
{
	for (size_t i = u->start[link]; i < u->start[link + 1]; i++) {
		struct tw__route *route = &p->routes[u->route[i]];
		int n = 0;
		for (int l = 0; l < route->n_links; l++)
			if (route->links[l] != link)
				route->links[n++] = route->links[l];
		route->n_links = n;
	}
}

/* Fills in `u`: lists the routes of each link, by a counting sort. `n_listed`: the total number of links that all
 * routes list. */
static void uses_init(struct uses *u, const struct tw__platform *p, size_t n_listed)
{
	size_t n_routes = (size_t)p->n_nodes * (size_t)p->n_nodes;
	*u = (struct uses){
		.p = p,
		.start = tw_alloc((size_t)p->n_links + 2, sizeof *u->start),
		.route = tw_alloc(n_listed, sizeof *u->route),
	};
	/* [n_links + 1]: for each link, where the next route of its list goes in `route` */
	size_t *behind = u->start + 1;
	for (size_t r = 0; r < n_routes; r++)
		for (int l = 0; l < p->routes[r].n_links; l++)
			if (tw__is_first_listed(&p->routes[r], l))
				behind[p->routes[r].links[l] + 1]++;
	for (int l = 0; l < p->n_links; l++)
		behind[l + 1] += behind[l];
	for (size_t r = 0; r < n_routes; r++)
		for (int l = 0; l < p->routes[r].n_links; l++)
			if (tw__is_first_listed(&p->routes[r], l))
				u->route[behind[p->routes[r].links[l]]++] = (int)r;
}

void tw__bottlenecks_init(struct tw__platform *narrowed, const struct tw__platform *p)
{
	size_t n_routes = (size_t)p->n_nodes * (size_t)p->n_nodes, n_links = 0;
	*narrowed = *p;
	for (size_t r = 0; r < n_routes; r++)
		n_links += (size_t)p->routes[r].n_links;
	narrowed->routes = tw_alloc(n_routes, sizeof *narrowed->routes);
	int *links = tw_alloc(n_links, sizeof *links);
	for (size_t r = 0; r < n_routes; r++) {
		narrowed->routes[r] = p->routes[r];
		/* the links of all routes are in one array, which begins with the first route's links */
		narrowed->routes[r].links = links;
		for (int l = 0; l < p->routes[r].n_links; l++)
			*links++ = p->routes[r].links[l];
	}
	struct uses uses;
	uses_init(&uses, narrowed, n_links);
	for (int l = 0; l < p->n_links; l++)
		if (!is_needed(&uses, l))
			leave_out(narrowed, &uses, l);
	free(uses.start);
	free(uses.route);
}

void tw__bottlenecks_finish(struct tw__platform *narrowed)
{
	if (narrowed->routes)
		free(narrowed->routes[0].links);
	free(narrowed->routes);
	narrowed->routes = NULL;
}
