#include "cli/sweep_options.h"

#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "cli/plan_file.h"
#include "platform/machine.h"

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
	{"columns", required_argument, NULL, 'l'},
	{"jobs", required_argument, NULL, 'j'},
	{"shard", required_argument, NULL, 'H'},
	{"retry", no_argument, NULL, 'y'},
	{"dry-run", no_argument, NULL, 'd'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

/* Reads the value K/N of --shard, as in "2/8". */
static int take_shard(struct sweep_options *o, const char *text, struct tw_error *err)
{
	char first[24] = "";
	const char *slash = strchr(text, '/');
	int64_t k = 0, n = 0;
	struct tw_error ignored;
	if (slash && (size_t)(slash - text) < sizeof first)
		memcpy(first, text, (size_t)(slash - text));
	if (!slash || tw__parse_int(&k, first, &ignored) < 0 || tw__parse_int(&n, slash + 1, &ignored) < 0 || k < 1 ||
	    k > n || n > SWEEP_MAX_POINTS)
		return tw_fail(err, TW_INVALID, "--shard '%.200s': expected K/N with K from 1 to N, as in 2/8", text);
	o->shard = (int)k;
	o->n_shards = (int)n;
	return TW_OK;
}

static int take(void *context, int option, const char *text, struct tw_error *err)
{
	struct sweep_options *o = context;
	/* Refuse line breaks in values: a sweep needs each row of its CSV file to be one line. */
	if (text && strpbrk(text, "\r\n"))
		return tw_fail(err, TW_INVALID, "'%.200s': a line break: expected none in an option's value", text);
	if (sweep_lists_has(option))
		return sweep_lists_take(&o->lists, option, text, err);
	switch (option) {
	case 'o':
		o->output = text;
		return TW_OK;
	case 'l':
		return tw__sweep_columns(&o->columns, text, err);
	case 'j':
		return word_int(&o->jobs, "--jobs", text, 1, MAX_JOBS, err);
	case 'H':
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

static int processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

/* Sets the defaults that depend on the engine. An engine that computes runs one point at a time, by default on the
 * platform `machine`. */
static int complete(struct sweep_options *o, struct tw_error *err)
{
	bool computes = run_options_compute(&o->shared);
	if (computes && o->jobs > 1)
		return tw_fail(err, TW_INVALID, "--jobs %d: --engine %.100s needs the machine for itself: expected 1",
		               o->jobs, o->shared.common.engine);
	if (o->jobs == 0)
		o->jobs = computes ? 1 : processors();
	return computes && !o->lists.platforms.n ? sweep_lists_take(&o->lists, 'p', TW__MACHINE_NAME, err) : TW_OK;
}

static int check(struct sweep_options *o, struct tw_error *err)
{
	const char *missing = !o->lists.platforms.n   ? "--platform"
	                      : !o->lists.workloads.n ? "--workload"
	                      : !o->lists.policies.n  ? "--policy"
	                      : !o->output            ? "--output"
	                                              : NULL;
	if (missing)
		return tw_fail(err, TW_INVALID,
		               "sweep: option %s is missing: expected it, see 'tilewright sweep --help'", missing);
	int status = specs_default_seconds(&o->lists.workloads, o->shared.default_seconds, err);
	return status < 0 ? status : sweep_lists_check(&o->lists, err);
}

struct tw__sweep sweep_options_sweep(const struct sweep_options *o)
{
	struct tw__sweep sweep = {
		.common = o->shared.common,
		.shard = o->shard,
		.n_shards = o->n_shards,
		.jobs = o->jobs,
		.retry = o->retry,
		.output = o->output,
		.columns = o->columns,
	};
	sweep_lists_fill(&sweep, &o->lists);
	return sweep;
}

void sweep_options_finish(struct sweep_options *o)
{
	sweep_lists_finish(&o->lists);
	run_options_finish(&o->shared);
	free(o->plan);
}

/* Parses the plan first, then the command line, whose options override those of the plan. getopt_long moves the plan's
 * name behind all options. */
static int parse(struct sweep_options *o, int argc, char **argv)
{
	struct tw_error err;
	int status = TW_OK, exit_status = cli_options(&command_sweep, argc, argv, ":h", long_options, NULL, NULL);
	if (exit_status >= 0)
		return exit_status;
	if (optind + 1 < argc)
		return cli_fail(EXIT_BAD_INPUT, "sweep: '%s': expected one plan and options", argv[optind + 1]);
	if (optind < argc)
		status = plan_file_read(&o->plan, argv[optind], long_options, 'M', take, o, &err);
	if (status < 0)
		return cli_error(status, &err);
	optind = 0; /* parse again from the start */
	exit_status = cli_options(&command_sweep, argc, argv, ":h", long_options, take, o);
	if (exit_status >= 0)
		return exit_status;
	status = complete(o, &err);
	if (status == TW_OK)
		status = check(o, &err);
	return status < 0 ? cli_error(status, &err) : CLI_GO_ON;
}

int sweep_options_init(struct sweep_options *o, int argc, char **argv)
{
	*o = (struct sweep_options){.lists = {.repeat = 1}, .shard = 1, .n_shards = 1};
	run_options_init(&o->shared);
	return parse(o, argc, argv);
}
