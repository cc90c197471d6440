/* Handles the XML elements of platform.xml. An unknown element or attribute is an error, whose message names it:
 * nothing is skipped. */
#include "platform/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/one_line.h"
#include "base/spec.h"

enum { MAX_ATTRIBUTES = TW__CLUSTER_ATTRIBUTES };

/* Checks the id of a new host or link, and adds it to `names` with index `place`. */
static int claim(struct tw__reader *r, const char **claimed, struct tw__raw_name **names, const char *what,
                 const char *id, int place, int max)
{
	size_t length = strlen(id);
	if (length == 0 || length > TW__MAX_NAME)
		return tw__reader_fail(r, "%s id of %zu bytes, expected 1 to %d", what, length, TW__MAX_NAME);
	if (!tw__is_text(id))
		return tw__reader_fail(r, "%s id '%s': expected text without control characters", what, id);
	if (tw__raw_find(names, id) != TW_NONE)
		return tw__reader_fail(r, "%s '%s' is defined twice, expected unique ids", what, id);
	if (place >= max)
		return tw__reader_fail(r, "too many %ss, expected at most %d", what, max);
	*claimed = tw__raw_add_name(names, id, place);
	return TW_OK;
}

static int start_platform(struct tw__reader *r, const char *const *values)
{
	if (strcmp(values[0], "4") != 0 && strcmp(values[0], "4.1") != 0)
		return tw__reader_fail(r, "platform version '%.80s': expected 4 or 4.1", values[0]);
	return TW_OK;
}

static int start_zone(struct tw__reader *r, const char *const *values)
{
	if (r->n_zones++)
		return tw__reader_fail(r, "a second zone '%.80s': expected one", values[0]);
	if (strcmp(values[1], "Full") != 0)
		return tw__reader_fail(r, "routing '%.80s': expected Full", values[1]);
	return TW_OK;
}

static int start_host(struct tw__reader *r, const char *const *values)
{
	struct tw__raw *raw = &r->raw;
	const char *id;
	if (raw->cluster)
		return tw__reader_fail(r, "host '%.80s' beside a cluster: expected only the cluster", values[0]);
	int status = claim(r, &id, &raw->host_names, "host", values[0], raw->n_hosts, TW__MAX_HOSTS);
	if (status < 0)
		return status;
	TW_RESERVE(raw->hosts, raw->host_capacity, (size_t)raw->n_hosts + 1);
	struct tw__raw_host *host = &raw->hosts[raw->n_hosts++];
	*host = (struct tw__raw_host){
		.id = id, .line = r->line, .cores = 1, .peer = -1, .idle_watts = NAN, .busy_watts = NAN};
	if (values[2]) {
		int64_t cores;
		if (tw__parse_int(&cores, values[2], r->err) < 0)
			return tw__reader_bad_value(r, "core", values[2]);
		if (cores < 1 || cores > TW__MAX_WORKERS)
			return tw__reader_fail(r, "core '%.80s': expected 1 to %d", values[2], TW__MAX_WORKERS);
		host->cores = (int)cores;
	}
	return tw__reader_rate(r, &host->speed, "speed", values[1], "f", "2Gf");
}

static int add_link(struct tw__reader *r, const char *id, const struct tw__raw_link *like)
{
	struct tw__raw *raw = &r->raw;
	struct tw__raw_link link = *like;
	int status = claim(r, &link.id, &raw->link_names, "link", id, raw->n_links, TW__MAX_LINKS);
	if (status < 0)
		return status;
	TW_RESERVE(raw->links, raw->link_capacity, (size_t)raw->n_links + 1);
	raw->links[raw->n_links++] = link;
	return TW_OK;
}

/* Adds the two links of a SPLITDUPLEX link, one for each direction. Their ids end with _UP and _DOWN, as in SimGrid. */
static int add_duplex(struct tw__reader *r, const char *id, const struct tw__raw_link *like)
{
	char way[TW__MAX_NAME + sizeof "_DOWN"];
	int up = r->raw.n_links;
	if (strlen(id) > TW__MAX_NAME - strlen("_DOWN"))
		return tw__reader_fail(r, "link id of %zu bytes, expected at most %zu", strlen(id),
		                       TW__MAX_NAME - strlen("_DOWN"));
	if (tw__raw_find(&r->raw.duplex_names, id) != TW_NONE || tw__raw_find(&r->raw.link_names, id) != TW_NONE)
		return tw__reader_fail(r, "link '%s' is defined twice, expected unique ids", id);
	for (int i = 0; i < 2; i++) {
		snprintf(way, sizeof way, "%s_%s", id, i ? "DOWN" : "UP");
		int status = add_link(r, way, like);
		if (status < 0)
			return status;
	}
	r->raw.links[up].other_way = up + 1;
	r->raw.links[up + 1].other_way = up;
	tw__raw_add_name(&r->raw.duplex_names, id, up);
	return TW_OK;
}

