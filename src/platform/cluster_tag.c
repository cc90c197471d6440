/* Reads SimGrid's <cluster>: alike hosts with numbers in their names, and links of one kind between them. Speeds, cores
 * and loopbacks of the hosts have no effect, as each host is a node with a platform of its own. */
#include "platform/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/one_line.h"
#include "platform/cluster.h"

enum attribute {
	ID,
	PREFIX,
	SUFFIX,
	RADICAL,
	SPEED,
	BW,
	LAT,
	CORE,
	SHARING_POLICY,
	TOPOLOGY,
	TOPO_PARAMETERS,
	BB_BW,
	BB_LAT,
	BB_SHARING_POLICY,
	ROUTER_ID,
	LIMITER_LINK,
	LOOPBACK_BW,
	LOOPBACK_LAT
};

const char *const tw__cluster_attributes[TW__CLUSTER_ATTRIBUTES + 1] = {
	[ID] = "id",
	[PREFIX] = "prefix",
	[SUFFIX] = "suffix",
	[RADICAL] = "radical",
	[SPEED] = "speed",
	[BW] = "bw",
	[LAT] = "lat",
	[CORE] = "core",
	[SHARING_POLICY] = "sharing_policy",
	[TOPOLOGY] = "topology",
	[TOPO_PARAMETERS] = "topo_parameters",
	[BB_BW] = "bb_bw",
	[BB_LAT] = "bb_lat",
	[BB_SHARING_POLICY] = "bb_sharing_policy",
	[ROUTER_ID] = "router_id",
	[LIMITER_LINK] = "limiter_link",
	[LOOPBACK_BW] = "loopback_bw",
	[LOOPBACK_LAT] = "loopback_lat",
};

/* Adds the host PREFIX RADICAL SUFFIX. */
static int add_host(struct tw__reader *r, const char *const *values, int radical)
{
	struct tw__raw_cluster *c = r->raw.cluster;
	char name[TW__MAX_NAME + 1];
	const int length = snprintf(name, sizeof name, "%s%d%s", values[PREFIX], radical, values[SUFFIX]);
	if (length > TW__MAX_NAME || !tw__is_text(name))
		return tw__reader_fail(r,
		                       "host '%.80s': expected a name of at most %d bytes without control characters",
		                       name, TW__MAX_NAME);
	if (tw__raw_find(&r->raw.host_names, name) != TW_NONE)
		return tw__reader_fail(r, "host '%s' is defined twice, expected unique ids", name);
	if ((size_t)c->n_hosts == c->capacity) {
		size_t capacity = c->capacity;
		TW_RESERVE(c->names, capacity, c->capacity + 1);
		TW_RESERVE(c->radicals, c->capacity, c->capacity + 1);
	}
	tw__raw_add_name(&r->raw.host_names, name, c->n_hosts);
	c->radicals[c->n_hosts] = radical;
	c->names[c->n_hosts++] = tw_copy_text(name);
	return TW_OK;
}

/* Reads a number from 0 at *at, which goes behind it; -1: there is none. */
static long read_number(const char **at)
{
	char *end;
	if (**at < '0' || **at > '9')
		return -1;
	const long number = strtol(*at, &end, 10);
	*at = end;
	return number > INT32_MAX ? -1 : number;
}

/* Reads the numbers of hosts, as in "0-9,12,20-25". */
static int read_radical(struct tw__reader *r, const char *const *values)
{
	for (const char *at = values[RADICAL];; at++) {
		const long first = read_number(&at);
		const long last = *at == '-' ? (at++, read_number(&at)) : first;
		if (first < 0 || last < first || (*at && *at != ','))
			return tw__reader_fail(r, "radical '%.80s': expected numbers and ranges, as in 0-9,12",
			                       values[RADICAL]);
		if (last - first >= TW__MAX_RANKS - r->raw.cluster->n_hosts)
			return tw__reader_fail(r, "radical '%.80s': expected at most %d hosts", values[RADICAL],
			                       TW__MAX_RANKS);
		for (long radical = first; radical <= last; radical++) {
			int status = add_host(r, values, (int)radical);
			if (status < 0)
				return status;
		}
		if (!*at)
			return TW_OK;
	}
}

/* Finds a word among `words`, which end with NULL. The value of an absent attribute is the first word. */
static int read_word(struct tw__reader *r, int *place, const char *const *values, enum attribute attribute,
                     const char *const *words)
{
	char expected[128] = "";
	*place = 0;
	if (!values[attribute])
		return TW_OK;
	for (int i = 0, used = 0; words[i]; i++) {
		if (strcmp(words[i], values[attribute]) == 0) {
			*place = i;
			return TW_OK;
		}
		used += snprintf(expected + used, sizeof expected - (size_t)used, "%s%s", i ? ", " : "", words[i]);
	}
	return tw__reader_fail(r, "%s '%.80s': expected one of %s", tw__cluster_attributes[attribute],
	                       values[attribute], expected);
}

