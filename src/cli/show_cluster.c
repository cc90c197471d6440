/* Prints tables of a cluster: its nodes by platform, and the links and routes of the network. Equal links are one row,
 * and so are equal routes. */
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "cli/show.h"
#include "platform/cluster.h"

enum {
	MOST_NAMES = 4,
	MOST_LINKS = 2,
	MOST_ROWS = 20
}; /* names in a cell and rows of a table; further ones are only counted */

/* --- nodes -------------------------------------------------------------------------------------------------------- */

/* The names of the nodes with a platform: those of nodes in a row as "node0 to node7". */
static struct cell names_of(const struct tw__platform *p, int kind)
{
	struct cell_list list = {.most = MOST_NAMES};
	for (int from = 0, to; from < p->n_ranks; from = to) {
		for (to = from + 1; to < p->n_ranks && p->kind_of[to] == p->kind_of[from];)
			to++;
		if (p->kind_of[from] == kind && to - from > 2)
			tw__list_add(&list, "%s to %s", p->rank_names[from], p->rank_names[to - 1]);
		for (int r = from; p->kind_of[from] == kind && to - from <= 2 && r < to; r++)
			tw__list_add(&list, "%s", p->rank_names[r]);
	}
	return tw__list_cell(&list);
}

/* The workers of a node, as in "12 cpu, 3 m2070". */
static struct cell workers_of(const struct tw__platform *p)
{
	struct cell_list list = {.most = MOST_NAMES};
	for (tw_arch a = 0; a < p->n_archs; a++) {
		int n = 0;
		for (tw_worker w = 0; w < p->n_workers; w++)
			n += p->workers[w].arch == a;
		if (n)
			tw__list_add(&list, "%d %s", n, p->archs[a].name);
	}
	return tw__list_cell(&list);
}

static struct cell memories_of(const struct tw__platform *p)
{
	struct cell_list list = {.most = MOST_NAMES};
	for (tw_node n = 0; n < p->n_nodes; n++)
		tw__list_add(&list, "%s", p->nodes[n].name);
	return tw__list_cell(&list);
}

