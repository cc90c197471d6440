/* Parses the lines of a run section about the platform and the graph. */
#include <stdlib.h>

#include "graph/parts.h"
#include "platform/cluster.h"
#include "trace/run_section_lines.h"

/* The number of an arch, which is added if its name is new. */
static int take_arch(tw_arch *arch, struct tw__run_section *s, const struct fields *f)
{
	struct tw__platform *p = s->platform;
	char *name;
	int status = copy_text(s, &name, f->of[1], f);
	for (*arch = 0; *arch < p->n_archs && strcmp(p->archs[*arch].name, name) != 0;)
		++*arch;
	if (*arch == p->n_archs) {
		GROW(p->archs, p->n_archs);
		p->archs[p->n_archs++].name = name;
	}
	return status;
}

/* A node of a cluster. */
int tw__section_node(struct tw__run_section *s, const struct fields *f)
{
	struct tw__platform *p = s->platform;
	if (p->n_ranks == TW__MAX_RANKS || p->n_workers > 0 || p->n_nodes > 0)
		return tw_fail(f->err, TW_INVALID, "expected at most %d nodes, before workers and memories",
		               TW__MAX_RANKS);
	GROW(p->rank_names, p->n_ranks);
	return copy_text(s, &p->rank_names[p->n_ranks++], f->of[0], f);
}

/* Finds the node of a cluster of a worker or memory, which is named "NODE.NAME". TW_INVALID: there is none. */
static int find_rank(int *rank, const struct tw__platform *p, const char *name, const struct fields *f)
{
	size_t longest = 0;
	for (int r = 0; r < p->n_ranks; r++) {
		const size_t length = strlen(p->rank_names[r]);
		if (length >= longest && !strncmp(name, p->rank_names[r], length) && name[length] == '.') {
			*rank = r;
			longest = length + 1;
		}
	}
	return p->n_ranks && !longest ? expected(f, "a name that begins with one of a node", name) : TW_OK;
}

int tw__section_worker(struct tw__run_section *s, const struct fields *f)
{
	struct tw__platform *p = s->platform;
	if (s->n_domains > 0)
		return tw_fail(f->err, TW_INVALID, "expected all workers before the domains");
	GROW(p->workers, p->n_workers);
	struct tw__worker *w = &p->workers[p->n_workers++];
	int status = copy_text(s, &w->name, f->of[0], f);
	status = status == TW_OK ? find_rank(&w->rank, p, w->name, f) : status;
	return status == TW_OK ? take_arch(&w->arch, s, f) : status;
}

int tw__section_domain(struct tw__run_section *s, const struct fields *f)
{
	int64_t worker;
	char *name;
	bool *has = tw__arena_alloc(&s->memory, (size_t)s->platform->n_workers, sizeof *has);
	if (f->n < 1 || s->n_domains == TW__MOST_DOMAINS)
		return tw_fail(f->err, TW_INVALID, "expected a name and workers, of at most %d domains",
		               TW__MOST_DOMAINS);
	int status = copy_text(s, &name, f->of[0], f);
	if (status == TW_OK && (!*name || strlen(name) >= TW__DOMAIN_NAME))
		return expected(f, "the name of a domain", f->of[0]);
	for (int i = 1; i < f->n; i++) {
		if (!parse_number(f->of[i], 0, s->platform->n_workers - 1, &worker))
			return expected(f, "the number of a worker", f->of[i]);
		has[worker] = true;
	}
	GROW(s->domain_names, s->n_domains);
	GROW(s->domain_workers, s->n_domains);
	s->domain_names[s->n_domains] = name;
	s->domain_workers[s->n_domains++] = has;
	return status;
}

int tw__section_memory(struct tw__run_section *s, const struct fields *f)
{
	int64_t bytes = 0;
	if (strcmp(f->of[1], "none") != 0 && !parse_number(f->of[1], 0, INT64_MAX, &bytes))
		return expected(f, "bytes or 'none'", f->of[1]);
	struct tw__platform *p = s->platform;
	if (p->n_nodes == TW__MAX_JOINED_MEMORIES || p->routes)
		return tw_fail(f->err, TW_INVALID, "expected at most %d memories, before the routes",
		               TW__MAX_JOINED_MEMORIES);
	GROW(p->nodes, p->n_nodes);
	GROW(s->capacity, p->n_nodes);
	s->capacity[p->n_nodes] = strcmp(f->of[1], "none") ? (uint64_t)bytes : UINT64_MAX;
	struct tw__node *node = &p->nodes[p->n_nodes];
	int status = copy_text(s, &node->name, f->of[0], f);
	if (status == TW_OK)
		status = find_rank(&node->rank, p, node->name, f);
	node->main = p->n_nodes < p->n_ranks ? p->n_nodes : 0; /* each node of a cluster has one first */
	p->n_nodes++;
	return status;
}

