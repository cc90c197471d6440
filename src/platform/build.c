/* Makes a platform from the contents of its file: finds the roles of hosts, the backing memory of each memory, and the
 * routes. */
#include "platform/raw.h"
#include "platform/starpu_devices.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
	const struct tw__raw *raw;
	struct tw_error *err;
	struct tw__platform *p;
	enum tw__role *roles; /* [n_hosts]: the role of each host */
	tw_node *nodes;       /* [n_hosts]: the memory node of each host; TW_NONE: the host has no memory */
	int n_passed_over;    /* routes that were ignored, because they join accelerators that are not both peers */
	int passed_over_line; /* the first ignored route's line in the file */
};

static int check_role(const struct builder *b, const struct tw__raw_host *host, enum tw__role role)
{
	const char *wrong = NULL;
	if (role == TW__ROLE_NOT_SAID)
		wrong = "has no role: expected a prop arch (a worker), arch and memory (an accelerator) or role";
	else if (role == TW__ROLE_ACCELERATOR && !host->memory_bytes)
		wrong = "is an accelerator: expected a prop memory, the bytes of its card";
	else if (role == TW__ROLE_ACCELERATOR && host->cores != 1)
		wrong = "is an accelerator: expected core 1";
	else if (role != TW__ROLE_ACCELERATOR && role != TW__ROLE_WORKER && role != TW__ROLE_IGNORED &&
	         host->main_memory)
		wrong = "is no worker: expected no prop main_memory";
	else if (role == TW__ROLE_WORKER && host->memory_bytes)
		wrong = "computes in main memory: expected no prop memory";
	else if ((role == TW__ROLE_MEMORY || role == TW__ROLE_DISK) && host->arch)
		wrong = "is a memory: expected no prop arch";
	else if (role != TW__ROLE_ACCELERATOR && role != TW__ROLE_IGNORED && host->peer != -1)
		wrong = "is no accelerator: expected no prop peer";
	else if (role != TW__ROLE_WORKER && role != TW__ROLE_IGNORED && host->socket)
		wrong = "has no cores: expected no prop socket";
	else if (role != TW__ROLE_ACCELERATOR && role != TW__ROLE_IGNORED && host->driver != TW__DRIVER_NOT_SAID)
		wrong = "is no accelerator: expected no prop driver";
	return wrong ? tw__raw_fail(b->raw, host->line, b->err, "host '%.80s' %s", host->id, wrong) : TW_OK;
}

/* Finds the roles of all hosts. Checks that there are a main memory, at most one disk, and at least one worker. */
static int find_roles(struct builder *b)
{
	const struct tw__raw_host *only[TW__ROLE_IGNORED + 1] = {NULL};
	long n_workers = 0;
	int n_nodes = 0, n_mains = 0;
	tw__raw_roles(b->raw, b->roles);
	for (int h = 0; h < b->raw->n_hosts; h++) {
		const struct tw__raw_host *host = &b->raw->hosts[h];
		enum tw__role role = b->roles[h];
		int status = check_role(b, host, role);
		if (status < 0)
			return status;
		if (only[role] && role == TW__ROLE_DISK)
			return tw__raw_fail(b->raw, host->line, b->err,
			                    "host '%.80s' is a second disk, expected one ('%.80s')", host->id,
			                    only[role]->id);
		only[role] = only[role] ? only[role] : host;
		n_mains += role == TW__ROLE_MEMORY;
		if (role == TW__ROLE_WORKER || role == TW__ROLE_ACCELERATOR)
			n_workers += host->cores;
		n_nodes += role == TW__ROLE_ACCELERATOR || role == TW__ROLE_MEMORY || role == TW__ROLE_DISK;
		if (n_workers > TW__MAX_WORKERS)
			return tw__raw_fail(b->raw, host->line, b->err, "too many workers, expected at most %d",
			                    TW__MAX_WORKERS);
		if (n_nodes > TW__MAX_NODES)
			return tw__raw_fail(b->raw, host->line, b->err, "too many memories, expected at most %d",
			                    TW__MAX_NODES);
	}
	if (!only[TW__ROLE_MEMORY])
		return tw__raw_fail(b->raw, b->raw->last_line, b->err,
		                    "no main memory, expected a host with the id RAM or a prop role=\"memory\"");
	if (n_mains > 1 && only[TW__ROLE_DISK])
		return tw__raw_fail(b->raw, only[TW__ROLE_DISK]->line, b->err,
		                    "host '%.80s' is a disk behind %d main memories, expected one",
		                    only[TW__ROLE_DISK]->id, n_mains);
	if (!n_workers)
		return tw__raw_fail(b->raw, b->raw->last_line, b->err, "no worker, expected a host with a prop arch");
	return TW_OK;
}

