/* Does the check of each workload accept the results of its kernels? */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "problem.h"

static const char *const problems[] = {
	"cholesky:nt=1:nb=1",
	"cholesky:nt=5:nb=1:precision=d",
	"cholesky:nt=7:nb=13",
	"cholesky:nt=4:nb=50:precision=d",
	"cholesky:nt=12:nb=40",
	"lu:nt=1:nb=1",
	"lu:nt=6:nb=1:precision=d",
	"lu:nt=1:nb=203",
	"lu:nt=5:nb=17",
	"lu:nt=2:nb=97:precision=d",
	"lu:nt=2:nb=160",
	"lu:nt=4:nb=50:precision=d",
	"lu:nt=9:nb=33",
	"qr:nt=1:nb=1",
	"qr:nt=4:nb=1:ib=1:precision=d",
	"qr:nt=3:mt=5:nb=20:ib=7",
	"qr:nt=3:nb=20:ib=20:precision=d",
	"qr:nt=3:nb=10",
	"qr:nt=4:nb=12:ib=5:copy_diagonal=yes",
	"qr:nt=3:mt=7:nb=16:ib=5:tree=binary",
	"qr:nt=4:mt=4:nb=15:ib=4:tree=binary:copy_diagonal=yes:precision=d",
	"qr:nt=2:mt=9:nb=13:ib=3:tree=domains:domains=3",
	"qr:nt=4:mt=10:nb=8:ib=3:tree=domains:domains=4:copy_diagonal=yes:precision=d",
	"matmul2d:nt=1:nb=1:output=yes",
	"matmul2d:nt=3:nb=10:k=7:output=yes",
	"matmul2d:nt=4:nb=30:output=yes:precision=d:order=random",
	"matmul2d:nt=4:nb=60:output=yes",
	"matmul3d:nt=1:nb=1",
	"matmul3d:nt=3:nb=10:precision=d",
	"matmul3d:nt=3:kt=5:nb=21",
	"matmul3d:nt=4:kt=2:nb=65:precision=d",
	"stencil:nx=1:ny=1:nz=1:blocks=1:iterations=3",
	"stencil:nx=7:ny=5:nz=12:blocks=4:iterations=5",
	"stencil:nx=7:ny=5:nz=12:blocks=4:iterations=5:halo=2:precision=d",
	"stencil:nx=8:ny=3:nz=12:blocks=4:iterations=3:halo=3",
	"stencil:nx=2:ny=2:nz=6:blocks=2:iterations=3:halo=3",
	"stencil:nx=9:nz=12:blocks=3:iterations=4:dims=2",
	"stencil:nx=9:nz=12:blocks=1:iterations=4:dims=2:halo=2:precision=d",
	"stencil:nx=11:ny=9:nz=12:blocks=4:iterations=5:precision=b",
	"stencil:nx=11:ny=9:nz=12:blocks=2:iterations=4:halo=3:precision=b",
	"stencil:nx=11:nz=20:blocks=4:iterations=4:halo=2:dims=2:precision=b",
	"life:nx=1:ny=1:nz=1:blocks=1:iterations=1",
	"life:nx=9:ny=7:nz=6:blocks=1:iterations=5",
	"life:nx=9:ny=7:nz=6:blocks=2:iterations=5",
	"life:nx=33:ny=7:nz=12:blocks=3:iterations=4",
	"life:nx=5:ny=12:nz=12:blocks=12:iterations=7",
	"reduction:n=1:shots=1",
	"reduction:n=20:shots=1001",
	"reduction:n=20:shots=1001:mode=rw:bytes=24",
};

/* n = 3840, or close to it. */
static const struct {
	const char *words;
	double bound;
} large_problems[] = {
	{"cholesky:nt=12:nb=320", 1e-6},
	{"cholesky:nt=12:nb=320:precision=d", 1e-14},
	{"cholesky:nt=4:nb=960:precision=d", 1e-14},
	{"lu:nt=12:nb=320", 1e-6},
	{"lu:nt=4:nb=960:precision=d", 1e-14},
	{"qr:nt=6:mt=8:nb=320:ib=64:tree=binary", 1e-6},
	{"qr:nt=2:nb=960:precision=d", 1e-14},
	{"matmul2d:nt=6:nb=320:output=yes", 1e-6},
	{"matmul3d:nt=4:nb=480:precision=d", 1e-14},
};

START_TEST(the_check_finds_the_results_right)
{
	struct problem p;
	double residual = -1;
	problem_init(&p, problems[_i]);
	problem_run(&p);
	int status = problem_check(&p, &residual);
	printf("%s: %.3g\n", problems[_i], residual);
	ck_assert_msg(status == TW_OK, "%s: %g", problems[_i], residual);
	problem_finish(&p);
}
END_TEST

START_TEST(large_problems_have_small_residuals)
{
	struct problem p;
	double residual = -1;
	problem_init(&p, large_problems[_i].words);
	problem_run(&p);
	int status = problem_check(&p, &residual);
	printf("%s: %.3g\n", large_problems[_i].words, residual);
	ck_assert_msg(status == TW_OK && residual <= large_problems[_i].bound, "%s: %g", large_problems[_i].words,
	              residual);
	problem_finish(&p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("results");
	TCase *cases = tcase_create("results");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, the_check_finds_the_results_right, 0, sizeof problems / sizeof *problems);
	tcase_add_loop_test(cases, large_problems_have_small_residuals, 0,
	                    sizeof large_problems / sizeof *large_problems);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
