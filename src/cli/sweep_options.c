#include "cli/sweep_options.h"

#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "request/plugins.h"

static const struct option long_options[] = {
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
	    k > n || n > TW__MOST_POINTS)
		return tw_fail(err, TW_INVALID, "--shard '%.200s': expected K/N with K from 1 to N, as in 2/8", text);
	o->sweep.shard = (int)k;
	o->sweep.n_shards = (int)n;
	return TW_OK;
}

static int take(void *context, int option, const char *text, struct tw_error *err)
{
	struct sweep_options *o = context;
	int status;
	switch (option) {
	case 'o':
		o->sweep.output = text;
		return TW_OK;
	case 'l':
		status = tw__columns_parse(&o->sweep.columns, tw__result_table, text, err);
		if (status == TW_OK)
			tw__columns_resume(&o->sweep.columns, tw__result_table);
		return status;
	case 'j':
		return tw__word_int(&o->sweep.jobs, "--jobs", text, 1, MOST_JOBS, err);
	case 'H':
		return take_shard(o, text, err);
	case 'y':
		o->sweep.retry = true;
		return TW_OK;
	case 'd':
		o->dry_run = true;
		return TW_OK;
	default: /* the last option, 'q' for --quiet */
		o->quiet = true;
		return TW_OK;
	}
}

static int processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

/* An engine that computes runs one point at a time. */
static int check_jobs(struct sweep_options *o, struct tw_error *err)
{
	bool computes = tw__computes(&o->inputs.common);
	if (computes && o->sweep.jobs > 1)
		return tw_fail(err, TW_INVALID, "--jobs %d: --engine %.100s needs the machine for itself: expected 1",
		               o->sweep.jobs, o->inputs.common.engine);
	if (o->sweep.jobs == 0)
		o->sweep.jobs = computes ? 1 : processors();
	return TW_OK;
}

/* Parses the plan first, then the command line, whose options override those of the plan. getopt_long moves the plan's
 * name behind all options. */
int sweep_options_init(struct sweep_options *o, int argc, char **argv)
{
	struct tw_error err;
	*o = (struct sweep_options){.sweep = {.inputs = &o->inputs, .shard = 1, .n_shards = 1}};
	tw__inputs_init(&o->inputs);
	int status = TW_OK, exit_status = cli_options(&command_sweep, argc, argv, ":h", long_options, NULL, NULL);
	if (exit_status >= 0)
		return exit_status;
	if (optind + 1 < argc)
		return cli_fail(EXIT_BAD_INPUT, "sweep: '%s': expected one plan and options", argv[optind + 1]);
	if (optind < argc)
		status = cli_plan(&command_sweep, &o->plan, argv[optind], long_options, take, o, &o->inputs, &err);
	if (status < 0)
		return cli_error(status, &err);
	optind = 0; /* parse again from the start */
	exit_status = cli_inputs(&command_sweep, argc, argv, ":h", long_options, take, o, &o->inputs);
	if (exit_status >= 0)
		return exit_status;
	status = check_jobs(o, &err);
	if (status == TW_OK)
		status = tw__inputs_complete(&o->inputs, TW__FOR_SWEEP, "sweep", TW__MOST_POINTS, &err);
	if (status == TW_OK && !o->sweep.output)
		status = tw_fail(&err, TW_INVALID,
		                 "sweep: option --output is missing: expected it, see 'tilewright sweep --help'");
	return status < 0 ? cli_error(status, &err) : CLI_GO_ON;
}

void sweep_options_finish(struct sweep_options *o)
{
	tw__inputs_finish(&o->inputs);
	free(o->plan);
}
