/* Bit sets of one and of several words are compared with arrays of flags. */
#include <check.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/random.h"

enum { N_STEPS = 300, MOST = 1001 };

static const int sizes[] = {1, 63, 64, 65, 128, MOST};

START_TEST(random_sets)
{
	const int n = sizes[_i];
	const size_t words = tw__bit_words(n);
	struct tw__random *r = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
	uint64_t set[(MOST + 63) / 64] = {0};
	bool flags[MOST] = {false};
	ck_assert_int_eq(words, (n + 63) / 64);
	for (int s = 0; s < N_STEPS; s++) {
		int i = (int)tw__random_below(r, (uint32_t)n), found = -1;
		flags[i] = tw__random_below(r, 2);
		tw__bit_put(set, i, flags[i]);
		tw__bit_put(set, i, flags[i]);
		for (int k = 0; k < n; k++) {
			ck_assert_int_eq(tw__bit(set, k), flags[k]);
			if (!flags[k])
				continue;
			ck_assert_int_eq(tw__bit_next(set, words, found + 1), k);
			found = k;
		}
		ck_assert_int_lt(tw__bit_next(set, words, found + 1), 0);
	}
	ck_assert_int_lt(tw__bit_next(set, words, n), 0);
	tw__random_destroy(r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bits");
	TCase *tests = tcase_create("bits");
	tcase_add_loop_test(tests, random_sets, 0, sizeof sizes / sizeof *sizes);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
