/* Assembly trees are compared with a dense elimination: the columns of the fronts are those of the factor. */
#include <math.h>

#include "dense.h"

static const struct tw_amalgamation no_zeros = {1, 0};

static void shuffle(int32_t *order, int n, uint32_t seed)
{
	for (int i = 0; i < n; i++)
		order[i] = i;
	for (int i = n - 1; i > 0; i--) {
		seed = seed * 1664525 + 1013904223;
		int j = (int)((seed >> 8) % (uint32_t)(i + 1)), other = order[j];
		order[j] = order[i];
		order[i] = other;
	}
}

/* Makes graphs of many kinds: grids, and random ones with few to nearly all edges. Orders: natural, random, METIS. */
static struct tw_pattern some_graph(int i, int32_t *order)
{
	struct tw_pattern a, graph;
	struct tw_error err;
	int n = 1 + i * 7 % 61;
	if (i % 3 == 0)
		ck_assert_int_eq(tw_pattern_grid(&a, 1 + i % 8, 1 + i % 7, 1 + i % 2, i % 5 == 0, &err), TW_OK);
	else
		a = random_pattern(n, n, i % 3 == 1 ? n : i * n / 20, (uint32_t)i);
	ck_assert_int_eq(tw_pattern_symmetrise(&graph, &a, &err), TW_OK);
	tw_pattern_finish(&a);
	if (i % 4 == 3)
		ck_assert_int_eq(tw_nested_dissection(&graph, order, &err), TW_OK);
	else
		shuffle(order, graph.n_columns, (uint32_t)i);
	for (int k = 0; i % 4 == 0 && k < graph.n_columns; k++)
		order[k] = k;
	return graph;
}

static int front_of(const struct tw_assembly_tree *t, int column)
{
	int f = 0;
	while (t->first[f + 1] <= column)
		f++;
	return f;
}

/* Checks the invariants of a tree. */
static void check_tree(const struct tw_assembly_tree *t)
{
	bool seen[DENSE_MOST] = {false};
	int descendants[DENSE_MOST] = {0}, listed = 0;
	for (int k = 0; k < t->n_columns; k++) {
		ck_assert(t->order[k] >= 0 && t->order[k] < t->n_columns && !seen[t->order[k]]);
		seen[t->order[k]] = true;
	}
	ck_assert_int_eq(t->first[0], 0);
	ck_assert_int_eq(t->first[t->n_fronts], t->n_columns);
	for (int f = 0; f < t->n_fronts; f++) {
		const int32_t *columns = t->column + t->start[f];
		int n = tw_front_columns(t, f), pivots = tw_front_pivots(t, f);
		ck_assert(pivots >= 1 && n >= pivots);
		for (int i = 0; i < n; i++) {
			ck_assert(i == 0 || columns[i] > columns[i - 1]);
			ck_assert(i >= pivots || columns[i] == t->first[f] + i);
		}
		/* a forest in postorder: the descendants of a front are directly before it */
		descendants[f]++;
		if (n == pivots) {
			ck_assert_int_eq(t->parent[f], TW_NONE);
			continue;
		}
		int parent = t->parent[f];
		ck_assert_int_gt(parent, f);
		ck_assert_int_eq(parent, front_of(t, columns[pivots]));
		descendants[parent] += descendants[f];
		int32_t place[DENSE_MOST];
		tw_front_places(t, f, place);
		for (int i = pivots; i < n; i++) {
			ck_assert_int_lt(place[i - pivots], tw_front_columns(t, parent));
			ck_assert_int_eq(t->column[t->start[parent] + place[i - pivots]], columns[i]);
		}
	}
	for (int f = 0; f < t->n_fronts; f++) {
		for (int d = f - descendants[f] + 1; d < f; d++)
			ck_assert(t->parent[d] > d && t->parent[d] <= f);
		ck_assert_int_eq(t->child_start[f], listed);
		for (int c = 0; c < f; c++)
			if (t->parent[c] == f)
				ck_assert_int_eq(t->child[listed++], c);
		ck_assert_int_eq(t->child_start[f + 1], listed);
	}
}

/* Counts the entries of a front's part of the factor that are zero in the dense factor. All others must be there. */
static int count_zeros(const struct tw_assembly_tree *t, const struct dense *factor, int f)
{
	int zeros = 0;
	for (int k = t->first[f]; k < t->first[f + 1]; k++) {
		int found = 0, entries = 0;
		for (int i = k; i < t->n_columns; i++)
			entries += factor->at[i][k];
		for (int64_t at = t->start[f]; at < t->start[f + 1]; at++)
			if (t->column[at] >= k) {
				found += factor->at[t->column[at]][k];
				zeros += !factor->at[t->column[at]][k];
			}
		ck_assert_int_eq(found, entries);
	}
	return zeros;
}

