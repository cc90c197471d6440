/* Faults, planted one at a time into a run that is right without: each must make the run fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "lies.h"

enum { OCCURRENCES = 3, MOST_TRIES = 20 };

static const struct fault *fault;
static int nth;       /* of the jobs for which the fault bites: this one gets it */
static int n_met;     /* such jobs so far */
static int n_planted; /* 0 or 1 */

static void tamper(void *context, struct tw__job *j)
{
	(void)context;
	faults_make_late_copy();
	if (!fault->bites(j) ||
	    (fault->kernel && strcmp(fault->kernel, engine->graph->kernels[engine->graph->kernel[j->task]].name)))
		return;
	if (n_met++ == nth) {
		n_planted++;
		fault->plant(j);
	}
}

/* With CUDA, as few as can be: the panels of QR need one. */
static int cpus_of(const struct fault *f)
{
	return f->is_parallel ? 2 : !f->emulate ? 1 : scene_uses_cuda() ? strncmp(f->workload, "qr", 2) == 0 : f->cpus;
}

static struct scene_words words_of(const struct fault *f)
{
	return (struct scene_words){.workload = f->workload,
	                            .emulate = f->emulate,
	                            .cpus = cpus_of(f),
	                            .policy = f->is_parallel ? "parallel_greedy" : NULL,
	                            .cpu_groups = f->emulate || f->is_parallel ? NULL : "2",
	                            .max_parallelism = f->is_parallel ? 2 : 0};
}

static int run_fault(struct scene *s, int index, int occurrence)
{
	fault = &faults[index];
	nth = occurrence;
	n_met = n_planted = 0;
	faults_no_late_copy();
	const struct scene_words words = words_of(fault);
	scene_init(s, &words);
	faults_open(s, fault->kernel);
	s->config.tamper = tamper;
	return scene_run(s);
}

static void check_found(const struct scene *s, int status)
{
	ck_assert_msg(n_planted == 1, "%s: not planted: %d such jobs", fault->name, n_met);
	ck_assert_msg(status == TW_FAILED, "%s: it was not found (occurrence %d)", fault->name, nth);
	ck_assert_msg(!fault->says || strstr(s->err.message, fault->says), "%s: %s", fault->name, s->err.message);
	if (getenv("SHOW_FAULTS"))
		printf("%s, %d: %s\n", fault->name, nth, s->err.message);
}

/* Each fault at its first three occurrences; one that is harmless at times, at the first that is not, from the start
 * again if there is none. */
START_TEST(a_fault_makes_the_run_fail)
{
	struct scene s;
	int index = _i / OCCURRENCES, i = _i % OCCURRENCES;
	if (scene_uses_cuda() && faults[index].cores_alone)
		return;
	int status = run_fault(&s, index, i);
	for (int tries = 1; fault->sometimes && status == TW_OK && tries < MOST_TRIES; tries++) {
		scene_finish(&s);
		i = n_planted ? i + OCCURRENCES : _i % OCCURRENCES;
		status = run_fault(&s, index, i);
	}
	check_found(&s, status);
	scene_finish(&s);
}
END_TEST

START_TEST(without_a_fault_the_run_is_right)
{
	struct scene s;
	if (scene_uses_cuda() && faults[_i].cores_alone)
		return;
	int status = run_fault(&s, _i, 1 << 30);
	ck_assert_int_eq(n_planted, 0);
	ck_assert_msg(status == TW_OK, "%s: %s", faults[_i].workload, s.err.message);
	scene_finish(&s);
}
END_TEST

START_TEST(a_lie_makes_the_run_fail)
{
	struct scene s;
	scene_init(&s, &(struct scene_words){.workload = CHOLESKY,
	                                     .emulate = AMPLE,
	                                     .policy = "roundrobin",
	                                     .runtime = "real:idle_write_back=no"});
	lies[_i](&s);
	ck_assert_msg(scene_run(&s) == TW_FAILED, "lie %d was not found", _i);
	scene_finish(&s);
	if (getenv("SHOW_FAULTS"))
		printf("lie %d: %s\n", _i, s.err.message);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("faults");
	TCase *cases = tcase_create("faults");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, a_fault_makes_the_run_fail, 0, n_faults * OCCURRENCES);
	tcase_add_loop_test(cases, without_a_fault_the_run_is_right, 0, n_faults);
	tcase_add_loop_test(cases, a_lie_makes_the_run_fail, 0, n_lies);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