static bool is_given(const char *const *values, enum attribute a) { return values[a] && *values[a]; }

static int read_rate(struct tw__reader *r, double *rate, const char *const *values, enum attribute a)
{
	return is_given(values, a) ? tw__reader_rate(r, rate, tw__cluster_attributes[a], values[a], "ps", "6GBps")
	                           : TW_OK;
}

static int read_seconds(struct tw__reader *r, double *seconds, const char *const *values, enum attribute a)
{
	return is_given(values, a) ? tw__reader_seconds(r, seconds, tw__cluster_attributes[a], values[a]) : TW_OK;
}

/* Reads the numbers of the links. SimGrid makes a FATPIPE cluster of shared links, so that word is refused. */
static int read_links(struct tw__reader *r, struct tw__raw_cluster *c, const char *const *values)
{
	int duplex, sharing;
	int status = *values[BW] && *values[LAT] ? TW_OK : tw__reader_fail(r, "bw or lat is empty, expected values");
	if (status == TW_OK)
		status = read_rate(r, &c->bandwidth, values, BW);
	if (status == TW_OK)
		status = read_seconds(r, &c->latency, values, LAT);
	if (status == TW_OK)
		status = read_rate(r, &c->backbone_bandwidth, values, BB_BW);
	if (status == TW_OK)
		status = read_seconds(r, &c->backbone_latency, values, BB_LAT);
	if (status == TW_OK)
		status = read_rate(r, &c->limiter, values, LIMITER_LINK);
	if (status == TW_OK)
		status = read_word(r, &duplex, values, SHARING_POLICY,
		                   (const char *const[]){"SPLITDUPLEX", "FULLDUPLEX", "SHARED", NULL});
	if (status == TW_OK)
		status = read_word(r, &sharing, values, BB_SHARING_POLICY,
		                   (const char *const[]){"SHARED", "FATPIPE", NULL});
	if (status == TW_OK && c->backbone_latency > 0 && c->backbone_bandwidth == 0) /* NOLINT: never computed */
		status = tw__reader_fail(r, "bb_lat without bb_bw, expected both");
	if (status < 0)
		return status;
	c->is_duplex = duplex < 2;
	c->backbone_sharing = sharing ? TW__FATPIPE : TW__SHARED;
	return TW_OK;
}

int tw__reader_cluster(struct tw__reader *r, const char *const *values)
{
	if (r->raw.cluster || (r->depth == 1 && r->n_zones++))
		return tw__reader_fail(r, "a second cluster or zone '%.80s': expected one", values[ID]);
	if (r->raw.n_hosts)
		return tw__reader_fail(r, "cluster '%.80s' beside hosts: expected only the cluster", values[ID]);
	if (!*values[ID] || strlen(values[ID]) > TW__MAX_NAME || !tw__is_text(values[ID]))
		return tw__reader_fail(r, "cluster id '%.80s': expected 1 to %d bytes without control characters",
		                       values[ID], TW__MAX_NAME);
	struct tw__raw_cluster *c = r->raw.cluster = tw_alloc(1, sizeof *c);
	int topology;
	c->line = r->line;
	c->id = tw_copy_text(values[ID]);
	c->prefix = tw_copy_text(values[PREFIX]);
	c->suffix = tw_copy_text(values[SUFFIX]);
	int status = read_word(r, &topology, values, TOPOLOGY,
	                       (const char *const[]){[TW__FLAT] = "FLAT",
	                                             [TW__FAT_TREE] = "FAT_TREE",
	                                             [TW__DRAGONFLY] = "DRAGONFLY",
	                                             [TW__TORUS] = "TORUS",
	                                             NULL});
	c->topology = status == TW_OK ? (enum tw__topology)topology : TW__FLAT;
	c->parameters = is_given(values, TOPO_PARAMETERS) ? tw_copy_text(values[TOPO_PARAMETERS]) : NULL;
	if (status == TW_OK)
		status = read_links(r, c, values);
	if (status == TW_OK && c->topology != TW__FLAT && c->backbone_bandwidth > 0)
		status = tw__reader_fail(r, "bb_bw of a cluster with a topology, expected none");
	if (status == TW_OK && c->topology != TW__FLAT && !c->parameters)
		status = tw__reader_fail(r, "topology without topo_parameters, expected both");
	return status == TW_OK ? read_radical(r, values) : status;
}
