/* Destroys platforms, and computes values of their routes and archs. read.c and select.c create platforms. */
#include "platform/platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tw__link_origin_ids[TW__N_LINK_NUMBERS] = {
	[TW__LINK_BANDWIDTH] = "bandwidth_origin",
	[TW__LINK_SHARED_BANDWIDTH] = "shared_bandwidth_origin",
	[TW__LINK_LATENCY] = "latency_origin",
};

void tw__link_own_texts(struct tw__link *link)
{
	link->name = tw_copy_text(link->name);
	for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
		link->origins[n] = link->origins[n] ? tw_copy_text(link->origins[n]) : NULL;
}

bool tw__link_has(const struct tw__link *link, enum tw__link_number n)
{
	return n == TW__LINK_BANDWIDTH || (n == TW__LINK_LATENCY && link->latency > 0) ||
	       (n == TW__LINK_SHARED_BANDWIDTH && link->shared_bandwidth < link->bandwidth);
}

static void free_texts(struct tw__link *link)
{
	free(link->name);
	for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
		free(link->origins[n]);
}

void tw__platform_destroy(struct tw__platform *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->n_archs; i++)
		free(p->archs[i].name);
	for (int i = 0; i < p->n_workers; i++)
		free(p->workers[i].name);
	for (int i = 0; p->routes && i < p->n_nodes * p->n_nodes; i++)
		free(p->routes[i].links);
	for (int i = 0; i < p->n_nodes; i++)
		free(p->nodes[i].name);
	for (int i = 0; i < p->n_links; i++)
		free_texts(&p->links[i]);
	for (int i = 0; i < p->n_ignored_archs; i++)
		free(p->ignored_archs[i]);
	free(p->archs);
	free(p->ignored_archs);
	free(p->workers);
	free(p->nodes);
	free(p->links);
	free(p->routes);
	free(p->name);
	free(p->summary);
	free(p->runtime);
	free(p->runtime_from);
	for (int i = 0; i < p->n_kinds; i++)
		tw__platform_destroy(p->kinds[i]);
	for (int i = 0; p->rank_names && i < p->n_ranks; i++)
		free(p->rank_names[i]);
	free(p->kinds);
	free(p->kind_of);
	free(p->rank_names);
	free(p);
}

void tw__route_measure(const struct tw__platform *p, struct tw__route *route, int *times)
{
	route->latency = 0;
	route->bandwidth = 0;
	for (int i = 0; i < route->n_links; i++) {
		times[route->links[i]]++;
		route->latency += p->links[route->links[i]].latency;
	}
	for (int i = 0; i < route->n_links; i++) {
		const struct tw__link *link = &p->links[route->links[i]];
		double share =
			link->sharing == TW__FATPIPE ? link->bandwidth : link->bandwidth / times[route->links[i]];
		if (i == 0 || share < route->bandwidth)
			route->bandwidth = share;
	}
	for (int i = 0; i < route->n_links; i++)
		times[route->links[i]] = 0;
}

size_t tw__arch_kind_length(const char *name)
{
	size_t length = strlen(name), n = length;
	while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n > 1 && n < length && name[n - 1] == '-' ? n - 1 : length;
}

int tw__platform_accelerators(const struct tw__platform *p)
{
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++)
		n += p->archs[p->workers[w].arch].accelerator && p->workers[w].stream == 0;
	return n;
}

int tw__platform_processors(const struct tw__platform *p)
{
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++)
		n += !p->archs[p->workers[w].arch].accelerator;
	return n;
}

int tw__first_shared(const struct tw__platform *p, const struct tw__route *route)
{
	for (int l = 0; l < route->n_links; l++)
		if (p->links[route->links[l]].sharing == TW__SHARED)
			return route->links[l];
	return TW_NONE;
}

/* Returns the root of a link's tree. The links of a group form a tree, whose root is its own parent. */
static int root_of(int *parents, int link)
{
	while (parents[link] != link)
		link = parents[link] = parents[parents[link]];
	return link;
}

int *tw__link_groups(const struct tw__platform *p)
{
	int *groups = tw_alloc((size_t)p->n_links, sizeof *groups);
	for (int l = 0; l < p->n_links; l++)
		groups[l] = l;
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++) {
		const struct tw__route *route = &p->routes[r];
		const int first = tw__first_shared(p, route);
		for (int l = 0; l < route->n_links; l++)
			if (p->links[route->links[l]].sharing == TW__SHARED)
				groups[root_of(groups, route->links[l])] = root_of(groups, first);
	}
	for (int l = 0; l < p->n_links; l++)
		groups[l] = root_of(groups, l);
	return groups;
}

/* --- parallel tasks ----------------------------------------------------------------------------------------------- */

/* Returns the greatest number of workers of the arch that compute in one memory. */
static int most_in_one_memory(const struct tw__platform *p, tw_arch a)
{
	int most = 0;
	for (int i = 0; i < p->n_workers; i++) {
		int n = 0;
		for (int w = 0; w < p->n_workers; w++)
			n += p->workers[w].arch == a && p->workers[w].node == p->workers[i].node;
		most = n > most ? n : most;
	}
	return most;
}

void tw__platform_widen(struct tw__platform *p, int max_parallelism)
{
	const int n_archs = p->n_archs;
	for (tw_arch a = 0; a < n_archs; a++) {
		struct tw__arch *arch = &p->archs[a];
		arch->most_cores = 1;
		if (arch->accelerator || arch->cores > 1 || max_parallelism <= 1)
			continue;
		const int most = most_in_one_memory(p, a);
		arch->wide = p->n_archs;
		arch->most_cores = most < max_parallelism ? most : max_parallelism;
		for (int cores = 2; cores <= arch->most_cores; cores++)
			p->archs[p->n_archs++] =
				(struct tw__arch){.name = tw_copy_text(arch->name), .cores = cores, .most_cores = 1};
	}
}
