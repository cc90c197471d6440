/* Does the check of each workload find faults? */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

static const char *const problems[] = {
	"cholesky:nt=4:nb=9",
	"cholesky:nt=5:nb=1",
	"cholesky:nt=3:nb=16:precision=d",
	"lu:nt=4:nb=9",
	"lu:nt=3:nb=40:precision=d",
	"qr:nt=3:mt=4:nb=10:ib=4",
	"qr:nt=3:mt=5:nb=9:ib=4:tree=binary:copy_diagonal=yes",
	"qr:nt=2:mt=6:nb=8:ib=8:tree=domains:domains=2:precision=d",
	"matmul2d:nt=3:nb=10:k=7:output=yes",
	"matmul2d:nt=3:nb=40:output=yes",
	"matmul3d:nt=3:nb=10:precision=d",
	"matmul3d:nt=3:kt=4:nb=41",
	"stencil:nx=7:ny=5:nz=12:blocks=4:iterations=3",
	"stencil:nx=7:ny=5:nz=12:blocks=3:iterations=3:halo=2:precision=d",
	"stencil:nx=40:ny=20:nz=12:blocks=3:iterations=3:precision=b",
	"stencil:nx=9:nz=12:blocks=3:iterations=3:dims=2",
	"life:nx=33:ny=17:nz=12:blocks=3:iterations=3",
	"reduction:n=6:shots=101",
	"reduction:n=6:shots=101:mode=rw:bytes=24",
};

/* The fault of one task. */
enum fault { NONE, SKIPPED, TWICE, SWAPPED };

static bool is(const struct problem *p, tw_task t, const char *kernel)
{
	return strcmp(tw_graph_kernel_name(p->graph, tw_graph_task_kernel(p->graph, t)), kernel) == 0;
}

/* Swaps the first two operands, if they have the same size. False: they differ, or swapping changes nothing. */
static bool swap(const struct problem *p, tw_task t, struct tw_operand *operands, int n)
{
	if (is(p, t, "cl_update") || is(p, t, "save_cl_top") || is(p, t, "save_cl_bottom"))
		return false; /* some of its operands do not matter */
	if (n < 2 || operands[0].bytes != operands[1].bytes || operands[0].bytes <= sizeof(double))
		return false; /* products of numbers commute */
	void *first = operands[0].at;
	operands[0].at = operands[1].at;
	operands[1].at = first;
	return true;
}

/* Whether a kernel reads what it writes, so that running it twice gives another result. */
static bool accumulates(const struct problem *p, tw_task t)
{
	if (is(p, t, "cl_update"))
		return strstr(p->words, "halo=2") != NULL; /* one time step does not change its input */
	for (int i = 0; i < tw_graph_n_accesses(p->graph, t); i++) {
		enum tw_mode mode = tw_graph_access(p->graph, t, i).mode;
		if (mode == TW_RW || mode == TW_REDUX)
			return true;
	}
	return false;
}

/* Runs all tasks; false: task `faulty` cannot have this fault. Kernels may notice the fault. */
static bool run_with_fault(struct problem *p, tw_task faulty, enum fault fault, bool *noticed)
{
	struct tw_operand operands[MOST_OPERANDS];
	bool possible = fault != TWICE || accumulates(p, faulty);
	*noticed = false;
	problem_refill(p);
	for (tw_task t = 0; possible && !*noticed && t < tw_graph_n_tasks(p->graph); t++) {
		struct tw_call call = problem_call(p, t, operands);
		if (t == faulty && fault == SWAPPED)
			possible = swap(p, t, operands, call.n_operands);
		if (t != faulty || fault != SKIPPED)
			*noticed |= problem_call_run(p, &call) != 0;
		if (t == faulty && fault == TWICE)
			*noticed |= problem_call_run(p, &call) != 0;
	}
	return possible;
}

static void expect_faults_found(struct problem *p, enum fault fault)
{
	double residual;
	bool noticed;
	for (tw_task t = 0; t < tw_graph_n_tasks(p->graph); t++)
		if (run_with_fault(p, t, fault, &noticed) && !noticed)
			ck_assert_msg(problem_check(p, &residual) == TW_FAILED,
			              "%s: fault %d of task %d (%s) is not found: %g", p->words, (int)fault, t,
			              tw_graph_kernel_name(p->graph, tw_graph_task_kernel(p->graph, t)), residual);
}

