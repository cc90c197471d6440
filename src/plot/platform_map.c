/* Draws a single node: main memory at the top, other memories at the bottom, and between them the links that several
 * memories share. Which memories share a link follows from the routes alone. The order of links in a route is not used,
 * as it has no meaning to SimGrid. */
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "plot/cluster_map.h"
#include "plot/plot.h"
#include "platform/cluster.h"
#include "base/print.h"

enum { WORDS = TW__MAX_JOINED_MEMORIES / 64, MAX_NAMES = 3 };
enum { DOWN = 1, UP = 2 }; /* directions of a route: from main memory, to main memory */

/* A link, and the memories whose route from or to main memory uses the link. */
struct way {
	int link, n_nodes, directions;
	uint64_t nodes[WORDS];
};

struct picture {
	const struct tw__platform *p;
	FILE *f;
	struct way *ways; /* sorted by falling n_nodes; links with the same memories are neighbours */
	int n_ways;
};

static void set_node(struct way *way, tw_node n, int direction)
{
	uint64_t bit = UINT64_C(1) << (n % 64);
	way->n_nodes += !(way->nodes[n / 64] & bit);
	way->nodes[n / 64] |= bit;
	way->directions |= direction;
}

static bool has_node(const struct way *way, tw_node n) { return way->nodes[n / 64] >> (n % 64) & 1; }

static int compare_ways(const void *one, const void *other)
{
	const struct way *a = one, *b = other;
	if (a->n_nodes != b->n_nodes)
		return a->n_nodes < b->n_nodes ? 1 : -1;
	int order = memcmp(a->nodes, b->nodes, sizeof a->nodes);
	return order ? order : (a->link > b->link) - (a->link < b->link);
}

/* The main memory that a memory hangs on: that of a card, or the first one. */
static tw_node above(const struct tw__platform *p, tw_node n) { return tw__is_main(p, n) ? TW_RAM : p->nodes[n].main; }

/* Finds the memories that use each link, and sorts the links. */
static void find_ways(struct picture *d)
{
	const struct tw__platform *p = d->p;
	d->ways = tw_alloc((size_t)p->n_links, sizeof *d->ways);
	for (int i = 0; i < p->n_links; i++)
		d->ways[i].link = i;
	for (tw_node n = TW_RAM + 1; n < p->n_nodes; n++)
		for (int up = 0; up < 2; up++) {
			const struct tw__route *route = tw__route_of(p, up ? n : above(p, n), up ? above(p, n) : n);
			for (int i = 0; i < route->n_links; i++)
				set_node(&d->ways[route->links[i]], n, up ? UP : DOWN);
		}
	qsort(d->ways, (size_t)p->n_links, sizeof *d->ways, compare_ways);
	while (d->n_ways < p->n_links && d->ways[d->n_ways].n_nodes)
		d->n_ways++;
}

/* Whether routes of several memories share the link and its bandwidth. */
static bool is_shared(const struct picture *d, const struct way *way)
{
	return way->n_nodes > 1 && d->p->links[way->link].sharing == TW__SHARED;
}

/* Returns the index behind the last way with the same memories as ways[i]. */
static int end_of(const struct picture *d, int i)
{
	int end = i;
	while (end < d->n_ways && !memcmp(d->ways[end].nodes, d->ways[i].nodes, sizeof d->ways[i].nodes))
		end++;
	return end;
}

static void write_text(FILE *f, const char *text)
{
	while (*text) {
		if (*text == '"' || *text == '\\')
			fputc('\\', f);
		text += tw__print_character(f, text);
	}
}

/* The least bandwidth of several links, by direction (DOWN, UP, or both together); 0: no link. */
struct rates {
	double of[(DOWN | UP) + 1];
};

static void add_rate(struct rates *r, int directions, double bandwidth)
{
	double *least = &r->of[directions];
	*least = *least && *least < bandwidth ? *least : bandwidth;
}

/* Writes one line for each rate, as in "6.0 GB/s down". The rate of both directions together is written only if it is
 * less than their sum. */
static void write_rates(FILE *f, const struct rates *r)
{
	static const char *const words[] = {[DOWN] = "down", [UP] = "up", [DOWN | UP] = "both ways together"};
	bool limits = !r->of[DOWN] || !r->of[UP] || r->of[DOWN | UP] < r->of[DOWN] + r->of[UP];
	const char *between = "";
	for (int i = DOWN; i <= (DOWN | UP); i++)
		if (r->of[i] > 0 && (i != (DOWN | UP) || limits)) {
			fprintf(f, "%s%.1f GB/s %s", between, r->of[i] / 1e9, words[i]);
			between = "\\n";
		}
}

