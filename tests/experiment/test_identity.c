/* Any two options give different identities, also if both have the same value. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "request/fields.h"
#include "request/identity.h"
#include "request/plugins.h"
#include "results/columns.h"
#include "trace/write.h"

struct option {
	const char *name, *value;
};

static const struct option needed[] = {{"platform", "mirage"}, {"workload", "cholesky:nt=2"}, {"policy", "eager"}};
enum { N_NEEDED = sizeof needed / sizeof *needed };

/* Values of one option, as far as the option takes them, are those of the others. */
static const struct option options[] = {
	{"platform", "attila"},
	{"workload", "cholesky:nt=3"},
	{"policy", "prio"},
	{"assign", "7"},
	{"assign", "full"},
	{"eviction", "fifo"},
	{"engine", "simgrid"},
	{"engine", "real"},
	{"runtime", "7"},
	{"emulate", "7"},
	{"check", "7"},
	{"learn", "7"},
	{"cpus", "7"},
	{"gpus", "7"},
	{"cpu-groups", "7"},
	{"max-parallelism", "7"},
	{"gpu-mem", "7"},
	{"mem", "GPU0=7"},
	{"mem", "GPU1=7"},
	{"communication", "off"},
	{"seed", "7"},
	{"repeat", "7"},
	{"noise", "7"},
	{"decision-cost", "7"},
	{"belief-error", "1"},
	{"speedup", "7"},
	{"extrapolate", "yes"},
	{"validate", "yes"},
	{"emulate", "full"},
	{"check", "full"},
	{"learn", "full"},
	{"speedup", "full"},
	{"cpu-groups", "full"},
	{"amdahl", "*=1"},
	{"time-factor", "*=1"},
	{"gpu-workers", "2"},
	{"distribution", "rows"},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

/* Finds the identity of a request with up to two options; NULL: no option. */
static void identify(char identity[TW__DIGEST_TEXT], const struct option *a, const struct option *b)
{
	struct tw__run_argument *arguments = calloc(N_NEEDED + 2, sizeof *arguments);
	struct tw__request request;
	struct tw__identifier identifier = {0};
	struct tw_error err = {""};
	int n = 0;
	for (int i = 0; i < N_NEEDED + 2; i++) {
		const struct option *o = i < N_NEEDED ? &needed[i] : i == N_NEEDED ? a : b;
		if (o)
			arguments[n++] = (struct tw__run_argument){strdup(o->name), strdup(o->value)};
	}
	ck_assert_msg(tw__arguments_request(&request, arguments, n, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__identify(&identifier, &request, identity, &err) == TW_OK, "%s", err.message);
	tw__identifier_finish(&identifier);
	tw__arguments_free(arguments, n);
}

static const char *name(int i) { return i < N_OPTIONS ? options[i].name : "none"; }

START_TEST(two_options_have_two_identities)
{
	char identities[N_OPTIONS + 1][TW__DIGEST_TEXT];
	for (int i = 0; i <= N_OPTIONS; i++)
		identify(identities[i], i < N_OPTIONS ? &options[i] : NULL, NULL);
	for (int i = 0; i <= N_OPTIONS; i++)
		for (int j = 0; j < i; j++)
			ck_assert_msg(strcmp(identities[i], identities[j]) != 0, "--%s and --%s", name(i), name(j));
}
END_TEST

/* Under the real engine, which some options need, every option still counts; and so does each pair. */
START_TEST(pairs_of_options_have_identities_of_their_own)
{
	enum { PAIRS = N_OPTIONS * (N_OPTIONS - 1) / 2 };
	static char identities[PAIRS][TW__DIGEST_TEXT];
	static int first[PAIRS], second[PAIRS];
	int n = 0;
	for (int i = 0; i < N_OPTIONS; i++)
		for (int j = 0; j < i; j++) {
			if (strcmp(options[i].name, options[j].name) == 0)
				continue; /* the later one of them counts alone */
			identify(identities[n], &options[j], &options[i]);
			first[n] = j;
			second[n++] = i;
		}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			ck_assert_msg(strcmp(identities[i], identities[j]) != 0, "--%s with --%s, and --%s with --%s",
			              name(first[i]), name(second[i]), name(first[j]), name(second[j]));
}
END_TEST

/* Every option that a request can have is among those above. */
START_TEST(no_option_is_left_out)
{
	struct tw__request q = {.platform = "p",
	                        .workload = "w",
	                        .policy = "s",
	                        .eviction = "e",
	                        .engine = "n",
	                        .runtime = "r",
	                        .emulate = "u",
	                        .check = "c",
	                        .noise = "o",
	                        .decision_cost = "d",
	                        .assign = "e",
	                        .learn = "l",
	                        .choice = {.cpus = 1,
	                                   .gpus = 1,
	                                   .cpu_groups = "g",
	                                   .gpu_mem_bytes = 1,
	                                   .gpu_workers = "2",
	                                   .max_parallelism = 2,
	                                   .mem = "GPU0=1",
	                                   .no_communication = true},
	                        .seed = 2,
	                        .repeat = 1,
	                        .validate = true,
	                        .belief_error = 1,
	                        .amdahl = "*=1",
	                        .time_factor = "*=1",
	                        .distribution = "rows",
	                        .extrapolate = true};
	int n;
	struct tw__run_argument *arguments = tw__arguments_of(&q, &n);
	ck_assert_ptr_nonnull(arguments);
	for (int a = 0; a < n; a++) {
		bool there = false;
		for (int i = 0; i < N_OPTIONS; i++)
			there |= strcmp(options[i].name, arguments[a].name) == 0;
		ck_assert_msg(there, "--%s", arguments[a].name);
	}
	tw__arguments_free(arguments, n);
}
END_TEST

/* Rows hold each input as it was given, in a column that exists. */
START_TEST(every_input_has_a_column)
{
	for (const struct tw__field *f = tw__fields; f->name; f++) {
		bool has_value = f->type != TW__FIELD_PARAMETER && f->type != TW__FIELD_OF_FILES &&
		                 f->type != TW__FIELD_PART; /* in the column of the policy or workload */
		if (!has_value || f->flags & TW__ASIDE)
			continue;
		ck_assert_msg(f->column && tw__column_named(f->column), "--%s", f->name);
	}
}
END_TEST

/* A run with several policies of a program's own has the eviction policy that one of them brings, or a policy of the
 * registry in another domain. */
START_TEST(own_policies_bring_an_eviction_policy)
{
	const struct tw_policy *eager;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__policy_named(&eager, "eager", &err), TW_OK);
	struct tw_policy first = *eager, second = *eager;
	first.name = "first";
	second.name = "second";
	second.eviction = "fifo";
	const struct tw_policy *both[] = {&first, &second};
	static const char *const policies[] = {"a=cpu:first+b=gpu:second", "a=cpu:first+b=gpu:hfp"};
	static const char *const brought[] = {"fifo", "belady"};
	for (int i = 0; i < 2; i++) {
		char identities[3][TW__DIGEST_TEXT];
		const char *const evictions[] = {NULL, brought[i], "lru"};
		for (int k = 0; k < 3; k++) {
			const struct tw__request q = {.platform = "mirage",
			                              .workload = "cholesky:nt=2",
			                              .policy = policies[i],
			                              .eviction = evictions[k],
			                              .own = {.policy = &first, .policies = both, .n_policies = 2 - i}};
			struct tw__identifier identifier = {0};
			ck_assert_msg(tw__identify(&identifier, &q, identities[k], &err) == TW_OK, "%s", err.message);
			tw__identifier_finish(&identifier);
		}
		ck_assert_str_eq(identities[0], identities[1]);
		ck_assert_str_ne(identities[0], identities[2]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("identities");
	TCase *tests = tcase_create("identities");
	tcase_add_test(tests, two_options_have_two_identities);
	tcase_add_test(tests, pairs_of_options_have_identities_of_their_own);
	tcase_add_test(tests, no_option_is_left_out);
	tcase_add_test(tests, every_input_has_a_column);
	tcase_add_test(tests, own_policies_bring_an_eviction_policy);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
