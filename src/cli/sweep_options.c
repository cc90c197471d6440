#include "cli/sweep_options.h"

#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "request/plugins.h"

/* Reads the value K/N of --shard, as in "2/8". */
static int take_shard(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct sweep_options *o = options;
	char first[24] = "";
	const char *slash = strchr(text, '/');
	int64_t k = 0, n = 0;
	struct tw_error ignored;
	if (slash && (size_t)(slash - text) < sizeof first)
		memcpy(first, text, (size_t)(slash - text));
	if (!slash || tw__parse_int(&k, first, &ignored) < 0 || tw__parse_int(&n, slash + 1, &ignored) < 0 || k < 1 ||
	    k > n || n > TW__MOST_POINTS)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected K/N with K from 1 to N, as in 2/8", option,
		               text);
	o->sweep.shard = (int)k;
	o->sweep.n_shards = (int)n;
	return TW_OK;
}

static int take_columns(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct tw__column_choice *columns = &((struct sweep_options *)options)->sweep.columns;
	(void)option;
	int status = tw__columns_parse(columns, tw__result_table, text, err);
	if (status == TW_OK)
		tw__columns_resume(columns, tw__result_table);
	return status;
}

const struct cli_option sweep_table[] = {
	{.type = CLI_LISTS},
	{.type = CLI_LINES, .help = "\nOptions that hold for all points:"},
	{.type = CLI_VALUES},
	{.type = CLI_LINES, .help = "\nOptions of the sweep:"},
	{"output", "FILE.csv", .type = CLI_TEXT, .offset = offsetof(struct sweep_options, sweep.output),
         .help = "Appends the results to this CSV file, one row for each point. Creates the file if it does not "
                 "exist. Required."},
	{"columns", "NAME[,...]", .type = CLI_OWN, .take = take_columns,
         .help = "Writes only these columns of the results, in this order. The sweep adds 'status',\n"
                 "'message', 'version' and 'identity' after them if they are not named, because it\n"
                 "needs them to continue. Default: all columns."},
	{"jobs", "N", .type = CLI_INT, .offset = offsetof(struct sweep_options, sweep.jobs), .least = 1,
         .most = MOST_JOBS,
         .help = "Runs up to N points at the same time, each in its own process. Default: the number of processors; "
                 "with --engine real always 1."},
	{"shard", "K/N", .type = CLI_OWN, .take = take_shard,
         .help = "Runs only every N-th point, from the K-th on, as in '2/8'. So N machines, each with its own K "
                 "from 1 to N, share one sweep. Default: 1/1, all points."},
	{"retry", NULL, .type = CLI_YES, .offset = offsetof(struct sweep_options, sweep.retry),
         .help = "Runs the points again that have a row of a failed run in FILE.csv. Default:\n"
                 "such points are left as they are."},
	{"dry-run", NULL, .type = CLI_YES, .offset = offsetof(struct sweep_options, dry_run),
         .help = "Prints the points that FILE.csv does not have yet, with a rough estimate of the time that they "
                 "take, and runs none."},
	{"quiet", NULL, .type = CLI_YES, .offset = offsetof(struct sweep_options, quiet),
         .help = "Prints no progress on standard error."},
	{0},
};

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
	int status = TW_OK, exit_status = cli_parse(&command_sweep, argc, argv, NULL, NULL);
	if (exit_status >= 0)
		return exit_status;
	if (optind + 1 < argc)
		return cli_fail(EXIT_BAD_INPUT, "sweep: '%s': expected one plan and options", argv[optind + 1]);
	if (optind < argc)
		status = cli_plan(&command_sweep, &o->plan, argv[optind], o, &o->inputs, &err);
	if (status < 0)
		return cli_error(status, &err);
	optind = 0; /* parse again from the start */
	exit_status = cli_parse(&command_sweep, argc, argv, o, &o->inputs);
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
