/* Copies platforms of single nodes, and routes. */
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

struct tw__route tw__route_copy(const struct tw__route *from, int shift)
{
	struct tw__route route = *from;
	route.links = NULL;
	if (from->n_links)
		route.links = tw_alloc((size_t)from->n_links, sizeof *route.links);
	for (int l = 0; l < from->n_links; l++)
		route.links[l] = from->links[l] + shift;
	return route;
}

static void *copy_array(const void *from, int n, size_t element_bytes)
{
	void *to = tw_alloc((size_t)n, element_bytes);
	if (n)
		memcpy(to, from, (size_t)n * element_bytes);
	return to;
}

struct tw__platform *tw__platform_copy(const struct tw__platform *from)
{
	struct tw__platform *p = copy_array(from, 1, sizeof *p);
	p->name = tw_copy_text(from->name);
	p->summary = tw_copy_text(from->summary);
	p->runtime = tw_copy_text(from->runtime);
	p->runtime_from = tw_copy_text(from->runtime_from);
	p->archs = copy_array(from->archs, from->n_archs, sizeof *p->archs);
	p->ignored_archs = tw_alloc((size_t)p->n_ignored_archs, sizeof *p->ignored_archs);
	p->workers = copy_array(from->workers, from->n_workers, sizeof *p->workers);
	p->nodes = copy_array(from->nodes, from->n_nodes, sizeof *p->nodes);
	p->links = copy_array(from->links, from->n_links, sizeof *p->links);
	p->routes = tw_alloc((size_t)p->n_nodes * (size_t)p->n_nodes, sizeof *p->routes);
	for (int a = 0; a < p->n_archs; a++)
		p->archs[a].name = tw_copy_text(p->archs[a].name);
	for (int a = 0; a < p->n_ignored_archs; a++)
		p->ignored_archs[a] = tw_copy_text(from->ignored_archs[a]);
	for (int w = 0; w < p->n_workers; w++)
		p->workers[w].name = tw_copy_text(p->workers[w].name);
	for (int n = 0; n < p->n_nodes; n++)
		p->nodes[n].name = tw_copy_text(p->nodes[n].name);
	for (int l = 0; l < p->n_links; l++)
		tw__link_own_texts(&p->links[l]);
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++)
		p->routes[r] = tw__route_copy(&from->routes[r], 0);
	return p;
}
