/* Selects the part of a node that a run uses: workers, and the memories and links that they need. */
#include "platform/platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "platform/choice.h"

struct selection {
	const struct tw__platform *all;
	const struct tw__platform_choice *choice;
	struct tw_error *err;
	struct tw__platform *p;
	/* [all->n_workers]: cores of the new worker whose first core is this old worker; 0: none begins here */
	int *cores;
	int *core; /* [n_core]: the CPU cores that drive no accelerator: their old workers */
	int n_core;
	tw_node *node;   /* [all->n_nodes]: number of the memory node in `p`; TW_NONE: not selected */
	int *link;       /* [all->n_links]: number of the link in `p`; TW_NONE: not selected */
	uint64_t *limit; /* [all->n_nodes]: the user's bound on the memory, bytes; 0: none */
	int gpu_workers; /* workers of each accelerator */
	double slowdown; /* of their kernels */
	const struct tw__bounds *bounds;
};

/* Takes the last CPU core near a main memory out of s->core; if there is none, the last of all. */
static void take_core(struct selection *s, tw_node main)
{
	int i = s->n_core - 1;
	while (i >= 0 && s->all->workers[s->core[i]].node != main)
		i--;
	i = i < 0 ? s->n_core - 1 : i;
	s->n_core--;
	memmove(s->core + i, s->core + i + 1, (size_t)(s->n_core - i) * sizeof *s->core);
}

/* Finds the CPU cores that drive no accelerator: `most`. The cores that drive one are near its main memory. */
static void find_cores(struct selection *s, int first, int most, int gpus)
{
	const struct tw__platform *all = s->all;
	for (int w = first; w < all->n_workers; w++)
		s->core[s->n_core++] = w;
	for (int w = gpus - 1; s->n_core > most; w--)
		if (!all->workers[w].undriven)
			take_core(s, all->nodes[all->workers[w].node].main);
}

/* Makes each of the first CPU cores a worker. */
static int choose_cores(struct selection *s, int gpus)
{
	const struct tw__platform *all = s->all;
	int most = s->n_core;
	int cpus = s->choice->cpus == TW__ALL_WORKERS ? most : s->choice->cpus;
	if (cpus < 0 || cpus > most)
		return tw_fail(s->err, TW_INVALID,
		               "%d CPUs and %d GPUs of platform '%s': expected at most %d CPUs "
		               "(%d cores, of which GPUs take %d)",
		               cpus, gpus, all->name, most, all->n_cores, tw__count_driven(all, gpus));
	for (int i = 0; i < cpus; i++)
		s->cores[s->core[i]] = 1;
	return TW_OK;
}

/* Gives each group of cores the cores after those of the previous group. The caller has checked that there are enough
 * cores. */
static int place_groups(struct selection *s, const int *groups, int n_groups)
{
	const struct tw__platform *all = s->all;
	const char *text = s->choice->cpu_groups;
	int cpus = s->choice->cpus == TW__ALL_WORKERS ? n_groups : s->choice->cpus;
	if (cpus < 0 || cpus > n_groups)
		return tw_fail(s->err, TW_INVALID, "%d CPUs of --cpu-groups '%.80s': expected 0 to %d, its groups",
		               cpus, text, n_groups);
	for (int g = 0, first = 0; g < n_groups; first += groups[g++]) {
		const struct tw__worker *begin = &all->workers[s->core[first]];
		for (int i = 1; i < groups[g]; i++) {
			const struct tw__worker *other = &all->workers[s->core[first + i]];
			if (other->arch != begin->arch)
				return tw_fail(s->err, TW_INVALID,
				               "--cpu-groups '%.80s': cores %.80s (%.40s) and %.80s (%.40s) of "
				               "platform '%.40s' in one group, expected cores of one arch",
				               text, begin->name, all->archs[begin->arch].name, other->name,
				               all->archs[other->arch].name, all->name);
			if (other->node != begin->node)
				return tw_fail(s->err, TW_INVALID,
				               "--cpu-groups '%.80s': cores %.80s (near %.40s) and %.80s (near %.40s) "
				               "of platform '%.40s' in one group, expected cores of one main memory",
				               text, begin->name, all->nodes[begin->node].name, other->name,
				               all->nodes[other->node].name, all->name);
		}
		if (g < cpus)
			s->cores[s->core[first]] = groups[g];
	}
	return TW_OK;
}

