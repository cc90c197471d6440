/* Prints the tables of `tilewright platform show` and `tilewright list platforms NAME`. */
#include "cli/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cell_table.h"
#include "cli/cli.h"
#include "machine/machine.h"
#include "plot/plot.h"

enum { MAX_NAMED_ROUTES = 6 }; /* routes named in the row of a shared link; further ones are only counted */

/* Describes the n workers of an arch: CPU or accelerator, and whether each takes a CPU core to drive it. */
static const char *kind_of(const struct tw__platform *p, tw_arch a, int n, int n_driven)
{
	return !p->archs[a].accelerator ? "CPU"
	       : n_driven == n          ? "accelerator; each in use takes a CPU core"
	       : n_driven == 0          ? "accelerator; takes no CPU core"
	                                : "accelerator; some in use take a CPU core";
}

static void print_workers(FILE *f, const struct tw__platform *p)
{
	static const struct cell_column columns[] = {
		{.title = "arch"}, {.title = "number"}, {.title = "cores"}, {.title = "kind"}, {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	for (tw_arch a = 0; a < p->n_archs; a++) {
		int n = 0, n_driven = 0;
		for (int w = 0; w < p->n_workers; w++) {
			n += p->workers[w].arch == a;
			n_driven += p->workers[w].arch == a && !p->workers[w].undriven;
		}
		tw__cells_add(&t, cell_text(p->archs[a].name), cell_integer(n), cell_integer(p->archs[a].cores),
		              cell_text(kind_of(p, a, n, n_driven)));
	}
	fputs("\nworkers\n", f);
	tw__cells_print(&t, f);
}

static void print_memories(FILE *f, const struct tw__platform *p)
{
	static const struct cell_column columns[] = {{.title = "memory"},
	                                             {.title = "size", .unit = UNIT_SIZE, .align = 'r'},
	                                             {.title = "backed by"},
	                                             {.title = "copies to other accelerators"},
	                                             {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	for (tw_node n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		bool accelerator = tw__is_card(p, n);
		tw__cells_add(&t, cell_text(node->name),
		              node->memory_bytes ? cell_bytes(node->memory_bytes) : cell_text("unbounded"),
		              cell_text(node->backing == TW_NONE ? "-" : p->nodes[node->backing].name),
		              cell_text(!accelerator ? "-"
		                        : node->peer ? "directly, if there is a route"
		                                     : "through main memory"));
	}
	fputs("\nmemories\n", f);
	tw__cells_print(&t, f);
}

/* The routes over one link. A route that lists the link several times counts once. */
struct use {
	int n;
	const struct tw__route *last;
	int times;              /* how often links_of's current route lists the link; otherwise 0 */
	struct cell_list names; /* the first routes: "RAM->GPU0, RAM->GPU1, ..." */
};

/* Finds the routes over each link, as a malloc'ed array [n_links]. */
static struct use *find_uses(const struct tw__platform *p)
{
	struct use *uses = tw_alloc((size_t)p->n_links, sizeof *uses);
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(p, from, to);
			for (int i = 0; i < route->n_links; i++) {
				struct use *use = &uses[route->links[i]];
				if (use->last == route)
					continue;
				use->last = route;
				use->n++;
				use->names.most = MAX_NAMED_ROUTES;
				tw__list_add(&use->names, "%s->%s", p->nodes[from].name, p->nodes[to].name);
			}
		}
	return uses;
}

static bool is_shared(const struct tw__platform *p, const struct use *uses, int link)
{
	return p->links[link].sharing == TW__SHARED && uses[link].n > 1;
}

/* The links of a route: "pci0_DOWN + 2x host_DOWN*", where * marks links shared with other routes. */
static struct cell links_of(const struct tw__platform *p, struct use *uses, const struct tw__route *route)
{
	struct cell_list list = {.between = " + "};
	for (int i = 0; i < route->n_links; i++)
		uses[route->links[i]].times++;
	for (int i = 0; i < route->n_links; i++) {
		int link = route->links[i], times = uses[link].times;
		const char *name = p->links[link].name, *mark = is_shared(p, uses, link) ? "*" : "";
		if (times > 1)
			tw__list_add(&list, "%dx %s%s", times, name, mark);
		else if (times)
			tw__list_add(&list, "%s%s", name, mark);
		uses[link].times = 0;
	}
	return tw__list_cell(&list);
}

static void print_routes(FILE *f, const struct tw__platform *p, struct use *uses)
{
	static const struct cell_column columns[] = {{.title = "from"},
	                                             {.title = "to"},
	                                             {.title = "GB/s", .format = "%.3f"},
	                                             {.title = "us", .format = "%.1f"},
	                                             {.title = "links (*: shared with other routes)"},
	                                             {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	if (p->n_nodes == 1) {
		fputs("\nroutes: none, as there is one memory\n", f);
		return;
	}
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(p, from, to);
			if (from != to && route->n_links)
				tw__cells_add(&t, cell_text(p->nodes[from].name), cell_text(p->nodes[to].name),
				              cell_real(route->bandwidth / 1e9), cell_real(route->latency * 1e6),
				              links_of(p, uses, route));
		}
	fputs("\nroutes (of one copy alone)\n", f);
	tw__cells_print(&t, f);
}

static void print_shared_links(FILE *f, const struct tw__platform *p, struct use *uses)
{
	static const struct cell_column columns[] = {{.title = "link"},
	                                             {.title = "GB/s", .align = 'r'},
	                                             {.title = "us", .format = "%.1f"},
	                                             {.title = "routes that share it"},
	                                             {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	for (int i = 0; i < p->n_links; i++) {
		const struct tw__link *link = &p->links[i];
		bool is_slower = link->shared_bandwidth < link->bandwidth;
		if (is_shared(p, uses, i))
			tw__cells_add(&t, cell_text(link->name),
			              cell_format(is_slower ? "%.3f, alone %.3f" : "%.3f", link->shared_bandwidth / 1e9,
			                          link->bandwidth / 1e9),
			              cell_real(link->latency * 1e6), tw__list_cell(&uses[i].names));
	}
	if (!t.n)
		return;
	fputs("\nshared links\n", f);
	tw__cells_print(&t, f);
}

static void print_links(FILE *f, const struct tw__platform *p)
{
	struct use *uses = find_uses(p);
	print_routes(f, p, uses);
	print_shared_links(f, p, uses);
	for (int i = 0; i < p->n_links; i++)
		free(tw__list_text(&uses[i].names));
	free(uses);
}

static void print_node(FILE *f, const struct tw__platform *p)
{
	print_workers(f, p);
	print_memories(f, p);
	print_links(f, p);
	print_link_origins(f, p);
}

/* Prints all tables of a platform. `models`: NULL if there is no kernels.csv. `kernels_path`: NULL if a run itself
 * times the kernels that it needs. */
static void print_all(FILE *f, const struct tw__platform *p, const struct tw__models *models, const char *kernels_path)
{
	struct cell_table title = {.columns = (const struct cell_column[]){{.title = ""}, {0}}};
	tw__cells_add(&title, cell_format("%s%s%s", p->name, *p->summary ? ": " : "", p->summary));
	if (*p->runtime)
		tw__cells_add(&title, cell_format("runtime parameters of its own: %s", p->runtime));
	tw__cells_print(&title, f);
	if (p->n_kinds)
		print_cluster(f, p);
	else
		print_node(f, p);
	if (models)
		print_kernel_times(f, models);
	else if (kernels_path)
		fprintf(f, "\nkernel times: none, there is no %s\n", kernels_path);
	else
		fputs("\nkernel times: measured when a run needs them\n", f);
}

static int find(struct tw__platform **p, char **kernels_path, const char *name, struct tw_error *err)
{
	*kernels_path = NULL;
	const struct tw__request q = {.platform = name, .choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS}};
	return tw__is_machine(&q) ? tw__machine_all(p, &q, false, err) : tw__platform_find(p, kernels_path, name, err);
}

int read_kernel_times(struct tw__models **models, const char *kernels_path, const struct tw__platform *p,
                      struct tw_error *err)
{
	*models = NULL;
	bool is_there = access(kernels_path, F_OK) == 0 || errno != ENOENT;
	return is_there ? tw__models_read(models, kernels_path, p, err) : TW_OK;
}

int show_platform(const char *name, const char *picture)
{
	struct tw_error err;
	struct tw__platform *p;
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
		print_all(stdout, p, models, kernels_path);
	tw__models_destroy(models);
	tw__platform_destroy(p);
	free(kernels_path);
	return status < 0 ? cli_error(status, &err) : 0;
}
