/* rcm and mst: small examples, and a comparison with igraph's spanning trees. The paper is Gonthier, Marchal,
 * Thibault 2021, "From the state of the art". */
#include <check.h>
#include <igraph.h>
#include <stdlib.h>

#include <tilewright/workload.h>

#include "policies/support/sharing.h"

enum { MAX_TASKS = 60, MAX_DATA = 40 };

/* One task per row: the handles that it reads, ended by -1. */
static struct tw_graph *graph_of(const uint64_t *bytes, int n_data, const int (*reads)[4], int n_tasks)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	for (int d = 0; d < n_data; d++)
		tw_graph_data(g, bytes[d]);
	for (int t = 0; t < n_tasks; t++) {
		struct tw_access accesses[4];
		int n = 0;
		for (; n < 4 && reads[t][n] >= 0; n++)
			accesses[n] = (struct tw_access){reads[t][n], TW_R};
		tw_graph_submit(g, kernel, 0, accesses, n);
	}
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
	return g;
}

static void expect(tw_sharing_order *make, struct tw_graph *g, const tw_task *expected)
{
	struct tw_sharing sh = tw_sharing_of(g);
	tw_task order[MAX_TASKS];
	make(order, &sh);
	for (tw_task i = 0; i < sh.n_tasks; i++)
		ck_assert_msg(order[i] == expected[i], "place %d: task %d, expected %d", (int)i, (int)order[i],
		              (int)expected[i]);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}

/* --- sharing ---------------------------------------------------------------------------------------------------- */

/* Tasks that all read handle 0, of 8 bytes, and write a handle of 4 bytes each. */
static struct tw_graph *star(int n_tasks)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	tw_data hub = tw_graph_data(g, 8);
	for (int t = 0; t < n_tasks; t++)
		tw_graph_submit(g, kernel, 0, (struct tw_access[]){{hub, TW_R}, {tw_graph_data(g, 4), TW_W}}, 2);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	return g;
}

START_TEST(scratch_is_not_shared)
{
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	for (uint64_t d = 0; d < 3; d++)
		tw_graph_data(g, 10 + d);
	tw_graph_submit(g, kernel, 0, (struct tw_access[]){{2, TW_W}, {1, TW_SCRATCH}, {0, TW_R}}, 3);
	tw_graph_submit(g, kernel, 0, (struct tw_access[]){{1, TW_SCRATCH}, {2, TW_RW}}, 2);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	struct tw_sharing sh = tw_sharing_of(g);
	const uint32_t first_data[] = {0, 2, 3}, first_task[] = {0, 1, 1, 3};
	const tw_data data[] = {0, 2, 2};
	const tw_task tasks[] = {0, 0, 1};
	ck_assert_mem_eq(sh.first_data, first_data, sizeof first_data);
	ck_assert_mem_eq(sh.first_task, first_task, sizeof first_task);
	ck_assert_mem_eq(sh.data, data, sizeof data);
	ck_assert_mem_eq(sh.tasks, tasks, sizeof tasks);
	ck_assert_uint_eq(sh.bytes[2], 12);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}
END_TEST

/* A handle of more than TW_SHARING_MOST tasks counts as several, of consecutive tasks each. Handle 0 has 1000 tasks and
 * counts as two, so that handle 1 becomes handle 2. */
START_TEST(a_popular_handle_counts_as_several)
{
	enum { N = 1000, HALF = N / 2 };
	struct tw_graph *g = star(N);
	struct tw_sharing sh = tw_sharing_of(g);
	ck_assert_int_eq(sh.n_data, N + 2);
	ck_assert_uint_eq(sh.bytes[0], 8);
	ck_assert_uint_eq(sh.bytes[1], 8);
	ck_assert_uint_eq(sh.bytes[2], 4);
	for (tw_task t = 0; t < N; t++) {
		ck_assert_int_eq(sh.tasks[t], t);
		ck_assert_uint_eq(sh.first_data[t + 1] - sh.first_data[t], 2);
		ck_assert_int_eq(sh.data[2 * t], t >= HALF);
		ck_assert_int_eq(sh.data[2 * t + 1], t + 2);
	}
	ck_assert_uint_eq(sh.first_task[1], HALF);
	ck_assert_uint_eq(sh.first_task[2], N);
	ck_assert_uint_eq(sh.first_task[3], N + 1);
	ck_assert_int_eq(tw_sharing_pairs(&sh), 2 * HALF * HALF + N);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
	g = star(TW_SHARING_MOST);
	sh = tw_sharing_of(g);
	ck_assert_int_eq(sh.n_data, TW_SHARING_MOST + 1);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}
END_TEST