static int choose_groups(struct selection *s, int gpus)
{
	int *groups, n_groups, most = s->n_core;
	int status = tw__groups_parse(&groups, &n_groups, s->choice->cpu_groups, s->err);
	if (status < 0)
		return status;
	int64_t sum = 0;
	for (int g = 0; g < n_groups; g++)
		sum += groups[g];
	if (sum > most)
		status = tw_fail(s->err, TW_INVALID,
		                 "--cpu-groups '%.80s': %" PRId64 " cores and %d GPUs of platform '%s': expected at "
		                 "most %d cores (of %d; GPUs take %d)",
		                 s->choice->cpu_groups, sum, gpus, s->all->name, most, s->all->n_cores,
		                 tw__count_driven(s->all, gpus));
	else
		status = place_groups(s, groups, n_groups);
	free(groups);
	return status;
}

/* Chooses the workers, accelerators first. Each accelerator takes from the CPU workers a core that drives it, unless it
 * is undriven. On a platform without CPU cores, accelerators need none. */
static int choose_workers(struct selection *s)
{
	const struct tw__platform *all = s->all;
	int n_accelerators = tw__platform_accelerators(all), n_cpus = all->n_workers - n_accelerators;
	int gpus = s->choice->gpus == TW__ALL_WORKERS ? n_accelerators : s->choice->gpus;
	if (gpus < 0 || gpus > n_accelerators)
		return tw_fail(s->err, TW_INVALID, "%d GPUs of platform '%s': expected 0 to %d", gpus, all->name,
		               n_accelerators);
	int most = all->n_cores ? all->n_cores - tw__count_driven(all, gpus) : 0;
	if (most > n_cpus)
		most = n_cpus;
	if (most < 0)
		return tw_fail(s->err, TW_INVALID,
		               "%d GPUs of platform '%s': expected at most %d, as each takes a core without the "
		               "property driver = none",
		               gpus, all->name, all->n_cores);
	find_cores(s, n_accelerators, most, gpus);
	int status = s->choice->cpu_groups ? choose_groups(s, gpus) : choose_cores(s, gpus);
	if (status < 0)
		return status;
	for (int w = 0; w < gpus; w++)
		s->cores[w] = 1;
	for (int w = 0; w < all->n_workers; w++)
		if (s->cores[w])
			return TW_OK;
	return tw_fail(s->err, TW_INVALID, "no worker of platform '%s': expected at least one CPU or GPU", all->name);
}

static int unknown_node(const struct selection *s, const char *name)
{
	char known[256] = "";
	size_t used = 0;
	for (int n = 0; n < s->all->n_nodes && used < sizeof known; n++)
		used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", n ? ", " : "",
		                         s->all->nodes[n].name);
	return tw_fail(s->err, TW_INVALID, "memory '%.80s' of platform '%s': expected one of %s", name, s->all->name,
	               known);
}

static int refuse_bound(const struct selection *s, tw_node n)
{
	const struct tw__node *node = &s->all->nodes[n];
	char bound[32], has[32];
	return tw_fail(s->err, TW_INVALID, "memory '%s' of platform '%s': bound of %s, expected at most the %s it has",
	               node->name, s->all->name, tw__size_beside(bound, sizeof bound, s->limit[n], node->memory_bytes),
	               tw__size_beside(has, sizeof has, node->memory_bytes, s->limit[n]));
}

/* Reads the user's bounds on memories. A bound on a named memory has precedence over the bound on all accelerators'
 * memories. */
static int read_bounds(struct selection *s)
{
	const struct tw__platform *all = s->all;
	const struct tw__bound *of = s->bounds->of;
	if (s->choice->no_communication && (s->choice->gpu_mem_bytes || s->bounds->n))
		return tw_fail(
			s->err, TW_INVALID,
			"--communication off: no memory is bounded: expected no bound on a memory of platform '%s'",
			all->name);
	for (int w = 0; w < all->n_workers; w++)
		if (s->cores[w] && !tw__is_main(all, all->workers[w].node))
			s->limit[all->workers[w].node] = s->choice->gpu_mem_bytes;
	for (int i = 0; i < s->bounds->n; i++) {
		tw_node n = tw__memory_named(all, of[i].node);
		if (n == TW_NONE)
			return unknown_node(s, of[i].node);
		for (int j = 0; j < i; j++)
			if (tw__memory_named(all, of[j].node) == n)
				return tw_fail(s->err, TW_INVALID,
				               "memory '%s' of platform '%s' is bounded twice, expected once",
				               all->nodes[n].name, all->name);
		s->limit[n] = of[i].bytes;
	}
	for (int n = 0; n < all->n_nodes; n++)
		if (all->nodes[n].memory_bytes && s->limit[n] > all->nodes[n].memory_bytes)
			return refuse_bound(s, n);
	return TW_OK;
}