static void check_fill(int i)
{
	int32_t order[DENSE_MOST];
	struct tw_error err;
	struct tw_assembly_tree t;
	struct tw_pattern graph = some_graph(i, order);
	ck_assert_int_eq(tw_assembly_tree_init(&t, &graph, order, no_zeros, &err), TW_OK);
	check_tree(&t);
	struct dense given = dense_factor(&graph, order), factor = dense_factor(&graph, t.order);
	int fill_given = 0, fill = 0;
	for (int row = 0; row < given.rows; row++)
		for (int column = 0; column <= row; column++) {
			fill_given += given.at[row][column];
			fill += factor.at[row][column];
		}
	ck_assert_int_eq(fill, fill_given); /* the order has the same fill */
	for (int f = 0; f < t.n_fronts; f++) {
		ck_assert_int_eq(count_zeros(&t, &factor, f), 0);
		/* no front could join its parent without zeros: the parent has a column that the child lacks */
		if (t.parent[f] != TW_NONE)
			ck_assert_int_lt(tw_front_columns(&t, f) - tw_front_pivots(&t, f),
			                 tw_front_columns(&t, t.parent[f]));
	}
	tw_assembly_tree_finish(&t);
	tw_pattern_finish(&graph);
}

START_TEST(without_zeros_the_fronts_are_the_factor)
{
	for (int i = 0; i < 300; i++)
		check_fill(i);
}
END_TEST

static void check_zeros(int i)
{
	static const double limits[] = {0.01, 0.05, 0.2, 0.5};
	int32_t order[DENSE_MOST];
	struct tw_error err;
	struct tw_pattern graph = some_graph(i, order);
	int fronts_before = INT32_MAX;
	for (int l = 0; l < 4; l++) {
		struct tw_assembly_tree t;
		ck_assert_int_eq(tw_assembly_tree_init(&t, &graph, order, (struct tw_amalgamation){1, limits[l]}, &err),
		                 TW_OK);
		check_tree(&t);
		struct dense factor = dense_factor(&graph, t.order);
		for (int f = 0; f < t.n_fronts; f++) {
			int pivots = tw_front_pivots(&t, f), columns = tw_front_columns(&t, f);
			ck_assert_double_le(count_zeros(&t, &factor, f),
			                    limits[l] * (pivots * columns - pivots * (pivots - 1) / 2.0));
		}
		ck_assert_int_le(t.n_fronts, fronts_before);
		fronts_before = t.n_fronts;
		tw_assembly_tree_finish(&t);
	}
	tw_pattern_finish(&graph);
}

START_TEST(few_zeros_are_few)
{
	for (int i = 0; i < 100; i++)
		check_zeros(i);
}
END_TEST

static void check_joining(int i)
{
	int32_t order[DENSE_MOST];
	struct tw_error err;
	struct tw_pattern graph = some_graph(i, order);
	for (int nemin = 1; nemin <= 64; nemin *= 2) {
		struct tw_assembly_tree t;
		ck_assert_int_eq(tw_assembly_tree_init(&t, &graph, order, (struct tw_amalgamation){nemin, 0}, &err),
		                 TW_OK);
		check_tree(&t);
		struct dense factor = dense_factor(&graph, t.order);
		for (int f = 0; f < t.n_fronts; f++) {
			count_zeros(&t, &factor, f);
			if (t.parent[f] != TW_NONE &&
			    nemin == 64) /* above the number of columns: one front per component */
				ck_abort_msg("front %d has a parent", f);
		}
		tw_assembly_tree_finish(&t);
	}
	tw_pattern_finish(&graph);
}

START_TEST(small_fronts_join_their_parents)
{
	for (int i = 0; i < 100; i++)
		check_joining(i);
}
END_TEST

/* --- known trees ------------------------------------------------------------------------------------------------ */

static struct tw_assembly_tree tree_of(struct dense d, struct tw_amalgamation limits)
{
	int32_t order[DENSE_MOST];
	struct tw_error err;
	struct tw_assembly_tree t;
	struct tw_pattern a = dense_pattern(&d), graph;
	for (int k = 0; k < d.columns; k++)
		order[k] = k;
	ck_assert_int_eq(tw_pattern_symmetrise(&graph, &a, &err), TW_OK);
	ck_assert_int_eq(tw_assembly_tree_init(&t, &graph, order, limits, &err), TW_OK);
	check_tree(&t);
	tw_pattern_finish(&a);
	tw_pattern_finish(&graph);
	return t;
}

