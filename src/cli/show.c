/* Prints the tables of `tilewright platform show` and `tilewright list platforms NAME`. */
#include "cli/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "machine/machine.h"
#include "plot/plot.h"

enum { MAX_NAMED_ROUTES = 6 }; /* routes named in the row of a shared link; further ones are only counted */

static void add_titles(struct grid *g, const char *const *titles)
{
	for (int i = 0; i < g->columns; i++)
		grid_add(g, "%s", titles[i]);
}

/* Describes the n workers of an arch: CPU or accelerator, and whether each takes a CPU core to drive it. */
static const char *kind_of(const struct tw_platform *p, tw_arch a, int n, int n_driven)
{
	return !p->archs[a].accelerator ? "CPU"
	       : n_driven == n          ? "accelerator; each in use takes a CPU core"
	       : n_driven == 0          ? "accelerator; takes no CPU core"
	                                : "accelerator; some in use take a CPU core";
}

static int print_workers(FILE *f, const struct tw_platform *p, struct tw_error *err)
{
	struct grid g = {.columns = 4, .right = "lrrl"};
	add_titles(&g, (const char *const[]){"arch", "number", "cores", "kind"});
	for (tw_arch a = 0; a < p->n_archs; a++) {
		int n = 0, n_driven = 0;
		for (int w = 0; w < p->n_workers; w++) {
			n += p->workers[w].arch == a;
			n_driven += p->workers[w].arch == a && !p->workers[w].undriven;
		}
		grid_add(&g, "%s", p->archs[a].name);
		grid_add(&g, "%d", n);
		grid_add(&g, "%d", p->archs[a].cores);
		grid_add(&g, "%s", kind_of(p, a, n, n_driven));
	}
	fputs("\nworkers\n", f);
	return grid_print(&g, f, "  ", err);
}

static int print_memories(FILE *f, const struct tw_platform *p, struct tw_error *err)
{
	struct grid g = {.columns = 4, .right = "lrll"};
	add_titles(&g, (const char *const[]){"memory", "size", "backed by", "copies to other accelerators"});
	for (tw_node n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		bool accelerator = n != TW_RAM && n != p->nodes[TW_RAM].backing;
		char size[32] = "unbounded";
		if (node->memory_bytes)
			tw__size_text(size, sizeof size, node->memory_bytes);
		grid_add(&g, "%s", node->name);
		grid_add(&g, "%s", size);
		grid_add(&g, "%s", node->backing == TW_NONE ? "-" : p->nodes[node->backing].name);
		grid_add(&g, "%s",
		         !accelerator ? "-"
		         : node->peer ? "directly, if there is a route"
		                      : "through main memory");
	}
	fputs("\nmemories\n", f);
	return grid_print(&g, f, "  ", err);
}

/* The routes over one link. A route that lists the link several times counts once. */
struct use {
	int n;
	const struct tw__route *last;
	int times;   /* how often links_of's current route lists the link; otherwise 0 */
	char *names; /* the first routes: "RAM->GPU0, RAM->GPU1, ..." */
};

static void free_uses(struct use *uses, int n)
{
	for (int i = 0; uses && i < n; i++)
		free(uses[i].names);
	free(uses);
}

static bool add_use(struct use *use, const struct tw_platform *p, tw_node from, tw_node to)
{
	const struct tw__route *route = tw__route_of(p, from, to);
	if (use->last == route)
		return true;
	use->last = route;
	if (use->n++ >= MAX_NAMED_ROUTES)
		return true;
	char *names;
	if (asprintf(&names, "%s%s%s->%s", use->names ? use->names : "", use->names ? ", " : "", p->nodes[from].name,
	             p->nodes[to].name) < 0)
		return false;
	free(use->names);
	use->names = names;
	return true;
}

/* Finds the routes over each link, as a malloc'ed array [n_links]; NULL: out of memory. */
static struct use *find_uses(const struct tw_platform *p)
{
	struct use *uses = calloc((size_t)p->n_links + 1, sizeof *uses);
	bool whole = uses;
	for (tw_node from = 0; whole && from < p->n_nodes; from++)
		for (tw_node to = 0; whole && to < p->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(p, from, to);
			for (int i = 0; whole && i < route->n_links; i++)
				whole = add_use(&uses[route->links[i]], p, from, to);
		}
	if (whole)
		return uses;
	free_uses(uses, p->n_links);
	return NULL;
}

static bool is_shared(const struct tw_platform *p, const struct use *uses, int link)
{
	return p->links[link].sharing == TW__SHARED && uses[link].n > 1;
}

/* Returns the links of a route as text: "pci0_DOWN + 2x host_DOWN*", where * marks links shared with other routes.
 * malloc'ed; NULL: out of memory. */
