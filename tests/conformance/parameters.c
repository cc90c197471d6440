/* Each parameter of each policy, eviction policy and runtime model: at its least, its greatest and random values. The
 * parameters come from the registry's tables, so new ones are tested at once. Plug-ins without parameters take part,
 * too. Each value meets a small graph of another kind: dense or of independent tasks, with tight memories, or with
 * reductions. In others, kernels run on some workers alone, or tasks have seconds of their own on some archs. No run
 * may crash, each schedule must be valid, and what conform.h asks for must hold.
 *
 * `parameters [RANDOM [FIRST [ONLY]]]` tries RANDOM random values of each parameter (default 20) in cases numbered from
 * FIRST (default 1); with ONLY, of the policy, eviction policy or runtime model of that name. A case depends only on
 * its number and on the registry. A case that fails prints how to run it by hand. With EVERY in the environment
 * (world.h), each parameter has one value: the least, the greatest or a random one, in turns. */
#include <stdlib.h>
#include <string.h>

#include "conform.h"
#include "draws.h"
#include "random_world.h"
#include "runtime/params.h"

enum { MAX_SPEC = 2000 };

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

static int n_random = 20;
static uint64_t first_case = 1;
static const char *only;

/* --- one case --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *platform, *workload;
	int cpus, gpus;
	enum memory memory;
} scenes[] = {
	{"mirage", "cholesky:nt=4", 6, 3, TIGHTEST},     {"mirage", "matmul2d:nt=4", 2, 2, TIGHT},
	{"synthetic", "qr:nt=3", 3, 0, AMPLE},           {"mirage", "lu:nt=3", 0, 1, TIGHTEST},
	{"synthetic", "reduction:n=12", 2, 2, AMPLE},    {"synthetic", "forkjoin:width=6:stages=3", 6, 3, AMPLE},
	{"sirocco", "layered:n=30:seed=2", 4, 2, AMPLE},
};
enum { N_SCENES = sizeof scenes / sizeof scenes[0] };

static enum verdict in_a_scene(struct tw__random *r, struct setting *s, const char *model, struct tw_error *err)
{
	uint32_t i = below(r, N_SCENES);
	struct scene scene;
	struct tw__request request = {.platform = scenes[i].platform,
	                              .workload = scenes[i].workload,
	                              .choice = {.cpus = scenes[i].cpus, .gpus = scenes[i].gpus},
	                              .extrapolate = true};
	if (!scene_open(&scene, &request, model, scenes[i].memory, 1.5, err))
		return FAILS;
	enum verdict verdict = conforms(&scene.world, s, scene.command, 0, err);
	scene_close(&scene);
	return verdict;
}

/* Half of the random nodes have recorded seconds. */
static enum verdict on_a_random_node(struct tw__random *r, struct setting *s, const char *model, struct tw_error *err)
{
	char what[80];
	struct world w;
	uint64_t seed = below(r, 1000000);
	unsigned shape = below(r, N_SHAPES_RECORDED);
	snprintf(what, sizeof what, "random_world %llu, shape %u, for runtime %s:", (unsigned long long)seed, shape,
	         model);
	random_world(&w, seed, shape, model);
	enum verdict verdict = conforms(&w, s, what, 0, err);
	world_finish(&w);
	return verdict;
}

struct tally {
	int n[FAILS + 1];
	char why_refused[512]; /* of the first refusal */
};

/* `model`: the memories are large enough for it. */
static void run_case(struct tw__random *r, struct setting *s, const char *model, struct tally *tally)
{
	struct tw_error err = {""};
	enum verdict verdict = below(r, 3) == 0 ? in_a_scene(r, s, model, &err) : on_a_random_node(r, s, model, &err);
	if (verdict == FAILS)
		fprintf(stderr, "    runtime %s\n", s->runtime);
	if (verdict == REFUSED && tally->n[REFUSED] == 0)
		snprintf(tally->why_refused, sizeof tally->why_refused, "%s", err.message);
	tally->n[verdict]++;
}

/* --- all parameters of one table -------------------------------------------------------------------------------- */

enum kind { POLICY, EVICTION, RUNTIME };

struct subject {
	enum kind kind;
	const char *name;
	const struct tw_param *params;
	const struct tw_policy *policy; /* POLICY */
	const struct tw_eviction *eviction;
};

/* The watchdog ends runs that are valid, if the user sets it low. */
static bool ends_runs(const struct tw_param *p) { return strcmp(p->name, "reload_limit") == 0; }

/* Writes NAME:PARAM=VALUE; with `others`, the other parameters have random values, too. Runtime models have so many
 * that only every sixth has: some values suit no small memory. */
static void write_spec(struct tw__random *r, const struct subject *o, const struct tw_param *varied,
                       enum which_value which, bool others, char spec[MAX_SPEC])
{
	int used = snprintf(spec, MAX_SPEC, "%s", o->name);
	for (const struct tw_param *p = o->params; p && p->name; p++) {
		char value[VALUE_BYTES];
		bool varies =
			p == varied || (others && p->type != TW_PARAM_TEXT && (o->kind != RUNTIME || !below(r, 6)));
		if (!varies || ends_runs(p))
			continue;
		write_value(r, p, p == varied ? which : RANDOM, value);
		used += snprintf(spec + used, (size_t)(MAX_SPEC - used), ":%s=%s", p->name, value);
	}
}

