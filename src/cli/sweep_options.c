#include "cli/sweep_options.h"

#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "cli/plan_file.h"

enum { MAX_POINTS = 10000000, MAX_JOBS = 4096 };

static const struct option long_options[] = {
	{"platform", required_argument, NULL, 'p'},
	{"workload", required_argument, NULL, 'w'},
	{"nt", required_argument, NULL, 'k'},
	{"nb", required_argument, NULL, 'B'},
	{"cpus", required_argument, NULL, 'c'},
	{"gpus", required_argument, NULL, 'g'},
	{"gpu-mem", required_argument, NULL, 'm'},
	{"policy", required_argument, NULL, 's'},
	{"eviction", required_argument, NULL, 'e'},
	{"repeat", required_argument, NULL, 'r'},
	RUN_OPTIONS,
	{"output", required_argument, NULL, 'o'},
	{"jobs", required_argument, NULL, 'j'},
	{"shard", required_argument, NULL, 'K'},
	{"retry", no_argument, NULL, 'y'},
	{"dry-run", no_argument, NULL, 'd'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

/* "2/8" */
static int take_shard(struct sweep_options *o, const char *text, struct tw_error *err)
{
	char first[24] = "";
	const char *slash = strchr(text, '/');
	int64_t k = 0, n = 0;
	struct tw_error ignored;
	if (slash && (size_t)(slash - text) < sizeof first)
		memcpy(first, text, (size_t)(slash - text));
	if (!slash || tw__parse_int(&k, first, &ignored) < 0 || tw__parse_int(&n, slash + 1, &ignored) < 0 || k < 1 ||
	    k > n || n > MAX_POINTS)
		return tw_fail(err, TW_INVALID, "--shard '%.200s': expected K/N with K from 1 to N, as in 2/8", text);
	o->shard = (int)k;
	o->n_shards = (int)n;
	return TW_OK;
}

static int take(void *context, int option, const char *text, struct tw_error *err)
{
	struct sweep_options *o = context;
	/* A row is one line. */
	if (text && strpbrk(text, "\r\n"))
		return tw_fail(err, TW_INVALID, "'%.200s': a line break: expected none in an option's value", text);
	switch (option) {
	case 'p':
		return words_init(&o->platforms, "--platform", text, err);
	case 'w':
		return words_init(&o->workloads, "--workload", text, err);
	case 'k':
		return ints_init(&o->nt, "--nt", text, 1, err);
	case 'B':
		return ints_init(&o->nb, "--nb", text, 1, err);
	case 'c':
		return ints_init(&o->cpus, "--cpus", text, 0, err);
	case 'g':
		return ints_init(&o->gpus, "--gpus", text, 0, err);
	case 'm':
		return sizes_init(&o->gpu_mem, "--gpu-mem", text, err);
	case 's':
		return words_init(&o->policies, "--policy", text, err);
	case 'e':
		return words_init(&o->evictions, "--eviction", text, err);
	case 'r':
		return word_int(&o->repeat, "--repeat", text, 1, MAX_POINTS, err);
	case 'o':
		o->output = text;
		return TW_OK;
	case 'j':
		return word_int(&o->jobs, "--jobs", text, 1, MAX_JOBS, err);
	case 'K':
		return take_shard(o, text, err);
	case 'y':
		o->retry = true;
		return TW_OK;
	case 'd':
		o->dry_run = true;
		return TW_OK;
	case 'q':
		o->quiet = true;
		return TW_OK;
	default:
		return run_options_take(&o->shared, option, text, err);
	}
}

/* --nt and --nb are for parameters that the workload's words leave open. */
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

/* "cholesky" with --nt 10,20 --nb 960: cholesky:nt=10:nb=960, cholesky:nt=20:nb=960. */
static int expand_workloads(struct sweep_options *o, struct tw_error *err)
{
	int n_nt = o->nt.n ? o->nt.n : 1, n_nb = o->nb.n ? o->nb.n : 1, status = TW_OK;
	o->expanded.of = calloc((size_t)o->workloads.n * (size_t)n_nt * (size_t)n_nb, sizeof *o->expanded.of);
	if (!o->expanded.of)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (int w = 0; status == TW_OK && w < o->workloads.n; w++) {
		if (o->nt.n)
			status = check_open(o->workloads.of[w], "nt", err);
		if (status == TW_OK && o->nb.n)
			status = check_open(o->workloads.of[w], "nb", err);
		for (int i = 0; status == TW_OK && i < n_nt * n_nb; i++) {
			char nt[24] = "", nb[24] = "", *text;
			if (o->nt.n)
				snprintf(nt, sizeof nt, ":nt=%d", o->nt.of[i / n_nb]);
			if (o->nb.n)
				snprintf(nb, sizeof nb, ":nb=%d", o->nb.of[i % n_nb]);
			if (asprintf(&text, "%s%s%s", o->workloads.of[w], nt, nb) < 0)
				status = tw_fail(err, TW_NOMEM, "out of memory");
			else
				o->expanded.of[o->expanded.n++] = text;
		}
	}
	return status;
}

/* What only all options together tell. */
static int check(struct sweep_options *o, struct tw_error *err)
{
	const char *missing = !o->platforms.n   ? "--platform"
	                      : !o->workloads.n ? "--workload"
	                      : !o->policies.n  ? "--policy"
	                      : !o->output      ? "--output"
	                                        : NULL;
	if (missing)
		return tw_fail(err, TW_INVALID,
		               "sweep: option %s is missing: expected it, see 'tilewright sweep --help'", missing);
	double points = (double)o->repeat;
	const int lists[] = {o->platforms.n, o->workloads.n, o->nt.n,       o->nb.n,       o->cpus.n,
	                     o->gpus.n,      o->gpu_mem.n,   o->policies.n, o->evictions.n};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		points *= lists[i] ? lists[i] : 1;
	if (points > MAX_POINTS)
		return tw_fail(err, TW_INVALID, "sweep: %.0f points: expected at most %d", points, MAX_POINTS);
	return expand_workloads(o, err);
}

struct tw__sweep sweep_options_sweep(const struct sweep_options *o)
{
	return (struct tw__sweep){
		.common = o->shared.common,
		.n_platforms = o->platforms.n,
		.platforms = o->platforms.of,
		.n_workloads = o->expanded.n,
		.workloads = o->expanded.of,
		.n_cpus = o->cpus.n,
		.cpus = o->cpus.of,
		.n_gpus = o->gpus.n,
		.gpus = o->gpus.of,
		.n_gpu_mem = o->gpu_mem.n,
		.gpu_mem_bytes = o->gpu_mem.of,
		.n_policies = o->policies.n,
		.policies = o->policies.of,
		.n_evictions = o->evictions.n,
		.evictions = o->evictions.of,
		.repeat = o->repeat,
		.shard = o->shard,
		.n_shards = o->n_shards,
		.jobs = o->jobs,
		.retry = o->retry,
		.output = o->output,
	};
}

void sweep_options_finish(struct sweep_options *o)
{
	words_finish(&o->platforms);
	words_finish(&o->workloads);
	words_finish(&o->policies);
	words_finish(&o->evictions);
	words_finish(&o->expanded);
	ints_finish(&o->nt);
	ints_finish(&o->nb);
	ints_finish(&o->cpus);
	ints_finish(&o->gpus);
	sizes_finish(&o->gpu_mem);
	run_options_finish(&o->shared);
	free(o->plan);
}

static int processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

/* The plan comes first, wherever it stands among the options; getopt_long moves it behind them. */
static int parse(struct sweep_options *o, int argc, char **argv)
{
	struct tw_error err;
	int option, status = TW_OK;
	while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		if (option == 'h')
			return cli_print(command_sweep.usage);
		if (option == '?' || option == ':')
			return cli_bad_option(&command_sweep, option, argv);
	}
	if (optind + 1 < argc)
		return cli_fail(EXIT_BAD_INPUT, "sweep: '%s': expected one plan and options", argv[optind + 1]);
	if (optind < argc)
		status = plan_file_read(&o->plan, argv[optind], long_options, take, o, &err);
	optind = 0; /* from the start, again */
	while (status == TW_OK && (option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1)
		status = take(o, option, optarg, &err);
	if (status == TW_OK)
		status = check(o, &err);
	return status < 0 ? cli_error(status, &err) : -1;
}

int sweep_options_init(struct sweep_options *o, int argc, char **argv)
{
	*o = (struct sweep_options){.repeat = 1, .jobs = processors(), .shard = 1, .n_shards = 1};
	run_options_init(&o->shared);
	return parse(o, argc, argv);
}
