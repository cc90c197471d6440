/* tilewright run: runs every combination of workload, policy and eviction policy, each in its own process. */
#include "cli/cli.h"

#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/run_options.h"
#include "cli/run_progress.h"
#include "cli/words.h"
#include "engine/engine.h"
#include "experiment/origin.h"
#include "platform/machine.h"
#include "results/write.h"

static const char *const usage[] = {
	"Usage: tilewright run --platform NAME --workload SPEC[,...] --policy SPEC[,...] [OPTION]...\n"
	"Simulates task graphs on a platform under scheduling policies. With --engine real, executes them on this\n"
	"machine.\n"
	"\n"
	"A SPEC is NAME[:VALUE][:KEY=VALUE]..., as in cholesky:nt=20:nb=960. Write '\\:' for a colon and '\\,' for\n"
	"a comma inside a value. 'tilewright list policies' prints the names of policies, and 'tilewright list\n"
	"policies NAME' the keys of one policy.\n"
	"\n"
	"Options that choose what to run:\n"
	"  --platform NAME        Chooses the node to simulate: a name that 'tilewright list platforms' prints,\n"
	"                         the path of a folder with platform.xml and kernels.csv, or the path of such an\n"
	"                         XML file. 'machine' is this machine; it is the default with --engine real.\n"
	"                         Otherwise this option is required.\n"
	"  --workload SPEC[,...]  Chooses the task graphs, as in 'cholesky:nt=20:nb=960'. 'file:PATH' reads a\n"
	"                         graph from the file PATH. Several values: one run for each. Required.\n"
	"  --policy SPEC[,...]    Chooses the scheduling policies, as in 'eager,dmdas'. './mine.so' loads your\n"
	"                         own policy from that shared object. Several values: one run for each. Required.\n"
	"  --eviction SPEC[,...]  Chooses the eviction policies, which decide which data leaves a full memory.\n"
	"                         Several values: one run for each. Default: the eviction policy that the\n"
	"                         scheduling policy names, otherwise 'lru'.\n"
	"  --cpus N               Uses N CPU workers of the platform. Default: all cores, except one core for\n"
	"                         each GPU in use, which drives that GPU.\n"
	"  --gpus N               Uses N GPUs of the platform. Default: all.\n"
	"  --gpu-mem SIZE         Limits the memory of each GPU to SIZE, as in '500MiB'. 'none' sets no limit:\n"
	"                         each GPU has the memory that the platform says (default).\n"
	"  --repeat N             Executes each run N times in all. Repetition r, counted from 0, has the value\n"
	"                         of --seed plus r as its seed. Default: 1.\n",
	RUN_MACHINE_USAGE,
	RUN_MODEL_USAGE,
	"  --seed N               Sets the seed of all random numbers. Default: 1.\n"
	"  --learn DIR            With --engine real: learns the times of kernels during the run, and keeps them\n"
	"                         in the folder DIR for later runs. Default: all kernels are timed before the\n"
	"                         run, except on platforms that have times in a file.\n",
	RUN_LIMIT_USAGE,
	"  --jobs N               Executes up to N runs at the same time. Rows do not depend on N, except for the\n"
	"                         measured columns. Not with --engine real. Default: 1.\n"
	"\n"
	"Options that choose what to write:\n"
	"  --trace FILE           Writes the schedule to FILE; the command must then execute one run only. The\n"
	"                         ending of FILE chooses the format: .paje or .trace (Paje), .json (Chrome,\n"
	"                         Perfetto), .csv (a table of tasks), .record (the record of the run alone), or /\n"
	"                         (a folder with StarVZ's tables). 'tilewright validate' and 'explain' read all but\n"
	"                         .csv, which does not hold the whole run. Default: no trace.\n"
	"  --explain              Also says why each run took as long as it did, as 'tilewright explain' does: behind\n"
	"                         the table, or with --format json as the member 'explanation' of each row.\n"
	"                         Default: no explanation.\n"
	"  --format text|json|csv\n"
	"                         Prints the results in this format. Default: the format that the ending of\n"
	"                         --output names (.json or .csv), otherwise 'csv' with --columns and 'text'\n"
	"                         without.\n"
	"  --columns NAME[,...]   Prints only these columns of the results, in this order, as in\n"
	"                         'policy,makespan_s'. For csv and json. Default: all columns.\n"
	"  --output FILE          Writes the results to FILE. '-' is standard output (default).\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"Each combination of a workload, a policy and an eviction policy is a run, printed as one row. Rows are\n"
	"sorted in this order; repetitions of a run stand together.\n"
	"Exit status: 0 done, 1 a run failed, 2 bad arguments or input.\n",
	NULL,
};

