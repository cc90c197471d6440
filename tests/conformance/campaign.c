/* The checks of test_conformance.c, on random cases. A case is a workload with random parameters on random workers of
 * a shipped platform, or a random graph on a random node. Memories have the least size, or more. The runtime model,
 * and the parameters of the policy, are random. `campaign [COUNT [FIRST]]` runs COUNT cases (default 10,000),
 * numbered from FIRST (default 1). A case depends only on its number. A case that fails prints its number, and how to
 * run it by hand. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "conform.h"
#include "draws.h"
#include "random_world.h"

enum { MAX_SPEC = 256 };

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }
static int from(struct tw__random *r, int low, int high) { return low + (int)below(r, (uint32_t)(high - low + 1)); }

/* --- random cases ----------------------------------------------------------------------------------------------- */

/* Workload specifications with [LOW,HIGH] for a random number and [a|b|c] for one of several words. */
static const char *const workloads[] = {
	"cholesky:nt=[1,6]",
	"cholesky:nt=[1,6]",
	"lu:nt=[1,5]",
	"qr:nt=[1,4]:mt=[4,6]:tree=[flat|binary]:copy_diagonal=[yes|no]",
	"stencil:nz=24:nx=32:ny=32:blocks=[1|2|4|6|8]:iterations=[1,5]:halo=[1,3]",
	"matmul2d:nt=[1,6]:output=[yes|no]:order=[natural|random]",
	"matmul3d:nt=[1,4]",
	"forkjoin:width=[1,10]:stages=[1,5]",
	"reduction:n=[1,20]",
	"layered:n=[1,90]:seed=[1,1000000]:fat=0.[1,9]:density=0.[1,9]:jump=[1,4]",
	"layered:n=[1,90]:seed=[1,1000000]:fat=0.[1,9]:density=0.[1,9]:jump=[1,4]",
};
static const char *const priorities[] = {"", "", ":priority=bottom_level", ":priority=submission", ":priority=none"};

static const struct {
	const char *name;
	int cores, gpus; /* at most this many are used; a GPU also takes a core */
} platforms[] = {{"mirage", 12, 3}, {"synthetic", 12, 3}, {"synthetic", 12, 3}, {"sirocco", 12, 4}, {"idgraf", 12, 8}};

#define PICK(r, array) (array)[below(r, sizeof(array) / sizeof((array)[0]))]

/* Replaces "[1,6]" or "[a|b]" at `text` by one of its values. Returns the text behind it. */
static const char *choose(struct tw__random *r, const char *text, char *out)
{
	char inside[64] = "";
	size_t length = strcspn(text, "]");
	memcpy(inside, text + 1, length - 1);
	int low, high;
	if (sscanf(inside, "%d,%d", &low, &high) == 2) {
		sprintf(out, "%d", from(r, low, high));
		return text + length + 1;
	}
	int words = 1;
	for (const char *c = inside; *c; c++)
		words += *c == '|';
	char *word = strtok(inside, "|");
	for (int skip = from(r, 0, words - 1); skip; skip--)
		word = strtok(NULL, "|");
	strcpy(out, word);
	return text + length + 1;
}

static void write_workload(struct tw__random *r, char *spec)
{
	const char *text = PICK(r, workloads);
	while (*text) {
		if (*text == '[') {
			text = choose(r, text, spec);
			spec += strlen(spec);
		} else {
			*spec++ = *text++;
		}
	}
	strcpy(spec, PICK(r, priorities));
}

/* Every third parameter gets a random value. */
static void write_policy(struct tw__random *r, const struct tw_policy *policy, char *spec)
{
	spec += sprintf(spec, "%s", policy->name);
	for (const struct tw_param *p = policy->params; p && p->name; p++) {
		char value[VALUE_BYTES];
		if (p->type == TW_PARAM_TEXT || below(r, 3))
			continue;
		write_value(r, p, RANDOM, value);
		spec += sprintf(spec, ":%s=%s", p->name, value);
	}
}

/* --- one case --------------------------------------------------------------------------------------------------- */

static enum verdict on_a_platform(struct tw__random *r, struct setting *s, struct tw_error *err)
{
	char workload[MAX_SPEC];
	struct scene scene;
	size_t p = below(r, sizeof platforms / sizeof platforms[0]);
	int gpus = from(r, 0, platforms[p].gpus), cpus = from(r, 0, platforms[p].cores - gpus);
	enum memory memory = (enum memory)below(r, 3);
	if (cpus + gpus == 0)
		cpus = 1;
	write_workload(r, workload);
	struct tw__request request = {.platform = platforms[p].name,
	                              .workload = workload,
	                              .choice = {.cpus = cpus, .gpus = gpus},
	                              .extrapolate = true};
	if (gpus == 0 && memory != AMPLE && strcmp(request.platform, "synthetic") == 0) { /* the bound keeps the disk */
		request.choice.n_bounds = 1;
		request.choice.bounds[0].node = "RAM";
		request.choice.bounds[0].bytes = 1;
	}
	double times_least = 1 + 2 * tw__random_uniform(r);
	if (!scene_open(&scene, &request, s->runtime, memory, times_least, err))
		return REFUSED;
	enum verdict verdict = conforms(&scene.world, s, scene.command, 0, err);
	scene_close(&scene);
	return verdict;
}

