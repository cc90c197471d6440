/* Sets of numbers: the next member, in order and in a circle, compared with an array of flags. */
#include <check.h>
#include <stdlib.h>

#include <tilewright/containers.h>

enum { CAPACITY = 200 };

static struct tw_id_set fill(bool *inside, unsigned one_of, unsigned seed)
{
	struct tw_id_set set;
	tw_id_set_init(&set, CAPACITY);
	srand(seed);
	for (int32_t id = 0; id < CAPACITY; id++) {
		inside[id] = (unsigned)rand() % one_of == 0;
		tw_id_set_put(&set, id, true);
		tw_id_set_put(&set, id, inside[id]);
		ck_assert(tw_id_set_has(&set, id) == inside[id]);
	}
	return set;
}

static void check_circle(const struct tw_id_set *a, const struct tw_id_set *b, const bool *both, int32_t first)
{
	int32_t id = TW_NONE;
	for (int32_t step = 0; step < CAPACITY; step++)
		if (both[(first + step) % CAPACITY]) {
			id = tw_id_set_next_in_circle(a, b, first, id);
			ck_assert_int_eq(id, (first + step) % CAPACITY);
		}
	ck_assert_int_eq(tw_id_set_next_in_circle(a, b, first, id), TW_NONE);
}

START_TEST(circles_have_all_members_once)
{
	bool in_a[CAPACITY], in_b[CAPACITY];
	const unsigned one_of[] = {1, 3, 40, CAPACITY * 10};
	struct tw_id_set a = fill(in_a, one_of[_i], 1), b = fill(in_b, 2, 2);
	for (int32_t first = 0; first < CAPACITY; first++)
		check_circle(&a, NULL, in_a, first);
	for (int32_t id = 0; id < CAPACITY; id++)
		in_b[id] &= in_a[id];
	for (int32_t first = 0; first < CAPACITY; first++)
		check_circle(&a, &b, in_b, first);
	tw_id_set_finish(&a);
	tw_id_set_finish(&b);
}
END_TEST

START_TEST(an_empty_set_has_no_next)
{
	struct tw_id_set set;
	tw_id_set_init(&set, 64);
	for (int32_t id = 0; id < 64; id++) {
		ck_assert_int_eq(tw_id_set_next(&set, NULL, id), TW_NONE);
		ck_assert_int_eq(tw_id_set_next_in_circle(&set, NULL, id, TW_NONE), TW_NONE);
	}
	tw_id_set_finish(&set);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("id_set");
	TCase *tests = tcase_create("all");
	tcase_add_loop_test(tests, circles_have_all_members_once, 0, 4);
	tcase_add_test(tests, an_empty_set_has_no_next);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
