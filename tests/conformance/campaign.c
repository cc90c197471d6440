/* The checks of test_conformance.c, on random cases. A case is
 *
 * - a workload with random parameters on random workers of a shipped platform,
 * - a random graph on a random node, with memories that are barely large enough,
 * - or files: a random platform with a random graph, or with a workload. With `clusters`, all cases are of this kind,
 *   and the platform is a cluster of 1 to 16 nodes with a random distribution. Those with odd numbers have gpudirect.
 *
 * Memories have the least size, or more. The runtime model, and the parameters of the policy, are random. Each case is
 * run on both simulated engines (pair.h).
 *
 *     campaign [COUNT [FIRST [fault] [clusters]]]
 *
 * runs COUNT cases (default 10,000), numbered from FIRST (default 1). A case depends only on its number. A case that
 * fails prints its number, and how to run it by hand; its files stay. `fault`: plants a fault in the native engine, and
 * fails if the comparison does not find it in all cases that have transfers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "conform.h"
#include "draws.h"
#include "graph/ranks.h"
#include "pair.h"
#include "random_cluster.h"
#include "random_files.h"
#include "random_world.h"
#include "specs.h"

static const struct {
	const char *name;
	int cores, gpus; /* at most this many are used; a GPU also takes a core */
} platforms[] = {{"mirage", 12, 3}, {"synthetic", 12, 3}, {"synthetic", 12, 3}, {"sirocco", 12, 4}, {"idgraf", 12, 8}};

/* --- one case --------------------------------------------------------------------------------------------------- */

static enum verdict on_a_platform(struct tw__random *r, struct setting *s, struct tw_error *err)
{
	char workload[MAX_SPEC];
	struct scene scene;
	size_t p = draw_below(r, sizeof platforms / sizeof platforms[0]);
	int gpus = draw_from(r, 0, platforms[p].gpus), cpus = draw_from(r, 0, platforms[p].cores - gpus);
	enum memory memory = (enum memory)draw_below(r, 3);
	if (cpus + gpus == 0)
		cpus = 1;
	spec_workload(r, workload);
	struct tw__request request = {.platform = platforms[p].name,
	                              .workload = workload,
	                              .choice = {.cpus = cpus, .gpus = gpus},
	                              .extrapolate = true};
	if (gpus == 0 && memory != AMPLE && strcmp(request.platform, "synthetic") == 0)
		request.choice.mem = "RAM=1"; /* the bound keeps the disk */
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
	uint64_t seed = draw_below(r, 1000000);
	unsigned shape = draw_below(r, N_SHAPES_RECORDED);
	snprintf(what, sizeof what, "random_world %llu, shape %u: --runtime %s", (unsigned long long)seed, shape,
	         s->runtime);
	random_world(&w, seed, shape, s->runtime);
	enum verdict verdict = conforms(&w, s, what, 0, err);
	world_finish(&w);
	return verdict;
}

static void delete_files(const char *folder)
{
	static const char *const files[] = {"platform.xml", "kernels.csv", "graph.json", "nodes.csv", "a", "b", "c"};
	for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
		char path[MAX_SPEC];
		snprintf(path, sizeof path, "%s/%s", folder, files[f]);
		if (strlen(files[f]) == 1 && access(path, F_OK) == 0)
			delete_files(path);
		unlink(path);
	}
	rmdir(folder);
}

/* Policies believe the drawn times, too. */
static void add_noise(struct scene *s, uint64_t seed)
{
	s->world.times.noise = (struct tw__noise){.kind = TW__NOISE_NORMAL,
	                                          .amount = 0.2,
	                                          .seed = seed,
	                                          .numbers = s->world.graph->ranks->origin,
	                                          .n_numbers = s->world.graph->n_tasks};
	strcat(s->command, " --noise 0.2");
}

/* Files that a user may write. They stay if the case fails. */
static enum verdict on_random_files(struct tw__random *r, struct setting *s, bool on_cluster, struct tw_error *err)
{
	char folder[128], platform[256], workload[MAX_SPEC], distribution[RANDOM_WORDS] = "";
	snprintf(folder, sizeof folder, "%s/tilewright-case-%llu", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
	         (unsigned long long)s->seed);
	mkdir(folder, 0700);
	const bool has_graph = draw_below(r, 3), has_disk = draw_below(r, 2);
	/* Of clusters, one case in four may have reductions. */
	const unsigned with = (has_graph ? WITH_GRAPH : 0) | (has_disk && on_cluster ? WITH_DISK : 0) |
	                      (on_cluster && s->seed % 4 == 1 ? WITH_REDUCTIONS : 0);
	const int n_nodes = on_cluster ? random_cluster(folder, r, with) : random_files(folder, r, with);
	ck_assert_msg(n_nodes, "%s: cannot write the files of a case", folder);
	snprintf(platform, sizeof platform, "%s/platform.xml", folder);
	if (has_graph)
		snprintf(workload, sizeof workload, "file:%s/graph.json", folder);
	else
		spec_workload(r, workload);
	if (on_cluster)
		random_distribution(distribution, folder, r, workload, n_nodes);
	struct scene scene;
	struct tw__request request = {.platform = platform,
	                              .workload = workload,
	                              .distribution = *distribution ? distribution : NULL,
	                              .choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS},
	                              .extrapolate = true};
	enum memory memory = (enum memory)draw_below(r, 3);
	if (on_cluster && has_disk && memory != AMPLE)
		request.choice.mem = "RAM=1"; /* the bound keeps the disk */
	double times_least = draw_below(r, 2) ? draw_from(r, 1, 4) : draw_magnitude(r, 1, 10);
	enum verdict verdict = REFUSED;
	if (scene_open(&scene, &request, s->runtime, memory, times_least, err)) {
		if (on_cluster && draw_below(r, 4) == 0)
			add_noise(&scene, s->seed);
		verdict = conforms(&scene.world, s, scene.command, 0, err);
		scene_close(&scene);
	}
	if (verdict != FAILS)
		delete_files(folder);
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