/* Turns the name of a model into the name of an arch, in place: "Tesla K40m" -> "tesla-k40m". */
static void tidy(char *name)
{
	for (char *c = name; *c; c++)
		*c = *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
}

static int find_arch(struct builder *b, const struct tw__raw_host *host, bool accelerator, tw_arch *found)
{
	struct tw__platform *p = b->p;
	char name[TW__MAX_NAME + 1];
	const struct tw__starpu_kind *kind = tw__starpu_kind(host->id);
	const char *by_id = !accelerator ? "cpu" : host->model || !kind ? host->model : kind->arch;
	snprintf(name, sizeof name, "%s", host->arch ? host->arch : by_id);
	if (!host->arch)
		tidy(name);
	for (tw_arch a = 0; a < p->n_archs; a++)
		if (strcmp(p->archs[a].name, name) == 0) {
			*found = a;
			return p->archs[a].accelerator == accelerator
			               ? TW_OK
			               : tw__raw_fail(
						 b->raw, host->line, b->err,
						 "arch '%.80s' of host '%.80s' names both a CPU and an accelerator, "
						 "expected two names",
						 name, host->id);
		}
	*found = p->n_archs++;
	p->archs[*found] = (struct tw__arch){.name = tw_copy_text(name), .accelerator = accelerator, .cores = 1};
	return TW_OK;
}

/* Finds the main memory that a host names, or the first one. Main memories are the first nodes. */
static int find_main(struct builder *b, const struct tw__raw_host *host, tw_node *main)
{
	*main = TW_RAM;
	if (!host->main_memory)
		return TW_OK;
	for (tw_node n = 0; n < b->p->n_nodes && tw__is_main(b->p, n); n++)
		if (strcmp(b->p->nodes[n].name, host->main_memory) == 0) {
			*main = n;
			return TW_OK;
		}
	return tw__raw_fail(b->raw, host->line, b->err,
	                    "host '%.80s' has the main_memory '%.80s', expected a host with the role memory", host->id,
	                    host->main_memory);
}

/* Main memories behind the first one are backed by it. */
static int add_node(struct builder *b, int h)
{
	const struct tw__raw_host *host = &b->raw->hosts[h];
	const enum tw__role role = b->roles[h];
	tw_node main, backing = TW_NONE;
	int status = find_main(b, host, &main);
	if (role == TW__ROLE_MEMORY)
		main = b->p->n_nodes;
	if (role == TW__ROLE_ACCELERATOR)
		backing = main;
	else if (role == TW__ROLE_MEMORY && main != TW_RAM)
		backing = TW_RAM;
	b->nodes[h] = b->p->n_nodes;
	b->p->nodes[b->p->n_nodes++] = (struct tw__node){.name = tw_copy_text(host->id),
	                                                 .memory_bytes = host->memory_bytes,
	                                                 .backing = backing,
	                                                 .main = main,
	                                                 .number = role == TW__ROLE_MEMORY ? main : 0,
	                                                 .peer = host->peer == 1};
	if (role == TW__ROLE_DISK)
		b->p->nodes[TW_RAM].backing = b->nodes[h];
	return status;
}

/* Adds the workers of a host: one for each of its cores. */
static int add_workers(struct builder *b, const struct tw__raw_host *host, bool accelerator, tw_node node)
{
	tw_arch arch = 0;
	int status = find_arch(b, host, accelerator, &arch);
	for (int core = 0; status == TW_OK && core < host->cores; core++) {
		char *name = host->cores == 1 ? tw_copy_text(host->id) : tw_format("%s.%d", host->id, core);
		b->p->workers[b->p->n_workers++] = (struct tw__worker){.name = name,
		                                                       .arch = arch,
		                                                       .node = node,
		                                                       .speed = host->speed,
		                                                       .cores = 1,
		                                                       .socket = host->socket,
		                                                       .undriven = host->driver == TW__DRIVER_NONE,
		                                                       .idle_watts = host->idle_watts / host->cores,
		                                                       .busy_watts = host->busy_watts / host->cores};
		b->p->n_cores += !accelerator;
	}
	return status;
}

