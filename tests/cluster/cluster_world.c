#include "cluster_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cluster/split.h"
#include "platform/cluster.h"

static void add_link(struct tw__network *net, const char *name, int number, double bandwidth, double latency)
{
	net->links[net->n_links++] = (struct tw__link){.name = tw_format("%s%d", name, number),
	                                               .bandwidth = bandwidth,
	                                               .shared_bandwidth = bandwidth,
	                                               .latency = latency};
}

static struct tw__platform *join(const struct tw__platform *node, int n, struct test_network of)
{
	struct tw__network net = {.name = "cluster", .summary = "", .n_ranks = n};
	const struct tw__platform **nodes = tw_alloc((size_t)n, sizeof *nodes);
	struct tw__platform *whole;
	struct tw_error err = {""};
	net.names = tw_alloc((size_t)n, sizeof *net.names);
	net.links = tw_alloc((size_t)(2 * n + 1), sizeof *net.links);
	net.routes = tw_alloc((size_t)(n * n), sizeof *net.routes);
	for (int i = 0; i < n; i++) {
		nodes[i] = node;
		net.names[i] = tw_format("n%d", i);
		add_link(&net, "up", i, of.bandwidth, of.latency);
		add_link(&net, "down", i, of.bandwidth, of.latency);
	}
	if (of.backbone > 0)
		add_link(&net, "backbone", 0, of.backbone, 0);
	for (int i = 0; i < n * n; i++) {
		struct tw__route *route = &net.routes[i];
		if (i / n == i % n)
			continue;
		route->n_links = of.backbone > 0 ? 3 : 2;
		route->links = tw_alloc(3, sizeof *route->links);
		route->links[0] = 2 * (i / n);
		route->links[1] = of.backbone > 0 ? 2 * n : 2 * (i % n) + 1;
		route->links[2] = 2 * (i % n) + 1;
	}
	ck_assert_msg(tw__cluster_join(&whole, &net, nodes, &err) == TW_OK, "%s", err.message);
	for (int i = 0; i < n * n; i++)
		free(net.routes[i].links);
	for (int i = 0; i < n; i++)
		free(net.names[i]);
	for (int i = 0; i < net.n_links; i++)
		free(net.links[i].name);
	free(net.names);
	free(net.links);
	free(net.routes);
	free(nodes);
	return whole;
}

static bool is_known(tw_task t, tw_task n) { return t != TW_NONE && t < n; }

/* Times for two kernels more, which messages have, and seconds of single tasks by their new numbers. */
static void extend_times(struct tw__times *t, const struct tw_graph *g)
{
	const size_t before = (size_t)(t->n_kernels * t->n_archs), n = (size_t)(g->n_kernels * t->n_archs);
	t->mean = tw_resize(t->mean, n, sizeof *t->mean);
	t->stddev = tw_resize(t->stddev, n, sizeof *t->stddev);
	t->recorded = tw_resize(t->recorded, n, sizeof *t->recorded);
	for (size_t i = before; i < n; i++) {
		t->mean[i] = t->stddev[i] = NAN;
		t->recorded[i] = false;
	}
	for (tw_arch a = 0; t->own && a < t->n_archs; a++) {
		double *own = tw_alloc((size_t)g->n_tasks, sizeof *own);
		for (tw_task i = 0; i < g->n_tasks; i++)
			own[i] = is_known(g->ranks->origin[i], t->n_tasks) && t->own[a] ? t->own[a][g->ranks->origin[i]]
			                                                                : NAN;
		free(t->own[a]);
		t->own[a] = own;
	}
	t->n_kernels = g->n_kernels;
	t->n_tasks = g->n_tasks;
}

void cluster_world(struct world *w, int n, struct test_network network, const struct tw__distribution *d)
{
	struct tw_error err = {""};
	struct tw__platform *whole = join(w->platform, n, network);
	struct tw_graph *divided;
	tw_node *main_of = tw_alloc((size_t)n, sizeof *main_of);
	for (tw_node m = tw__n_mains(whole); m-- > 0;)
		main_of[whole->nodes[m].rank] = m;
	ck_assert_msg(tw__split(&divided, w->graph, d, n, main_of, &err) == TW_OK, "%s", err.message);
	free(main_of);
	extend_times(&w->times, divided);
	tw_graph_destroy(w->graph);
	tw__platform_destroy(w->platform);
	w->graph = divided;
	w->platform = whole;
}

/* --- programs in lines ------------------------------------------------------------------------------------------- */

static const char node[] = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
			   "<platform version='4.1'><zone id='z' routing='Full'>"
			   "<host id='RAM' speed='1f'/><host id='CPU0' speed='1f'><prop id='arch' value='cpu'/></host>"
			   "<host id='D' speed='1f'><prop id='role' value='disk'/></host>"
			   "<link id='sata' bandwidth='1GBps' latency='0s'/>"
			   "<route src='RAM' dst='D'><link_ctn id='sata'/></route>"
			   "</zone></platform>\n";

enum { MOST = 16 };

static void submit_line(struct world *w, struct tw__distribution *d, const char *line)
{
	struct tw_access access[MOST];
	int n = 0, rank = line[0] - '0', after = -1;
	if (line[0] == 'f') {
		tw_graph_flush(w->graph, line[3] - 'a');
		return;
	}
	for (const char *at = line + 3; *at; at++) {
		if (*at == '<')
			after = at[2] - '0', at += 2;
		else if (*at >= 'a' && *at <= 'z')
			access[n++] = (struct tw_access){*at - 'a', at[1] == '+'   ? TW_RW
			                                            : at[1] == '!' ? TW_W
			                                            : at[1] == '*' ? TW_REDUX
			                                                           : TW_R};
	}
	d->rank[w->graph->n_tasks] = rank;
	tw_graph_submit(w->graph, 0, line[1] == '^' ? 5 : 0, access, n);
	if (after >= 0)
		tw_graph_depend(w->graph, after);
}

void cluster_program(struct world *w, int n, const char *owners, const char *const *lines, const char *mem)
{
	cluster_program_on(w, node, n, owners, lines, mem);
}

void cluster_program_on(struct world *w, const char *xml, int n, const char *owners, const char *const *lines,
                        const char *mem)
{
	struct tw__platform_choice all = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS, .mem = mem};
	struct tw_error err = {""};
	int32_t rank[MOST], owner[MOST];
	struct tw__distribution d = {.owner = owner, .rank = rank};
	*w = (struct world){.graph = tw_graph_create()};
	world_platform(w, xml, &all);
	tw_graph_kernel(w->graph, "work", "1", "d", 1);
	for (int i = 0; owners[i]; i++)
		tw_graph_reduction(w->graph, tw_graph_data(w->graph, 1000000000), 0);
	for (int i = 0; owners[i]; i++)
		owner[i] = owners[i] - '0';
	for (; *lines; lines++)
		submit_line(w, &d, *lines);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (double[]){1, 1});
	cluster_world(w, n, (struct test_network){1e9, 1e-3, 0}, &d);
}
