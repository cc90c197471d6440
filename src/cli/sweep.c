/* tilewright sweep: the product of lists, into a file that survives. */
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "cli/plan_file.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/words.h"
#include "experiment/sweep.h"

static const char usage[] =
	"Usage: tilewright sweep [PLAN] --platform NAME[,...] --workload SPEC[,...] --policy SPEC[,...] --output FILE.csv\n"
	"                        [OPTION]...\n"
	"Runs every policy on every workload, platform, selection and memory limit, into one file, row by row. The same\n"
	"command again runs only what is missing in the file. Options are those of 'tilewright run'; PLAN is a file of them,\n"
	"one 'name = value' a line, which those of the command line override.\n"
	"\n"
	"Lists, of which each combination is a point:\n"
	"  --platform NAME[,...]  nodes\n"
	"  --workload SPEC[,...]  task graphs\n"
	"  --nt N[,...], --nb N[,...]\n"
	"                         set that parameter of every workload\n"
	"  --cpus N[,...], --gpus N[,...]\n"
	"                         take that many workers of the platform (default all); a N is a number or a range\n"
	"                         FIRST:LAST[:STEP], both included, as in 10:60:10\n"
	"  --gpu-mem SIZE[,...]   bound each GPU's memory, as in 500MiB; none: what the card has (default)\n"
	"  --policy SPEC[,...]    scheduling policies; ./mine.so is one of your own\n"
	"  --eviction SPEC[,...]  which data leaves a full memory (default: the policy's own, else lru)\n"
	"  --repeat N             run each N times; the r-th, from 0, with the seed plus r (default 1)\n"
	"\n"
	"The same for all points:\n" RUN_OPTIONS_USAGE "\n"
	"How to go about it:\n"
	"  --output FILE          results go there, as CSV; what is there stays\n"
	"  --jobs N               so many processes at once (default: the processors)\n"
	"  --shard K/N            only the K-th of N parts, for several machines\n"
	"  --retry                run points again that have failed\n"
	"  --dry-run              list the points that are missing, and run none\n"
	"  --quiet                no progress\n"
	"  -h, --help             print this\n"
	"\n"
	"Points come in the order platform, workload, nt, nb, cpus, gpus, gpu-mem, policy, eviction, repetition, the last\n"
	"changing fastest; rows as they are done.\n"
	"Exit status: 0 done, 1 points failed or results could not be written, 2 bad arguments or input, 130 or 143 ended by\n"
	"a signal.\n";

enum { MAX_POINTS = 10000000, MAX_JOBS = 4096 };

struct options {
	struct run_options shared;
	struct words platforms, workloads, policies, evictions, expanded;
	struct ints nt, nb, cpus, gpus;
	struct sizes gpu_mem;
	int repeat, jobs, shard, n_shards;
	bool retry, dry_run, quiet;
	const char *output;
};

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
static int take_shard(struct options *o, const char *text, struct tw_error *err)
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
	struct options *o = context;
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
static int expand_workloads(struct options *o, struct tw_error *err)
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
static int check(struct options *o, struct tw_error *err)
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

static struct tw__sweep make_sweep(const struct options *o)
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

/* A descriptor that can be read once the sweep is to stop. The processes of points inherit that these signals are blocked: it is
 * the parent that ends them. */
static int watch_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What the shell calls the exit status of a program that such a signal has ended. */
static int status_of_signal(int fd)
{
	struct signalfd_siginfo signal;
	return 128 + (read(fd, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : SIGINT);
}

static int summarise(const struct tw__sweep_counts *c, const struct options *o, int stop_fd)
{
	int64_t failed = c->there_failed + c->failed;
	if (c->stopped)
		return cli_fail(status_of_signal(stop_fd),
		                "sweep: stopped: %lld of %lld points are in '%s'; the same command runs the others",
		                (long long)(c->there + c->done), (long long)c->points, o->output);
	if (failed)
		return cli_fail(EXIT_RUN_FAILED, "sweep: %lld of %lld points failed: see column message of '%s'",
		                (long long)failed, (long long)c->points, o->output);
	return 0;
}

static void print_name(void *context, const struct tw__request *request)
{
	char name[640];
	(void)context;
	progress_name(name, sizeof name, request);
	puts(name);
}

static int preview(const struct options *o)
{
	const struct tw__sweep sweep = make_sweep(o);
	struct tw__preview p;
	struct tw_error err;
	char left[32];
	int status = tw__sweep_preview(&sweep, &p, print_name, NULL, &err);
	if (status < 0)
		return cli_error(status, &err);
	progress_duration(left, sizeof left, p.seconds);
	return cli_fail(0, "sweep: %lld of %lld points to run, %.0f tasks: about %s with %d at once, by a rough guess",
	                (long long)p.missing, (long long)p.points, p.tasks, left, o->jobs);
}

static int run_sweep(const struct options *o)
{
	const struct tw__sweep sweep = make_sweep(o);
	struct tw_error err;
	struct tw__sweep_counts counts;
	struct progress progress;
	progress_init(&progress, o->output, o->quiet);
	int stop_fd = watch_signals();
	const struct tw__sweep_watch watch = {
		.begin = progress_begin,
		.point = progress_point,
		.tick = progress_tick,
		.context = &progress,
		.stop_fd = stop_fd,
	};
	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error of writing, with a message */
	int status = tw__sweep_run(&sweep, &watch, &counts, &err);
	progress_end(&progress);
	int exit_status = status < 0 ? cli_error(status, &err) : summarise(&counts, o, stop_fd);
	if (stop_fd >= 0)
		close(stop_fd);
	return exit_status;
}

static void finish(struct options *o)
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
}

static int processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

/* The plan comes first, wherever it stands among the options; getopt_long moves it behind them. */
static int parse(struct options *o, char **plan, int argc, char **argv)
{
	struct tw_error err;
	int option, status = TW_OK;
	while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		if (option == 'h')
			return cli_print(usage);
		if (option == '?' || option == ':')
			return cli_bad_option(&command_sweep, option, argv);
	}
	if (optind + 1 < argc)
		return cli_fail(EXIT_BAD_INPUT, "sweep: '%s': expected one plan and options", argv[optind + 1]);
	if (optind < argc)
		status = plan_file_read(plan, argv[optind], long_options, take, o, &err);
	optind = 0; /* from the start, again */
	while (status == TW_OK && (option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1)
		status = take(o, option, optarg, &err);
	if (status == TW_OK)
		status = check(o, &err);
	return status < 0 ? cli_error(status, &err) : -1;
}

static int run(int argc, char **argv)
{
	struct options o = {.repeat = 1, .jobs = processors(), .shard = 1, .n_shards = 1};
	char *plan = NULL;
	run_options_init(&o.shared);
	int exit_status = parse(&o, &plan, argc, argv);
	if (exit_status < 0)
		exit_status = o.dry_run ? preview(&o) : run_sweep(&o);
	finish(&o);
	free(plan);
	return exit_status;
}

const struct command command_sweep = {
	.name = "sweep",
	.summary = "run every policy on every workload, into a file that survives",
	.usage = usage,
	.run = run,
};
