/* The runtime's parameters: the models' values, and each parameter set on each model. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/params.h"

static int init(struct tw__runtime_params *p, const char *text, char *platforms_own, struct tw_error *err)
{
	char name[] = "node", from[] = "node/platform.xml:7";
	const struct tw__platform platform = {.name = name, .runtime = platforms_own, .runtime_from = from};
	return tw__runtime_params_init(p, text, &platform, err);
}

static struct tw__runtime_params params_on(const char *text, char *platforms_own)
{
	struct tw__runtime_params p;
	struct tw_error err = {""};
	ck_assert_msg(init(&p, text, platforms_own, &err) == TW_OK, "%s: %s", text, err.message);
	return p;
}

static struct tw__runtime_params params(const char *text)
{
	char nothing[] = "";
	return params_on(text, nothing);
}

START_TEST(command_line_before_platform_before_profile)
{
	char own[] = "gpu_pipeline=5:push_cost=7us:sync_kernels=trsm+gemm";
	struct tw__runtime_params p = params_on("ideal:gpu_pipeline=3", own);
	ck_assert_int_eq(p.gpu_pipeline, 3);
	ck_assert_double_eq(p.push_cost, 7e-6);
	ck_assert_str_eq(p.sync_kernels, "trsm+gemm");
	ck_assert_double_eq(p.poll_cost, 0);
	tw__runtime_params_finish(&p);
	p = params_on("starpu", own);
	ck_assert_int_eq(p.gpu_pipeline, 5);
	ck_assert_double_eq(p.poll_cost, 1e-6);
	tw__runtime_params_finish(&p);
}
END_TEST

START_TEST(refuses_a_platforms_own_by_its_name)
{
	char *wrong[] = {(char[]){"gpu_pipe=5"}, (char[]){"gpu_pipeline=0"}, (char[]){"7"}, (char[]){"a=1:a=2"},
	                 (char[]){":"}};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct tw__runtime_params p;
		struct tw_error err = {""};
		ck_assert_msg(init(&p, "starpu", wrong[i], &err) == TW_INVALID, "'%s' is taken", wrong[i]);
		ck_assert_msg(strstr(err.message, "node/platform.xml:7: property 'runtime'") != NULL, "'%s': %s",
		              wrong[i], err.message);
	}
}
END_TEST

/* The equations 3.4 and 3.5 do not use contention. A model's or a platform's value of it is no contradiction. */
START_TEST(an_equation_excludes_contention)
{
	char own[] = "contention=3", nothing[] = "";
	struct tw__runtime_params p = params_on("starpu:bus=eq3.5", own);
	tw__runtime_params_finish(&p);
	p = params("starpu:bus=contention:contention=1");
	tw__runtime_params_finish(&p);
	struct tw_error err = {""};
	ck_assert(init(&p, "ideal:contention=1:bus=eq3.4", nothing, &err) == TW_INVALID);
	ck_assert_str_eq(err.message,
	                 "runtime 'ideal': contention: expected none with bus=eq3.4, which does not use it");
	tw__runtime_params_finish(&p);
}
END_TEST

START_TEST(ideal_costs_nothing)
{
	struct tw__runtime_params p = params("ideal");
	ck_assert_str_eq(p.model->name, "ideal");
	ck_assert_double_eq(p.submit_cost + p.push_cost + p.fetch_cost + p.poll_cost + p.kernel_queue_cost +
	                            p.transfer_queue_cost + p.alloc_cost,
	                    0);
	ck_assert_uint_eq(p.chunk_bytes, 0);
	ck_assert_double_eq(p.memory_fraction, 1);
	ck_assert_int_eq(p.cpu_pipeline, 1);
	ck_assert_int_eq(p.gpu_pipeline, 2);
	ck_assert_int_eq(p.demand_limit, 1);
	ck_assert_str_eq(p.sync_kernels, "");
	ck_assert_str_eq(p.conflicts, "channel");
	ck_assert_str_eq(p.order, "idle_time");
	ck_assert(!p.idle_write_back && !p.prefetch_evicts && !p.reclaim_blocks && !p.cpus_race);
	ck_assert_int_eq(p.window, 0);
	tw__runtime_params_finish(&p);
}
END_TEST

