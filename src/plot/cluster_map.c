/* Draws a cluster: its nodes as boxes and the links of its network as ellipses. Links that follow each other in a route
 * are joined. The two links of a duplex link are one ellipse. */
#include "plot/cluster_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "platform/cluster.h"

/* The most nodes and links that a picture can show. */
enum { MOST_NODES = 128, MOST_LINKS = 512 };

/* Returns the length of a link's name without the end that names a direction. */
static size_t stem_length(const char *name)
{
	static const char *const ends[] = {"_UP", "_DOWN"};
	size_t length = strlen(name);
	for (int i = 0; i < 2; i++) {
		const size_t end = strlen(ends[i]);
		if (length > end && strcmp(name + length - end, ends[i]) == 0)
			return length - end;
	}
	return length;
}

/* Returns the first link of the network with the name of this one but for its direction. */
static int ellipse_of(const struct tw__network *network, int link)
{
	const char *name = network->links[link].name;
	const size_t length = stem_length(name);
	int first = 0;
	while (stem_length(network->links[first].name) != length ||
	       strncmp(network->links[first].name, name, length) != 0)
		first++;
	return first;
}

static void write_text(FILE *f, const char *text, size_t length)
{
	for (const char *end = text + length; text < end;) {
		if (*text == '"' || *text == '\\')
			fputc('\\', f);
		text += tw__print_character(f, text);
	}
}

static void write_nodes(FILE *f, const struct tw__platform *p)
{
	for (int r = 0; r < p->n_ranks; r++) {
		int length;
		const char *platform = tw__cluster_prefix(p->kinds[p->kind_of[r]]->name, &length);
		fprintf(f, "\tn%d [shape=box style=filled fillcolor=\"#cfe2f3\" label=\"", r);
		write_text(f, p->rank_names[r], strlen(p->rank_names[r]));
		fputs("\\n", f);
		write_text(f, platform, (size_t)length);
		fputs("\"]\n", f);
	}
}

static void write_links(FILE *f, const struct tw__network *network, const int *ellipse)
{
	for (int l = 0; l < network->n_links; l++) {
		const struct tw__link *link = &network->links[l];
		if (ellipse[l] != l)
			continue;
		fprintf(f, "\tl%d [label=\"", l);
		write_text(f, link->name, stem_length(link->name));
		fprintf(f, "\\n%.4g GB/s%s\"]\n", link->bandwidth / 1e9, link->sharing == TW__FATPIPE ? " each" : "");
	}
}

/* Writes the edges of a route: from its first node over its links to the last node. `seen`, [things * things]: edges
 * that are written, of nodes and then links. */
static void write_route(FILE *f, const struct tw__network *network, int from, int to, const int *ellipse, bool *seen)
{
	const struct tw__route *route = &network->routes[from * network->n_ranks + to];
	const int things = network->n_ranks + network->n_links;
	int at = from;
	for (int l = 0; l <= route->n_links; l++) {
		const int next =
			l == route->n_links ? to : network->n_ranks + ellipse[route->links[l] - network->first_link];
		const int low = at < next ? at : next, high = at < next ? next : at;
		if (low != high && !seen[low * things + high])
			fprintf(f, "\t%c%d -- l%d\n", low < network->n_ranks ? 'n' : 'l',
			        low < network->n_ranks ? low : low - network->n_ranks, high - network->n_ranks);
		seen[low * things + high] = true;
		at = next;
	}
}

static void write_network(FILE *f, const struct tw__network *network)
{
	const size_t things = (size_t)(network->n_ranks + network->n_links);
	int *ellipse = tw_alloc((size_t)network->n_links, sizeof *ellipse);
	bool *seen = tw_alloc(things * things, sizeof *seen);
	for (int l = 0; l < network->n_links; l++)
		ellipse[l] = ellipse_of(network, l);
	write_links(f, network, ellipse);
	for (int from = 0; from < network->n_ranks; from++)
		for (int to = 0; to < network->n_ranks; to++)
			if (from != to)
				write_route(f, network, from, to, ellipse, seen);
	free(ellipse);
	free(seen);
}

int tw__cluster_map_write(void *platform, FILE *script, struct tw_error *err)
{
	const struct tw__platform *p = platform;
	struct tw__network network;
	if (p->n_ranks > MOST_NODES || p->n_network_links > MOST_LINKS)
		return tw_fail(err, TW_INVALID,
		               "a picture of %d nodes and %d links, expected at most %d nodes and %d links", p->n_ranks,
		               p->n_network_links, MOST_NODES, MOST_LINKS);
	tw__cluster_network(&network, p);
	fputs("graph {\n\tgraph [fontname=\"DejaVu Sans\" labelloc=t label=\"", script);
	write_text(script, p->name, strlen(p->name));
	fputs(": ", script);
	write_text(script, p->summary, strlen(p->summary));
	fputs("\"]\n\tnode [fontname=\"DejaVu Sans\" fontsize=11]\n", script);
	write_nodes(script, p);
	write_network(script, &network);
	fputs("}\n", script);
	free(network.routes);
	return TW_OK;
}
