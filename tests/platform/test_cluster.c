/* Nodes that are joined to a cluster and taken apart again, and the parts of clusters that runs use. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "platform/cluster.h"
#include "same.h"
#include "temp.h"

static struct tw__platform *found(const char *name)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, name, &err) == TW_OK, "%s", err.message);
	free(kernels);
	return p;
}

static struct tw__platform *selected(const struct tw__platform *all, struct tw__platform_choice choice)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_msg(tw__platform_select(&p, all, &choice, &err) == TW_OK, "%s", err.message);
	return p;
}

/* A crossbar: each node has a link up and a link down. */
static struct tw__platform *join(int n, const struct tw__platform *const *of_rank)
{
	struct tw__network network = {.name = "net", .summary = "a crossbar", .n_ranks = n, .n_links = 2 * n};
	struct tw__platform *whole;
	struct tw_error err = {""};
	size_t ranks = (size_t)n;
	network.names = tw_alloc(ranks, sizeof *network.names);
	network.links = tw_alloc(2 * ranks, sizeof *network.links);
	network.routes = tw_alloc(ranks * ranks, sizeof *network.routes);
	int *links = tw_alloc(2 * ranks * ranks, sizeof *links);
	for (int r = 0; r < n; r++) {
		network.names[r] = tw_format("node%d", r);
		for (int l = 2 * r; l < 2 * r + 2; l++)
			network.links[l] = (struct tw__link){.name = tw_format("net%d", l),
			                                     .bandwidth = 4e9,
			                                     .shared_bandwidth = 4e9,
			                                     .latency = 1e-6};
		for (int to = 0; to < n; to++) {
			int *both = links + 2 * (r * n + to);
			both[0] = 2 * r;
			both[1] = 2 * to + 1;
			if (to != r)
				network.routes[r * n + to] = (struct tw__route){.n_links = 2, .links = both};
		}
	}
	ck_assert_msg(tw__cluster_join(&whole, &network, of_rank, &err) == TW_OK, "%s", err.message);
	for (int r = 0; r < n; r++)
		free(network.names[r]);
	for (int l = 0; l < 2 * n; l++)
		free(network.links[l].name);
	free(network.names);
	free(network.links);
	free(network.routes);
	free(links);
	return whole;
}

/* Expects that the tables of a rank lead to its workers and memories in the whole. */
static void expect_numbers(const struct tw__platform *whole, int rank, const struct tw__platform *own,
                           const tw_worker *workers, const tw_node *nodes)
{
	char name[256];
	for (int w = 0; w < own->n_workers; w++) {
		const struct tw__worker *there = &whole->workers[workers[w]];
		snprintf(name, sizeof name, "%s.%s", whole->rank_names[rank], own->workers[w].name);
		ck_assert_str_eq(there->name, name);
		ck_assert_int_eq(there->rank, rank);
		ck_assert_int_eq(there->node, nodes[own->workers[w].node]);
		const struct tw__arch *arch = &own->archs[own->workers[w].arch], *joined = &whole->archs[there->arch];
		const size_t behind = strlen(joined->name) - strlen(arch->name);
		ck_assert_str_eq(joined->name + behind, arch->name);
		ck_assert(behind == 0 || joined->name[behind - 1] == '.');
		ck_assert_int_eq(joined->cores, arch->cores);
		ck_assert_int_eq(joined->most_cores, arch->most_cores);
		for (int cores = 2; cores <= arch->most_cores; cores++) {
			ck_assert_str_eq(whole->archs[joined->wide + cores - 2].name, joined->name);
			ck_assert_int_eq(whole->archs[joined->wide + cores - 2].cores, cores);
		}
	}
	for (int n = 0; n < own->n_nodes; n++) {
		const struct tw__node *there = &whole->nodes[nodes[n]];
		snprintf(name, sizeof name, "%s.%s", whole->rank_names[rank], own->nodes[n].name);
		ck_assert_str_eq(there->name, name);
		ck_assert_int_eq(there->rank, rank);
		ck_assert_int_eq(there->main, nodes[own->nodes[n].main]);
		ck_assert_int_eq(there->backing,
		                 own->nodes[n].backing == TW_NONE ? TW_NONE : nodes[own->nodes[n].backing]);
		for (int to = 0; to < own->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(own, n, to),
					       *joined = tw__route_of(whole, nodes[n], nodes[to]);
			ck_assert_int_eq(route->n_links, joined->n_links);
			ck_assert_double_eq(route->predicted_bandwidth, joined->predicted_bandwidth);
			for (int l = 0; l < route->n_links; l++) {
				snprintf(name, sizeof name, "%s.%s", whole->rank_names[rank],
				         own->links[route->links[l]].name);
				ck_assert_str_eq(whole->links[joined->links[l]].name, name);
			}
		}
	}
}