/* Orders of a star of many tasks are those of its tasks: all are alike. The steps do not grow as the pairs of tasks. */
START_TEST(orders_of_a_star_take_no_look_at_all_pairs)
{
	enum { N = 50000 };
	struct tw_graph *g = star(N);
	struct tw_sharing sh = tw_sharing_of(g);
	tw_task *order = malloc(N * sizeof *order);
	ck_assert_int_le(tw_mst_order(order, &sh), (TW_SHARING_MOST + 1) * N);
	for (tw_task i = 0; i < N; i++)
		ck_assert_int_eq(order[i], i);
	ck_assert_int_le(tw_rcm_order(order, &sh), (TW_SHARING_MOST + 5) * N);
	for (tw_task i = 0; i < N; i++)
		ck_assert_int_eq(order[i], N - 1 - i);
	free(order);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
}
END_TEST

/* --- rcm -------------------------------------------------------------------------------------------------------- */

static const uint64_t ones[MAX_DATA] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* The path 2 - 0 - 3 - 1. Its ends have one neighbour each; the search starts from 1. */
START_TEST(rcm_of_a_path)
{
	const int reads[][4] = {{1, 2, -1}, {3, 4, -1}, {0, 1, -1}, {2, 3, -1}};
	expect(tw_rcm_order, graph_of(ones, 5, reads, 4), (const tw_task[]){2, 0, 3, 1});
}
END_TEST

/* Neighbours go by degree. 0 is joined with 1, 2 and 3; 1 with 4, 5 and 6; 2 with 6. The least degree, 1, is that of
 * 3, 4 and 5. The search starts from 3, which leads to 0. From 0: 2 (degree 2), 1 (degree 4); from 2: 6; from 1: 4,
 * 5. */
START_TEST(rcm_goes_by_degree)
{
	const int reads[][4] = {{0, 1, 2, -1}, {0, 3, 4, 5}, {1, 6, -1}, {2, -1}, {3, -1}, {4, -1}, {5, 6, -1}};
	expect(tw_rcm_order, graph_of(ones, 7, reads, 7), (const tw_task[]){5, 4, 6, 1, 2, 0, 3});
}
END_TEST

/* Components are 0-2-4 and 1-3. 5 and 6 share nothing, and 6 has no data. */
START_TEST(rcm_of_parts)
{
	const int reads[][4] = {{0, -1}, {2, -1}, {0, 1, -1}, {2, -1}, {1, -1}, {3, -1}, {-1}};
	expect(tw_rcm_order, graph_of(ones, 4, reads, 7), (const tw_task[]){6, 5, 3, 1, 4, 2, 0});
}
END_TEST

/* The vertices of a grid in random order, with a handle for each edge: "vertices sharing an edge are at most k edges
 * away". A breadth-first search from a corner, where degrees are least, makes k the shorter side plus one. */
START_TEST(rcm_makes_a_narrow_band_of_a_grid)
{
	enum { SHORT = 4, LONG = 10, N = SHORT * LONG };
	struct tw_rng *rng = tw_rng_create((uint64_t)_i);
	int32_t vertex[N];
	for (int v = 0; v < N; v++)
		vertex[v] = v;
	tw_rng_shuffle(rng, vertex, N);
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_kernel kernel = tw_graph_kernel(g, "work", "1", "s", 1);
	for (int d = 0; d < 2 * N; d++) /* 2 v: right of v; 2 v + 1: below */
		tw_graph_data(g, 8);
	for (int t = 0; t < N; t++) {
		int v = vertex[t], n = 0;
		struct tw_access a[4];
		if (v % SHORT < SHORT - 1)
			a[n++] = (struct tw_access){2 * v, TW_R};
		if (v % SHORT > 0)
			a[n++] = (struct tw_access){2 * (v - 1), TW_R};
		if (v / SHORT < LONG - 1)
			a[n++] = (struct tw_access){2 * v + 1, TW_R};
		if (v / SHORT > 0)
			a[n++] = (struct tw_access){2 * (v - SHORT) + 1, TW_R};
		tw_graph_submit(g, kernel, 0, a, n);
	}
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	struct tw_sharing sh = tw_sharing_of(g);
	tw_task order[N];
	int place[N];
	tw_rcm_order(order, &sh);
	for (int i = 0; i < N; i++)
		place[order[i]] = i;
	for (tw_data d = 0; d < sh.n_data; d++)
		for (size_t i = sh.first_task[d]; i + 1 < sh.first_task[d + 1]; i++)
			ck_assert_int_le(abs(place[sh.tasks[i]] - place[sh.tasks[i + 1]]), SHORT + 1);
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
	tw_rng_destroy(rng);
}
END_TEST

/* --- mst -------------------------------------------------------------------------------------------------------- */

/* Edges weigh: 0-1 2 bytes, 1-2 3, 2-3 4, 0-3 5; 4 is isolated. From 0: 3, for 5; 2, for 4; 1, for 3 rather than 2. */
START_TEST(mst_takes_what_shares_most)
{
	const uint64_t bytes[] = {5, 2, 3, 4, 1};
	const int reads[][4] = {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}, {0, 3, -1}, {4, -1}};
	expect(tw_mst_order, graph_of(bytes, 5, reads, 5), (const tw_task[]){0, 3, 2, 1, 4});
}
END_TEST

/* All common handles count: 0 and 2 share two of 2 bytes, 0 and 1 share one of 3. Ties: the first submitted, so 3
 * before 4. */
