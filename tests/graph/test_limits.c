/* The largest graphs that generators accept: too little memory for them is an error, not a crash. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "experiment/load.h"

/* The largest values that parameters allow, alone or together. A few smaller ones run out of memory at another
 * place. */
static const char *const greatest[] = {
	"broadcast:nodes=1024:bytes=1TiB:algorithm=chain:segments=10000",
	"chain:n=100000000",
	"cholesky_taskset:nt=2000:nb=1000000",
	"forkjoin:stages=1000000:width=50",
	"forkjoin:stages=5:width=10000000:regular=0",
	"grid:n=100000000",
	"independent:n=100000000:bytes=64GiB",
	"layered:n=100000000",
	"layered:n=5000000:fat=0.6:density=1:jump=1000000",
	"layered:n=5000000:ccr=1000000:flops=1000:kinds=16",
	"life:nx=1000000:ny=1000000:nz=1000000:blocks=1000000:iterations=1000",
	"matmul2d:nt=10000:nb=100000:k=1000000",
	"matmul2d:nt=10000:output=yes",
	"matmul2d:nt=10000:order=random",
	"matmul3d:nt=1100:nb=500000",
	"sparse:nt=10000:density=0.1",
	"star:n=100000000",
	"stencil:blocks=1000000:nz=1000000:iterations=250",
};

/* The limit is 384 MiB. Check runs each test in a process of its own, so no other test has this limit. */
START_TEST(no_memory_is_an_error)
{
	const struct rlimit limit = {3 << 27, 3 << 27};
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	struct tw_graph *g;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__generate(&g, greatest[_i], &err), TW_NOMEM);
	ck_assert_msg(strstr(err.message, "out of memory"), "%s", err.message);
	ck_assert_ptr_null(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("limits");
	TCase *cases = tcase_create("limits");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, no_memory_is_an_error, 0, (int)(sizeof greatest / sizeof greatest[0]));
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