static int start_link(struct tw__reader *r, const char *const *values)
{
	struct tw__raw_link link = {.line = r->line,
	                            .shared_bandwidth = -1,
	                            .predicted_bandwidth = -1,
	                            .predicted_latency = -1,
	                            .other_way = TW_NONE};
	const char *policy = values[3] ? values[3] : "SHARED";
	int status = tw__reader_rate(r, &link.bandwidth, "bandwidth", values[1], "ps", "6GBps");
	if (status == TW_OK && values[2])
		status = tw__reader_seconds(r, &link.latency, "latency", values[2]);
	if (status < 0)
		return status;

	r->first_link = r->raw.n_links;
	if (strcmp(policy, "SPLITDUPLEX") == 0)
		return add_duplex(r, values[0], &link);
	if (strcmp(policy, "FATPIPE") == 0)
		link.sharing = TW__FATPIPE;
	else if (strcmp(policy, "SHARED") != 0)
		return tw__reader_fail(r, "sharing_policy '%.80s': expected SHARED, FATPIPE or SPLITDUPLEX", policy);
	if (tw__raw_find(&r->raw.duplex_names, values[0]) != TW_NONE)
		return tw__reader_fail(r, "link '%.80s' is defined twice, expected unique ids", values[0]);
	return add_link(r, values[0], &link);
}

static int start_route(struct tw__reader *r, const char *const *values)
{
	int ends[2];
	if (r->raw.cluster)
		return tw__reader_fail(r, "a route beside a cluster, expected only the cluster");
	for (int i = 0; i < 2; i++) {
		ends[i] = tw__raw_find(&r->raw.host_names, values[i]);
		if (ends[i] == TW_NONE)
			return tw__reader_fail(r, "route %s '%.80s': expected the id of a host above",
			                       i ? "dst" : "src", values[i]);
	}
	bool symmetrical = !values[2] || strcmp(values[2], "YES") == 0 || strcmp(values[2], "yes") == 0;
	if (!symmetrical && strcmp(values[2], "NO") != 0 && strcmp(values[2], "no") != 0)
		return tw__reader_fail(r, "symmetrical '%.80s': expected YES or NO", values[2]);

	struct tw__raw *raw = &r->raw;
	TW_RESERVE(raw->routes, raw->route_capacity, (size_t)raw->n_routes + 1);
	raw->routes[raw->n_routes++] =
		(struct tw__raw_route){.line = r->line, .from = ends[0], .to = ends[1], .symmetrical = symmetrical};
	return TW_OK;
}