static void expect_round_trip(const struct tw__platform *whole, const struct tw__platform *const *of_rank)
{
	int n_workers = 0, n_nodes = 0, n_cores = 0;
	for (int r = 0; r < whole->n_ranks; r++) {
		tw_worker *workers;
		tw_node *nodes;
		struct tw__platform *own = tw__cluster_rank(whole, r, &workers, &nodes);
		expect_same(own, of_rank[r]);
		expect_numbers(whole, r, own, workers, nodes);
		n_workers += own->n_workers;
		n_nodes += own->n_nodes;
		n_cores += own->n_cores;
		tw__platform_destroy(own);
		free(workers);
		free(nodes);
	}
	ck_assert_int_eq(whole->n_workers, n_workers);
	ck_assert_int_eq(whole->n_nodes, n_nodes);
	ck_assert_int_eq(whole->n_cores, n_cores);
}

/* Main memories stand before cards, and cards before disks; accelerators before CPU workers; each in order of ranks. */
static void expect_order(const struct tw__platform *p)
{
	for (tw_node n = 1; n < p->n_nodes; n++) {
		int before = tw__is_main(p, n - 1) ? 0 : tw__is_card(p, n - 1) ? 1 : 2;
		int group = tw__is_main(p, n) ? 0 : tw__is_card(p, n) ? 1 : 2;
		ck_assert_int_le(before, group);
		ck_assert(before < group || p->nodes[n - 1].rank <= p->nodes[n].rank);
	}
	for (tw_worker w = 1; w < p->n_workers; w++) {
		const struct tw__worker *one = &p->workers[w - 1], *other = &p->workers[w];
		int before = !p->archs[one->arch].accelerator, group = !p->archs[other->arch].accelerator;
		ck_assert_int_le(before, group);
		ck_assert(before < group || one->rank <= other->rank);
	}
}

static const struct tw__platform_choice choices[] = {
	{.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS},
	{.cpus = 2, .gpus = 1, .gpu_mem_bytes = 500 << 20},
	{.cpus = TW__ALL_WORKERS, .gpus = 2, .cpu_groups = "2+1", .max_parallelism = 3},
	{.cpus = TW__ALL_WORKERS, .gpus = 0, .max_parallelism = 8},
	{.cpus = 3, .gpus = 2, .mem = "RAM=1GiB,GPU1=250MiB"},
};

START_TEST(nodes_are_what_they_were)
{
	static const char *const names[3][4] = {{"mirage", "mirage", "mirage", "mirage"},
	                                        {"mirage", "synthetic", "mirage", "attila"},
	                                        {"synthetic", "synthetic", "synthetic", "gemini"}};
	struct tw__platform *of_rank[4], *parts[4];
	for (int r = 0; r < 4; r++)
		of_rank[r] = r && strcmp(names[_i][r], names[_i][0]) == 0 ? of_rank[0] : found(names[_i][r]);
	struct tw__platform *whole = join(4, (const struct tw__platform *const *)of_rank);
	expect_order(whole);
	expect_round_trip(whole, (const struct tw__platform *const *)of_rank);
	for (size_t c = 0; c < sizeof choices / sizeof choices[0]; c++) {
		struct tw__platform *part = selected(whole, choices[c]);
		for (int r = 0; r < 4; r++)
			parts[r] = selected(of_rank[r], choices[c]);
		expect_order(part);
		expect_round_trip(part, (const struct tw__platform *const *)parts);
		ck_assert_str_eq(part->name, "net");
		ck_assert_str_eq(part->summary, "a crossbar");
		ck_assert_str_eq(part->runtime, whole->runtime);
		for (int r = 0; r < 4; r++)
			tw__platform_destroy(parts[r]);
		tw__platform_destroy(part);
	}
	tw__platform_destroy(whole);
	for (int r = 3; r >= 0; r--)
		if (r == 0 || of_rank[r] != of_rank[0])
			tw__platform_destroy(of_rank[r]);
}
END_TEST

