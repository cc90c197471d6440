/* tilewright diff: two runs of one graph beside each other. */
#include "cli/cli.h"

#include <getopt.h>

#include "base/json_text.h"
#include "experiment/past.h"
#include "explain/diff_printed.h"

static const char usage[] =
	"Usage: tilewright diff [OPTION]... A B\n"
	"Compares two runs of one task graph: what the difference of their makespans consists of, where the time of\n"
	"each kind of worker went, where the runs part, which tasks moved to other workers, and what was transferred\n"
	"for which cause. A and B are files or folders that 'tilewright run --trace' wrote, in any format but .csv.\n"
	"Policies, options and platforms may differ. Workers and memories are the same if their names are.\n"
	"\n";

static const char notes[] =
	"\n"
	"docs/reference/diff.md defines each number.\n"
	"Exit status: 0 done, 2 bad arguments, different graphs, or a trace that cannot be read or does not hold the\n"
	"whole run.\n";

struct options {
	bool json;
};

static const struct cli_option options[] = {
	{"format", "text|json", SETS(CLI_JSON, json),
         .help = "Prints text for people (default), or JSON for programs."},
	{0},
};

static struct tw__diff_about about_of(const struct tw__past *run)
{
	const struct tw__request *r = &run->request;
	return (struct tw__diff_about){.name = {run->section.path, r->platform, r->workload, r->policy},
	                               .arguments = run->section.arguments,
	                               .n_arguments = run->section.n_arguments};
}

static int compare(const struct tw__past runs[2], bool json)
{
	struct tw_error err;
	struct tw__diff d;
	const struct tw__explained_run a = tw__past_explained(&runs[0]), b = tw__past_explained(&runs[1]);
	int status = tw__diff_init(&d, &a, &b, &err);
	if (status == TW_INVALID)
		return cli_fail(EXIT_BAD_INPUT, "%s, %s: %s", runs[0].section.path, runs[1].section.path, err.message);
	if (status < 0)
		return cli_error(status, &err);
	const struct tw__diff_about about[2] = {about_of(&runs[0]), about_of(&runs[1])};
	if (json)
		tw__json_write(stdout, tw__diff_json(&d, about), TW__JSON_SHORT);
	else
		tw__diff_print(stdout, &d, about);
	tw__diff_finish(&d);
	return 0;
}

static int diff(int argc, char **argv)
{
	struct tw_error err;
	struct tw__past runs[2] = {0};
	struct options o = {0};
	int status = TW_OK, exit_status = cli_parse(&command_diff, argc, argv, &o, NULL);
	if (exit_status >= 0)
		return exit_status;
	if (argc - optind != 2)
		return cli_fail(EXIT_BAD_INPUT, "diff: %d traces: expected two, see 'tilewright diff --help'",
		                argc - optind);
	for (int i = 0; i < 2 && status == TW_OK; i++)
		status = tw__past_open_whole(&runs[i], argv[optind + i], &err);
	exit_status = status < 0 ? cli_error(status, &err) : compare(runs, o.json);
	tw__past_close(&runs[0]);
	tw__past_close(&runs[1]);
	return exit_status;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "compare two runs of one graph, from their traces",
	.usage = usage,
	.notes = notes,
	.options = options,
	.run = diff,
};
