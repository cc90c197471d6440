/* Huge pages change nothing that a program reads. */
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

enum { BYTES = 9 << 20 };

START_TEST(content_stays)
{
	static const size_t sizes[] = {0, 1, 4096, 4 << 20, BYTES - 1, BYTES};
	unsigned char *block = malloc(BYTES);
	ck_assert_ptr_nonnull(block);
	for (size_t i = 0; i < BYTES; i++)
		block[i] = (unsigned char)(i * 2654435761u >> 13);
	tw__pages_collapse(block + 1, sizes[_i] > 1 ? sizes[_i] - 1 : 0);
	tw__pages_advise_all();
	size_t same = 0;
	while (same < BYTES && block[same] == (unsigned char)(same * 2654435761u >> 13))
		same++;
	ck_assert_uint_eq(same, BYTES);
	free(block);
}
END_TEST

START_TEST(unwritten_blocks_are_zero)
{
	unsigned char *block = calloc(BYTES, 1);
	ck_assert_ptr_nonnull(block);
	tw__pages_advise_all();
	for (size_t i = 0; i < BYTES; i += 511)
		ck_assert_uint_eq(block[i], 0);
	tw__pages_collapse(NULL, 0);
	free(block);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pages");
	TCase *cases = tcase_create("pages");
	tcase_add_loop_test(cases, content_stays, 0, 6);
	tcase_add_test(cases, unwritten_blocks_are_zero);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
