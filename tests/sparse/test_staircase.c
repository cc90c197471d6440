/* The heights of fronts are compared with a factorisation that tracks the leftmost column of each row. */
#include "dense.h"

struct rows {
	int n, leftmost[DENSE_MOST * 2];
};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The height of column j is the number of rows that begin at or before it, or of rows that earlier columns
 * eliminated. */
static void check_front(const struct tw_assembly_tree *t, const int32_t *heights, int f, struct rows *rows)
{
	const int32_t *columns = t->column + t->start[f], *height = heights + t->start[f];
	int n = tw_front_columns(t, f), pivots = tw_front_pivots(t, f);
	qsort(rows->leftmost, (size_t)rows->n, sizeof *rows->leftmost, compare);
	for (int j = 0; j < n; j++) {
		int reach = 0;
		while (reach < rows->n && rows->leftmost[reach] <= columns[j])
			reach++;
		int used = j + 1 < rows->n ? j + 1 : rows->n;
		ck_assert_int_eq(height[j], reach > used ? reach : used);
		ck_assert(j == 0 || height[j] >= height[j - 1]);
	}
	ck_assert_int_eq(height[n - 1], rows->n);
	/* after the factorisation, row i begins at column i, and rows below the last column are zero */
	for (int i = pivots; i < rows->n && i < n; i++) {
		struct rows *up = &rows[t->parent[f] - f];
		up->leftmost[up->n++] = columns[i];
	}
}

static void check(struct tw_pattern *a, bool full_rank)
{
	struct tw_pattern graph;
	struct tw_assembly_tree t;
	struct tw_error err;
	int32_t order[DENSE_MOST];
	ck_assert_int_eq(tw_pattern_gram(&graph, a, &err), TW_OK);
	ck_assert_int_eq(tw_nested_dissection(&graph, order, &err), TW_OK);
	ck_assert_int_eq(tw_assembly_tree_init(&t, &graph, order, (struct tw_amalgamation){4, 0.1}, &err), TW_OK);
	int32_t *heights = tw_front_heights(&t, a);

	struct dense d = dense_of(a);
	struct rows *rows = calloc((size_t)t.n_fronts + 1, sizeof *rows);
	for (int r = 0; r < d.rows; r++) {
		int k = 0, f = 0;
		while (k < d.columns && !d.at[r][t.order[k]])
			k++;
		if (k == d.columns)
			continue;
		while (t.first[f + 1] <= k)
			f++;
		rows[f].leftmost[rows[f].n++] = k;
	}
	for (int f = 0; f < t.n_fronts; f++) {
		check_front(&t, heights, f, &rows[f]);
		if (full_rank) /* then the factor has a row for each pivot */
			ck_assert_int_ge(rows[f].n, tw_front_pivots(&t, f));
	}
	free(rows);
	free(heights);
	tw_assembly_tree_finish(&t);
	tw_pattern_finish(&graph);
}

static void check_random(int i)
{
	struct tw_pattern a = random_pattern(1 + i * 5 % 83, 1 + i * 3 % 61, 1 + i * 4, (uint32_t)i);
	check(&a, false);
	tw_pattern_finish(&a);
}

START_TEST(random_matrices)
{
	for (int i = 0; i < 200; i++)
		check_random(i);
}
END_TEST

static void check_grid(int i)
{
	struct tw_pattern a;
	struct tw_error err;
	ck_assert_int_eq(tw_pattern_grid(&a, 1 + i % 11, 1 + i % 5, 1 + i % 2, i % 3 == 0, &err), TW_OK);
	check(&a, true);
	tw_pattern_finish(&a);
}

START_TEST(grids)
{
	for (int i = 0; i < 60; i++)
		check_grid(i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("staircase");
	TCase *cases = tcase_create("staircase");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, random_matrices);
	tcase_add_test(cases, grids);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