static bool plants_fault, on_clusters;

static enum verdict run_case(uint64_t number, int n_policies, struct tally *tallies)
{
	struct tw__random *r = tw__random_create(number, TW__STREAM_ORDER);
	char policy[MAX_SPEC], runtime[MAX_SPEC];
	struct tw_error err = {""};
	int p = (int)draw_below(r, (uint32_t)n_policies);
	spec_policy(r, tw__policies[p], policy);
	if (on_clusters && draw_below(r, 3) == 0)
		snprintf(policy + strlen(policy), sizeof policy - strlen(policy), "+0=%s",
		         tw__policies[draw_below(r, (uint32_t)n_policies)]->name);
	/* One in twenty may be any, since a refusal must not fail either. */
	const struct tw_eviction *eviction =
		draw_below(r, 20) ? draw_eviction(r) : tw__evictions[draw_below(r, n_evictions())];
	struct setting s = {.policy = policy,
	                    .eviction = eviction->name,
	                    .runtime = random_runtimes[draw_below(r, N_RANDOM_RUNTIMES)],
	                    .seed = number,
	                    .once = plants_fault || number % 8,
	                    .afterwards = plants_fault ? pair_find_fault : NULL};
	uint32_t kind = on_clusters ? 2 : draw_below(r, 4);
	spec_runtime(r, runtime);
	if (on_clusters && number % 2)
		strcat(runtime, ":gpudirect=yes");
	s.runtime = kind == 1 ? s.runtime : runtime;
	enum verdict verdict = kind == 0   ? on_a_platform(r, &s, &err)
	                       : kind == 1 ? on_a_random_node(r, &s, &err)
	                                   : on_random_files(r, &s, on_clusters, &err);
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

/* Rounding may decide at most one case in two thousand, and three of few cases. Clusters have more transfers at one
 * time, so there it may decide one case in two hundred. */
static bool is_rare(int n) { return n <= 3 + (int)(n_cases / (on_clusters ? 200 : 2000)); }

START_TEST(random_cases_conform)
{
	int n_policies = 0, n[FAILS + 1] = {0};
	while (tw__policies[n_policies])
		n_policies++;
	struct tally *tallies = calloc((size_t)n_policies, sizeof *tallies);
	ck_assert_ptr_nonnull(tallies);
	time_t start = time(NULL);
	for (uint64_t i = 0; i < n_cases; i++) {
		n[run_case(first_case + i, n_policies, tallies)]++;
		if ((i + 1) % 1000 == 0)
			fprintf(stderr, "cases %llu to %llu: %d failed, %.0f s\n", (unsigned long long)first_case,
			        (unsigned long long)(first_case + i), n[FAILS], difftime(time(NULL), start));
	}
	printf("%-16s  %8s  %7s  %6s\n", "policy", "conforms", "refused", "failed");
	for (int p = 0; p < n_policies; p++)
		printf("%-16s  %8d  %7d  %6d  %s\n", tw__policies[p]->name, tallies[p].n[CONFORMS],
		       tallies[p].n[REFUSED], tallies[p].n[FAILS], tallies[p].why_refused);
	printf("cases %llu to %llu: %d conform, %d refused, %d failed; engines that rounding tells apart: %d, and %d "
	       "where SimGrid's rounding errors are above 0.01 ns\n",
	       (unsigned long long)first_case, (unsigned long long)(first_case + n_cases - 1), n[CONFORMS], n[REFUSED],
	       n[FAILS], n[UNDECIDED], n[COARSE]);
	free(tallies);
	ck_assert_int_eq(n[FAILS], 0);
	ck_assert_msg(is_rare(n[UNDECIDED] + n[COARSE]), "rounding tells engines apart in too many cases");
	ck_assert_msg(n[REFUSED] <= (int)n_cases / 4, "too many cases are refused");
}
END_TEST

int main(int argc, char **argv)
{
	if (argc > 1)
		n_cases = argument(argv[1]);
	if (argc > 2)
		first_case = argument(argv[2]);
	for (int i = 3; i < argc; i++) {
		plants_fault |= strcmp(argv[i], "fault") == 0;
		on_clusters |= strcmp(argv[i], "clusters") == 0;
	}
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