START_TEST(starpu_has_the_costs_of_starpu)
{
	struct tw__runtime_params p = params("starpu");
	ck_assert_str_eq(p.model->name, "starpu_1_4");
	ck_assert_double_eq(p.submit_cost, 1e-6);
	ck_assert_double_eq(p.kernel_queue_cost, 10e-6);
	ck_assert_double_eq(p.transfer_queue_cost, 10e-6);
	ck_assert_double_eq(p.alloc_cost, 175e-6);
	ck_assert_uint_eq(p.chunk_bytes, 32 << 20);
	ck_assert_uint_eq(p.chunk_data_bytes, 4 << 20);
	ck_assert_double_eq(p.memory_fraction, 0.9);
	ck_assert_int_eq(p.gpu_pipeline, 2);
	ck_assert_str_eq(p.sync_kernels, "potrf+getrf");
	ck_assert_str_eq(p.conflicts, "gpu_pair");
	ck_assert(p.idle_write_back && p.prefetch_evicts && p.cpus_race);
	tw__runtime_params_finish(&p);
}
END_TEST

/* A value of the parameter's type, inside its limits, that no model has. */
static const char *value_of(const struct tw_param *p)
{
	switch (p->type) {
	case TW_PARAM_INT:
		return "7";
	case TW_PARAM_REAL:
		return "0.5";
	case TW_PARAM_BYTES:
		return "3MiB";
	case TW_PARAM_TIME:
		return "3ms";
	case TW_PARAM_FLAG:
		return strcmp(p->fallback, "yes") ? "yes" : "no";
	case TW_PARAM_CHOICE:
		return strcmp(p->name, "order") ? p->fallback : "random";
	default:
		return strcmp(p->name, "launch_blocks") ? "gemm+syrk" : "gemm=3ms+syrk@960=20us";
	}
}

#define IS_TIME(value, text) ((value) == 3e-3)
#define IS_BYTES(value, text) ((value) == 3 << 20)
#define IS_REAL(value, text) ((value) == 0.5)
#define IS_INT(value, text) ((value) == 7)
#define IS_FLAG(value, text) ((value) == !strcmp(text, "yes"))
#define IS_TEXT(value, text) (!strcmp(value, text))
#define IS_CHOICE(value, text) (!strcmp(value, text))