/* Adds the memory nodes: main memory, accelerators' memories, disk. Then adds the workers, accelerators first. */
static int add_hosts(struct builder *b)
{
	static const enum tw__role order[] = {TW__ROLE_MEMORY, TW__ROLE_ACCELERATOR, TW__ROLE_DISK};
	int n_hosts = b->raw->n_hosts;
	size_t n_workers = 0;
	for (int h = 0; h < n_hosts; h++) {
		n_workers += (size_t)b->raw->hosts[h].cores;
		b->nodes[h] = TW_NONE;
	}
	b->p->archs = tw_alloc((size_t)n_hosts, sizeof *b->p->archs);
	b->p->nodes = tw_alloc((size_t)n_hosts, sizeof *b->p->nodes);
	b->p->workers = tw_alloc(n_workers, sizeof *b->p->workers);

	int status = TW_OK;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		for (int h = 0; status == TW_OK && h < n_hosts; h++)
			if (b->roles[h] == order[i])
				status = add_node(b, h);
	for (int accelerator = 1; accelerator >= 0; accelerator--)
		for (int h = 0; status == TW_OK && h < n_hosts; h++) {
			tw_node node = b->nodes[h];
			if (b->roles[h] != (accelerator ? TW__ROLE_ACCELERATOR : TW__ROLE_WORKER))
				continue;
			if (!accelerator)
				status = find_main(b, &b->raw->hosts[h], &node);
			if (status == TW_OK)
				status = add_workers(b, &b->raw->hosts[h], accelerator, node);
		}
	return status;
}

/* Keeps the archs of ignored hosts, which another file with the same kernels.csv may use. */
static void add_ignored_archs(struct builder *b)
{
	b->p->ignored_archs = tw_alloc((size_t)b->raw->n_hosts, sizeof *b->p->ignored_archs);
	for (int h = 0; h < b->raw->n_hosts; h++)
		if (b->roles[h] == TW__ROLE_IGNORED && b->raw->hosts[h].arch)
			b->p->ignored_archs[b->p->n_ignored_archs++] = tw_copy_text(b->raw->hosts[h].arch);
}

static bool joins_peers(const struct builder *b, const tw_node ends[2])
{
	const struct tw__node *nodes[2] = {&b->p->nodes[ends[0]], &b->p->nodes[ends[1]]};
	bool accelerators = tw__is_card(b->p, ends[0]) && tw__is_card(b->p, ends[1]);
	return !accelerators || (nodes[0]->peer && nodes[1]->peer);
}

/* Adds a route of the file, or, if `back`, the opposite direction of a symmetrical one. Both directions get the
 * predicted latency and bandwidth of the first link that the file lists. */
static int add_route(struct builder *b, const struct tw__raw_route *from, bool back, int *times)
{
	tw_node ends[2] = {b->nodes[from->from], b->nodes[from->to]};
	if (ends[0] == TW_NONE || ends[1] == TW_NONE)
		return TW_OK;
	if (!joins_peers(b, ends)) { /* copies between these two accelerators go through main memory */
		if (b->n_passed_over++ == 0)
			b->passed_over_line = from->line;
		return TW_OK;
	}
	struct tw__route *route = &b->p->routes[ends[back] * b->p->n_nodes + ends[!back]];
	route->links = tw_alloc((size_t)from->n_links, sizeof *route->links);
	route->n_links = from->n_links;
	for (int i = 0; i < from->n_links; i++)
		route->links[i] = tw__raw_route_link(b->raw, from, back, i);
	tw__route_measure(b->p, route, times);
	for (int i = 0; i < route->n_links; i++) {
		const struct tw__link *link = &b->p->links[route->links[i]];
		if (route->bandwidth > link->shared_bandwidth)
			return tw__raw_fail(
				b->raw, from->line, b->err,
				"the route from '%.80s' to '%.80s' passes %.10g bytes/s alone, expected at most the "
				"shared_bandwidth of its link '%.80s', %.10g",
				b->p->nodes[ends[back]].name, b->p->nodes[ends[!back]].name, route->bandwidth,
				link->name, link->shared_bandwidth);
	}
	const struct tw__raw_link *first = &b->raw->links[from->links[0]];
	route->predicted_bandwidth = first->predicted_bandwidth < 0 ? route->bandwidth : first->predicted_bandwidth;
	route->predicted_latency = first->predicted_latency < 0 ? route->latency : first->predicted_latency;
	return TW_OK;
}

