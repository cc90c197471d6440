#include "platform/wiring.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The most links that the routes of a cluster list together: they take 4 bytes each, in several platforms. */
enum { MOST_LISTED = 1 << 24 };

/* Adds a link, and takes over its name. */
static int add_link(struct tw__wiring *w, char *name, double bandwidth, double latency, enum tw__sharing sharing)
{
	struct tw__network *network = w->network;
	TW_RESERVE(network->links, w->link_capacity, (size_t)network->n_links + 1);
	network->links[network->n_links] = (struct tw__link){.name = name,
	                                                     .bandwidth = bandwidth,
	                                                     .shared_bandwidth = bandwidth,
	                                                     .latency = latency,
	                                                     .sharing = sharing};
	return network->n_links++;
}

int tw__wire_link(struct tw__wiring *w, double bandwidth, double latency, enum tw__sharing sharing, const char *format,
                  ...)
{
	va_list values;
	va_start(values, format);
	char *name = tw__format_list(format, values);
	va_end(values);
	return add_link(w, name, bandwidth, latency, sharing);
}

struct tw__cable tw__wire_cable(struct tw__wiring *w, double bandwidth, const char *format, ...)
{
	const double latency = w->cluster->latency;
	struct tw__cable cable;
	va_list values;
	va_start(values, format);
	char *name = tw__format_list(format, values);
	va_end(values);
	if (w->cluster->is_duplex) {
		cable.up = tw__wire_link(w, bandwidth, latency, TW__SHARED, "%s_UP", name);
		cable.down = tw__wire_link(w, bandwidth, latency, TW__SHARED, "%s_DOWN", name);
		free(name);
	} else {
		cable.up = cable.down = add_link(w, name, bandwidth, latency, TW__SHARED);
	}
	return cable;
}

int tw__wire_limiter(struct tw__wiring *w, int number)
{
	const struct tw__raw_cluster *c = w->cluster;
	return c->limiter > 0 ? tw__wire_link(w, c->limiter, 0, TW__SHARED, "%s_link_%d_limiter", c->id, number)
	                      : TW_NONE;
}

void tw__wire_hop(struct tw__wiring *w, int link)
{
	if (link == TW_NONE)
		return;
	TW_RESERVE(w->hops, w->hop_capacity, (size_t)w->n_hops + 1);
	w->hops[w->n_hops++] = link;
}

int tw__wire_route(struct tw__wiring *w, int from, int to)
{
	const size_t n = (size_t)w->n_hops;
	struct tw__route *route = &w->network->routes[from * w->network->n_ranks + to];
	w->n_listed += n;
	if (w->n_listed > MOST_LISTED || w->n_hops > TW__MAX_ROUTE_LINKS)
		return tw__raw_fail(w->raw, w->cluster->line, w->err,
		                    "the routes of cluster '%.80s' list more than %d links: expected shorter routes or "
		                    "fewer hosts",
		                    w->cluster->id, MOST_LISTED);
	route->links = tw_alloc(n, sizeof *route->links);
	if (n)
		memcpy(route->links, w->hops, n * sizeof *route->links);
	route->n_links = w->n_hops;
	w->n_hops = 0;
	return TW_OK;
}

/* Reads a number and the character behind it, one of `ends` or the end of the text. */
static bool read_number(const char **at, int *number, const char *ends)
{
	char *end;
	if (**at < '0' || **at > '9')
		return false;
	const long value = strtol(*at, &end, 10);
	*at = end;
	*number = (int)value;
	return value >= 1 && value <= TW__MAX_LINKS && (!*end || strchr(ends, *end));
}

int tw__wire_lists(struct tw__lists *lists, const struct tw__wiring *w, int n_lists, const int *n, const char *form)
{
	const char *at = w->cluster->parameters;
	bool is_right = true;
	*lists = (struct tw__lists){0};
	while (is_right && lists->n_lists < n_lists) {
		int *count = &lists->n[lists->n_lists], *of = lists->of[lists->n_lists];
		do
			is_right = *count < TW__MOST_IN_LIST && read_number(&at, &of[(*count)++], ",;");
		while (is_right && *at == ',' && *at++);
		is_right &= !n[lists->n_lists] || n[lists->n_lists] == *count;
		if (++lists->n_lists < n_lists)
			is_right &= *at == ';' && *at++;
	}
	if (is_right && !*at)
		return TW_OK;
	return tw__raw_fail(w->raw, w->cluster->line, w->err,
	                    "topo_parameters '%.80s': expected numbers from 1 to %d, as in %s", w->cluster->parameters,
	                    TW__MAX_LINKS, form);
}

int tw__wire_check(const struct tw__wiring *w, int64_t n_nodes, int64_t n_links)
{
	if (n_nodes != w->cluster->n_hosts)
		return tw__raw_fail(
			w->raw, w->cluster->line, w->err,
			"topo_parameters '%.80s' are of %lld hosts, but radical has %d: expected equal numbers",
			w->cluster->parameters, (long long)n_nodes, w->cluster->n_hosts);
	if (n_links > TW__MAX_LINKS)
		return tw__raw_fail(w->raw, w->cluster->line, w->err,
		                    "topo_parameters '%.80s' make more than %d links: expected fewer",
		                    w->cluster->parameters, TW__MAX_LINKS);
	return TW_OK;
}