/* Chooses the first main memory, the memories of chosen workers with their main memories, and the disk if main memory
 * is bounded. The order of memory nodes is kept, so the first main memory is node 0. */
static int choose_nodes(struct selection *s)
{
	const struct tw__platform *all = s->all;
	bool ram_is_bounded = s->limit[TW_RAM] || all->nodes[TW_RAM].memory_bytes;
	for (int n = 0; n < all->n_nodes; n++)
		s->node[n] = TW_NONE;
	s->node[TW_RAM] = 0;
	for (int w = 0; w < all->n_workers; w++)
		if (s->cores[w] && !s->choice->no_communication) {
			s->node[all->workers[w].node] = 0;
			s->node[all->nodes[all->workers[w].node].main] = 0;
		}
	tw_node disk = all->nodes[TW_RAM].backing;
	if (disk != TW_NONE && ram_is_bounded && !s->choice->no_communication)
		s->node[disk] = 0;
	for (int n = 0; n < all->n_nodes; n++)
		if (s->node[n] == 0)
			s->node[n] = s->p->n_nodes++;

	for (int i = 0; i < s->bounds->n; i++) {
		tw_node n = tw__memory_named(all, s->bounds->of[i].node);
		if (s->node[n] == TW_NONE)
			return tw_fail(s->err, TW_INVALID,
			               "memory '%s' of platform '%s' is bounded but not used, expected %s",
			               all->nodes[n].name, all->name,
			               n == disk ? "a bound of main memory too" : "more GPUs or no bound of it");
	}
	return TW_OK;
}

/* Finds or adds the arch with the name of `of_one`, but for workers of `cores` cores. */
static tw_arch find_arch(struct tw__platform *p, const struct tw__arch *of_one, int cores, double slowdown)
{
	for (tw_arch a = 0; a < p->n_archs; a++)
		if (strcmp(p->archs[a].name, of_one->name) == 0 && p->archs[a].cores == cores)
			return a;
	p->archs[p->n_archs] = (struct tw__arch){.name = tw_copy_text(of_one->name),
	                                         .accelerator = of_one->accelerator,
	                                         .cores = cores,
	                                         .slowdown = of_one->accelerator && slowdown > 1 ? slowdown : 0};
	return p->n_archs++;
}

/* Adds the workers of an accelerator. Several are named "GPU0.0", "GPU0.1" and so on, and share its power. */
static void add_accelerator(struct selection *s, struct tw__worker worker)
{
	const char *name = worker.name;
	worker.idle_watts /= s->gpu_workers;
	worker.busy_watts /= s->gpu_workers;
	for (worker.stream = 0; worker.stream < s->gpu_workers; worker.stream++) {
		worker.name = s->gpu_workers == 1 ? tw_copy_text(name) : tw_format("%s.%d", name, worker.stream);
		s->p->workers[s->p->n_workers++] = worker;
	}
}

/* Copies the workers. Their names are "CPU0", or "CPU0-CPU9" for a group. */
static void copy_workers(struct selection *s)
{
	const struct tw__platform *all = s->all;
	for (int w = 0, at = 0; w < all->n_workers; w++) {
		if (!s->cores[w])
			continue;
		while (at < s->n_core && s->core[at] < w)
			at++;
		struct tw__worker worker = all->workers[w];
		worker.cores = s->cores[w];
		worker.idle_watts *= worker.cores;
		worker.busy_watts *= worker.cores;
		const bool accelerator = all->archs[worker.arch].accelerator;
		worker.arch = find_arch(s->p, &all->archs[worker.arch], worker.cores, s->slowdown);
		worker.node = s->choice->no_communication ? TW_RAM : s->node[worker.node];
		if (accelerator) {
			add_accelerator(s, worker);
			continue;
		}
		worker.name = worker.cores == 1 ? tw_copy_text(worker.name)
		                                : tw_format("%s-%s", worker.name,
		                                            all->workers[s->core[at + worker.cores - 1]].name);
		s->p->workers[s->p->n_workers++] = worker;
	}
	s->p->n_cores = all->n_cores;
}