/* Writes the cores of one arch that compute in a main memory. */
static void write_cores(const struct picture *d, tw_arch arch, tw_node main)
{
	const struct tw__platform *p = d->p;
	int cores = 0;
	for (int w = 0; w < p->n_workers; w++)
		cores += p->workers[w].arch == arch && p->workers[w].node == main ? p->workers[w].cores : 0;
	if (p->archs[arch].accelerator || !cores)
		return;
	fprintf(d->f, "\ta%dm%d [shape=box style=filled fillcolor=\"#fff2cc\" label=\"%d core%s\\n", (int)arch,
	        (int)main, cores, cores > 1 ? "s" : "");
	write_text(d->f, p->archs[arch].name);
	fprintf(d->f, "\"]\n\ta%dm%d -- n%d [style=dotted]\n", (int)arch, (int)main, (int)main);
}

static void write_nodes(const struct picture *d)
{
	const struct tw__platform *p = d->p;
	for (tw_node n = 0; n < p->n_nodes; n++) {
		fprintf(d->f, "\tn%d [shape=box style=filled fillcolor=\"%s\" label=\"", (int)n,
		        tw__is_main(p, n)   ? "#cfe2f3"
		        : tw__is_card(p, n) ? "#d9ead3"
		                            : "#eeeeee");
		write_text(d->f, p->nodes[n].name);
		for (int w = 0; !tw__is_main(p, n) && w < p->n_workers; w++)
			if (p->workers[w].node == n) {
				fputs("\\n", d->f);
				write_text(d->f, p->archs[p->workers[w].arch].name);
			}
		char size[32];
		if (p->nodes[n].memory_bytes)
			fprintf(d->f, "\\n%s", tw__size_text(size, sizeof size, p->nodes[n].memory_bytes));
		fputs("\"]\n", d->f);
	}
	for (int i = 0; i < p->n_archs * tw__n_mains(p); i++)
		write_cores(d, i % p->n_archs, i / p->n_archs);
}

/* Writes the shared links: one ellipse for all links that the same memories use. */
static void write_hubs(const struct picture *d)
{
	for (int i = 0, end; i < d->n_ways; i = end) {
		struct rates rates = {{0}};
		int names = 0;
		end = end_of(d, i);
		for (int j = i; j < end; j++) {
			const struct tw__link *link = &d->p->links[d->ways[j].link];
			if (!is_shared(d, &d->ways[j]))
				continue;
			if (!names)
				fprintf(d->f, "\th%d [label=\"", i);
			if (names++ < MAX_NAMES) {
				write_text(d->f, link->name);
				fputs("\\n", d->f);
			}
			add_rate(&rates, d->ways[j].directions, link->shared_bandwidth);
		}
		if (!names)
			continue;
		if (names > MAX_NAMES)
			fprintf(d->f, "and %d more\\n", names - MAX_NAMES);
		write_rates(d->f, &rates);
		fputs("\"]\n", d->f);
	}
}

/* Writes the edges from a main memory to the memory n, through the shared links on its route, most shared first. */
static void write_ways(const struct picture *d, tw_node n)
{
	char from[32];
	struct rates own = {{0}};
	snprintf(from, sizeof from, "n%d", (int)above(d->p, n));
	for (int i = 0, end; i < d->n_ways; i = end) {
		bool shared = false;
		end = end_of(d, i);
		if (!has_node(&d->ways[i], n))
			continue;
		for (int j = i; j < end; j++) {
			const struct tw__link *link = &d->p->links[d->ways[j].link];
			shared |= is_shared(d, &d->ways[j]);
			if (!is_shared(d, &d->ways[j]))
				add_rate(&own, d->ways[j].directions, link->bandwidth);
		}
		if (!shared)
			continue;
		fprintf(d->f, "\t%s -- h%d\n", from, i);
		snprintf(from, sizeof from, "h%d", i);
	}
	fprintf(d->f, "\t%s -- n%d [label=\"", from, (int)n);
	write_rates(d->f, &own);
	fputs("\"]\n", d->f);
}

/* Whether a direct route uses a link of a route from or to main memory. `on_way`: [n_links] whether such a route uses
 * the link. */