/* Tries the i-th value of a parameter; NULL: the subject has none. */
static void try_value(struct tw__random *r, const struct subject *o, const struct tw_param *varied, int i,
                      struct tally *tally)
{
	char spec[MAX_SPEC];
	enum which_value which = i == 0 ? LEAST : i == 1 ? GREATEST : RANDOM;
	const char *model = random_runtimes[below(r, N_RANDOM_RUNTIMES)];
	struct setting s = {.runtime = model, .seed = 1 + below(r, 1000)};
	write_spec(r, o, varied, which, i % 2, spec);
	if (o->kind == POLICY) {
		s.policy = spec;
		s.eviction = draw_eviction(r)->name;
	} else if (o->kind == EVICTION) {
		s.policy = draw_policy(r)->name;
		s.eviction = spec;
	} else {
		model = o->name;
		s.policy = draw_policy(r)->name;
		s.eviction = tw__evictions[0]->name;
		s.runtime = spec;
	}
	run_case(r, &s, model, tally);
}

/* Each parameter has random numbers of its own, so that a new one does not change the cases of others. */
static uint64_t seed_of(const char *name, const char *param)
{
	uint64_t hash = 14695981039346656037u + first_case;
	for (const char *text = name; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	for (const char *text = param; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

static int try_parameter(const struct subject *o, const struct tw_param *varied, struct tally *tally)
{
	struct tw__random *r = tw__random_create(seed_of(o->name, varied ? varied->name : ""), TW__STREAM_ORDER);
	int failed = tally->n[FAILS];
	static int n_parameters;
	int n = 2 + n_random, chosen = n_parameters++ % n;
	for (int i = 0; i < n; i++)
		if (world_every() == 1 || i == chosen)
			try_value(r, o, varied, i, tally);
	tw__random_destroy(r);
	return tally->n[FAILS] - failed;
}

static int try_all(const struct subject *o)
{
	struct tally tally = {0};
	int failed = 0, n = 0;
	if (only && strcmp(only, o->name) != 0)
		return 0;
	for (const struct tw_param *p = o->params; p && p->name; p++, n++)
		failed += try_parameter(o, p, &tally);
	if (n == 0)
		failed += try_parameter(o, NULL, &tally);
	printf("%-16s  %10d  %8d  %7d  %6d  %s\n", o->name, n, tally.n[CONFORMS], tally.n[REFUSED], tally.n[FAILS],
	       tally.why_refused);
	fflush(stdout);
	return failed;
}

/* --- all tables --------------------------------------------------------------------------------------------------- */

static void print_titles(const char *kind)
{
	printf("%-16s  %10s  %8s  %7s  %6s\n", kind, "parameters", "conforms", "refused", "failed");
}

START_TEST(policies_take_their_parameters)
{
	int failed = 0;
	print_titles("policy");
	for (int i = 0; tw__policies[i]; i++) {
		const struct tw_policy *p = tw__policies[i];
		failed += try_all(&(struct subject){POLICY, p->name, p->params, .policy = p});
	}
	ck_assert_int_eq(failed, 0);
}
END_TEST

START_TEST(evictions_take_their_parameters)
{
	int failed = 0;
	print_titles("eviction");
	for (int i = 0; tw__evictions[i]; i++) {
		const struct tw_eviction *e = tw__evictions[i];
		failed += try_all(&(struct subject){EVICTION, e->name, e->params, .eviction = e});
	}
	ck_assert_int_eq(failed, 0);
}
END_TEST

START_TEST(runtimes_take_their_parameters)
{
	int failed = 0;
	print_titles("runtime");
	for (int i = 0; tw__runtime_models[i]; i++) {
		const struct tw__runtime_model *m = tw__runtime_models[i];
		struct tw_param table[TW__N_RUNTIME_PARAMS + 1];
		struct tw__spec keep;
		struct tw_error err = {""};
		ck_assert_msg(tw__runtime_params_table(m, table, &keep, &err) == TW_OK, "%s", err.message);
		failed += try_all(&(struct subject){RUNTIME, m->name, table});
		tw__spec_finish(&keep);
	}
	ck_assert_int_eq(failed, 0);
}
END_TEST

/* A weight without a limit lets costs overflow. */
START_TEST(numbers_of_policies_have_limits)
{
	for (int i = 0; tw__policies[i]; i++)
		for (const struct tw_param *p = tw__policies[i]->params; p && p->name; p++) {
			bool is_number =
				p->type == TW_PARAM_REAL || p->type == TW_PARAM_TIME || p->type == TW_PARAM_INT;
			ck_assert_msg(!is_number || (p->max > p->min && p->max <= 1e12), "policy %s: %s from %g to %g",
			              tw__policies[i]->name, p->name, p->min, p->max);
		}
}
END_TEST

int main(int argc, char **argv)
{
	if (argc > 1)
		n_random = atoi(argv[1]);
	if (argc > 2)
		first_case = strtoull(argv[2], NULL, 10);
	if (argc > 3)
		only = argv[3];
	Suite *suite = suite_create("parameters");
	TCase *cases = tcase_create("parameters");
	tcase_add_test(cases, policies_take_their_parameters);
	tcase_add_test(cases, evictions_take_their_parameters);
	tcase_add_test(cases, runtimes_take_their_parameters);
	tcase_add_test(cases, numbers_of_policies_have_limits);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK); /* each run has its own process anyway */
	srunner_run_all(runner, CK_NORMAL);
	int bad = srunner_ntests_failed(runner);
	srunner_free(runner);
	return bad > 0;
}
