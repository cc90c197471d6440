#include "platform/cluster.h"

#include <stdlib.h>
#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------------------------ */

enum { MAIN, CARD, DISK, N_GROUPS };

static int group_of(const struct tw__platform *p, tw_node n)
{
	return tw__is_main(p, n) ? MAIN : tw__is_card(p, n) ? CARD : DISK;
}

static bool is_cpu(const struct tw__platform *p, tw_worker w) { return !p->archs[p->workers[w].arch].accelerator; }

/* The workers of a node, by whether they are CPUs, and its memories, by their groups. */
struct counts {
	int workers[2], nodes[N_GROUPS];
};

static struct counts count(const struct tw__platform *p)
{
	struct counts counts = {{0}, {0}};
	for (tw_worker w = 0; w < p->n_workers; w++)
		counts.workers[is_cpu(p, w)]++;
	for (tw_node n = 0; n < p->n_nodes; n++)
		counts.nodes[group_of(p, n)]++;
	return counts;
}

static void add(struct counts *to, const struct counts *one)
{
	for (int i = 0; i < 2; i++)
		to->workers[i] += one->workers[i];
	for (int g = 0; g < N_GROUPS; g++)
		to->nodes[g] += one->nodes[g];
}

/* Returns the platform of a rank; of a single node, the node itself. */
static const struct tw__platform *kind_of(const struct tw__platform *whole, int rank)
{
	return whole->n_kinds ? whole->kinds[whole->kind_of[rank]] : whole;
}

/* Returns, for each rank, the numbers of the first workers and memories of each group in the joined platform, in an
 * array [n_ranks]; malloc'ed. */
static struct counts *first_numbers(const struct tw__platform *whole)
{
	struct counts *first = tw_alloc((size_t)whole->n_ranks, sizeof *first), next = {{0}, {0}};
	for (int r = 0; r < whole->n_ranks; r++) {
		first[r] = count(kind_of(whole, r));
		add(&next, &first[r]);
	}
	next = (struct counts){{0, next.workers[0]}, {0, next.nodes[MAIN], next.nodes[MAIN] + next.nodes[CARD]}};
	for (int r = 0; r < whole->n_ranks; r++) {
		const struct counts own = first[r];
		first[r] = next;
		add(&next, &own);
	}
	return first;
}

static tw_worker *number_workers(const struct tw__platform *kind, struct counts next)
{
	tw_worker *workers = tw_alloc((size_t)kind->n_workers, sizeof *workers);
	for (tw_worker w = 0; w < kind->n_workers; w++)
		workers[w] = next.workers[is_cpu(kind, w)]++;
	return workers;
}

static tw_node *number_nodes(const struct tw__platform *kind, struct counts next)
{
	tw_node *nodes = tw_alloc((size_t)kind->n_nodes, sizeof *nodes);
	for (tw_node n = 0; n < kind->n_nodes; n++)
		nodes[n] = next.nodes[group_of(kind, n)]++;
	return nodes;
}

/* --- archs -------------------------------------------------------------------------------------------------------- */

const char *tw__cluster_prefix(const char *name, int *length)
{
	static const char usual[] = "/platform.xml";
	size_t n = strlen(name);
	if (n >= sizeof usual && strcmp(name + n - (sizeof usual - 1), usual) == 0)
		n -= sizeof usual - 1;
	while (n > 1 && name[n - 1] == '/')
		n--;
	if (n > 4 && strncmp(name + n - 4, ".xml", 4) == 0)
		n -= 4;
	size_t from = n;
	while (from > 0 && name[from - 1] != '/')
		from--;
	*length = (int)(n - from);
	return name + from;
}

static bool have_one_name(const struct tw__platform *whole)
{
	for (int k = 1; k < whole->n_kinds; k++)
		if (strcmp(whole->kinds[k]->name, whole->kinds[0]->name) != 0)
			return false;
	return true;
}

