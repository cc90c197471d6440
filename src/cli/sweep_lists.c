#include "cli/sweep_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/run_options.h"
#include "experiment/load.h"
#include "platform/machine.h"

bool sweep_lists_has(int option) { return strchr("pwkBCGcgmRnbseSr", option) != NULL; }

static int check_platform(const char *name, struct tw_error *err)
{
	char *files[TW__PLATFORM_FILES];
	if (strcmp(name, TW__MACHINE_NAME) == 0)
		return TW_OK;
	int status = tw__platform_files(files, name, err);
	for (int i = 0; i < TW__PLATFORM_FILES; i++)
		free(files[i]);
	return status;
}

/* Checks one value of a list option, as far as the check does not depend on the point. */
static int check_word(int option, const char *text, struct tw_error *err)
{
	switch (option) {
	case 'p':
		return check_platform(text, err);
	case 'w':
		return tw__workload_named(text, err);
	case 's':
		return tw__policy_check(text, err);
	case 'e':
		return tw__eviction_check(text, err);
	case 'G':
		return strcmp(text, "none") == 0 ? TW_OK : run_options_check(option, text, err);
	default:
		return run_options_check(option, text, err);
	}
}

static int take_words(struct words *words, int option, const char *name, const char *text, struct tw_error *err)
{
	int status = specs_init(words, name, text, err);
	for (int i = 0; status == TW_OK && i < words->n; i++)
		status = check_word(option, words->of[i], err);
	return status;
}

int sweep_lists_take(struct sweep_lists *l, int option, const char *text, struct tw_error *err)
{
	switch (option) {
	case 'p':
		return take_words(&l->platforms, option, "--platform", text, err);
	case 'w':
		return take_words(&l->workloads, option, "--workload", text, err);
	case 'k':
		return ints_init(&l->nt, "--nt", text, 1, err);
	case 'B':
		return ints_init(&l->nb, "--nb", text, 1, err);
	case 'C':
		return take_words(&l->communications, option, "--communication", text, err);
	case 'G':
		return take_words(&l->cpu_groups, option, "--cpu-groups", text, err);
	case 'c':
		return ints_init(&l->cpus, "--cpus", text, 0, err);
	case 'g':
		return ints_init(&l->gpus, "--gpus", text, 0, err);
	case 'm':
		return sizes_init(&l->gpu_mem, "--gpu-mem", text, err);
	case 'R':
		return take_words(&l->runtimes, option, "--runtime", text, err);
	case 'n':
		return take_words(&l->noises, option, "--noise", text, err);
	case 'b':
		return reals_init(&l->belief_errors, "--belief-error", text, 0, 1, err);
	case 's':
		return take_words(&l->policies, option, "--policy", text, err);
	case 'e':
		return take_words(&l->evictions, option, "--eviction", text, err);
	case 'S':
		return seeds_init(&l->seeds, "--seed", text, err);
	default: /* the last option, 'r' for --repeat */
		return word_int(&l->repeat, "--repeat", text, 1, SWEEP_MAX_POINTS, err);
	}
}

/* Refuses the option --nt or --nb (`key`) for a workload whose specification already sets that parameter. */
static int check_open(const char *workload, const char *key, struct tw_error *err)
{
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, workload, err);
	if (status < 0)
		return tw_fail(err, status, "workload %s", err->message);
	for (int i = 0; i < spec.n; i++)
		if (spec.items[i].key && strcmp(spec.items[i].key, key) == 0)
			status = tw_fail(err, TW_INVALID, "--%s: workload '%.100s' has its own: expected one of them",
			                 key, workload);
	tw__spec_finish(&spec);
	return status;
}

/* Expands each workload by the values of --nt and --nb. With --nt 10,20 --nb 960, "cholesky" becomes
 * cholesky:nt=10:nb=960 and cholesky:nt=20:nb=960. */
static int expand_workloads(struct sweep_lists *l, struct tw_error *err)
{
	int n_nt = l->nt.n ? l->nt.n : 1, n_nb = l->nb.n ? l->nb.n : 1, status = TW_OK;
	l->expanded.of = calloc((size_t)l->workloads.n * (size_t)n_nt * (size_t)n_nb, sizeof *l->expanded.of);
	if (!l->expanded.of)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (int w = 0; status == TW_OK && w < l->workloads.n; w++) {
		if (l->nt.n)
			status = check_open(l->workloads.of[w], "nt", err);
		if (status == TW_OK && l->nb.n)
			status = check_open(l->workloads.of[w], "nb", err);
		for (int i = 0; status == TW_OK && i < n_nt * n_nb; i++) {
			char nt[24] = "", nb[24] = "", *text;
			if (l->nt.n)
				snprintf(nt, sizeof nt, ":nt=%d", l->nt.of[i / n_nb]);
			if (l->nb.n)
				snprintf(nb, sizeof nb, ":nb=%d", l->nb.of[i % n_nb]);
			if (asprintf(&text, "%s%s%s", l->workloads.of[w], nt, nb) < 0)
				status = tw_fail(err, TW_NOMEM, "out of memory");
			else
				l->expanded.of[l->expanded.n++] = text;
		}
	}
	return status;
}

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

