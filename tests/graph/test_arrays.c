/* Graphs from arrays: the same graph as by calls, and wrong arrays, which are errors of the graph. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/graph.h>

#include "base/random.h"
#include "request/digest.h"

enum { N_TASKS = 500, N_DATA = 40, N_ARCHS = 2, MOST_ACCESSES = 5, MOST_DEPENDENCIES = 3 };

static const char *const arch_names[N_ARCHS] = {"cpu", "accelerators"};

/* All that N_TASKS tasks can have, as arrays with room for each task's most accesses and dependencies. */
struct columns {
	tw_kernel kernel[N_TASKS];
	int32_t priority[N_TASKS];
	int64_t first_access[N_TASKS + 1], first_dependency[N_TASKS + 1];
	tw_data data[N_TASKS * MOST_ACCESSES];
	uint8_t mode[N_TASKS * MOST_ACCESSES];
	tw_task depends_on[N_TASKS * MOST_DEPENDENCIES];
	double seconds[N_TASKS], seconds_on[N_ARCHS * N_TASKS];
};

static struct tw_task_arrays arrays_of(const struct columns *c)
{
	return (struct tw_task_arrays){
		.size = sizeof(struct tw_task_arrays),
		.n = N_TASKS,
		.kernel = c->kernel,
		.priority = c->priority,
		.first_access = c->first_access,
		.data = c->data,
		.mode = c->mode,
		.first_dependency = c->first_dependency,
		.depends_on = c->depends_on,
		.seconds = c->seconds,
		.n_archs = N_ARCHS,
		.archs = arch_names,
		.seconds_on = c->seconds_on,
	};
}

static void fill(struct columns *c, struct tw__random *r)
{
	int64_t accesses = 1, dependencies = 2; /* the first ones belong to no task */
	for (int t = 0; t < N_TASKS; t++) {
		c->kernel[t] = (tw_kernel)tw__random_below(r, 3);
		c->priority[t] = (int32_t)tw__random_below(r, 100) - 50;
		c->first_access[t] = accesses;
		tw_data d = (tw_data)tw__random_below(r, N_DATA);
		for (uint32_t n = tw__random_below(r, MOST_ACCESSES); n > 0; n--, d = (d + 7) % N_DATA) {
			c->data[accesses] = d;
			c->mode[accesses++] = d < 4 ? TW_REDUX : (uint8_t)(1 + tw__random_below(r, 3));
		}
		c->first_dependency[t] = dependencies;
		for (uint32_t n = tw__random_below(r, MOST_DEPENDENCIES); t > 0 && n > 0; n--)
			c->depends_on[dependencies++] = (tw_task)tw__random_below(r, (uint32_t)t);
		c->seconds[t] = tw__random_below(r, 2) ? 1e-3 * (t + 1) : (double)NAN;
		for (int a = 0; a < N_ARCHS; a++)
			c->seconds_on[a * N_TASKS + t] = tw__random_below(r, 2) ? 1e-4 * (t + 1) : (double)NAN;
	}
	c->first_access[N_TASKS] = accesses;
	c->first_dependency[N_TASKS] = dependencies;
}

/* A graph with handles and kernels, and no task. */
static struct tw_graph *prepared(void)
{
	struct tw_graph *g = tw_graph_create();
	uint64_t bytes[N_DATA];
	for (int d = 0; d < N_DATA; d++)
		bytes[d] = 100 + (uint64_t)d;
	ck_assert_int_eq(tw_graph_data(g, 99), 0);
	ck_assert_int_eq(tw_graph_data_many(g, N_DATA - 1, bytes + 1), 1);
	ck_assert_int_eq(tw_graph_data_many(g, 0, NULL), N_DATA);
	for (int k = 0; k < 3; k++)
		tw_graph_kernel(g, "work", (const char *[]){"1", "2", "3"}[k], "d", 7);
	for (tw_data d = 0; d < 4; d++)
		tw_graph_reduction(g, d, 0);
	return g;
}

static void submit_by_calls(struct tw_graph *g, const struct columns *c)
{
	for (int t = 0; t < N_TASKS; t++) {
		struct tw_access list[MOST_ACCESSES];
		int n = 0;
		for (int64_t i = c->first_access[t]; i < c->first_access[t + 1]; i++)
			list[n++] = (struct tw_access){c->data[i], (enum tw_mode)c->mode[i]};
		ck_assert_int_eq(tw_graph_submit(g, c->kernel[t], c->priority[t], list, n), t);
		for (int64_t i = c->first_dependency[t]; i < c->first_dependency[t + 1]; i++)
			tw_graph_depend(g, c->depends_on[i]);
		if (!isnan(c->seconds[t]))
			tw_graph_set_seconds(g, t, c->seconds[t]);
		for (int a = 0; a < N_ARCHS; a++)
			if (!isnan(c->seconds_on[a * N_TASKS + t]))
				tw_graph_set_seconds_on(g, arch_names[a], c->seconds_on[a * N_TASKS + t]);
	}
}