enum { MAX_RUNS = 1000000 };

struct options {
	struct run_options shared;
	struct words workloads, policies, evictions;
	int repeat, jobs;
	int format; /* enum tw__result_format; negative: chosen by the ending of --output */
	struct tw__column_choice columns;
	const char *output;
};

static const struct option long_options[] = {
	{"platform", required_argument, NULL, 'p'},
	{"workload", required_argument, NULL, 'w'},
	{"policy", required_argument, NULL, 's'},
	{"eviction", required_argument, NULL, 'e'},
	{"cpus", required_argument, NULL, 'c'},
	{"gpus", required_argument, NULL, 'g'},
	{"gpu-mem", required_argument, NULL, 'm'},
	{"repeat", required_argument, NULL, 'r'},
	{"learn", required_argument, NULL, 'L'},
	{"jobs", required_argument, NULL, 'j'},
	RUN_OPTIONS,
	{"trace", required_argument, NULL, 't'},
	{"explain", no_argument, NULL, 'X'},
	{"format", required_argument, NULL, 'f'},
	{"columns", required_argument, NULL, 'l'},
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static enum tw__result_format format_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	return !dot ? TW__TEXT : !strcmp(dot, ".csv") ? TW__CSV : !strcmp(dot, ".json") ? TW__JSON : TW__TEXT;
}

/* Refuses lists for options that take one value here, and a list in a sweep. */
static int check_single(int option, const char *text, struct tw_error *err)
{
	static const struct {
		int option;
		const char *name, *marks; /* marks: characters that only a list has */
	} singles[] = {
		{'p', "--platform", ","},      {'c', "--cpus", ",:"},   {'g', "--gpus", ",:"},
		{'m', "--gpu-mem", ","},       {'S', "--seed", ",:"},   {'G', "--cpu-groups", ","},
		{'C', "--communication", ","}, {'R', "--runtime", ","}, {'n', "--noise", ","},
		{'b', "--belief-error", ","},
	};
	for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
		bool is_path = option == 'p' && strchr(text, '/');
		if (option == singles[i].option && !is_path && strpbrk(text, singles[i].marks))
			return tw_fail(err, TW_INVALID,
			               "%s '%.200s': a list: expected one value; 'tilewright sweep' takes lists",
			               singles[i].name, text);
	}
	return TW_OK;
}

static int take(void *options, int option, const char *text, struct tw_error *err)
{
	int status = check_single(option, text, err);
	if (status < 0)
		return status;
	struct options *o = options;
	switch (option) {
	case 'p':
		o->shared.common.platform = text;
		return TW_OK;
	case 'w':
		return specs_init(&o->workloads, "--workload", text, err);
	case 's':
		return specs_init(&o->policies, "--policy", text, err);
	case 'e':
		return specs_init(&o->evictions, "--eviction", text, err);
	case 'c':
		return word_int(&o->shared.common.choice.cpus, "--cpus", text, 0, INT_MAX, err);
	case 'g':
		return word_int(&o->shared.common.choice.gpus, "--gpus", text, 0, INT_MAX, err);
	case 'm':
		return word_bound(&o->shared.common.choice.gpu_mem_bytes, "--gpu-mem", text, err);
	case 'r':
		return word_int(&o->repeat, "--repeat", text, 1, MAX_RUNS, err);
	case 'j':
		return word_int(&o->jobs, "--jobs", text, 1, MAX_JOBS, err);
	case 'L':
		o->shared.common.learn = text;
		return TW_OK;
	case 't':
		o->shared.common.trace = text;
		return TW_OK;
	case 'X':
		o->shared.common.explain = TW__EXPLAIN_TEXT;
		return TW_OK;
	case 'f':
		return word_choice(&o->format, "--format", text, word_formats, "text, json or csv", err);
	case 'l':
		return tw__columns_parse(&o->columns, tw__result_table, text, err);
	case 'o':
		o->output = text;
		return TW_OK;
	default:
		return run_options_take(&o->shared, option, text, err);
	}
}