static bool leaves_own_links(const struct tw__route *route, const bool *on_way)
{
	bool leaves = false;
	for (int i = 0; i < route->n_links; i++)
		leaves |= on_way[route->links[i]];
	return leaves;
}

/* Whether the direct route between two accelerators is faster than the slower of the two routes through main memory. */
static bool is_worth_it(const struct tw__platform *p, tw_node from, tw_node to)
{
	const struct tw__route *direct = tw__route_of(p, from, to);
	return direct->n_links && (direct->bandwidth > tw__route_of(p, from, above(p, from))->bandwidth ||
	                           direct->bandwidth > tw__route_of(p, above(p, to), to)->bandwidth);
}

/* Writes the direct routes between accelerators that are faster than those through main memory. All pairs of eight
 * accelerators would hide everything else. */
static void write_peers(const struct picture *d, const bool *on_way)
{
	const struct tw__platform *p = d->p;
	int n_left = 0;
	for (tw_node a = TW_RAM + 1; a < p->n_nodes; a++)
		for (tw_node b = a + 1; b < p->n_nodes; b++) {
			const struct tw__route *there = tw__route_of(p, a, b), *back = tw__route_of(p, b, a);
			if (!p->nodes[a].peer || !p->nodes[b].peer || (!there->n_links && !back->n_links))
				continue;
			if (!is_worth_it(p, a, b) && !is_worth_it(p, b, a)) {
				n_left++;
				continue;
			}
			bool dashed = leaves_own_links(there, on_way) || leaves_own_links(back, on_way);
			fprintf(d->f, "\tn%d -- n%d [constraint=false style=%s color=\"#38761d\" label=\"", (int)a,
			        (int)b, dashed ? "dashed" : "solid");
			if (there->n_links)
				fprintf(d->f, "%.1f%s", there->bandwidth / 1e9, back->n_links ? " / " : "");
			if (back->n_links)
				fprintf(d->f, "%.1f", back->bandwidth / 1e9);
			fputs(" GB/s\"]\n", d->f);
		}
	if (n_left)
		fprintf(d->f,
		        "\tleft [shape=plaintext fontsize=9 label=\"%d pair%s of accelerators exchange%s "
		        "directly,\\nno faster "
		        "than with main memory\"]\n",
		        n_left, n_left > 1 ? "s" : "", n_left > 1 ? "" : "s");
}

static int write_script(void *platform, FILE *script, struct tw_error *err)
{
	const struct tw__platform *p = platform;
	struct picture d = {.p = p, .f = script};
	bool *on_way = tw_alloc((size_t)p->n_links, sizeof *on_way);
	(void)err;
	find_ways(&d);
	/* "strict": several memories may share an edge, which Graphviz then draws once. */
	fputs("strict graph {\n\tgraph [fontname=\"DejaVu Sans\" labelloc=t ranksep=0.6 label=\"", d.f);
	write_text(d.f, p->name);
	if (*p->summary) {
		fputs(": ", d.f);
		write_text(d.f, p->summary);
	}
	fputs("\"]\n\tnode [fontname=\"DejaVu Sans\" fontsize=11]\n\tedge [fontname=\"DejaVu Sans\" fontsize=9]\n",
	      d.f);
	write_nodes(&d);
	write_hubs(&d);
	for (tw_node n = TW_RAM + 1; n < p->n_nodes; n++)
		write_ways(&d, n);
	for (int i = 0; i < d.n_ways; i++)
		on_way[d.ways[i].link] = true;
	write_peers(&d, on_way);
	fputs("}\n", script);
	free(d.ways);
	free(on_way);
	return TW_OK;
}

int tw__plot_topology(const struct tw__platform *p, const char *output, struct tw_error *err)
{
	const char *ending = tw__ending_of(output);
	const char *format = !strcmp(ending, ".svg") ? "-Tsvg" : !strcmp(ending, ".png") ? "-Tpng" : "-Tdot";
	if (strcmp(ending, ".svg") != 0 && strcmp(ending, ".png") != 0 && strcmp(ending, ".dot") != 0)
		return tw_fail(err, TW_INVALID,
		               "%s: unknown kind of picture; expected a name that ends in .dot, .svg or .png", output);
	const struct tw__drawer dot = {
		.name = "dot (of Graphviz)",
		.arguments = {"dot", format},
		.script_ending = ".dot",
	};
	return tw__draw(&dot, output, false, p->n_kinds ? tw__cluster_map_write : write_script, (void *)(uintptr_t)p,
	                err);
}