/* Adds all routes of the file. `seen`, [n_hosts * n_hosts] and all false at first, marks pairs of hosts with a route.
 * So it finds routes that the file defines twice, even those that the platform does not use. */
static int add_routes(struct builder *b, bool *seen, int *times)
{
	int n_hosts = b->raw->n_hosts;
	for (int i = 0; i < b->raw->n_routes; i++) {
		const struct tw__raw_route *route = &b->raw->routes[i];
		if (route->from == route->to)
			return tw__raw_fail(b->raw, route->line, b->err,
			                    "a route from '%.80s' to itself, expected two hosts",
			                    b->raw->hosts[route->from].id);
		for (int back = 0; back <= route->symmetrical; back++) {
			int from = back ? route->to : route->from, to = back ? route->from : route->to;
			if (seen[from * n_hosts + to])
				return tw__raw_fail(b->raw, route->line, b->err,
				                    "the route from '%.80s' to '%.80s' is defined twice, expected once",
				                    b->raw->hosts[from].id, b->raw->hosts[to].id);
			seen[from * n_hosts + to] = true;
			int status = add_route(b, route, back, times);
			if (status < 0)
				return status;
		}
	}
	return TW_OK;
}

/* Checks that there are routes in both directions between all main memories, and between every other memory and its
 * main memory. */
static int check_routes(struct builder *b)
{
	for (int h = 0; h < b->raw->n_hosts; h++) {
		const tw_node n = b->nodes[h];
		const tw_node mains = n == TW_NONE ? 0 : tw__is_main(b->p, n) ? n : 1; /* pairs of main memories once */
		for (tw_node other = 0; other < mains; other++)
			for (int way = 0; way < 2; way++) {
				tw_node near = tw__is_main(b->p, n) ? other : b->p->nodes[n].main;
				tw_node from = way ? near : n, to = way ? n : near;
				if (!tw__route_of(b->p, from, to)->n_links)
					return tw__raw_fail(b->raw, b->raw->hosts[h].line, b->err,
					                    "no route from '%.80s' to '%.80s', expected one",
					                    b->p->nodes[from].name, b->p->nodes[to].name);
			}
	}
	return TW_OK;
}

static int build_routes(struct builder *b)
{
	size_t n_nodes = (size_t)b->p->n_nodes, n_hosts = (size_t)b->raw->n_hosts;
	b->p->routes = tw_alloc(n_nodes * n_nodes, sizeof *b->p->routes);
	bool *seen = tw_alloc(n_hosts * n_hosts, sizeof *seen);
	int *times = tw_alloc((size_t)b->p->n_links, sizeof *times);
	int status = add_routes(b, seen, times);
	free(seen);
	free(times);
	if (status == TW_OK && b->n_passed_over)
		tw_log(TW_LOG_WARNING,
		       "%s:%d: route between accelerators that are not both peers, expected prop peer = yes of both: "
		       "%d such routes are ignored",
		       b->raw->file, b->passed_over_line, b->n_passed_over);
	return status == TW_OK ? check_routes(b) : status;
}

int tw__raw_build(struct tw__platform **built, const struct tw__raw *raw, const char *name, struct tw_error *err)
{
	struct builder b = {.raw = raw,
	                    .err = err,
	                    .p = tw_alloc(1, sizeof *b.p),
	                    .roles = tw_alloc((size_t)raw->n_hosts, sizeof *b.roles),
	                    .nodes = tw_alloc((size_t)raw->n_hosts, sizeof *b.nodes)};
	b.p->n_ranks = 1;
	b.p->name = tw_copy_text(name);
	b.p->summary = tw_copy_text(raw->summary ? raw->summary : "");
	b.p->runtime = tw_copy_text(raw->runtime ? raw->runtime : "");
	b.p->runtime_from = tw_format("%s:%d", raw->file, raw->runtime_line);
	int status = find_roles(&b);
	if (status == TW_OK)
		status = add_hosts(&b);
	if (status == TW_OK) {
		add_ignored_archs(&b);
		b.p->links = tw__raw_make_links(raw);
		b.p->n_links = raw->n_links;
		status = build_routes(&b);
	}
	free(b.roles);
	free(b.nodes);
	*built = status == TW_OK ? b.p : NULL;
	if (status < 0)
		tw__platform_destroy(b.p);
	return status;
}