/* Checks that the options are complete and fit together. */
static int check(const struct options *o, struct tw_error *err)
{
	const char *missing = !o->shared.common.platform ? "--platform"
	                      : !o->workloads.n          ? "--workload"
	                      : !o->policies.n           ? "--policy"
	                                                 : NULL;
	if (missing)
		return tw_fail(err, TW_INVALID, "run: option %s is missing: expected it, see 'tilewright run --help'",
		               missing);
	double runs = (double)o->workloads.n * o->policies.n * (o->evictions.n ? o->evictions.n : 1) * o->repeat;
	if (runs > MAX_RUNS)
		return tw_fail(err, TW_INVALID, "run: %.0f runs: expected at most %d", runs, MAX_RUNS);
	if (word_seeds_left(o->shared.common.seed, o->repeat, err) < 0)
		return TW_INVALID;
	if (o->shared.common.trace && runs > 1)
		return tw_fail(err, TW_INVALID, "--trace '%.200s': %.0f runs: expected one run, as a trace shows one",
		               o->shared.common.trace, runs);
	if (o->jobs > 1 && run_options_compute(&o->shared))
		return tw_fail(err, TW_INVALID, "--jobs %d: --engine %.100s needs the machine for itself: expected 1",
		               o->jobs, o->shared.common.engine);
	if (o->columns.n && o->format == TW__TEXT)
		return tw_fail(err, TW_INVALID, "--columns: expected --format csv or json with it");
	return TW_OK;
}

/* Chooses the format of explanations by that of the rows. */
static int check_explain(struct options *o, struct tw_error *err)
{
	if (!o->shared.common.explain)
		return TW_OK;
	if (o->format == TW__CSV)
		return tw_fail(err, TW_INVALID,
		               "--explain: csv has no place for explanations: expected --format text or json");
	o->shared.common.explain = o->format == TW__JSON ? TW__EXPLAIN_JSON : TW__EXPLAIN_TEXT;
	return TW_OK;
}

static struct tw__request *make_requests(const struct options *o, int *n)
{
	int n_evictions = o->evictions.n ? o->evictions.n : 1;
	struct tw__request *requests =
		calloc((size_t)o->workloads.n * (size_t)o->policies.n * (size_t)n_evictions * (size_t)o->repeat,
	               sizeof *requests);
	*n = 0;
	for (int w = 0; requests && w < o->workloads.n; w++)
		for (int p = 0; p < o->policies.n; p++)
			for (int e = 0; e < n_evictions; e++)
				for (int r = 0; r < o->repeat; r++) {
					struct tw__request *request = &requests[(*n)++];
					*request = o->shared.common;
					request->workload = o->workloads.of[w];
					request->policy = o->policies.of[p];
					request->eviction = o->evictions.n ? o->evictions.of[e] : NULL;
					request->repeat = r;
				}
	return requests;
}

/* The runs that the user has been told of: those of the rows 0 .. n - 1. */
struct told {
	const struct tw__result *results;
	int n, exit_status;
	struct run_progress progress;
};

/* A makespan of threads that lost their cores is that of a machine which other programs share. */
static void tell_lost_cores(struct run_progress *progress, const struct tw__result *row)
{
	run_progress_wipe(progress);
	tw_log(TW_LOG_WARNING,
	       "policy '%s', workload '%s': threads lost their cores for %.0f %% of the time in kernels: other "
	       "programs run here",
	       row->request->policy, row->request->workload, 100 * row->counters.engine.off_cpu);
}

static void tell_row(void *context, int i)
{
	struct told *told = context;
	const struct tw__result *row = &told->results[i];
	told->n = i + 1;
	if (row->status == TW__RUN_OK && row->counters.engine.off_cpu > TW__MOST_OFF_CPU)
		tell_lost_cores(&told->progress, row);
	if (row->status == TW__RUN_OK)
		return;
	run_progress_wipe(&told->progress);
	told->exit_status = cli_fail(EXIT_RUN_FAILED, "policy '%s', workload '%s': the run failed: %s",
	                             row->request->policy, row->request->workload, row->message);
}

static void tell_progress(void *context, const struct tw__running *running, int n)
{
	struct told *told = context;
	run_progress_draw(&told->progress, told->n, running, n);
}