START_TEST(the_check_finds_faults_of_each_task)
{
	struct problem p;
	bool noticed;
	double residual;
	problem_init(&p, problems[_i]);
	ck_assert(run_with_fault(&p, 0, NONE, &noticed) && !noticed && problem_check(&p, &residual) == TW_OK);
	for (enum fault fault = SKIPPED; fault <= SWAPPED; fault++)
		expect_faults_found(&p, fault);
	problem_finish(&p);
}
END_TEST

/* --- damaged results ---------------------------------------------------------------------------------------------- */

/* The range of handles, and the element in each, that the test damages. */
struct damage {
	const char *words;
	tw_data first, end;
	int step;  /* distance between damaged handles */
	int at;    /* index of the element */
	char kind; /* s, d, b */
};

static const struct damage damages[] = {
	{"cholesky:nt=4:nb=9", 0, 10, 1, 8, 's'},              /* the lower left corner */
	{"cholesky:nt=4:nb=9:precision=d", 0, 10, 1, 80, 'd'}, /* the last element */
	{"lu:nt=3:nb=20", 0, 9, 1, 0, 's'},
	{"lu:nt=3:nb=20:precision=d", 0, 9, 1, 399, 'd'},
	{"qr:nt=3:mt=4:nb=10:ib=4", 0, 12, 1, 3, 's'},      /* R and reflectors */
	{"qr:nt=3:mt=4:nb=10:ib=4", 12, 12 + 9, 1, 0, 's'}, /* T */
	{"qr:nt=3:mt=4:nb=10:ib=4:tree=binary:precision=d", 0, 12, 1, 0, 'd'},
	{"matmul2d:nt=3:nb=10:k=7:output=yes", 6, 15, 1, 50, 's'},
	{"matmul3d:nt=3:nb=50:precision=d", 18, 27, 1, 2499, 'd'},
	{"stencil:nx=7:ny=5:nz=12:blocks=4:iterations=3", 1, 24, 6, 9 * 7 + 9 + 1, 's'},
	{"stencil:nx=9:nz=12:blocks=3:iterations=3:halo=2:dims=2:precision=d", 0, 18, 6, 13 * 3 + 10, 'd'},
	{"stencil:nx=7:ny=5:nz=12:blocks=2:iterations=2:precision=b", 0, 12, 6, 9 * 7 * 6 + 9 * 5 + 7, 'b'},
	{"life:nx=33:ny=17:nz=12:blocks=3:iterations=3", 1, 6, 2, 100, 'b'},
	{"reduction:n=6:shots=101:bytes=16", 0, 1, 1, 1, 'd'},
};

/* Adds a thousandth and a bit, or flips a bit; or sets NaN. */
static void spoil(void *at, const struct damage *damage, bool nan)
{
	float *single = (float *)at + damage->at;
	double *wide = (double *)at + damage->at;
	if (damage->kind == 's')
		*single = nan ? NAN : *single * 1.001f + 1e-3f;
	else if (damage->kind == 'd')
		*wide = nan ? NAN : *wide * 1.001 + 1e-3;
	else
		((uint8_t *)at)[damage->at] ^= 1;
}

START_TEST(the_check_finds_damaged_results)
{
	const struct damage *damage = &damages[_i];
	struct problem p;
	double residual;
	problem_init(&p, damage->words);
	problem_run(&p);
	for (int nan = 0; nan < 2; nan++)
		for (tw_data d = damage->first; d < damage->end; d += damage->step) {
			uint64_t bytes = tw_graph_data_bytes(p.graph, d);
			void *right = tw__aligned_room(bytes);
			memcpy(right, p.at[d], bytes);
			ck_assert(problem_check(&p, &residual) == TW_OK);
			spoil(p.at[d], damage, nan);
			ck_assert_msg(problem_check(&p, &residual) == TW_FAILED, "%s: handle %d: %g", damage->words, d,
			              residual);
			memcpy(p.at[d], right, bytes);
			free(right);
		}
	problem_finish(&p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("faults");
	TCase *cases = tcase_create("faults");
	tcase_set_timeout(cases, 120);
	tcase_add_loop_test(cases, the_check_finds_faults_of_each_task, 0, sizeof problems / sizeof *problems);
	tcase_add_loop_test(cases, the_check_finds_damaged_results, 0, sizeof damages / sizeof *damages);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