static bool has(const struct tw__runtime_params *p, const char *name, const char *text)
{
#define X(field, type, kind, ...)  \
	if (!strcmp(name, #field)) \
		return IS_##kind(p->field, text);
	TW__RUNTIME_PARAMS(X)
#undef X
	return false;
}

START_TEST(every_parameter_can_be_set)
{
	for (int m = 0; tw__runtime_models[m]; m++) {
		const struct tw__runtime_model *model = tw__runtime_models[m];
		struct tw_param table[TW__N_RUNTIME_PARAMS + 1];
		struct tw__spec values;
		struct tw_error err;
		ck_assert_int_eq(tw__runtime_params_table(model, table, &values, &err), TW_OK);
		for (int i = 0; table[i].name; i++) {
			char text[128];
			const char *value = value_of(&table[i]);
			snprintf(text, sizeof text, "%s:%s=%s", model->name, table[i].name, value);
			struct tw__runtime_params p = params(text);
			ck_assert_msg(has(&p, table[i].name, value), "%s", text);
			/* The other parameters are unchanged. */
			struct tw__runtime_params plain = params(model->name);
			for (int j = 0; table[j].name; j++)
				if (j != i)
					ck_assert(has(&p, table[j].name, value_of(&table[j])) ==
					          has(&plain, table[j].name, value_of(&table[j])));
			tw__runtime_params_finish(&plain);
			tw__runtime_params_finish(&p);
		}
		tw__spec_finish(&values);
	}
}
END_TEST

/* The listed table has the values that a run with the model uses. */
START_TEST(tables_have_the_models_values)
{
	for (int m = 0; tw__runtime_models[m]; m++) {
		struct tw__runtime_params plain = params(tw__runtime_models[m]->name);
		struct tw_param table[TW__N_RUNTIME_PARAMS + 1];
		struct tw__spec values;
		struct tw_error err;
		ck_assert_int_eq(tw__runtime_params_table(tw__runtime_models[m], table, &values, &err), TW_OK);
		for (int i = 0; i < TW__N_RUNTIME_PARAMS; i++) {
			char text[128];
			snprintf(text, sizeof text, "ideal:%s=%s", table[i].name, table[i].fallback);
			ck_assert_ptr_nonnull(table[i].help);
			struct tw__runtime_params p = params(text);
#define SAME_CHOICE(a, b) (!strcmp(a, b))
#define SAME_TEXT(a, b) (!strcmp(a, b))
#define SAME_TIME(a, b) ((a) == (b))
#define SAME_BYTES SAME_TIME
#define SAME_REAL SAME_TIME
#define SAME_INT SAME_TIME
#define SAME_FLAG SAME_TIME
#define X(field, type, kind, ...)           \
	if (!strcmp(table[i].name, #field)) \
		ck_assert_msg(SAME_##kind(p.field, plain.field), "%s, %s", tw__runtime_models[m]->name, text);
			TW__RUNTIME_PARAMS(X)
#undef X
			tw__runtime_params_finish(&p);
		}
		ck_assert_ptr_null(table[TW__N_RUNTIME_PARAMS].name);
		tw__spec_finish(&values);
		tw__runtime_params_finish(&plain);
	}
}
END_TEST

START_TEST(models_are_known_by_name_and_alias)
{
	ck_assert_str_eq(tw__runtime_model("starpu_1_4")->name, "starpu_1_4");
	ck_assert_ptr_eq(tw__runtime_model("starpu"), tw__runtime_model("starpu_1_4"));
	ck_assert_str_eq(tw__runtime_model("real")->name, "real");
	ck_assert_ptr_null(tw__runtime_model("other"));
	ck_assert_ptr_null(tw__runtime_model(""));
}
END_TEST

START_TEST(mistakes_are_told)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
		{"other", "'other'"},
		{"", "expected"},
		{"ideal:nothing=1", "nothing"},
		{"ideal:window=-1", "window"},
		{"ideal:window=1.5", "window"},
		{"ideal:gpu_pipeline=0", "gpu_pipeline"},
		{"ideal:gpu_pipeline=65", "gpu_pipeline"},
		{"starpu:submit_cost=2s", "submit_cost"},
		{"starpu:submit_cost=1MiB", "submit_cost"},
		{"starpu:order=fastest", "order"},
		{"starpu:idle_write_back=perhaps", "idle_write_back"},
		{"starpu:chunk_bytes=-1", "chunk_bytes"},
		{"starpu:memory_fraction=0", "memory_fraction"},
		{"starpu:memory_fraction=1.1", "memory_fraction"},
		{"ideal:window=1:window=2", "window"},
		{"ideal:7", "ideal"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw__runtime_params p;
		struct tw_error err = {""};
		char nothing[] = "";
		ck_assert_msg(init(&p, cases[i].text, nothing, &err) == TW_INVALID, "'%s' is taken", cases[i].text);
		ck_assert_msg(strstr(err.message, cases[i].part) != NULL, "'%s': %s", cases[i].text, err.message);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("params");
	TCase *cases = tcase_create("params");
	tcase_add_test(cases, command_line_before_platform_before_profile);
	tcase_add_test(cases, refuses_a_platforms_own_by_its_name);
	tcase_add_test(cases, an_equation_excludes_contention);
	tcase_add_test(cases, ideal_costs_nothing);
	tcase_add_test(cases, starpu_has_the_costs_of_starpu);
	tcase_add_test(cases, every_parameter_can_be_set);
	tcase_add_test(cases, tables_have_the_models_values);
	tcase_add_test(cases, models_are_known_by_name_and_alias);
	tcase_add_test(cases, mistakes_are_told);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
