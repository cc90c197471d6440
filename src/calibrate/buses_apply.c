/* Makes the links of a platform from measured routes: one link for each route, and one for each set of routes that
 * share bandwidth. */
#include "calibrate/buses.h"

#include <stdio.h>
#include <stdlib.h>

static int no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "calibration: out of memory"); }

static bool set_link(struct tw__link *link, char *name, double bandwidth, double latency_s)
{
	*link = (struct tw__link){.name = name,
	                          .bandwidth = bandwidth,
	                          .shared_bandwidth = bandwidth,
	                          .latency = latency_s,
	                          .sharing = TW__SHARED};
	return name;
}

static char *print_name(const char *format, const char *from, const char *to)
{
	char *name;
	return asprintf(&name, format, from, to) < 0 ? NULL : name;
}

static void free_links(struct tw__link *links, int n)
{
	for (int i = 0; i < n; i++)
		free(links[i].name);
	free(links);
}

/* Returns the new links of the platform: first one for each route, then one for each set of routes that share
 * bandwidth. NULL: out of memory. */
static struct tw__link *make_links(const struct tw__buses *b, const struct tw_platform *p)
{
	int n = b->n_ways + b->n_shared;
	struct tw__link *links = calloc((size_t)n + 1, sizeof *links);
	bool good = links;
	for (int w = 0; w < b->n_ways && good; w++) {
		const struct tw__bus_way *way = &b->ways[w];
		char *name = print_name("%s-%s", p->nodes[way->way.from].name, p->nodes[way->way.to].name);
		good = set_link(&links[w], name, way->line.bandwidth, way->line.latency_s);
	}
	for (int i = 0; i < b->n_shared && good; i++) {
		char number[16];
		snprintf(number, sizeof number, "%d", i);
		good = set_link(&links[b->n_ways + i], print_name("%s%s", "shared", number), b->shared[i].bandwidth, 0);
	}
	if (good)
		return links;
	if (links)
		free_links(links, n);
	return NULL;
}

static bool set_route(const struct tw__buses *b, int w, struct tw__route *route)
{
	int *list = malloc(((size_t)b->n_shared + 1) * sizeof *list);
	if (!list)
		return false;
	free(route->links);
	route->links = list;
	route->n_links = 0;
	list[route->n_links++] = w;
	for (int i = 0; i < b->n_shared; i++)
		if (b->shared[i].has[w])
			list[route->n_links++] = b->n_ways + i;
	return true;
}

int tw__buses_apply(const struct tw__buses *b, struct tw_platform *p, struct tw_error *err)
{
	const int n = b->n_ways + b->n_shared;
	int *times = calloc((size_t)n + 1, sizeof *times);
	struct tw__link *links = make_links(b, p);
	bool good = times && links;
	if (good) {
		free_links(p->links, p->n_links);
		p->links = links;
		p->n_links = n;
	}
	for (int w = 0; w < b->n_ways && good; w++) {
		struct tw__way way = b->ways[w].way;
		struct tw__route *route = &p->routes[way.from * p->n_nodes + way.to];
		good = set_route(b, w, route);
		if (!good)
			break;
		tw__route_measure(p, route, times);
		route->predicted_bandwidth = route->bandwidth;
		route->predicted_latency = route->latency;
	}
	free(times);
	return good ? TW_OK : no_memory(err);
}