static void copy_nodes(struct selection *s)
{
	for (int n = 0; n < s->all->n_nodes; n++)
		if (s->node[n] != TW_NONE) {
			struct tw__node *node = &s->p->nodes[s->node[n]];
			*node = s->all->nodes[n];
			node->limit_bytes = s->limit[n];
			node->backing = node->backing == TW_NONE ? TW_NONE : s->node[node->backing];
			node->main = s->node[node->main];
			if (s->choice->no_communication)
				node->memory_bytes = 0;
			node->name = tw_copy_text(node->name);
		}
}

/* Copies only the links of routes between selected memories. */
static void copy_links(struct selection *s)
{
	const struct tw__platform *all = s->all;
	for (int i = 0; i < all->n_links; i++)
		s->link[i] = TW_NONE;
	for (int from = 0; from < all->n_nodes; from++)
		for (int to = 0; to < all->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(all, from, to);
			for (int i = 0; s->node[from] != TW_NONE && s->node[to] != TW_NONE && i < route->n_links; i++)
				s->link[route->links[i]] = 0;
		}
	for (int i = 0; i < all->n_links; i++)
		if (s->link[i] == 0) {
			struct tw__link *link = &s->p->links[s->p->n_links];
			*link = all->links[i];
			tw__link_own_texts(link);
			s->link[i] = s->p->n_links++;
		}
}

static void copy_routes(struct selection *s)
{
	const struct tw__platform *all = s->all;
	for (int from = 0; from < all->n_nodes; from++)
		for (int to = 0; to < all->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(all, from, to);
			if (s->node[from] == TW_NONE || s->node[to] == TW_NONE || !route->n_links)
				continue;
			struct tw__route *copy = &s->p->routes[s->node[from] * s->p->n_nodes + s->node[to]];
			*copy = *route;
			copy->links = tw_alloc((size_t)route->n_links, sizeof *copy->links);
			for (int i = 0; i < route->n_links; i++)
				copy->links[i] = s->link[route->links[i]];
		}
}

int tw__node_select(struct tw__platform **selected, const struct tw__platform *all,
                    const struct tw__platform_choice *choice, const struct tw__bounds *bounds, struct tw_error *err)
{
	int gpu_workers;
	double slowdown;
	*selected = NULL;
	if (tw__gpu_workers_parse(&gpu_workers, &slowdown, choice->gpu_workers, err) < 0)
		return TW_INVALID;
	size_t n_workers = (size_t)all->n_workers, n_nodes = (size_t)all->n_nodes, n_links = (size_t)all->n_links;
	struct tw__platform *p = tw_alloc(1, sizeof *p);
	*p = (struct tw__platform){
		.n_ranks = 1,
		.name = tw_copy_text(all->name),
		.summary = tw_copy_text(all->summary),
		.runtime = tw_copy_text(all->runtime),
		.runtime_from = tw_copy_text(all->runtime_from),
		/* room for an arch per worker, as each group of cores may have its own, and for wide ones */
		.archs = tw_alloc(2 * n_workers, sizeof *p->archs),
		.workers = tw_alloc(n_workers * (size_t)gpu_workers, sizeof *p->workers),
		.nodes = tw_alloc(n_nodes, sizeof *p->nodes),
		.links = tw_alloc(n_links, sizeof *p->links),
		.routes = tw_alloc(n_nodes * n_nodes, sizeof *p->routes),
	};
	struct selection s = {.all = all,
	                      .choice = choice,
	                      .bounds = bounds,
	                      .err = err,
	                      .p = p,
	                      .gpu_workers = gpu_workers,
	                      .slowdown = slowdown,
	                      .cores = tw_alloc(n_workers, sizeof *s.cores),
	                      .core = tw_alloc(n_workers, sizeof *s.core),
	                      .node = tw_alloc(n_nodes, sizeof *s.node),
	                      .link = tw_alloc(n_links, sizeof *s.link),
	                      .limit = tw_alloc(n_nodes, sizeof *s.limit)};
	int status = choose_workers(&s);
	if (status == TW_OK)
		status = read_bounds(&s);
	if (status == TW_OK)
		status = choose_nodes(&s);
	if (status == TW_OK) {
		copy_workers(&s);
		copy_nodes(&s);
		tw__platform_widen(p, choice->max_parallelism);
		copy_links(&s);
		copy_routes(&s);
	}
	free(s.cores);
	free(s.core);
	free(s.node);
	free(s.link);
	free(s.limit);
	*selected = status == TW_OK ? p : NULL;
	if (status < 0)
		tw__platform_destroy(p);
	return status;
}