START_TEST(arrays_make_the_graph_that_calls_make)
{
	struct tw__random *r = tw__random_create((uint64_t)_i + 1, TW__STREAM_WORKLOAD);
	struct tw_error err = {""};
	static struct columns c;
	fill(&c, r);
	tw__random_destroy(r);
	struct tw_task_arrays arrays = arrays_of(&c);
	struct tw_graph *a = prepared(), *b = prepared();
	struct tw__digest first = tw__digest_start(), second = tw__digest_start();
	ck_assert_int_eq(tw_graph_submit_many(a, &arrays), 0);
	submit_by_calls(b, &c);
	ck_assert_msg(tw_graph_finish(a, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(tw_graph_finish(b, &err), TW_OK);
	tw__digest_graph(&first, a);
	tw__digest_graph(&second, b);
	ck_assert(first.high == second.high && first.low == second.low);
	tw_graph_destroy(a);
	tw_graph_destroy(b);
}
END_TEST

START_TEST(arrays_come_after_earlier_tasks)
{
	struct tw_graph *g = prepared();
	struct tw_error err = {""};
	struct tw_task_arrays arrays = {.size = sizeof arrays,
	                                .n = 2,
	                                .kernel = (tw_kernel[]){0, 1},
	                                .first_dependency = (int64_t[]){0, 1, 3},
	                                .depends_on = (tw_task[]){0, 0, 1}};
	ck_assert_int_eq(tw_graph_submit(g, 2, 0, NULL, 0), 0);
	ck_assert_int_eq(tw_graph_submit_many(g, &arrays), 1);
	arrays.n = 0;
	ck_assert_int_eq(tw_graph_submit_many(g, &arrays), 3);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_OK);
	ck_assert_int_eq(tw_graph_n_predecessors(g, 1), 1);
	ck_assert_int_eq(tw_graph_n_predecessors(g, 2), 2);
	tw_graph_destroy(g);
}
END_TEST

/* --- wrong arrays ------------------------------------------------------------------------------------------------- */

/* Two tasks of kernel 0 with one access each, the second of which depends on the first. A row changes them. */
static const struct tw_task_arrays right = {
	.size = sizeof right,
	.n = 2,
	.kernel = (const tw_kernel[]){0, 0},
	.first_access = (const int64_t[]){0, 1, 2},
	.data = (const tw_data[]){4, 5},
	.mode = (const uint8_t[]){TW_RW, TW_R},
	.first_dependency = (const int64_t[]){0, 0, 1},
	.depends_on = (const tw_task[]){0},
};

#define WITH(member, ...) offsetof(struct tw_task_arrays, member), {.member = __VA_ARGS__}, sizeof right.member
#define LIST(type, ...) \
	(const type[]) { __VA_ARGS__ }

static const int64_t wide[] = {0, N_DATA + 1, N_DATA + 2};

static const struct {
	size_t offset;
	struct tw_task_arrays with; /* the member at `offset` replaces that of `right` */
	size_t bytes;
	const char *expected;
} wrong[] = {
	{WITH(size, 0), "expected a structure with its size"},
	{WITH(size, 8), "expected a structure with its size"},
	{WITH(size, sizeof right + 8), "expected a structure with its size"},
	{WITH(n, -1), "expected 0 or more tasks and archs"},
	{WITH(n, INT32_MIN), "expected 0 or more tasks and archs"},
	{WITH(n_archs, -1), "expected 0 or more tasks and archs"},
	{WITH(n_archs, 1), "expected arrays `archs` and `seconds_on`"},
	{WITH(kernel, NULL), "expected an array `kernel`"},
	{WITH(kernel, LIST(tw_kernel, 0, 3)), "task 1, kernel 3: expected a known kernel"},
	{WITH(kernel, LIST(tw_kernel, -1, 0)), "task 0, kernel -1: expected a known kernel"},
	{WITH(first_access, NULL), "expected an array `first_access` with `data` and `mode`"},
	{WITH(first_access, LIST(int64_t, 0, 2, 1)), "task 1: accesses from index 2 up to 1, expected ascending"},
	{WITH(first_access, LIST(int64_t, -1, 0, 1)), "task 0: accesses from index -1 up to 0"},
	{WITH(first_access, LIST(int64_t, INT64_MIN, INT64_MAX, 0)),
         "task 0: accesses from index -9223372036854775808"},
	{WITH(first_access, LIST(int64_t, 0, INT64_MAX, 0)), "task 0: expected an array of 0 to 40 accesses"},
	{WITH(first_access, wide), "task 0: expected an array of 0 to 40 accesses"},
	{WITH(data, NULL), "task 0 has accesses in an array that is NULL"},
	{WITH(mode, NULL), "task 0 has accesses in an array that is NULL"},
	{WITH(data, LIST(tw_data, 4, N_DATA)), "task 1, data 40: expected a known handle"},
	{WITH(data, LIST(tw_data, 4, -1)), "task 1, data -1: expected a known handle"},
	{WITH(mode, LIST(uint8_t, TW_RW, 0)), "task 1, data 5: expected a mode"},
	{WITH(mode, LIST(uint8_t, 255, TW_R)), "task 0, data 4: expected a mode"},
	{WITH(mode, LIST(uint8_t, TW_REDUX, TW_R)), "task 0, data 4: expected a kernel that combines accumulators"},
	{WITH(first_dependency, NULL), "expected an array `first_dependency` with `depends_on`"},
	{WITH(first_dependency, LIST(int64_t, 0, 0, -1)), "task 1: dependencies from index 0 up to -1"},
	{WITH(first_dependency, LIST(int64_t, 0, 1, 1)), "task 0 depends on task 0, expected one submitted before"},
	{WITH(depends_on, NULL), "task 1 has dependencies in an array that is NULL"},
	{WITH(depends_on, LIST(tw_task, 1)), "task 1 depends on task 1, expected one submitted before"},
	{WITH(depends_on, LIST(tw_task, 2)), "task 1 depends on task 2, expected one submitted before"},
	{WITH(depends_on, LIST(tw_task, -1)), "task 1 depends on task -1, expected one submitted before"},
	{WITH(seconds, LIST(double, 1, 0)), "task 1 takes 0 s, expected a time above 0"},
	{WITH(seconds, LIST(double, 1, -1)), "task 1 takes -1 s, expected a time above 0"},
	{WITH(seconds, LIST(double, HUGE_VAL, 1)), "task 0 takes inf s, expected a time above 0"},
	{WITH(seconds, LIST(double, -HUGE_VAL, 1)), "task 0 takes -inf s, expected a time above 0"},
	{WITH(seconds, LIST(double, 1e10, 1)), "task 0 takes 1e+10 s, expected a time above 0, at most 1e+09"},
};

START_TEST(wrong_arrays_are_errors)
{
	struct tw_graph *g = prepared();
	struct tw_error err = {""};
	struct tw_task_arrays arrays = right;
	memcpy((char *)&arrays + wrong[_i].offset, (const char *)&wrong[_i].with + wrong[_i].offset, wrong[_i].bytes);
	ck_assert_int_eq(tw_graph_submit_many(g, &arrays), TW_NONE);
	ck_assert_int_eq(tw_graph_submit_many(g, &right), TW_NONE);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, wrong[_i].expected), "%s", err.message);
	tw_graph_destroy(g);
}
END_TEST

