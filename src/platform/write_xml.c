/* Writes a platform as platform.xml, which tw__platform_read reads. */
#include "platform/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/xml_put.h"

static void put_speed(FILE *f, double flops_per_s)
{
	bool is_round = floor(flops_per_s / 1e9) * 1e9 == flops_per_s;
	tw__put_number(f, is_round ? flops_per_s / 1e9 : flops_per_s);
	fputs(is_round ? "Gf" : "f", f);
}

static void put_bytes(FILE *f, uint64_t bytes)
{
	if (bytes)
		fprintf(f, "<prop id=\"memory\" value=\"%llu\"/>", (unsigned long long)bytes);
}

static void put_worker(FILE *f, const struct tw__platform *p, const struct tw__worker *w)
{
	const struct tw__arch *arch = &p->archs[w->arch];
	const struct tw__node *node = &p->nodes[w->node];
	const char *indent = arch->accelerator ? "\n    " : "", *end = arch->accelerator ? "\n  " : "";
	tw__put_name(f, "  <host id=\"", arch->accelerator ? node->name : w->name, "\" speed=\"");
	put_speed(f, w->speed);
	fprintf(f, "\">%s", indent);
	tw__put_prop(f, "arch", arch->name);
	if (arch->accelerator && node->memory_bytes) {
		fputs(indent, f);
		put_bytes(f, node->memory_bytes);
	}
	if (node->main != TW_RAM) {
		fputs(indent, f);
		tw__put_prop(f, "main_memory", p->nodes[node->main].name);
	}
	if (arch->accelerator && node->peer) {
		fputs(indent, f);
		tw__put_prop(f, "peer", "yes");
	}
	if (arch->accelerator && w->undriven) {
		fputs(indent, f);
		tw__put_prop(f, "driver", "none");
	}
	if (w->socket)
		fprintf(f, "%s<prop id=\"socket\" value=\"%d\"/>", indent, w->socket);
	if (!isnan(w->busy_watts)) {
		fputs(indent, f);
		fprintf(f, "<prop id=\"wattage_per_state\" value=\"%.17g:%.17g:%.17g\"/>", w->idle_watts, w->idle_watts,
		        w->busy_watts);
	}
	fprintf(f, "%s</host>\n", end);
}

static void put_memory(FILE *f, const struct tw__node *node, const char *role)
{
	tw__put_name(f, "  <host id=\"", node->name, "\" speed=\"1f\">");
	tw__put_prop(f, "role", role);
	put_bytes(f, node->memory_bytes);
	fputs("</host>\n", f);
}

/* Returns a route whose first link is `link`, and whose memories are in `written`; NULL: there is none. */
static const struct tw__route *route_from(const struct tw__platform *p, const bool *written, int link)
{
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++)
		if (written[r / p->n_nodes] && written[r % p->n_nodes] && p->routes[r].n_links &&
		    p->routes[r].links[0] == link)
			return &p->routes[r];
	return NULL;
}

static bool is_used(const struct tw__platform *p, const bool *written, int link)
{
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++)
		for (int l = 0; l < p->routes[r].n_links && written[r / p->n_nodes] && written[r % p->n_nodes]; l++)
			if (p->routes[r].links[l] == link)
				return true;
	return false;
}

static void put_rate_prop(FILE *f, const char *id, double bytes_per_s)
{
	fprintf(f, "    <prop id=\"%s\" value=\"", id);
	tw__put_number(f, bytes_per_s);
	fputs("Bps\"/>\n", f);
}

static void put_link(FILE *f, const struct tw__platform *p, const bool *written, int index)
{
	const struct tw__link *link = &p->links[index];
	const struct tw__route *route = route_from(p, written, index);
	tw__put_name(f, "  <link id=\"", link->name, "\" bandwidth=\"");
	tw__put_number(f, link->bandwidth);
	fputs("Bps\" latency=\"", f);
	tw__put_seconds(f, link->latency);
	fprintf(f, "\"%s", link->sharing == TW__FATPIPE ? " sharing_policy=\"FATPIPE\"" : "");
	bool bridge = link->shared_bandwidth < link->bandwidth;
	bool belief =
		route && (route->predicted_bandwidth != route->bandwidth || route->predicted_latency != route->latency);
	bool told = false;
	for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
		told |= link->origins[n] != NULL;
	if (!bridge && !belief && !told) {
		fputs("/>\n", f);
		return;
	}
	fputs(">\n", f);
	if (bridge)
		put_rate_prop(f, "shared_bandwidth", link->shared_bandwidth);
	if (belief) {
		put_rate_prop(f, "predicted_bandwidth", route->predicted_bandwidth);
		fputs("    <prop id=\"predicted_latency\" value=\"", f);
		tw__put_seconds(f, route->predicted_latency);
		fputs("\"/>\n", f);
	}
	for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
		if (link->origins[n]) {
			fputs("    ", f);
			tw__put_prop(f, tw__link_origin_ids[n], link->origins[n]);
			fputc('\n', f);
		}
	fputs("  </link>\n", f);
}

static void put_route(FILE *f, const struct tw__platform *p, tw_node from, tw_node to)
{
	const struct tw__route *route = tw__route_of(p, from, to);
	tw__put_name(f, "  <route src=\"", p->nodes[from].name, "\" dst=\"");
	tw__put_name(f, "", p->nodes[to].name, "\" symmetrical=\"NO\">");
	for (int l = 0; l < route->n_links; l++)
		tw__put_name(f, "<link_ctn id=\"", p->links[route->links[l]].name, "\"/>");
	fputs("</route>\n", f);
}

/* Writes main memories and the disk. Marks these in `written`, and also the memories of workers, which put_worker has
 * written. */
static void put_memories(FILE *f, const struct tw__platform *p, bool *written)
{
	for (int w = 0; w < p->n_workers; w++)
		written[p->workers[w].node] = true;
	for (tw_node n = 0; n < p->n_nodes; n++)
		if (tw__is_main(p, n) || n == p->nodes[TW_RAM].backing) {
			written[n] = true;
			put_memory(f, &p->nodes[n], tw__is_main(p, n) ? "memory" : "disk");
		}
}

void tw__platform_write_xml(const struct tw__platform *p, const char *comment, FILE *f)
{
	bool *written = tw_alloc((size_t)p->n_nodes, sizeof *written);
	fprintf(f,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- %s -->\n"
	        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	        "<platform version=\"4.1\">\n<zone id=\"node\" routing=\"Full\">\n",
	        comment);
	if (*p->summary)
		tw__put_name(f, "  <prop id=\"summary\" value=\"", p->summary, "\"/>\n");
	if (*p->runtime)
		tw__put_name(f, "  <prop id=\"runtime\" value=\"", p->runtime, "\"/>\n");
	for (int w = 0; w < p->n_workers; w++)
		put_worker(f, p, &p->workers[w]);
	put_memories(f, p, written);
	for (int l = 0; l < p->n_links; l++)
		if (is_used(p, written, l))
			put_link(f, p, written, l);
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++)
			if (written[from] && written[to] && tw__route_of(p, from, to)->n_links)
				put_route(f, p, from, to);
	fputs("</zone>\n</platform>\n", f);
	free(written);
}
