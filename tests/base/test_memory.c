#include "base/door.h"
#include "base/memory.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

START_TEST(no_elements_are_memory_too)
{
	char *none = tw_alloc(0, 8);
	ck_assert_ptr_nonnull(none);
	none = tw_resize(none, 0, 8);
	ck_assert_ptr_nonnull(none);
	free(none);
}
END_TEST

START_TEST(reserved_arrays_grow_by_half)
{
	int *array = NULL;
	size_t capacity = 0;
	TW_RESERVE(array, capacity, 1);
	ck_assert_uint_eq(capacity, 64);
	array[63] = 7;
	TW_RESERVE(array, capacity, 64);
	ck_assert_uint_eq(capacity, 64);
	TW_RESERVE(array, capacity, 65);
	ck_assert_uint_eq(capacity, 160);
	TW_RESERVE(array, capacity, 1000);
	ck_assert_uint_eq(capacity, 1000);
	ck_assert_int_eq(array[63], 7);
	free(array);
}
END_TEST

START_TEST(texts_are_copied)
{
	char *copy = tw_copy_text("lws"), *text = tw_format("%s:%d", copy, 3);
	ck_assert_str_eq(text, "lws:3");
	free(copy);
	free(text);
}
END_TEST

START_TEST(an_arena_frees_all)
{
	struct tw__arena arena = {0};
	int *first = tw__arena_alloc(&arena, 3, sizeof *first), *last = NULL;
	for (int i = 0; i < 100; i++)
		memset(tw__arena_alloc(&arena, 100, 1), 1, 100);
	ck_assert_int_eq(first[0] + first[1] + first[2], 0);
	first[2] = 7;
	first = tw__arena_resize(&arena, first, 10000, sizeof *first);
	last = tw__arena_resize(&arena, tw__arena_resize(&arena, last, 1, sizeof *last), 10000, sizeof *last);
	ck_assert_int_eq(first[2], 7);
	last[9999] = first[9999] = 8;
	tw__arena_finish(&arena);
	ck_assert_ptr_null(arena.last);
	tw__arena_finish(&arena);
}
END_TEST

/* The way in which work asks for more memory than there is. */
static void ask(int way)
{
	size_t capacity = 0;
	int *array = NULL;
	if (way == 0)
		tw_alloc(SIZE_MAX / 16, 8);
	else if (way == 1)
		tw_resize(NULL, SIZE_MAX / 16, 8);
	else if (way == 2)
		tw_resize(NULL, SIZE_MAX / 2, 8); /* the product overflows */
	else
		TW_RESERVE(array, capacity, SIZE_MAX / 8);
}

static void leaves(int way)
{
	struct tw__door door;
	struct tw_error err = {0};
	if (TW__MEMORY_RUNS_OUT(&door)) {
		ck_assert_int_eq(tw__out_of_memory(&err), TW_NOMEM);
		ck_assert_ptr_nonnull(strstr(err.message, "out of memory"));
		return;
	}
	ask(way);
	ck_abort_msg("way %d has returned", way);
}

START_TEST(work_leaves_by_its_door)
{
	for (int way = 0; way < 4; way++)
		leaves(way);
}
END_TEST

START_TEST(the_innermost_open_door_is_taken)
{
	struct tw__door outer, inner, closed;
	volatile int taken = 0;
	if (TW__MEMORY_RUNS_OUT(&outer)) {
		ck_assert_int_eq(taken, 1);
		return;
	}
	if (TW__MEMORY_RUNS_OUT(&inner)) {
		taken = taken + 1;
		if (!TW__MEMORY_RUNS_OUT(&closed))
			tw__door_close(&closed);
		ask(0);
	}
	ask(0);
	ck_abort_msg("both doors were passed");
}
END_TEST

START_TEST(without_a_door_the_process_aborts) { ask(0); }
END_TEST

int main(void)
{
	TCase *tc = tcase_create("memory");
	tcase_add_test(tc, no_elements_are_memory_too);
	tcase_add_test(tc, reserved_arrays_grow_by_half);
	tcase_add_test(tc, texts_are_copied);
	tcase_add_test(tc, an_arena_frees_all);
	tcase_add_test(tc, work_leaves_by_its_door);
	tcase_add_test(tc, the_innermost_open_door_is_taken);
	tcase_add_test_raise_signal(tc, without_a_door_the_process_aborts, SIGABRT);
	Suite *suite = suite_create("memory");
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