int tw__section_link(struct tw__run_section *s, const struct fields *f)
{
	struct tw__platform *p = s->platform;
	struct tw__link link = {.sharing = strcmp(f->of[4], "shared") ? TW__FATPIPE : TW__SHARED};
	if (!tw__field_real(f->of[1], &link.bandwidth) || !tw__field_real(f->of[2], &link.shared_bandwidth) ||
	    !tw__field_real(f->of[3], &link.latency) || !(link.shared_bandwidth >= 1) || link.latency > 1000 ||
	    link.shared_bandwidth > link.bandwidth || link.bandwidth > 1e24)
		return expected(f, "two bandwidths, the second at most the first, and a latency", f->of[1]);
	if (strcmp(f->of[4], "shared") != 0 && strcmp(f->of[4], "fatpipe") != 0)
		return expected(f, "shared or fatpipe", f->of[4]);
	int status = copy_text(s, &link.name, f->of[0], f);
	GROW(p->links, p->n_links);
	p->links[p->n_links++] = link;
	return status;
}

void tw__section_make_routes(struct tw__run_section *s)
{
	struct tw__platform *p = s->platform;
	if (!p->routes)
		p->routes = tw__arena_alloc(&s->memory, (size_t)p->n_nodes * (size_t)p->n_nodes, sizeof *p->routes);
	if (!p->links)
		p->links = tw__arena_alloc(&s->memory, 0, sizeof *p->links); /* none are an array, too */
}

int tw__section_route(struct tw__run_section *s, const struct fields *f)
{
	struct tw__platform *p = s->platform;
	int64_t from, to, link;
	tw__section_make_routes(s);
	if (f->n < 3 || !parse_number(f->of[0], 0, p->n_nodes - 1, &from) ||
	    !parse_number(f->of[1], 0, p->n_nodes - 1, &to) || p->routes[from * p->n_nodes + to].links)
		return tw_fail(f->err, TW_INVALID, "expected the numbers of two memories once, and links");
	struct tw__route *route = &p->routes[from * p->n_nodes + to];
	/* from card to card, links within nodes are crossed, too */
	const bool of_network = p->nodes[from].rank != p->nodes[to].rank && tw__is_main(p, (tw_node)from) &&
	                        tw__is_main(p, (tw_node)to);
	route->links = tw__arena_alloc(&s->memory, (size_t)f->n, sizeof *route->links);
	for (int i = 2; i < f->n; i++) {
		if (!parse_number(f->of[i], 0, p->n_links - 1, &link))
			return expected(f, "the number of a link", f->of[i]);
		route->links[route->n_links++] = (int)link;
		if (of_network && p->n_links - (int)link > p->n_network_links)
			p->n_network_links = p->n_links - (int)link;
	}
	int *times = tw_alloc((size_t)p->n_links, sizeof *times);
	tw__route_measure(p, route, times);
	free(times);
	for (int l = 0; l < route->n_links; l++)
		if (p->links[route->links[l]].shared_bandwidth < route->bandwidth)
			return expected(f, "links that pass the route's bandwidth", f->of[l + 2]);
	return TW_OK;
}

int tw__section_kernel(struct tw__run_section *s, const struct fields *f)
{
	if (s->graph.n_kernels > UINT16_MAX)
		return expected(f, "at most 65536 kernels", f->of[0]);
	if (f->n < 1 || f->n > 2 || (f->n == 2 && strcmp(f->of[1], "message") != 0))
		return tw_fail(f->err, TW_INVALID, "expected a name, and 'message' if its tasks send or receive");
	GROW(s->graph.kernels, s->graph.n_kernels);
	s->graph.kernels[s->graph.n_kernels].is_message = f->n == 2;
	return copy_text(s, &s->graph.kernels[s->graph.n_kernels++].name, f->of[0], f);
}

int tw__section_tasks(struct tw__run_section *s, const struct fields *f)
{
	struct tw_graph *g = &s->graph;
	int64_t kernel;
	for (int i = 0; i < f->n; i++) {
		if (!parse_number(f->of[i], 0, g->n_kernels - 1, &kernel) || g->n_tasks == INT32_MAX)
			return expected(f, "the number of a kernel", f->of[i]);
		GROW(g->kernel, g->n_tasks);
		g->kernel[g->n_tasks++] = (uint16_t)kernel;
	}
	return TW_OK;
}

int tw__section_graph(struct tw__run_section *s, const struct fields *f)
{
	struct tw_graph *g = &s->graph;
	int64_t first, arrival, least = g->n_parts ? g->parts[g->n_parts - 1].first + 1 : 0;
	if (g->n_parts == TW__MOST_PARTS)
		return tw_fail(f->err, TW_INVALID, "expected at most %d graphs", TW__MOST_PARTS);
	if (!parse_number(f->of[0], least, g->n_parts ? g->n_tasks - 1 : 0, &first))
		return expected(f, "the first task of a graph, from 0 on and ascending", f->of[0]);
	if (!parse_number(f->of[1], 0, TW__LAST, &arrival))
		return expected(f, "nanoseconds", f->of[1]);
	GROW(g->parts, g->n_parts);
	struct tw__graph_part *part = &g->parts[g->n_parts++];
	*part = (struct tw__graph_part){.first = (tw_task)first, .arrival = arrival};
	return copy_text(s, &part->name, f->of[2], f);
}