static int start_link_ctn(struct tw__reader *r, const char *const *values)
{
	const char *direction = values[1] ? values[1] : "NONE";
	int link = tw__raw_find(&r->raw.link_names, values[0]);
	int up = tw__raw_find(&r->raw.duplex_names, values[0]);
	bool is_up = strcmp(direction, "UP") == 0, is_down = strcmp(direction, "DOWN") == 0;

	if (!is_up && !is_down && strcmp(direction, "NONE") != 0)
		return tw__reader_fail(r, "direction '%.80s': expected UP or DOWN", direction);
	if (link == TW_NONE && up == TW_NONE)
		return tw__reader_fail(r, "unknown link '%.80s', expected the id of a link above", values[0]);
	if (up != TW_NONE && !is_up && !is_down)
		return tw__reader_fail(r, "link '%.80s' is SPLITDUPLEX, expected direction UP or DOWN", values[0]);
	if (up == TW_NONE && (is_up || is_down))
		return tw__reader_fail(r, "direction %s of link '%.80s', expected none: it is not SPLITDUPLEX",
		                       direction, values[0]);

	struct tw__raw_route *route = &r->raw.routes[r->raw.n_routes - 1];
	if (route->n_links == TW__MAX_ROUTE_LINKS)
		return tw__reader_fail(r, "too many links in a route, expected at most %d", TW__MAX_ROUTE_LINKS);
	TW_RESERVE(route->links, route->capacity, (size_t)route->n_links + 1);
	route->links[route->n_links++] = up == TW_NONE ? link : is_up ? up : up + 1;
	return TW_OK;
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The elements that platform.xml may have. The first `n_required` of an element's `attributes` are required. */
static const struct element {
	const char *name;
	/* TW__IN_ bits of the element and of its possible parents; parents 0: the element is the file's root */
	unsigned bit, parents;
	int n_required;
	const char *const *attributes;
	/* Handles the start of the element. `values`: the values of its attributes, in the order of `attributes`; NULL:
	 * absent. */
	int (*start)(struct tw__reader *, const char *const *values);
} elements[] = {
	{"platform", TW__IN_PLATFORM, 0, 1, NAMES("version"), start_platform},
	{"config", TW__IN_CONFIG, TW__IN_PLATFORM, 0, NAMES("id"), NULL},
	{"zone", TW__IN_ZONE, TW__IN_PLATFORM, 2, NAMES("id", "routing"), start_zone},
	{"AS", TW__IN_ZONE, TW__IN_PLATFORM, 2, NAMES("id", "routing"), start_zone},
	{"host", TW__IN_HOST, TW__IN_ZONE, 2, NAMES("id", "speed", "core"), start_host},
	{"link", TW__IN_LINK, TW__IN_ZONE, 2, NAMES("id", "bandwidth", "latency", "sharing_policy"), start_link},
	{"route", TW__IN_ROUTE, TW__IN_ZONE, 2, NAMES("src", "dst", "symmetrical"), start_route},
	{"link_ctn", TW__IN_LINK_CTN, TW__IN_ROUTE, 1, NAMES("id", "direction"), start_link_ctn},
	{"cluster", TW__IN_CLUSTER, TW__IN_PLATFORM | TW__IN_ZONE, TW__CLUSTER_REQUIRED, tw__cluster_attributes,
         tw__reader_cluster},
	{"prop", TW__IN_PROP, TW__IN_CONFIG | TW__IN_ZONE | TW__IN_HOST | TW__IN_LINK | TW__IN_CLUSTER, 2,
         NAMES("id", "value"), tw__reader_prop},
};
enum { N_ELEMENTS = sizeof elements / sizeof elements[0] };

/* Writes to `text` the elements that may stand inside `parent`, as in "<config>, <zone>, <AS>". `parent` 0: writes
 * "<platform>", the root of the file. */
static void list_children(char *text, size_t size, unsigned parent)
{
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < N_ELEMENTS; i++)
		if (elements[i].parents & parent || (!parent && !elements[i].parents))
			used += (size_t)snprintf(text + used, size - used, "%s<%s>", used ? ", " : "",
			                         elements[i].name);
	if (!used)
		snprintf(text, size, "nothing");
}

int tw__reader_open(struct tw__reader *r, const char *name, const char **attributes)
{
	unsigned parent = r->depth ? r->stack[r->depth - 1] : 0;
	const struct element *element = NULL;
	for (int i = 0; i < N_ELEMENTS; i++)
		if (tw__same_word(name, elements[i].name) &&
		    (parent ? elements[i].parents & parent : !elements[i].parents))
			element = &elements[i];
	if (!element || r->depth == TW__MAX_DEPTH) {
		char expected[128];
		list_children(expected, sizeof expected, parent);
		return tw__reader_fail(r, "<%.80s> is not supported here, expected %s", name, expected);
	}

	const char *values[MAX_ATTRIBUTES] = {NULL};
	for (int a = 0; attributes[a]; a += 2) {
		int place = 0;
		while (element->attributes[place] && !tw__same_word(attributes[a], element->attributes[place]))
			place++;
		if (!element->attributes[place]) {
			char expected[256] = "";
			for (int i = 0, used = 0; element->attributes[i]; i++)
				used += snprintf(expected + used, sizeof expected - (size_t)used, "%s%s", i ? ", " : "",
				                 element->attributes[i]);
			return tw__reader_fail(r, "attribute '%.80s' of <%s> is not supported, expected %s",
			                       attributes[a], name, expected);
		}
		values[place] = attributes[a + 1];
	}
	for (int i = 0; i < element->n_required; i++)
		if (!values[i])
			return tw__reader_fail(r, "<%s> without '%s', expected %s=\"...\"", name,
			                       element->attributes[i], element->attributes[i]);

	int status = element->start ? element->start(r, values) : TW_OK;
	if (status == TW_OK) {
		r->props[r->depth] = 0;
		r->stack[r->depth++] = element->bit;
	}
	return status;
}

int tw__reader_close(struct tw__reader *r)
{
	r->raw.last_line = r->line;
	r->depth--;
	if (r->stack[r->depth] == TW__IN_ROUTE && r->raw.routes[r->raw.n_routes - 1].n_links == 0)
		return tw__reader_fail(r, "a route without links, expected <link_ctn>");
	return TW_OK;
}