START_TEST(known_trees)
{
	enum { N = 20 };
	struct dense full = {N, N, {{false}}}, band = full, arrow = full, empty = full;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			full.at[i][j] = true;
			band.at[i][j] = abs(i - j) == 1;
			arrow.at[i][j] = i == N - 1 || j == N - 1;
		}
	struct tw_assembly_tree t = tree_of(full, no_zeros);
	ck_assert_int_eq(t.n_fronts, 1);
	tw_assembly_tree_finish(&t);

	t = tree_of(band, no_zeros); /* a path; the last two columns are one front */
	ck_assert_int_eq(t.n_fronts, N - 1);
	for (int f = 0; f < N - 1; f++) {
		ck_assert_int_eq(t.parent[f], f == N - 2 ? TW_NONE : f + 1);
		ck_assert_int_eq(tw_front_columns(&t, f), 2);
	}
	tw_assembly_tree_finish(&t);

	t = tree_of(arrow, no_zeros); /* a star; one leaf joins the centre without zeros */
	ck_assert_int_eq(t.n_fronts, N - 1);
	for (int f = 0; f < N - 1; f++)
		ck_assert_int_eq(t.parent[f], f == N - 2 ? TW_NONE : N - 2);
	tw_assembly_tree_finish(&t);

	/* Leaves join while the centre has fewer pivots than nemin. From the second leaf on, this stores zeros. */
	for (int nemin = 2; nemin < N; nemin++) {
		t = tree_of(arrow, (struct tw_amalgamation){nemin, 0});
		ck_assert_int_eq(t.n_fronts, N - nemin + 1);
		ck_assert_int_eq(tw_front_pivots(&t, t.n_fronts - 1), nemin);
		tw_assembly_tree_finish(&t);
	}

	/* Two cliques of four columns, each connected to one of the last two columns: each joins it,
	 * and has five pivots then. */
	for (int nemin = 1; nemin < 10; nemin++) {
		struct dense d = {10, 10, {{false}}};
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 4; j++)
				d.at[i][j] = d.at[4 + i][4 + j] = d.at[i][8] = d.at[4 + i][9] = d.at[8][9] = true;
		t = tree_of(d, (struct tw_amalgamation){nemin, 0});
		ck_assert_int_eq(t.n_fronts, nemin <= 4 ? 3 : nemin <= 5 ? 2 : 1);
		tw_assembly_tree_finish(&t);
	}

	t = tree_of(empty, (struct tw_amalgamation){1000, 1}); /* no edges: no front has a parent */
	ck_assert_int_eq(t.n_fronts, N);
	tw_assembly_tree_finish(&t);
}
END_TEST

/* --- orders ------------------------------------------------------------------------------------------------------ */

static double factor_entries(const struct tw_pattern *graph, const int32_t *order)
{
	struct tw_assembly_tree t;
	struct tw_error err;
	double sum = 0;
	ck_assert_int_eq(tw_assembly_tree_init(&t, graph, order, no_zeros, &err), TW_OK);
	for (int f = 0; f < t.n_fronts; f++) {
		double pivots = tw_front_pivots(&t, f);
		sum += pivots * tw_front_columns(&t, f) - pivots * (pivots - 1) / 2;
	}
	tw_assembly_tree_finish(&t);
	return sum;
}

START_TEST(nested_dissection_saves_fill_and_repeats_itself)
{
	enum { SIDE = 60, N = SIDE * SIDE };
	int32_t *order = malloc(N * sizeof *order), *again = malloc(N * sizeof *again),
		*natural = malloc(N * sizeof *natural);
	struct tw_pattern a, graph;
	struct tw_error err;
	ck_assert_int_eq(tw_pattern_grid(&a, SIDE, SIDE, 1, false, &err), TW_OK);
	ck_assert_int_eq(tw_pattern_symmetrise(&graph, &a, &err), TW_OK);
	ck_assert_int_eq(tw_nested_dissection(&graph, order, &err), TW_OK);
	ck_assert_int_eq(tw_nested_dissection(&graph, again, &err), TW_OK);
	ck_assert_int_eq(memcmp(order, again, N * sizeof *order), 0);
	for (int k = 0; k < N; k++)
		natural[k] = k;
	/* a band: column k has min(SIDE, N - 1 - k) entries below the diagonal */
	double band = N + (double)SIDE * (N - SIDE) + SIDE * (SIDE - 1) / 2.0;
	ck_assert_double_le(factor_entries(&graph, natural), band);
	ck_assert_double_ge(factor_entries(&graph, natural), band - SIDE * SIDE);
	/* George: 31/4 n^2 log2 n + O(n^2) for a grid of n x n; METIS comes near */
	ck_assert_double_lt(factor_entries(&graph, order), 7.75 * N * log2(SIDE));
	ck_assert_double_lt(factor_entries(&graph, order), band / 3);
	tw_pattern_finish(&a);
	tw_pattern_finish(&graph);
	free(order);
	free(again);
	free(natural);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tree");
	TCase *cases = tcase_create("tree");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, without_zeros_the_fronts_are_the_factor);
	tcase_add_test(cases, few_zeros_are_few);
	tcase_add_test(cases, small_fronts_join_their_parents);
	tcase_add_test(cases, known_trees);
	tcase_add_test(cases, nested_dissection_saves_fill_and_repeats_itself);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