static const struct {
	const char *archs[2];
	double seconds_on[4];
	const char *expected;
} wrong_archs[] = {
	{{"cpu", "cpu"}, {1, 1, 1, 1}, "task 0 has seconds on 'cpu' twice"},
	{{"cpu", NULL}, {1, 1, NAN, 1}, "seconds on '(NULL)': expected the name of an arch"},
	{{"a+b", "gpu"}, {1, 1, 1, 1}, "seconds on 'a+b': expected the name of an arch"},
	{{"", "gpu"}, {1, 1, 1, 1}, "seconds on '': expected the name of an arch"},
	{{"cpu", "gpu"}, {1, 1, 1, -1}, "task 1 takes -1 s, expected a time above 0"},
};

START_TEST(wrong_seconds_on_archs_are_errors)
{
	struct tw_graph *g = prepared();
	struct tw_error err = {""};
	struct tw_task_arrays arrays = right;
	arrays.n_archs = 2;
	arrays.archs = wrong_archs[_i].archs;
	arrays.seconds_on = wrong_archs[_i].seconds_on;
	ck_assert_int_eq(tw_graph_submit_many(g, &arrays), TW_NONE);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, wrong_archs[_i].expected), "%s", err.message);
	tw_graph_destroy(g);
}
END_TEST

static const struct {
	tw_data n;
	const uint64_t *bytes;
	const char *expected;
} wrong_data[] = {
	{-1, (const uint64_t[]){1}, "-1 handles from an array: expected 0 or more"},
	{2, NULL, "2 handles from NULL: expected 0 or more, and an array"},
	{2, (const uint64_t[]){1, 0}, "data 41: 0 bytes, expected at least 1 byte"},
};

START_TEST(wrong_handles_are_errors)
{
	struct tw_graph *g = prepared();
	struct tw_error err = {""};
	ck_assert_int_eq(tw_graph_data_many(g, wrong_data[_i].n, wrong_data[_i].bytes), TW_NONE);
	ck_assert_int_eq(tw_graph_submit_many(g, &right), TW_NONE);
	ck_assert_int_eq(tw_graph_submit_many(g, NULL), TW_NONE);
	ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, wrong_data[_i].expected), "%s", err.message);
	tw_graph_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arrays");
	TCase *cases = tcase_create("arrays");
	tcase_add_loop_test(cases, arrays_make_the_graph_that_calls_make, 0, 20);
	tcase_add_test(cases, arrays_come_after_earlier_tasks);
	tcase_add_loop_test(cases, wrong_arrays_are_errors, 0, (int)(sizeof wrong / sizeof wrong[0]));
	tcase_add_loop_test(cases, wrong_seconds_on_archs_are_errors, 0,
	                    (int)(sizeof wrong_archs / sizeof wrong_archs[0]));
	tcase_add_loop_test(cases, wrong_handles_are_errors, 0, (int)(sizeof wrong_data / sizeof wrong_data[0]));
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