START_TEST(mst_adds_bytes_up)
{
	const uint64_t bytes[] = {2, 2, 3, 1};
	const int reads[][4] = {{0, 1, 2, 3}, {2, -1}, {0, 1, -1}, {3, -1}, {3, -1}};
	expect(tw_mst_order, graph_of(bytes, 4, reads, 5), (const tw_task[]){0, 2, 1, 3, 4});
}
END_TEST

static uint64_t common_bytes(const struct tw_sharing *sh, tw_task a, tw_task b)
{
	uint64_t sum = 0;
	for (size_t i = sh->first_data[a]; i < sh->first_data[a + 1]; i++)
		for (size_t j = sh->first_data[b]; j < sh->first_data[b + 1]; j++)
			sum += sh->data[i] == sh->data[j] ? sh->bytes[sh->data[i]] : 0;
	return sum;
}

/* The weight of igraph's minimum spanning tree for negated edge weights. */
static double weight_of_igraphs_tree(const struct tw_sharing *sh)
{
	igraph_t g;
	igraph_vector_int_t edges, tree;
	igraph_vector_t weights;
	double sum = 0;
	igraph_vector_int_init(&edges, 0);
	igraph_vector_int_init(&tree, 0);
	igraph_vector_init(&weights, 0);
	for (tw_task a = 0; a < sh->n_tasks; a++)
		for (tw_task b = a + 1; b < sh->n_tasks; b++)
			if (common_bytes(sh, a, b)) {
				igraph_vector_int_push_back(&edges, a);
				igraph_vector_int_push_back(&edges, b);
				igraph_vector_push_back(&weights, -(double)common_bytes(sh, a, b));
			}
	igraph_create(&g, &edges, sh->n_tasks, IGRAPH_UNDIRECTED);
	igraph_minimum_spanning_tree(&g, &tree, &weights);
	for (igraph_integer_t i = 0; i < igraph_vector_int_size(&tree); i++)
		sum -= VECTOR(weights)[VECTOR(tree)[i]];
	igraph_vector_int_destroy(&edges);
	igraph_vector_int_destroy(&tree);
	igraph_vector_destroy(&weights);
	igraph_destroy(&g);
	return sum;
}

/* Each task joins by the heaviest of its edges to earlier tasks. Together these edges weigh as much as igraph's
 * tree. */
START_TEST(mst_is_a_maximum_spanning_tree)
{
	struct tw_rng *rng = tw_rng_create((uint64_t)_i);
	int n_data = 1 + (int)tw_rng_below(rng, MAX_DATA), n_tasks = 1 + (int)tw_rng_below(rng, MAX_TASKS);
	uint64_t bytes[MAX_DATA];
	int reads[MAX_TASKS][4];
	for (int d = 0; d < n_data; d++)
		bytes[d] = 1 + tw_rng_below(rng, _i % 2 ? 1 : 20);
	for (int t = 0; t < n_tasks; t++) {
		int n = 0;
		for (int k = 0; k < 4; k++) {
			int d = (int)tw_rng_below(rng, (uint32_t)n_data);
			bool known = false;
			for (int i = 0; i < n; i++)
				known |= reads[t][i] == d;
			if (!known && tw_rng_below(rng, 2))
				reads[t][n++] = d;
		}
		if (n < 4)
			reads[t][n] = -1;
	}
	struct tw_graph *g = graph_of(bytes, n_data, (const int(*)[4])reads, n_tasks);
	struct tw_sharing sh = tw_sharing_of(g);
	tw_task order[MAX_TASKS];
	double weight = 0;
	bool seen[MAX_TASKS] = {false};
	tw_mst_order(order, &sh);
	for (int i = 0; i < n_tasks; i++) {
		uint64_t most = 0;
		ck_assert(!seen[order[i]]);
		seen[order[i]] = true;
		for (int j = 0; j < i; j++)
			most = common_bytes(&sh, order[i], order[j]) > most ? common_bytes(&sh, order[i], order[j])
			                                                    : most;
		weight += (double)most;
	}
	ck_assert_double_eq(weight, weight_of_igraphs_tree(&sh));
	tw_sharing_finish(&sh);
	tw_graph_destroy(g);
	tw_rng_destroy(rng);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("orders");
	TCase *cases = tcase_create("orders");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, scratch_is_not_shared);
	tcase_add_test(cases, a_popular_handle_counts_as_several);
	tcase_add_test(cases, orders_of_a_star_take_no_look_at_all_pairs);
	tcase_add_test(cases, rcm_of_a_path);
	tcase_add_test(cases, rcm_goes_by_degree);
	tcase_add_test(cases, rcm_of_parts);
	tcase_add_loop_test(cases, rcm_makes_a_narrow_band_of_a_grid, 1, 20);
	tcase_add_test(cases, mst_takes_what_shares_most);
	tcase_add_test(cases, mst_adds_bytes_up);
	tcase_add_loop_test(cases, mst_is_a_maximum_spanning_tree, 0, 200);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
