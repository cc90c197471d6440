#include "random_script.h"

#include <stdio.h>
#include <stdlib.h>

#include "star.h"

enum { FEW_NODES = 5, FEW_LINKS = 9, MAX_NODES = 41, MAX_LISTED = 5 };

struct sketch {
	struct tw__random *random;
	int n_nodes, n_links;
	double bandwidth[MAX_LINKS], passes[MAX_LINKS]; /* at most, by any route alone */
	bool fat[MAX_LINKS];
	int listed[MAX_NODES][MAX_NODES][MAX_LISTED], n_listed[MAX_NODES][MAX_NODES];
};

static int below(struct sketch *k, int n) { return (int)tw__random_below(k->random, (uint32_t)n); }

static void sketch_route(struct sketch *k, int from, int to)
{
	double alone = INFINITY;
	int n = 1 + below(k, MAX_LISTED), times[FEW_LINKS] = {0}, n_listed = 0;
	for (int i = 0; i < n; i++) {
		int link = below(k, k->n_links);
		if (k->fat[link] && times[link]) /* which the oracle divides by two */
			continue;
		times[link]++;
		alone = fmin(alone, k->bandwidth[link] / times[link]);
		k->listed[from][to][n_listed++] = link;
	}
	k->n_listed[from][to] = n_listed;
	for (int i = 0; i < n_listed; i++)
		k->passes[k->listed[from][to][i]] = fmax(k->passes[k->listed[from][to][i]], alone);
}

static void write_links(struct sketch *k, FILE *xml)
{
	for (int l = 0; l < k->n_links; l++) {
		double shared = fmax(k->passes[l], k->bandwidth[l] * tw__random_uniform(k->random));
		double latency = 1e-6 + 30e-6 * tw__random_uniform(k->random) * below(k, 2);
		fprintf(xml, "<link id='l%d' bandwidth='%.17gBps' latency='%.17gs' sharing_policy='%s'>", l,
		        k->bandwidth[l], latency, k->fat[l] ? "FATPIPE" : "SHARED");
		if (!k->fat[l] && below(k, 2))
			fprintf(xml, "<prop id='shared_bandwidth' value='%.17gBps'/>", shared);
		fputs("</link>", xml);
	}
}

static void name_node(FILE *xml, const char *attribute, int node)
{
	if (node == RAM)
		fprintf(xml, " %s='RAM'", attribute);
	else
		fprintf(xml, " %s='G%d'", attribute, node - 1);
}

static void write_routes(struct sketch *k, FILE *xml)
{
	for (int from = 0; from < k->n_nodes; from++)
		for (int to = 0; to < k->n_nodes; to++) {
			if (!k->n_listed[from][to])
				continue;
			fputs("<route symmetrical='NO'", xml);
			name_node(xml, "src", from);
			name_node(xml, "dst", to);
			fputs(">", xml);
			for (int i = 0; i < k->n_listed[from][to]; i++)
				fprintf(xml, "<link_ctn id='l%d'/>", k->listed[from][to][i]);
			fputs("</route>", xml);
		}
}

/* Fat pipes, bridges, links that are listed several times; bandwidths are often equal. */
static void sketch_few(struct sketch *k)
{
	k->n_nodes = 2 + below(k, FEW_NODES - 1);
	k->n_links = 1 + below(k, FEW_LINKS);
	for (int l = 0; l < k->n_links; l++) {
		k->bandwidth[l] = 1e9 * (1 + below(k, 4)) * (below(k, 2) ? 1 : 1 + tw__random_uniform(k->random));
		k->fat[l] = below(k, 5) == 0;
	}
	for (int from = 0; from < k->n_nodes; from++)
		for (int to = 0; to < k->n_nodes; to++)
			if (from != to && (from == RAM || to == RAM || below(k, 2)))
				sketch_route(k, from, to);
}

/* Many accelerators behind one link, which is often the narrowest of all transfers. Each has a link of its own. */
static void sketch_many(struct sketch *k)
{
	k->n_nodes = k->n_links = 21 + below(k, MAX_NODES - 20);
	k->bandwidth[0] = k->passes[0] = 1e9 * (1 + below(k, 3));
	for (int n = 1; n < k->n_nodes; n++) {
		k->bandwidth[n] = k->passes[n] = 1e9 * (1 + below(k, 3)) / 4;
		for (int i = 0; i < 2; i++)
			k->listed[RAM][n][i] = k->listed[n][RAM][1 - i] = i ? n : 0;
		k->n_listed[RAM][n] = k->n_listed[n][RAM] = 2;
	}
}

static void random_platform(struct script *s, struct tw__random *random, bool many)
{
	struct sketch k = {.random = random};
	char *text;
	size_t length;
	FILE *xml = open_memstream(&text, &length);
	if (many)
		sketch_many(&k);
	else
		sketch_few(&k);
	fputs("<host id='RAM' speed='1f'/>", xml);
	for (int n = 1; n < k.n_nodes; n++)
		fprintf(xml,
		        "<host id='G%d' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GiB'/>"
		        "<prop id='peer' value='yes'/></host>",
		        n - 1);
	write_links(&k, xml);
	write_routes(&k, xml);
	fclose(xml);
	script_platform(s, text);
	free(text);
}

void random_transfers(struct script *s, struct tw__random *random, int n)
{
	uint32_t n_nodes = (uint32_t)s->platform->n_nodes;
	double date = 0, most_bytes = tw__random_below(random, 2) ? 4e6 : 1e5;
	while (s->n_actions < n) {
		tw_node from = (tw_node)tw__random_below(random, n_nodes),
			to = (tw_node)tw__random_below(random, n_nodes);
		if (!tw__route_of(s->platform, from, to)->n_links)
			continue;
		date += tw__random_below(random, 3) ? most_bytes / 2e9 * tw__random_uniform(random) : 0;
		script_transfer(s, date, from, to, floor(1 + most_bytes * tw__random_uniform(random)));
	}
}

void random_script(struct script *s, int seed)
{
	struct tw__random *random = tw__random_create((uint64_t)seed, TW__STREAM_POLICY);
	s->shares = tw__random_below(random, 2) ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL;
	bool many = seed % 16 == 15;
	random_platform(s, random, many);
	random_transfers(s, random, (many ? 100 : 1) + (int)tw__random_below(random, 40));
	tw__random_destroy(random);
}
