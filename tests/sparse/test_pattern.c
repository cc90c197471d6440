/* Patterns: grids are compared with closed forms, other operations with dense ones on random matrices. */
#include "dense.h"

static int64_t entries(const struct tw_pattern *p) { return p->start[p->n_columns]; }

START_TEST(grids_have_their_neighbours)
{
	for (int nx = 1; nx <= 6; nx++)
		for (int ny = 1; ny <= 5; ny++)
			for (int nz = 1; nz <= 4; nz++)
				for (int box = 0; box < 2; box++) {
					struct tw_pattern p;
					struct tw_error err;
					ck_assert_int_eq(tw_pattern_grid(&p, nx, ny, nz, box, &err), TW_OK);
					int edges = (nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * (nz - 1);
					ck_assert_int_eq(p.n_rows, nx * ny * nz);
					ck_assert_int_eq(p.n_columns, nx * ny * nz);
					ck_assert_int_eq(entries(&p), box ? (3 * nx - 2) * (3 * ny - 2) * (3 * nz - 2)
					                                  : nx * ny * nz + 2 * edges);
					struct dense d = dense_of(&p);
					for (int i = 0; i < d.rows; i++)
						for (int j = 0; j < d.rows; j++) {
							int dx = abs(i % nx - j % nx),
							    dy = abs(i / nx % ny - j / nx % ny),
							    dz = abs(i / nx / ny - j / nx / ny);
							ck_assert_int_eq(d.at[i][j], box ? dx <= 1 && dy <= 1 && dz <= 1
							                                 : dx + dy + dz <= 1);
						}
					tw_pattern_finish(&p);
				}
}
END_TEST

START_TEST(impossible_grids_are_refused)
{
	static const int sides[][3] = {
		{0, 1, 1}, {1, -1, -1}, {1, 1, 0}, {10000000, 2, 1}, {2000000000, 2000000000, 4}};
	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
		struct tw_pattern p;
		struct tw_error err;
		ck_assert_int_eq(tw_pattern_grid(&p, sides[i][0], sides[i][1], sides[i][2], false, &err), TW_INVALID);
		ck_assert_ptr_nonnull(strstr(err.message, "expected 1 to 10000000 points"));
	}
}
END_TEST

/* Transposing twice gives the original. */
static void check_transpose(int i)
{
	struct tw_pattern a = random_pattern(1 + i % 17, 1 + i % 13, i * 3, (uint32_t)i), t, back;
	tw_pattern_transpose(&t, &a);
	tw_pattern_transpose(&back, &t);
	struct dense da = dense_of(&a), dt = dense_of(&t), db = dense_of(&back);
	ck_assert_int_eq(dt.rows, da.columns);
	ck_assert_int_eq(dt.columns, da.rows);
	for (int r = 0; r < da.rows; r++)
		for (int c = 0; c < da.columns; c++)
			ck_assert_int_eq(dt.at[c][r], da.at[r][c]);
	ck_assert_int_eq(memcmp(&da, &db, sizeof da), 0);
	tw_pattern_finish(&a);
	tw_pattern_finish(&t);
	tw_pattern_finish(&back);
}

START_TEST(transposes)
{
	for (int i = 0; i < 60; i++)
		check_transpose(i);
}
END_TEST

static void check_graphs(int i)
{
	int n = 1 + i % 23;
	struct tw_pattern a = random_pattern(n, n, i * 2, (uint32_t)i), b = random_pattern(1 + i % 31, n, i * 2, 7), p;
	struct tw_error err;
	struct dense d = dense_of(&a);
	ck_assert_int_eq(tw_pattern_symmetrise(&p, &a, &err), TW_OK);
	struct dense s = dense_of(&p);
	for (int r = 0; r < n; r++)
		for (int c = 0; c < n; c++)
			ck_assert_int_eq(s.at[r][c], r != c && (d.at[r][c] || d.at[c][r]));
	tw_pattern_finish(&p);

	d = dense_of(&b);
	ck_assert_int_eq(tw_pattern_gram(&p, &b, &err), TW_OK);
	s = dense_of(&p);
	ck_assert_int_eq(s.rows, n);
	for (int c = 0; c < n; c++)
		for (int e = 0; e < n; e++) {
			bool together = false;
			for (int r = 0; r < d.rows; r++)
				together |= d.at[r][c] && d.at[r][e];
			ck_assert_int_eq(s.at[c][e], c != e && together);
		}
	tw_pattern_finish(&p);
	tw_pattern_finish(&a);
	tw_pattern_finish(&b);
}

START_TEST(graphs_of_sums_and_products)
{
	for (int i = 0; i < 100; i++)
		check_graphs(i);
}
END_TEST

START_TEST(what_cannot_be_made_is_refused)
{
	struct tw_pattern a = random_pattern(3, 4, 5, 1), p;
	struct tw_error err;
	ck_assert_int_eq(tw_pattern_symmetrise(&p, &a, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "3 rows and 4 columns, expected a square one"));
	tw_pattern_finish(&a);

	/* one row of 40,000 entries: 1.6e9 products */
	enum { N = 40000 };
	a = (struct tw_pattern){2, N, calloc(N + 1, sizeof *a.start), calloc(N, sizeof *a.row)};
	for (int c = 0; c < N; c++) {
		a.start[c + 1] = c + 1;
		a.row[c] = 1;
	}
	ck_assert_int_eq(tw_pattern_gram(&p, &a, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "row 2 of A has 40000 entries"));
	tw_pattern_finish(&a);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pattern");
	TCase *cases = tcase_create("pattern");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, grids_have_their_neighbours);
	tcase_add_test(cases, impossible_grids_are_refused);
	tcase_add_test(cases, transposes);
	tcase_add_test(cases, graphs_of_sums_and_products);
	tcase_add_test(cases, what_cannot_be_made_is_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