/* Executes all runs, even if one fails, and writes their rows. A refused run ends the list. Returns the exit status. */
static int run_all(const struct tw__experiment *experiment, struct tw__result *results, int n, const struct options *o,
                   struct output *output)
{
	struct tw_error err;
	struct told told = {.results = results};
	run_progress_init(&told.progress, n);
	const struct tw__experiment_watch watch = {.row = tell_row, .tick = tell_progress, .context = &told};
	int status = tw__experiment_rows(experiment, n, o->jobs, results, &watch, &err);
	run_progress_wipe(&told.progress);
	int exit_status = status < 0 ? cli_error(status, &err) : told.exit_status;
	if (told.n == 0)
		return exit_status;
	output_begin(output);
	status = tw__result_write(output->file, (enum tw__result_format)o->format, &o->columns, results, told.n, &err);
	if (status == TW_OK)
		status = output_close(output, &err);
	return status < 0 ? cli_error(status, &err) : exit_status;
}

static int run_requests(struct options *o)
{
	struct tw_error err;
	int n = 0;
	struct tw__experiment *experiment = NULL;
	struct output output = {0};
	int status = tw__check_speedup(&o->shared.common, NULL, 0, o->workloads.of, o->workloads.n, &err);
	struct tw__request *requests = status == TW_OK ? make_requests(o, &n) : NULL;
	struct tw__result *results = requests ? calloc((size_t)n, sizeof *results) : NULL;
	if (status == TW_OK && !results)
		status = tw_fail(&err, TW_NOMEM, "out of memory");
	if (status == TW_OK)
		status = tw__experiment_create(&experiment, requests, n, &err);
	if (status == TW_OK)
		status = output_open(&output, o->output, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : run_all(experiment, results, n, o, &output);
	output_abandon(&output); /* does nothing if the results were written */
	tw__experiment_destroy(experiment);
	for (int i = 0; results && i < n; i++)
		free(results[i].explanation);
	free(results);
	free(requests);
	return exit_status;
}

/* Process id of the command: forked children inherit the handler, which prints only in this process. */
static pid_t command;

/* Signal handler: prints a message, then ends the process by the signal's default action. */
static void end_by_signal(int number)
{
	static const char interrupted[] = "tilewright: interrupted\n", ended[] = "tilewright: ended by a signal\n";
	static const char wipe[] = RUN_PROGRESS_WIPE;
	ssize_t n = getpid() == command && run_progress_is_drawn ? write(STDERR_FILENO, wipe, sizeof wipe - 1) : 0;
	n = getpid() != command ? 0
	    : number == SIGINT  ? write(STDERR_FILENO, interrupted, sizeof interrupted - 1)
	                        : write(STDERR_FILENO, ended, sizeof ended - 1);
	(void)n;
	signal(number, SIG_DFL);
	raise(number);
}

/* Sets the handler of a signal. A signal that the shell ignores for background commands stays ignored. */
static void catch_unless_ignored(int number)
{
	if (signal(number, end_by_signal) == SIG_IGN)
		signal(number, SIG_IGN);
}

static void finish(struct options *o)
{
	words_finish(&o->workloads);
	words_finish(&o->policies);
	words_finish(&o->evictions);
	run_options_finish(&o->shared);
}

static int run(int argc, char **argv)
{
	struct tw_error err;
	struct options o = {
		.repeat = 1,
		.jobs = 1,
		.format = -1,
		.output = "-",
	};
	int status = TW_OK;
	run_options_init(&o.shared);
	int exit_status = cli_options_only(&command_run, argc, argv, ":h", long_options, take, &o);
	if (!o.shared.common.platform && run_options_compute(&o.shared))
		o.shared.common.platform = TW__MACHINE_NAME;
	if (exit_status < 0 && (status = check(&o, &err)) < 0)
		exit_status = cli_error(status, &err);
	if (o.format < 0)
		o.format = format_of(o.output);
	if (o.format == TW__TEXT && o.columns.n)
		o.format = TW__CSV;
	if (exit_status < 0)
		status = specs_default_seconds(&o.workloads, o.shared.default_seconds, &err);
	if (exit_status < 0 && (status < 0 || (status = check_explain(&o, &err)) < 0))
		exit_status = cli_error(status, &err);
	command = getpid();
	catch_unless_ignored(SIGINT);
	catch_unless_ignored(SIGTERM);
	if (exit_status < 0)
		exit_status = run_requests(&o);
	finish(&o);
	return exit_status;
}

const struct command command_run = {
	.name = "run",
	.summary = "simulate task graphs under scheduling policies",
	.usage = usage,
	.run = run,
};