/* Checks that seeds differ by at least --repeat. Repetition r of a seed runs with the seed plus r. So repetitions of
 * nearer seeds would be the same run, and would wrongly count as independent. */
static int check_seeds(const struct sweep_lists *l, struct tw_error *err)
{
	uint64_t *sorted = malloc(((size_t)l->seeds.n + 1) * sizeof *sorted);
	int status = sorted ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory");
	if (sorted && l->seeds.n) {
		memcpy(sorted, l->seeds.of, (size_t)l->seeds.n * sizeof *sorted);
		qsort(sorted, (size_t)l->seeds.n, sizeof *sorted, by_value);
	}
	if (sorted && l->seeds.n)
		status = word_seeds_left(sorted[l->seeds.n - 1], l->repeat, err);
	for (int i = 1; status == TW_OK && i < l->seeds.n; i++) {
		uint64_t gap = sorted[i] - sorted[i - 1];
		if (gap > 0 && gap < (uint64_t)l->repeat)
			status = tw_fail(
				err, TW_INVALID,
				"--seed: %llu and %llu with --repeat %d: repetition %llu of the first is the second: "
				"expected seeds at least %d apart",
				(unsigned long long)sorted[i - 1], (unsigned long long)sorted[i], l->repeat,
				(unsigned long long)gap, l->repeat);
	}
	free(sorted);
	return status;
}

int sweep_lists_check(struct sweep_lists *l, struct tw_error *err)
{
	double points = (double)(l->nt.n ? l->nt.n : 1) * (l->nb.n ? l->nb.n : 1);
	struct tw__sweep sweep = {.n = {0}};
	sweep_lists_fill(&sweep, l);
	sweep.n[TW__WORKLOADS] = l->workloads.n; /* `expanded` is still empty: count the workloads as given */
	for (int list = 0; list < TW__N_LISTS; list++)
		points *= sweep.n[list] ? sweep.n[list] : 1;
	if (points > SWEEP_MAX_POINTS)
		return tw_fail(err, TW_INVALID, "sweep: %.0f points: expected at most %d", points, SWEEP_MAX_POINTS);
	int status = check_seeds(l, err);
	return status < 0 ? status : expand_workloads(l, err);
}

void sweep_lists_fill(struct tw__sweep *sweep, const struct sweep_lists *l)
{
#define LIST(list, field, from) (sweep->n[list] = l->from.n, sweep->field = l->from.of)
	LIST(TW__PLATFORMS, platforms, platforms);
	LIST(TW__WORKLOADS, workloads, expanded);
	LIST(TW__COMMUNICATIONS, communications, communications);
	LIST(TW__CPU_GROUPS, cpu_groups, cpu_groups);
	LIST(TW__CPUS, cpus, cpus);
	LIST(TW__GPUS, gpus, gpus);
	LIST(TW__GPU_MEM, gpu_mem_bytes, gpu_mem);
	LIST(TW__RUNTIMES, runtimes, runtimes);
	LIST(TW__NOISES, noises, noises);
	LIST(TW__BELIEF_ERRORS, belief_errors, belief_errors);
	LIST(TW__POLICIES, policies, policies);
	LIST(TW__EVICTIONS, evictions, evictions);
	LIST(TW__SEEDS, seeds, seeds);
#undef LIST
	sweep->n[TW__REPETITIONS] = l->repeat;
}

void sweep_lists_finish(struct sweep_lists *l)
{
	struct words *words[] = {&l->platforms, &l->workloads, &l->communications, &l->cpu_groups, &l->runtimes,
	                         &l->noises,    &l->policies,  &l->evictions,      &l->expanded};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		words_finish(words[i]);
	ints_finish(&l->nt);
	ints_finish(&l->nb);
	ints_finish(&l->cpus);
	ints_finish(&l->gpus);
	sizes_finish(&l->gpu_mem);
	reals_finish(&l->belief_errors);
	seeds_finish(&l->seeds);
}
