/* Memory of a run for its policy: zeroed, kept when it grows, in blocks that do not overlap. The run frees it, which a
 * build with the address sanitizer checks. */
#include <stdlib.h>

#include <tilewright/containers.h>

#include "inside.h"
#include "world.h"

enum { N_BLOCKS = 200, N_STEPS = 5 };

static int blocks_keep_their_bytes(struct tw_sched *s, struct tw_error *err)
{
	int32_t *block[N_BLOCKS];
	size_t n[N_BLOCKS], wrong = 0;
	for (int b = 0; b < N_BLOCKS; b++) {
		n[b] = (size_t)b;
		block[b] = tw_run_alloc(s, n[b], sizeof *block[b]);
		for (size_t i = 0; i < n[b]; i++) {
			wrong += block[b][i] != 0;
			block[b][i] = b;
		}
	}
	for (int step = 0; step < N_STEPS; step++)
		for (int b = 0; b < N_BLOCKS; b++) {
			size_t more = step % 2 ? n[b] / 2 : 3 * n[b] + 1;
			block[b] = tw_run_resize(s, block[b], more, sizeof *block[b]);
			for (size_t i = 0; i < more && i < n[b]; i++)
				wrong += block[b][i] != b;
			for (size_t i = n[b]; i < more; i++)
				block[b][i] = b;
			n[b] = more;
		}
	struct tw_id_set set = tw_run_id_set(s, 1000);
	wrong += set.n_words < 1000 / 64 || tw_id_set_next(&set, NULL, 0) != TW_NONE;
	tw_id_set_put(&set, 999, true);
	wrong += tw_id_set_next(&set, NULL, 0) != 999;
	return wrong ? tw_fail(err, TW_FAILED, "%zu elements are wrong", wrong) : TW_OK;
}

START_TEST(memory_of_a_run) { inside_a_run("cholesky:nt=2", blocks_keep_their_bytes, NULL); }
END_TEST

int main(void)
{
	Suite *suite = suite_create("memory of a run");
	TCase *cases = tcase_create("all");
	tcase_add_test(cases, memory_of_a_run);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