static enum verdict on_a_random_node(struct tw__random *r, struct setting *s, struct tw_error *err)
{
	char what[64];
	struct world w;
	uint64_t seed = below(r, 1000000);
	unsigned shape = below(r, N_SHAPES_RECORDED);
	snprintf(what, sizeof what, "random_world %llu, shape %u: --runtime %s", (unsigned long long)seed, shape,
	         s->runtime);
	random_world(&w, seed, shape, s->runtime);
	enum verdict verdict = conforms(&w, s, what, 0, err);
	world_finish(&w);
	return verdict;
}

struct tally {
	int n[FAILS + 1];
	char why_refused[512]; /* of the first refusal */
};

static uint32_t n_evictions(void)
{
	uint32_t n = 0;
	while (tw__evictions[n])
		n++;
	return n;
}

static enum verdict run_case(uint64_t number, int n_policies, struct tally *tallies)
{
	struct tw__random *r = tw__random_create(number, TW__STREAM_ORDER);
	char policy[1024];
	struct tw_error err = {""};
	int p = (int)below(r, (uint32_t)n_policies);
	write_policy(r, tw__policies[p], policy);
	/* One in twenty may be any, since a refusal must not fail either. */
	const struct tw_eviction *eviction =
		below(r, 20) ? draw_eviction(r, tw__policies[p]) : tw__evictions[below(r, n_evictions())];
	struct setting s = {.policy = policy,
	                    .eviction = eviction->name,
	                    .runtime = random_runtimes[below(r, N_RANDOM_RUNTIMES)],
	                    .seed = number};
	enum verdict verdict = below(r, 5) < 3 ? on_a_platform(r, &s, &err) : on_a_random_node(r, &s, &err);
	if (verdict == FAILS)
		fprintf(stderr, "    case %llu\n", (unsigned long long)number);
	struct tally *tally = &tallies[p];
	if (verdict == REFUSED && tally->n[REFUSED] == 0)
		snprintf(tally->why_refused, sizeof tally->why_refused, "%s", err.message);
	tally->n[verdict]++;
	tw__random_destroy(r);
	return verdict;
}

/* --- all cases -------------------------------------------------------------------------------------------------- */

static uint64_t argument(const char *text)
{
	char *end;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno) {
		fprintf(stderr, "campaign: '%s': expected a number: campaign [COUNT [FIRST]]\n", text);
		exit(2);
	}
	return number;
}

static uint64_t n_cases = 10000, first_case = 1;

START_TEST(random_cases_conform)
{
	int n_policies = 0, failed = 0;
	while (tw__policies[n_policies])
		n_policies++;
	struct tally *tallies = calloc((size_t)n_policies, sizeof *tallies);
	ck_assert_ptr_nonnull(tallies);
	time_t start = time(NULL);
	for (uint64_t i = 0; i < n_cases; i++) {
		failed += run_case(first_case + i, n_policies, tallies) == FAILS;
		if ((i + 1) % 1000 == 0)
			fprintf(stderr, "cases %llu to %llu: %d failed, %.0f s\n", (unsigned long long)first_case,
			        (unsigned long long)(first_case + i), failed, difftime(time(NULL), start));
	}
	printf("%-16s  %8s  %7s  %6s\n", "policy", "conforms", "refused", "failed");
	for (int p = 0; p < n_policies; p++)
		printf("%-16s  %8d  %7d  %6d  %s\n", tw__policies[p]->name, tallies[p].n[CONFORMS],
		       tallies[p].n[REFUSED], tallies[p].n[FAILS], tallies[p].why_refused);
	printf("cases %llu to %llu: %d failed\n", (unsigned long long)first_case,
	       (unsigned long long)(first_case + n_cases - 1), failed);
	free(tallies);
	ck_assert_int_eq(failed, 0);
}
END_TEST

int main(int argc, char **argv)
{
	if (argc > 1)
		n_cases = argument(argv[1]);
	if (argc > 2)
		first_case = argument(argv[2]);
	Suite *suite = suite_create("campaign");
	TCase *cases = tcase_create("campaign");
	tcase_add_test(cases, random_cases_conform);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK); /* each run has its own process anyway */
	srunner_run_all(runner, CK_NORMAL);
	int bad = srunner_ntests_failed(runner);
	srunner_free(runner);
	return bad > 0;
}
