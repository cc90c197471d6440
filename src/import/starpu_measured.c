/* Implements bus=measured: changes links so that a single copy takes the time that StarPU measured.
 *
 * StarPU measures matrices of bandwidths and latencies, and makes its XML from them. Copies that are simulated with the
 * XML do not always take the times of the matrices. The XML rounds latencies to microseconds. Its routes between
 * sockets cross the link `Host` twice. Its routes for NVLinks list the PCI links that NVLinks bypass.
 *
 * StarPU measured the matrices with one copy at a time. So the functions here take the time of a single copy from the
 * matrices, and the sharing between copies from the XML. */
#include "import/starpu_import.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A copy between two GPUs used NVLinks if it is this many times faster than both GPUs' copies to and from main
 * memory. */
static const double beyond_pci = 1.5;

/* A relative error of bandwidths. StarPU takes the bandwidths of some links from the slower of two routes, or from
 * earlier measurements. The bandwidth of such a link may be slightly below the value in the matrix. */
static const double tolerance = 0.01;

static void set_origin(struct tw__link *link, enum tw__link_number number, const char *text)
{
	free(link->origins[number]);
	link->origins[number] = tw_copy_text(text);
}

static bool is_its_own(const struct tw__platform *p, const struct tw__route *route, int link)
{
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++)
		if (&p->routes[r] != route && tw__times_listed(&p->routes[r], link))
			return false;
	return tw__times_listed(route, link) == 1;
}

/* Returns how often a route can list the link so that a single copy still reaches the measured bandwidth of the
 * route. */
static int times_possible(const struct tw__platform *p, const struct tw__route *route, int link)
{
	double times = p->links[link].shared_bandwidth / ((1 - tolerance) * route->predicted_bandwidth);
	return p->links[link].sharing == TW__FATPIPE && times >= 1 ? INT_MAX : (int)fmin(times, INT_MAX);
}

/* Whether copies from memory `from` to `to` used NVLinks. The bandwidths of PCI links do not tell it: StarPU raises
 * them to the fastest copy routed over them, even if that copy used NVLinks. */
static bool has_nvlink(const struct tw__platform *p, tw_node from, tw_node to)
{
	double pci = fmax(tw__route_of(p, from, TW_RAM)->predicted_bandwidth,
	                  tw__route_of(p, TW_RAM, to)->predicted_bandwidth);
	return !tw__is_main(p, from) && !tw__is_main(p, to) &&
	       tw__route_of(p, from, to)->predicted_bandwidth > beyond_pci * pci;
}

/* Whether a copy on the route is faster than one of the links that the route lists. Then StarPU measured the copy on
 * another path, so the copy shares none of these links. */
static bool takes_other_way(const struct tw__platform *p, const struct tw__route *route)
{
	for (int i = 1; i < route->n_links; i++)
		if (times_possible(p, route, route->links[i]) == 0)
			return true;
	return false;
}

/* If a route lists a link more often than the link's shared bandwidth allows, raises the link's bandwidth for a single
 * copy. */
static void raise_links(struct tw__platform *p, const struct tw__route *route)
{
	for (int i = 1; i < route->n_links; i++) {
		struct tw__link *link = &p->links[route->links[i]];
		int times = tw__times_listed(route, route->links[i]);
		if (times > times_possible(p, route, route->links[i])) {
			link->bandwidth = fmax(link->bandwidth, times * route->predicted_bandwidth);
			set_origin(link, TW__LINK_BANDWIDTH,
			           "derived: from measured copies, which pass it several times");
			set_origin(link, TW__LINK_SHARED_BANDWIDTH, "assumed: by StarPU's simulation");
		}
	}
}

/* Raises the shared bandwidths of a route's links, so that several copies together get at least the bandwidth of
 * one. */
static void share_enough(struct tw__platform *p, const struct tw__route *route)
{
	for (int i = 0; i < route->n_links; i++) {
		struct tw__link *link = &p->links[route->links[i]];
		link->shared_bandwidth = fmax(link->shared_bandwidth, route->bandwidth);
	}
}

static void set_own(struct tw__platform *p, struct tw__route *route)
{
	char *origin = tw_format("measured: by StarPU on %.200s, one copy at a time", p->name);
	struct tw__link *own = &p->links[route->links[0]];
	double rest_s = 0;
	for (int i = 1; i < route->n_links; i++)
		rest_s += p->links[route->links[i]].latency;
	own->bandwidth = own->shared_bandwidth = route->predicted_bandwidth;
	own->latency = fmax(0, route->predicted_latency - rest_s);
	set_origin(own, TW__LINK_BANDWIDTH, origin);
	set_origin(own, TW__LINK_LATENCY, origin);
	free(origin);
}

/* All links that copies share are as StarPU's simulation assumes them. */
static void set_other_origins(struct tw__platform *p)
{
	for (int i = 0; i < p->n_links; i++)
		if (!p->links[i].origins[TW__LINK_BANDWIDTH])
			set_origin(&p->links[i], TW__LINK_BANDWIDTH, "assumed: by StarPU's simulation");
}

static bool is_as_measured(const struct tw__platform *p)
{
	for (int i = 0; i < p->n_nodes * p->n_nodes; i++)
		if (p->routes[i].n_links && (p->routes[i].predicted_bandwidth != p->routes[i].bandwidth ||
		                             p->routes[i].predicted_latency != p->routes[i].latency))
			return false;
	return true;
}

int tw__starpu_bus_apply(struct tw__platform *p, const char *path, int *n_changed, struct tw_error *err)
{
	const tw_node disk = p->nodes[TW_RAM].backing; /* StarPU does not measure copies to and from the disk */
	*n_changed = 0;
	if (is_as_measured(p))
		return TW_OK;
	int *times = tw_alloc((size_t)p->n_links, sizeof *times);
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++) {
			struct tw__route *route = &p->routes[from * p->n_nodes + to];
			if (route->n_links == 0 || from == disk || to == disk)
				continue;
			if (!is_its_own(p, route, route->links[0])) {
				free(times);
				return tw_fail(err, TW_INVALID,
				               "%s: link '%s' of the route from '%s' to '%s' is also in other routes: "
				               "expected a first link that no other route has, or bus=simulated",
				               path, p->links[route->links[0]].name, p->nodes[from].name,
				               p->nodes[to].name);
			}
			if (has_nvlink(p, from, to) || takes_other_way(p, route)) {
				*n_changed += route->n_links > 1;
				route->n_links = 1;
			}
			raise_links(p, route);
			set_own(p, route);
		}
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++) {
		tw__route_measure(p, &p->routes[r], times);
		share_enough(p, &p->routes[r]);
	}
	free(times);
	set_other_origins(p);
	return TW_OK;
}