static char *links_of(const struct tw_platform *p, struct use *uses, const struct tw__route *route)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	if (!f)
		return NULL;
	for (int i = 0; i < route->n_links; i++)
		uses[route->links[i]].times++;
	for (int i = 0; i < route->n_links; i++) {
		int link = route->links[i];
		if (!uses[link].times)
			continue;
		fputs(i ? " + " : "", f);
		if (uses[link].times > 1)
			fprintf(f, "%dx ", uses[link].times);
		fprintf(f, "%s%s", p->links[link].name, is_shared(p, uses, link) ? "*" : "");
		uses[link].times = 0;
	}
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static int print_routes(FILE *f, const struct tw_platform *p, struct use *uses, struct tw_error *err)
{
	if (p->n_nodes == 1) {
		fputs("\nroutes: none, as there is one memory\n", f);
		return TW_OK;
	}
	struct grid g = {.columns = 5, .right = "llrrl"};
	add_titles(&g, (const char *const[]){"from", "to", "GB/s", "us", "links (*: shared with other routes)"});
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(p, from, to);
			if (from == to || !route->n_links)
				continue;
			grid_add(&g, "%s", p->nodes[from].name);
			grid_add(&g, "%s", p->nodes[to].name);
			grid_add(&g, "%.3f", route->bandwidth / 1e9);
			grid_add(&g, "%.1f", route->latency * 1e6);
			grid_take(&g, links_of(p, uses, route));
		}
	fputs("\nroutes (of one copy alone)\n", f);
	return grid_print(&g, f, "  ", err);
}

static int print_shared_links(FILE *f, const struct tw_platform *p, const struct use *uses, struct tw_error *err)
{
	struct grid g = {.columns = 4, .right = "lrrl"};
	for (int i = 0; i < p->n_links; i++) {
		if (!is_shared(p, uses, i))
			continue;
		if (!g.n) {
			fputs("\nshared links\n", f);
			add_titles(&g, (const char *const[]){"link", "GB/s", "us", "routes that share it"});
		}
		grid_add(&g, "%s", p->links[i].name);
		grid_add(&g, p->links[i].shared_bandwidth < p->links[i].bandwidth ? "%.3f, alone %.3f" : "%.3f",
		         p->links[i].shared_bandwidth / 1e9, p->links[i].bandwidth / 1e9);
		grid_add(&g, "%.1f", p->links[i].latency * 1e6);
		if (uses[i].n > MAX_NAMED_ROUTES)
			grid_add(&g, "%s and %d more", uses[i].names, uses[i].n - MAX_NAMED_ROUTES);
		else
			grid_add(&g, "%s", uses[i].names);
	}
	return grid_print(&g, f, "  ", err);
}

static int print_links(FILE *f, const struct tw_platform *p, struct tw_error *err)
{
	struct use *uses = find_uses(p);
	int status = uses ? print_routes(f, p, uses, err) : tw_fail(err, TW_NOMEM, "out of memory");
	if (status == TW_OK)
		status = print_shared_links(f, p, uses, err);
	free_uses(uses, p->n_links);
	return status;
}

/* Prints all tables of a platform. `models`: NULL if there is no kernels.csv. `kernels_path`: NULL if a run itself
 * times the kernels that it needs. */
static int print_all(FILE *f, const struct tw_platform *p, const struct tw__models *models, const char *kernels_path,
                     struct tw_error *err)
{
	struct grid title = {.columns = 1};
	grid_add(&title, "%s%s%s", p->name, *p->summary ? ": " : "", p->summary);
	if (*p->runtime)
		grid_add(&title, "runtime parameters of its own: %s", p->runtime);
	int status = grid_print(&title, f, "", err);
	if (status == TW_OK)
		status = print_workers(f, p, err);
	if (status == TW_OK)
		status = print_memories(f, p, err);
	if (status == TW_OK)
		status = print_links(f, p, err);
	if (status == TW_OK && models)
		status = print_kernel_times(f, models, err);
	if (status == TW_OK && models)
		return print_sources(f, models, err);
	if (status == TW_OK && kernels_path)
		fprintf(f, "\nkernel times: none, there is no %s\n", kernels_path);
	else if (status == TW_OK)
		fputs("\nkernel times: measured when a run needs them\n", f);
	return status;
}

static int find(struct tw_platform **p, char **kernels_path, const char *name, struct tw_error *err)
{
	*kernels_path = NULL;
	const struct tw__request q = {.platform = name, .choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS}};
	return tw__is_machine(&q) ? tw__machine_all(p, &q, err) : tw__platform_find(p, kernels_path, name, err);
}

int read_kernel_times(struct tw__models **models, const char *kernels_path, const struct tw_platform *p,
                      struct tw_error *err)
{
	*models = NULL;
	bool is_there = access(kernels_path, F_OK) == 0 || errno != ENOENT;
	return is_there ? tw__models_read(models, kernels_path, p, err) : TW_OK;
}

int show_platform(const char *name, const char *picture)
{
	struct tw_error err;
	struct tw_platform *p;
	struct tw__models *models = NULL;
	char *kernels_path;
	int status = find(&p, &kernels_path, name, &err);
	if (status < 0)
		return cli_error(status, &err);
	if (kernels_path)
		status = read_kernel_times(&models, kernels_path, p, &err);
	if (status == TW_OK && picture)
		status = tw__plot_topology(p, picture, &err);
	if (status == TW_OK)
		status = print_all(stdout, p, models, kernels_path, &err);
	tw__models_destroy(models);
	tw__platform_destroy(p);
	free(kernels_path);
	return status < 0 ? cli_error(status, &err) : 0;
}