static char *arch_name(const struct tw__platform *whole, const struct tw__platform *kind, const char *name)
{
	int length;
	const char *prefix = tw__cluster_prefix(kind->name, &length);
	return have_one_name(whole) ? tw_copy_text(name) : tw_format("%.*s.%s", length, prefix, name);
}

static bool have_equal_archs(const struct tw__platform *a, const struct tw__platform *b)
{
	for (int i = 0; i < a->n_archs && i < b->n_archs; i++) {
		const struct tw__arch *one = &a->archs[i], *other = &b->archs[i];
		if (strcmp(one->name, other->name) != 0 || one->accelerator != other->accelerator ||
		    one->cores != other->cores || one->wide != other->wide || one->most_cores != other->most_cores ||
		    one->slowdown != other->slowdown)
			return false;
	}
	return a->n_archs == b->n_archs;
}

/* Adds the archs of platform `k`, all in a row, unless another platform of this name has added them. Sets
 * first_of_kind[k] to the number of the first one. */
static int join_archs(struct tw__platform *whole, int k, tw_arch *first_of_kind, struct tw_error *err)
{
	const struct tw__platform *kind = whole->kinds[k];
	for (int other = 0; other < k; other++)
		if (strcmp(whole->kinds[other]->name, kind->name) == 0) {
			first_of_kind[k] = first_of_kind[other];
			return have_equal_archs(whole->kinds[other], kind)
			               ? TW_OK
			               : tw_fail(err, TW_INVALID,
			                         "two platforms of nodes with the name '%.80s' and other archs, "
			                         "expected two names",
			                         kind->name);
		}
	first_of_kind[k] = whole->n_archs;
	for (tw_arch a = 0; a < kind->n_archs; a++) {
		struct tw__arch *arch = &whole->archs[whole->n_archs++];
		*arch = kind->archs[a];
		arch->name = arch_name(whole, kind, arch->name);
		arch->wide += arch->most_cores > 1 ? first_of_kind[k] : 0;
	}
	for (int a = 0; a < kind->n_ignored_archs; a++)
		whole->ignored_archs[whole->n_ignored_archs++] = arch_name(whole, kind, kind->ignored_archs[a]);
	return TW_OK;
}