START_TEST(a_single_node_is_its_only_rank)
{
	struct tw__platform *mirage = found("mirage");
	tw_worker *workers;
	tw_node *nodes;
	struct tw__platform *own = tw__cluster_rank(mirage, 0, &workers, &nodes);
	expect_same(own, mirage);
	for (int w = 0; w < own->n_workers; w++)
		ck_assert_int_eq(workers[w], w);
	for (int n = 0; n < own->n_nodes; n++)
		ck_assert_int_eq(nodes[n], n);
	tw__platform_destroy(own);
	tw__platform_destroy(mirage);
	free(workers);
	free(nodes);
}
END_TEST

START_TEST(archs_are_once_or_have_prefixes)
{
	struct tw__platform *mirage = found("mirage"), *attila = found("attila");
	struct tw__platform *whole = join(2, (const struct tw__platform *[]){mirage, mirage});
	ck_assert_int_eq(whole->n_archs, mirage->n_archs);
	ck_assert_str_eq(whole->archs[0].name, mirage->archs[0].name);
	tw__platform_destroy(whole);
	whole = join(3, (const struct tw__platform *[]){mirage, attila, mirage});
	ck_assert_int_eq(whole->n_archs, mirage->n_archs + attila->n_archs);
	for (int w = 0; w < whole->n_workers; w++) {
		const char *prefix = whole->workers[w].rank == 1 ? "attila." : "mirage.";
		ck_assert_int_eq(strncmp(whole->archs[whole->workers[w].arch].name, prefix, 7), 0);
	}
	tw__platform_destroy(whole);
	tw__platform_destroy(mirage);
	tw__platform_destroy(attila);
}
END_TEST

START_TEST(routes_join_first_main_memories)
{
	struct tw__platform *mirage = found("mirage");
	struct tw__platform *whole = join(3, (const struct tw__platform *[]){mirage, mirage, mirage});
	for (tw_node from = 0; from < whole->n_nodes; from++)
		for (tw_node to = 0; to < whole->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(whole, from, to);
			if (whole->nodes[from].rank == whole->nodes[to].rank)
				continue;
			ck_assert_int_eq(route->n_links, from < 3 && to < 3 ? 2 : 0);
			if (route->n_links) {
				ck_assert_double_eq_tol(route->latency, 2e-6, 1e-15);
				ck_assert_double_eq(route->predicted_latency, route->latency);
				ck_assert_double_eq(route->predicted_bandwidth, 4e9);
			}
		}
	tw__platform_destroy(whole);
	tw__platform_destroy(mirage);
}
END_TEST

START_TEST(a_bound_is_of_one_node_or_of_each)
{
	struct tw__platform *mirage = found("mirage"), *attila = found("attila");
	struct tw__platform *whole = join(3, (const struct tw__platform *[]){mirage, attila, mirage});
	struct tw__platform *p = selected(
		whole,
		(struct tw__platform_choice){.cpus = 1, .gpus = 1, .mem = "RAM=2GiB,node1.ram=3GiB,node2.GPU0=1GiB"});
	ck_assert_str_eq(p->nodes[1].name, "node1.RAM");
	ck_assert_uint_eq(p->nodes[0].limit_bytes, 2ull << 30);
	ck_assert_uint_eq(p->nodes[1].limit_bytes, 3ull << 30);
	ck_assert_uint_eq(p->nodes[2].limit_bytes, 2ull << 30);
	ck_assert_uint_eq(p->nodes[3].limit_bytes, 0);
	ck_assert_str_eq(p->nodes[5].name, "node2.GPU0");
	ck_assert_uint_eq(p->nodes[5].limit_bytes, 1ull << 30);
	ck_assert_int_eq(p->n_ranks, 3);
	ck_assert_int_eq(p->n_archs, 4);
	tw__platform_destroy(p);
	static const struct {
		struct tw__platform_choice choice;
		const char *message;
	} refused[] = {
		{{.cpus = 1, .gpus = 1, .mem = "VRAM=1"}, "memory 'VRAM' of platform 'mirage': expected one of RAM"},
		{{.cpus = 1, .gpus = 1, .mem = "node1.GPU7=1"}, "memory 'GPU7' of platform 'attila': expected one of"},
		{{.cpus = 1, .gpus = 1, .mem = "node3.RAM=1"}, "memory 'node3.RAM' of platform 'mirage': expected"},
		{{.cpus = 1, .gpus = 1, .mem = "node1.RAM=1GiB,node1.ram=1"},
	         "'RAM' of platform 'attila' is bounded twice"},
		{{.cpus = 1, .gpus = 1, .mem = "RAM=1GiB,ram=1"}, "'RAM' of platform 'mirage' is bounded twice"},
		{{.cpus = 13, .gpus = 0}, "13 CPUs and 0 GPUs of platform 'mirage': expected at most 12 CPUs"},
		{{.cpus = 1, .gpus = 0, .no_communication = true},
	         "--communication off on platform 'net', which has 3 nodes: expected a single node"},
	};
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct tw_error err = {""};
		ck_assert_int_eq(tw__platform_select(&p, whole, &refused[i].choice, &err), TW_INVALID);
		ck_assert_ptr_null(p);
		ck_assert_contains(err.message, refused[i].message);
	}
	tw__platform_destroy(whole);
	tw__platform_destroy(mirage);
	tw__platform_destroy(attila);
}
END_TEST

