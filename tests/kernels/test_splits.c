/* Do the parts of a task together compute the whole? */
#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

static const char *const problems[] = {
	"cholesky:nt=3:nb=1",
	"cholesky:nt=3:nb=5",
	"cholesky:nt=3:nb=130:precision=d",
	"lu:nt=3:nb=5:precision=d",
	"lu:nt=3:nb=130",
	"qr:nt=3:mt=4:nb=5:ib=2:copy_diagonal=yes",
	"qr:nt=2:mt=4:nb=130:ib=32:tree=domains:domains=2:copy_diagonal=yes:precision=d",
	"matmul2d:nt=2:nb=35:k=3:output=yes",
	"matmul3d:nt=2:nb=1",
	"matmul3d:nt=2:nb=130",
	"stencil:nx=7:ny=5:nz=12:blocks=4:iterations=3",
	"stencil:nx=2:ny=1:nz=4:blocks=4:iterations=3:precision=d",
	"stencil:nx=9:nz=12:blocks=3:iterations=3:dims=2:precision=b",
	"stencil:nx=7:ny=5:nz=12:blocks=3:iterations=3:halo=3",
	"life:nx=9:ny=2:nz=6:blocks=3:iterations=3",
	"reduction:n=3:shots=11:mode=rw:bytes=800",
};

/* One part of a task, in its own thread, with its own workspace. */
struct part {
	pthread_t thread;
	const struct problem *problem;
	struct tw_call call;
	int status;
};

static void *run_part(void *argument)
{
	struct part *part = argument;
	part->status = problem_call_run(part->problem, &part->call);
	return NULL;
}

static void run_parts(const struct problem *p, const struct tw_call *call, int n_parts, bool at_once)
{
	struct part parts[7];
	for (int i = 0; i < n_parts; i++) {
		parts[i] = (struct part){.problem = p, .call = *call};
		parts[i].call.part = i;
		parts[i].call.n_parts = n_parts;
		parts[i].call.workspace = tw__aligned_room(p->family->workspace_bytes);
		if (at_once)
			ck_assert_int_eq(pthread_create(&parts[i].thread, NULL, run_part, &parts[i]), 0);
		else
			run_part(&parts[i]);
	}
	for (int i = 0; i < n_parts; i++) {
		if (at_once)
			pthread_join(parts[i].thread, NULL);
		free(parts[i].call.workspace);
		ck_assert_int_eq(parts[i].status, 0);
	}
}

/* Also runs the last part first: parts do not wait for each other. */
static void run_split(struct problem *p, int n_parts, bool at_once)
{
	struct tw_operand operands[MOST_OPERANDS];
	for (tw_task t = 0; t < tw_graph_n_tasks(p->graph); t++) {
		struct tw_call call = problem_call(p, t, operands);
		bool splits = p->family->codelets[tw_graph_task_kernel(p->graph, t)]->splits;
		run_parts(p, &call, splits ? n_parts : 1, at_once && splits);
	}
}

START_TEST(parts_make_the_whole)
{
	static const int n_parts[] = {2, 3, 7};
	struct problem p;
	double residual, whole;
	problem_init(&p, problems[_i]);
	problem_run(&p);
	ck_assert(problem_check(&p, &whole) == TW_OK);
	for (int i = 0; i < 6; i++) {
		problem_refill(&p);
		run_split(&p, n_parts[i % 3], i >= 3);
		ck_assert_msg(problem_check(&p, &residual) == TW_OK, "%s: %d parts: %g instead of %g", problems[_i],
		              n_parts[i % 3], residual, whole);
		ck_assert_double_le(residual, 4 * whole + 1e-15);
	}
	problem_finish(&p);
}
END_TEST

/* The number of bytes that one part of a task changes. */
static uint64_t changed_by(const struct problem *p, tw_task t, int part, int n_parts, uint8_t *touched, tw_data d)
{
	struct tw_operand operands[MOST_OPERANDS];
	struct tw_call call = problem_call(p, t, operands);
	uint64_t bytes = tw_graph_data_bytes(p->graph, d), n = 0;
	uint8_t *before = tw__aligned_room(bytes);
	memcpy(before, p->at[d], bytes);
	call.part = part;
	call.n_parts = n_parts;
	ck_assert_int_eq(problem_call_run(p, &call), 0);
	for (uint64_t i = 0; i < bytes; i++)
		if (before[i] != ((const uint8_t *)p->at[d])[i]) {
			touched[i]++;
			n++;
		}
	memcpy(p->at[d], before, bytes);
	free(before);
	return n;
}

/* Each part of a gemm or syrk writes its own cells, and all parts about the same number. */
START_TEST(parts_are_apart_and_alike)
{
	struct problem p;
	problem_init(&p, "cholesky:nt=3:nb=128:precision=d");
	for (tw_task t = 0; t < tw_graph_n_tasks(p.graph); t++) {
		const char *kernel = tw_graph_kernel_name(p.graph, tw_graph_task_kernel(p.graph, t));
		int last = tw_graph_n_accesses(p.graph, t) - 1;
		tw_data d = tw_graph_access(p.graph, t, last).data;
		if (strcmp(kernel, "syrk") != 0 && strcmp(kernel, "gemm") != 0)
			continue;
		uint64_t bytes = tw_graph_data_bytes(p.graph, d), least = UINT64_MAX, most = 0;
		uint8_t *touched = calloc(bytes, 1);
		for (int part = 0; part < 4; part++) {
			uint64_t n = changed_by(&p, t, part, 4, touched, d);
			least = n < least ? n : least;
			most = n > most ? n : most;
		}
		for (uint64_t i = 0; i < bytes; i++)
			ck_assert_int_le(touched[i], 1);
		ck_assert_msg((double)most < 1.1 * (double)least, "%s: from %llu to %llu bytes", kernel,
		              (unsigned long long)least, (unsigned long long)most);
		free(touched);
	}
	problem_finish(&p);
}
END_TEST

START_TEST(kernels_split_as_they_say)
{
	static const char *const whole[] = {"potrf", "getrf", "geqrt", "tsqrt", "ttqrt", "shoot", "zero"};
	for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
		struct problem p;
		problem_init(&p, problems[i]);
		for (tw_kernel k = 0; k < tw_graph_n_kernels(p.graph); k++) {
			const struct tw_codelet *codelet = p.family->codelets[k];
			bool expected = true;
			for (size_t w = 0; w < sizeof whole / sizeof *whole; w++)
				expected &= strcmp(codelet->kernel, whole[w]) != 0;
			ck_assert_msg(codelet->splits == expected, "%s", codelet->kernel);
		}
		problem_finish(&p);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("splits");
	TCase *cases = tcase_create("splits");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, parts_make_the_whole, 0, sizeof problems / sizeof *problems);
	tcase_add_test(cases, parts_are_apart_and_alike);
	tcase_add_test(cases, kernels_split_as_they_say);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