/* Makes the archs of all platforms. first_of_kind, [n_kinds]: where each platform's archs begin. */
static int join_all_archs(struct tw__platform *whole, tw_arch *first_of_kind, struct tw_error *err)
{
	size_t n_archs = 0, n_ignored = 0;
	int status = TW_OK;
	for (int k = 0; k < whole->n_kinds; k++) {
		n_archs += (size_t)whole->kinds[k]->n_archs;
		n_ignored += (size_t)whole->kinds[k]->n_ignored_archs;
	}
	whole->archs = tw_alloc(n_archs, sizeof *whole->archs);
	whole->ignored_archs = tw_alloc(n_ignored, sizeof *whole->ignored_archs);
	for (int k = 0; k < whole->n_kinds && status == TW_OK; k++)
		status = join_archs(whole, k, first_of_kind, err);
	return status;
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

/* Adds the workers and memories of a rank, and the links and routes between its memories. */
static void join_rank(struct tw__platform *whole, int rank, struct counts first, tw_arch first_arch)
{
	const struct tw__platform *kind = kind_of(whole, rank);
	const char *name = whole->rank_names[rank];
	const int first_link = whole->n_links;
	tw_worker *workers = number_workers(kind, first);
	tw_node *nodes = number_nodes(kind, first);
	for (tw_worker w = 0; w < kind->n_workers; w++) {
		struct tw__worker *worker = &whole->workers[workers[w]];
		*worker = kind->workers[w];
		worker->name = tw_format("%s.%s", name, worker->name);
		worker->arch += first_arch;
		worker->node = nodes[worker->node];
		worker->rank = rank;
	}
	for (tw_node n = 0; n < kind->n_nodes; n++) {
		struct tw__node *node = &whole->nodes[nodes[n]];
		*node = kind->nodes[n];
		node->name = tw_format("%s.%s", name, node->name);
		node->backing = node->backing == TW_NONE ? TW_NONE : nodes[node->backing];
		node->main = nodes[node->main];
		node->number = tw__is_main(kind, n) ? nodes[n] : 0;
		node->rank = rank;
	}
	for (int l = 0; l < kind->n_links; l++) {
		struct tw__link *link = &whole->links[whole->n_links++];
		*link = kind->links[l];
		tw__link_own_texts(link);
		free(link->name);
		link->name = tw_format("%s.%s", name, kind->links[l].name);
	}
	for (tw_node from = 0; from < kind->n_nodes; from++)
		for (tw_node to = 0; to < kind->n_nodes; to++)
			whole->routes[nodes[from] * whole->n_nodes + nodes[to]] =
				tw__route_copy(tw__route_of(kind, from, to), first_link);
	whole->n_cores += kind->n_cores;
	free(workers);
	free(nodes);
}

/* Adds the links and routes between ranks. */
static int join_network(struct tw__platform *whole, const struct tw__network *network, const struct counts *first,
                        struct tw_error *err)
{
	const int shift = whole->n_links - network->first_link;
	for (int l = 0; l < network->n_links; l++) {
		whole->links[whole->n_links] = network->links[l];
		tw__link_own_texts(&whole->links[whole->n_links++]);
	}
	whole->n_network_links = network->n_links;
	int *times = tw_alloc((size_t)whole->n_links, sizeof *times), status = TW_OK;
	for (int from = 0; from < whole->n_ranks && status == TW_OK; from++)
		for (int to = 0; to < whole->n_ranks && status == TW_OK; to++) {
			const struct tw__route *route = &network->routes[from * network->n_ranks + to];
			if (from == to)
				continue;
			if (!route->n_links)
				status = tw_fail(err, TW_INVALID,
				                 "no route from node '%.80s' to node '%.80s', expected one",
				                 network->names[from], network->names[to]);
			struct tw__route copy = tw__route_copy(route, shift);
			tw__route_measure(whole, &copy, times);
			copy.predicted_latency = copy.latency;
			copy.predicted_bandwidth = copy.bandwidth;
			whole->routes[first[from].nodes[MAIN] * whole->n_nodes + first[to].nodes[MAIN]] = copy;
		}
	free(times);
	return status;
}

/* Sets the platforms of the ranks: a copy of each different one. */
static void set_kinds(struct tw__platform *whole, const struct tw__platform *const *of_rank)
{
	const struct tw__platform **seen = tw_alloc((size_t)whole->n_ranks, sizeof *seen);
	whole->kinds = tw_alloc((size_t)whole->n_ranks, sizeof *whole->kinds);
	whole->kind_of = tw_alloc((size_t)whole->n_ranks, sizeof *whole->kind_of);
	for (int r = 0; r < whole->n_ranks; r++) {
		int k = 0;
		while (k < whole->n_kinds && seen[k] != of_rank[r])
			k++;
		whole->kind_of[r] = k;
		if (k < whole->n_kinds)
			continue;
		seen[k] = of_rank[r];
		whole->kinds[whole->n_kinds++] = tw__platform_copy(of_rank[r]);
	}
	free(seen);
}

static int check_size(const struct tw__platform *whole, struct tw_error *err)
{
	int64_t n_workers = 0, n_nodes = 0;
	for (int r = 0; r < whole->n_ranks; r++) {
		n_workers += kind_of(whole, r)->n_workers;
		n_nodes += kind_of(whole, r)->n_nodes;
	}
	if (n_nodes > TW__MAX_JOINED_MEMORIES || n_workers > TW__MAX_JOINED_WORKERS)
		return tw_fail(
			err, TW_INVALID,
			"%d nodes with %lld memories and %lld workers, expected at most %d memories and %d workers",
			whole->n_ranks, (long long)n_nodes, (long long)n_workers, TW__MAX_JOINED_MEMORIES,
			TW__MAX_JOINED_WORKERS);
	return TW_OK;
}

/* Makes room for all workers, memories, links and routes. */
static void make_room(struct tw__platform *whole, const struct tw__network *network)
{
	size_t n_links = (size_t)network->n_links;
	for (int r = 0; r < whole->n_ranks; r++) {
		const struct tw__platform *kind = kind_of(whole, r);
		whole->n_workers += kind->n_workers;
		whole->n_nodes += kind->n_nodes;
		n_links += (size_t)kind->n_links;
	}
	const size_t n_nodes = (size_t)whole->n_nodes;
	whole->workers = tw_alloc((size_t)whole->n_workers, sizeof *whole->workers);
	whole->nodes = tw_alloc(n_nodes, sizeof *whole->nodes);
	whole->links = tw_alloc(n_links, sizeof *whole->links);
	whole->routes = tw_alloc(n_nodes * n_nodes, sizeof *whole->routes);
}

static int join(struct tw__platform *whole, const struct tw__network *network, struct tw_error *err)
{
	tw_arch *first_arch = tw_alloc((size_t)whole->n_kinds, sizeof *first_arch);
	int status = join_all_archs(whole, first_arch, err);
	if (status == TW_OK) {
		struct counts *first = first_numbers(whole);
		make_room(whole, network);
		for (int r = 0; r < whole->n_ranks; r++)
			join_rank(whole, r, first[r], first_arch[whole->kind_of[r]]);
		status = join_network(whole, network, first, err);
		free(first);
	}
	free(first_arch);
	return status;
}

int tw__cluster_join(struct tw__platform **joined, const struct tw__network *network,
                     const struct tw__platform *const *of_rank, struct tw_error *err)
{
	struct tw__platform *whole = tw_alloc(1, sizeof *whole);
	whole->name = tw_copy_text(network->name);
	whole->summary = tw_copy_text(network->summary);
	whole->n_ranks = network->n_ranks;
	whole->rank_names = tw_alloc((size_t)whole->n_ranks, sizeof *whole->rank_names);
	for (int r = 0; r < whole->n_ranks; r++)
		whole->rank_names[r] = tw_copy_text(network->names[r]);
	set_kinds(whole, of_rank);
	const char *runtime = have_one_name(whole) ? whole->kinds[0]->runtime : "";
	whole->runtime = tw_copy_text(network->runtime ? network->runtime : runtime);
	whole->runtime_from = tw_copy_text(network->runtime ? network->runtime_from : whole->kinds[0]->runtime_from);
	int status = check_size(whole, err);
	if (status == TW_OK)
		status = join(whole, network, err);
	*joined = status == TW_OK ? whole : NULL;
	if (status < 0)
		tw__platform_destroy(whole);
	return status;
}

/* --- taking apart ------------------------------------------------------------------------------------------------- */

struct tw__platform *tw__cluster_rank(const struct tw__platform *whole, int rank, tw_worker **workers, tw_node **nodes)
{
	const struct tw__platform *kind = kind_of(whole, rank);
	struct counts *first = first_numbers(whole);
	*workers = number_workers(kind, first[rank]);
	*nodes = number_nodes(kind, first[rank]);
	free(first);
	return tw__platform_copy(kind);
}

void tw__cluster_network(struct tw__network *network, const struct tw__platform *whole)
{
	struct counts *first = first_numbers(whole);
	const int n = whole->n_ranks;
	*network = (struct tw__network){
		.name = whole->name,
		.summary = whole->summary,
		.runtime = whole->runtime,
		.runtime_from = whole->runtime_from,
		.n_ranks = n,
		.names = whole->rank_names,
		.n_links = whole->n_network_links,
		.first_link = whole->n_links - whole->n_network_links,
		.routes = tw_alloc((size_t)n * (size_t)n, sizeof *network->routes),
	};
	network->links = whole->links + network->first_link;
	for (int from = 0; from < n; from++)
		for (int to = 0; to < n; to++)
			if (from != to)
				network->routes[from * n + to] =
					*tw__route_of(whole, first[from].nodes[MAIN], first[to].nodes[MAIN]);
	free(first);
}