START_TEST(large_clusters_are_joined_and_selected)
{
	static const struct {
		int n, gpus, n_workers, n_nodes;
	} sizes[] = {{100, 3, 1200, 400}, {400, 0, 4800, 400}};
	struct tw__platform *mirage = found("mirage");
	const struct tw__platform *of_rank[400];
	struct tw__platform *node =
		selected(mirage, (struct tw__platform_choice){.cpus = TW__ALL_WORKERS, .gpus = sizes[_i].gpus});
	for (int r = 0; r < sizes[_i].n; r++)
		of_rank[r] = node;
	double start_s = tw__wall_s();
	struct tw__platform *whole = join(sizes[_i].n, of_rank);
	struct tw__platform *p =
		selected(whole, (struct tw__platform_choice){
					.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS, .mem = "node7.RAM=1GiB"});
	ck_assert_double_lt(tw__wall_s() - start_s, 10);
	if (getenv("TILEWRIGHT_TEST_TIMES"))
		fprintf(stderr, "%d nodes: %.3f s\n", sizes[_i].n, tw__wall_s() - start_s);
	ck_assert_int_eq(whole->n_workers, sizes[_i].n_workers);
	ck_assert_int_eq(whole->n_nodes, sizes[_i].n_nodes);
	ck_assert_int_eq(p->n_nodes, sizes[_i].n_nodes);
	ck_assert_uint_eq(p->nodes[7].limit_bytes, 1u << 30);
	tw__platform_destroy(p);
	tw__platform_destroy(whole);
	tw__platform_destroy(node);
	tw__platform_destroy(mirage);
}
END_TEST

START_TEST(what_cannot_be_joined_is_refused)
{
	struct tw__platform *mirage = found("mirage"), *other = found("attila"), *whole;
	struct tw_error err = {""};
	struct tw__route none[4] = {{0}};
	char *names[] = {(char[]){"a"}, (char[]){"b"}};
	struct tw__network network = {.name = "n", .summary = "", .n_ranks = 2, .names = names, .routes = none};
	ck_assert_int_eq(tw__cluster_join(&whole, &network, (const struct tw__platform *[]){mirage, mirage}, &err),
	                 TW_INVALID);
	ck_assert_ptr_null(whole);
	ck_assert_str_eq(err.message, "no route from node 'a' to node 'b', expected one");
	free(other->name);
	other->name = tw_copy_text("mirage");
	ck_assert_int_eq(tw__cluster_join(&whole, &network, (const struct tw__platform *[]){mirage, other}, &err),
	                 TW_INVALID);
	ck_assert_contains(err.message, "two platforms of nodes with the name 'mirage' and other archs");
	tw__platform_destroy(mirage);
	tw__platform_destroy(other);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform cluster");
	TCase *cases = tcase_create("cluster");
	tcase_add_loop_test(cases, nodes_are_what_they_were, 0, 3);
	tcase_add_test(cases, a_single_node_is_its_only_rank);
	tcase_add_test(cases, archs_are_once_or_have_prefixes);
	tcase_add_test(cases, routes_join_first_main_memories);
	tcase_add_test(cases, a_bound_is_of_one_node_or_of_each);
	tcase_add_loop_test(cases, large_clusters_are_joined_and_selected, 0, 2);
	tcase_add_test(cases, what_cannot_be_joined_is_refused);
	tcase_set_timeout(cases, 60);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
