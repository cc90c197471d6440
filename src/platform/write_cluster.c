/* Writes platform files of clusters: a network that was read, and the platform of its nodes. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/network.h"
#include "platform/xml_put.h"

/* Writes numbers of hosts with ranges, as in "0-9,12". */
static void put_radicals(FILE *f, const struct tw__raw_cluster *c)
{
	for (int from = 0, to; from < c->n_hosts; from = to) {
		for (to = from + 1; to < c->n_hosts && c->radicals[to] == c->radicals[to - 1] + 1;)
			to++;
		fprintf(f, to - from > 1 ? "%s%d-%d" : "%s%d", from ? "," : "", c->radicals[from], c->radicals[to - 1]);
	}
}

/* Writes a bandwidth in GBps, unless that reads back as another number. */
static void put_rate(FILE *f, const char *attribute, double bytes_per_s)
{
	const double giga = 1e9;
	char text[32];
	fprintf(f, " %s=\"", attribute);
	snprintf(text, sizeof text, "%.9g", bytes_per_s / giga);
	if (strtod(text, NULL) * giga == bytes_per_s) { /* NOLINT: exactly */
		fprintf(f, "%sGBps\"", text);
		return;
	}
	tw__put_number(f, bytes_per_s);
	fputs("Bps\"", f);
}

static void put_time(FILE *f, const char *attribute, double seconds)
{
	fprintf(f, " %s=\"", attribute);
	tw__put_seconds(f, seconds);
	fputs("\"", f);
}

static void put_cluster(FILE *f, const struct tw__raw_cluster *c)
{
	static const char *const topologies[] = {
		[TW__FAT_TREE] = "FAT_TREE", [TW__DRAGONFLY] = "DRAGONFLY", [TW__TORUS] = "TORUS"};
	tw__put_name(f, "<cluster id=\"", c->id, "\"");
	tw__put_name(f, " prefix=\"", c->prefix, "\"");
	tw__put_name(f, " suffix=\"", c->suffix, "\" radical=\"");
	put_radicals(f, c);
	fputs("\" speed=\"1Gf\"", f);
	put_rate(f, "bw", c->bandwidth);
	put_time(f, "lat", c->latency);
	if (!c->is_duplex)
		fputs(" sharing_policy=\"SHARED\"", f);
	if (c->backbone_bandwidth > 0) {
		put_rate(f, "bb_bw", c->backbone_bandwidth);
		put_time(f, "bb_lat", c->backbone_latency);
		if (c->backbone_sharing == TW__FATPIPE)
			fputs(" bb_sharing_policy=\"FATPIPE\"", f);
	}
	if (c->limiter > 0)
		put_rate(f, "limiter_link", c->limiter);
	if (c->topology != TW__FLAT) {
		fprintf(f, " topology=\"%s\"", topologies[c->topology]);
		tw__put_name(f, " topo_parameters=\"", c->parameters, "\"");
	}
	fputs("/>\n", f);
}

/* Writes hosts, links and routes. Duplex links are two, so that routes are written in each direction. */
static void put_hosts(FILE *f, const struct tw__raw *raw)
{
	for (int h = 0; h < raw->n_hosts; h++)
		tw__put_name(f, "  <host id=\"", raw->hosts[h].id, "\" speed=\"1Gf\"/>\n");
	for (int l = 0; l < raw->n_links; l++) {
		const struct tw__raw_link *link = &raw->links[l];
		tw__put_name(f, "  <link id=\"", link->id, "\"");
		put_rate(f, "bandwidth", link->bandwidth);
		put_time(f, "latency", link->latency);
		fputs(link->sharing == TW__FATPIPE ? " sharing_policy=\"FATPIPE\">" : ">", f);
		if (link->shared_bandwidth >= 0) {
			fputs("<prop id=\"shared_bandwidth\"", f);
			put_rate(f, "value", link->shared_bandwidth);
			fputs("/>", f);
		}
		fputs("</link>\n", f);
	}
	for (int r = 0; r < raw->n_routes; r++) {
		const struct tw__raw_route *route = &raw->routes[r];
		for (int back = 0; back <= route->symmetrical && route->from != route->to; back++) {
			tw__put_name(f, "  <route src=\"", raw->hosts[back ? route->to : route->from].id, "\"");
			tw__put_name(f, " dst=\"", raw->hosts[back ? route->from : route->to].id,
			             "\" symmetrical=\"NO\">");
			for (int l = 0; l < route->n_links; l++)
				tw__put_name(f, "<link_ctn id=\"",
				             raw->links[tw__raw_route_link(raw, route, back, l)].id, "\"/>");
			fputs("</route>\n", f);
		}
	}
}

void tw__cluster_write(const struct tw__raw *raw, const char *node, const char *comment, FILE *f)
{
	fprintf(f,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- %s -->\n"
	        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	        "<platform version=\"4.1\">\n<zone id=\"cluster\" routing=\"Full\">\n  ",
	        comment);
	tw__put_prop(f, "node", node);
	fputs("\n", f);
	if (raw->cluster) {
		fputs("  ", f);
		put_cluster(f, raw->cluster);
	} else {
		put_hosts(f, raw);
	}
	fputs("</zone>\n</platform>\n", f);
}