static void print_nodes(FILE *f, const struct tw__platform *p)
{
	static const struct cell_column columns[] = {{.title = "nodes"},    {.title = "number"},
	                                             {.title = "platform"}, {.title = "workers of each"},
	                                             {.title = "memories"}, {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	for (int k = 0; k < p->n_kinds; k++) {
		int n = 0;
		for (int r = 0; r < p->n_ranks; r++)
			n += p->kind_of[r] == k;
		tw__cells_add(&t, names_of(p, k), cell_integer(n), cell_text(p->kinds[k]->name),
		              workers_of(p->kinds[k]), memories_of(p->kinds[k]));
	}
	fputs("\nnodes\n", f);
	tw__cells_print(&t, f);
}

/* --- links -------------------------------------------------------------------------------------------------------- */

struct used_link {
	const struct tw__link *link;
	int n_routes; /* over the link */
};

static int compare_doubles(double a, double b) { return (a > b) - (a < b); }

static int compare_links(const struct used_link *a, const struct used_link *b)
{
	int order = (int)a->link->sharing - (int)b->link->sharing;
	order = order ? order : compare_doubles(a->link->bandwidth, b->link->bandwidth);
	order = order ? order : compare_doubles(a->link->shared_bandwidth, b->link->shared_bandwidth);
	order = order ? order : compare_doubles(a->link->latency, b->link->latency);
	return order ? order : a->n_routes - b->n_routes;
}

static int in_order_of_links(const void *one, const void *other)
{
	const struct used_link *a = one, *b = other;
	int order = compare_links(a, b);
	return order ? order : (a->link > b->link) - (a->link < b->link);
}

static struct cell names_of_links(const struct used_link *links, int from, int to)
{
	struct cell_list names = {.most = MOST_LINKS};
	for (int l = from; l < to; l++)
		tw__list_add(&names, "%s", links[l].link->name);
	return tw__list_cell(&names);
}

static void print_rest(FILE *f, int lines)
{
	if (lines > MOST_ROWS)
		fprintf(f, "  and %d more\n", lines - MOST_ROWS);
}

static void print_links(FILE *f, const struct tw__network *network)
{
	static const struct cell_column columns[] = {{.title = "number"},
	                                             {.title = "GB/s", .align = 'r'},
	                                             {.title = "us", .format = "%.1f"},
	                                             {.title = "transfers"},
	                                             {.title = "routes over each"},
	                                             {.title = "links"},
	                                             {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	const int n = network->n_links, n_routes = network->n_ranks * network->n_ranks;
	struct used_link *links = tw_alloc((size_t)n, sizeof *links);
	int lines = 0;
	for (int l = 0; l < n; l++)
		links[l].link = &network->links[l];
	for (int r = 0; r < n_routes; r++)
		for (int l = 0; l < network->routes[r].n_links; l++)
			links[network->routes[r].links[l] - network->first_link].n_routes +=
				tw__is_first_listed(&network->routes[r], l);
	qsort(links, (size_t)n, sizeof *links, in_order_of_links);
	for (int from = 0, to; from < n; from = to) {
		const struct tw__link *link = links[from].link;
		for (to = from; to < n && compare_links(&links[to], &links[from]) == 0;)
			to++;
		if (lines++ < MOST_ROWS)
			tw__cells_add(
				&t, cell_integer(to - from),
				cell_format(link->shared_bandwidth < link->bandwidth ? "%.3f, alone %.3f" : "%.3f",
			                    link->shared_bandwidth / 1e9, link->bandwidth / 1e9),
				cell_real(link->latency * 1e6),
				cell_text(link->sharing == TW__SHARED ? "share it" : "have it each"),
				cell_integer(links[from].n_routes), names_of_links(links, from, to));
	}
	fputs("\nlinks of the network\n", f);
	tw__cells_print(&t, f);
	print_rest(f, lines);
	free(links);
}

/* --- routes ------------------------------------------------------------------------------------------------------- */

struct hop {
	const struct tw__route *route;
	int from, to; /* ranks */
};

static int compare_routes(const struct tw__route *a, const struct tw__route *b)
{
	int order = a->n_links - b->n_links;
	order = order ? order : compare_doubles(a->latency, b->latency);
	return order ? order : compare_doubles(a->bandwidth, b->bandwidth);
}

static int in_order_of_routes(const void *one, const void *other)
{
	const struct hop *a = one, *b = other;
	int order = compare_routes(a->route, b->route);
	order = order ? order : a->from - b->from;
	return order ? order : a->to - b->to;
}

static struct cell links_of(const struct tw__platform *p, const struct tw__route *route)
{
	struct cell_list list = {.between = " + ", .most = 3 * MOST_NAMES};
	for (int l = 0; l < route->n_links; l++)
		tw__list_add(&list, "%s", p->links[route->links[l]].name);
	return tw__list_cell(&list);
}

static void print_routes(FILE *f, const struct tw__platform *p, const struct tw__network *network)
{
	static const struct cell_column columns[] = {{.title = "number"},
	                                             {.title = "links"},
	                                             {.title = "GB/s", .format = "%.3f"},
	                                             {.title = "us", .format = "%.1f"},
	                                             {.title = "from"},
	                                             {.title = "to"},
	                                             {.title = "links of this one"},
	                                             {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	const int n_ranks = network->n_ranks;
	struct hop *hops = tw_alloc((size_t)n_ranks * (size_t)n_ranks, sizeof *hops);
	int n = 0, lines = 0;
	for (int from = 0; from < n_ranks; from++)
		for (int to = 0; to < n_ranks; to++)
			if (from != to)
				hops[n++] = (struct hop){&network->routes[from * n_ranks + to], from, to};
	qsort(hops, (size_t)n, sizeof *hops, in_order_of_routes);
	for (int i = 0, end; i < n; i = end) {
		const struct tw__route *route = hops[i].route;
		for (end = i; end < n && compare_routes(hops[end].route, route) == 0;)
			end++;
		if (lines++ < MOST_ROWS)
			tw__cells_add(&t, cell_integer(end - i), cell_integer(route->n_links),
			              cell_real(route->bandwidth / 1e9), cell_real(route->latency * 1e6),
			              cell_text(p->rank_names[hops[i].from]), cell_text(p->rank_names[hops[i].to]),
			              links_of(p, route));
	}
	fputs("\nroutes between nodes (of one copy alone), with an example of each kind\n", f);
	tw__cells_print(&t, f);
	print_rest(f, lines);
	free(hops);
}

void print_cluster(FILE *f, const struct tw__platform *p)
{
	struct tw__network network;
	tw__cluster_network(&network, p);
	print_nodes(f, p);
	if (p->n_ranks > 1) {
		print_links(f, &network);
		print_routes(f, p, &network);
	}
	free(network.routes);
}
