/* tilewright explain: why the runs in trace files took as long as they did. */
#include "cli/cli.h"

#include <getopt.h>

#include "base/json_text.h"
#include "experiment/past.h"
#include "explain/explain.h"

static const char usage[] =
	"Usage: tilewright explain [OPTION]... TRACE...\n"
	"Says why a run took as long as it did: what its makespan hangs on, where the time of each kind of worker\n"
	"went, what separates it from the bounds, which links were saturated, and which memories loaded data again\n"
	"that they had evicted.\n"
	"TRACE is a file or folder that 'tilewright run --trace' wrote, in any format but .csv.\n"
	"\n";

static const char notes[] =
	"\n"
	"docs/reference/explain.md defines each cause.\n"
	"Exit status: 0 done, 2 bad arguments, or a trace that cannot be read or does not hold the whole run.\n";

struct options {
	bool chain, json;
};

static const struct cli_option options[] = {
	{"chain", NULL, SETS(CLI_YES, chain),
         .help = "Also prints the chain of kernels, transfers and waits that the makespan hangs on,\n"
                 "from the start of the run to its end. JSON always has it, but only its longest\n"
                 "1000 links without this option."},
	{"format", "text|json", SETS(CLI_JSON, json),
         .help = "Prints text for people (default), or JSON for programs."},
	{0},
};

static int print(const struct tw__past *past, const struct options *o, json_t *list)
{
	struct tw_error err;
	struct tw__explanation e;
	const struct tw__explained_run run = tw__past_explained(past);
	const struct tw__explained_name name = {past->section.path, past->request.platform, past->request.workload,
	                                        past->request.policy};
	int status = tw__explain_schedule(&e, &run, &err);
	if (status < 0) {
		struct tw_error why = err;
		return cli_error(tw_fail(&err, status, "%s: %s", past->section.path, why.message), &err);
	}
	if (!list)
		tw__explanation_print(stdout, &e, &run, &name, o->chain);
	else
		tw__json_append(list, tw__explanation_json(&e, &run, &name, o->chain));
	tw__explanation_finish(&e);
	return 0;
}

static int explain_trace(const char *path, const struct options *o, json_t *list)
{
	struct tw_error err;
	struct tw__past past;
	int status = tw__past_open_whole(&past, path, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : print(&past, o, list);
	tw__past_close(&past);
	return exit_status;
}

static int explain(int argc, char **argv)
{
	struct options o = {0};
	int worst = cli_parse(&command_explain, argc, argv, &o, NULL);
	if (worst >= 0)
		return worst;
	if (optind == argc)
		return cli_fail(EXIT_BAD_INPUT, "explain: no trace: expected one, see 'tilewright explain --help'");
	json_t *list = o.json ? json_array() : NULL;
	worst = 0;
	for (int i = optind; i < argc; i++) {
		if (i > optind && !list)
			putchar('\n');
		int exit_status = explain_trace(argv[i], &o, list);
		worst = exit_status > worst ? exit_status : worst;
	}
	if (list) {
		json_t *printed = argc - optind == 1 ? json_array_get(list, 0) : list;
		if (printed)
			tw__json_write(stdout, json_incref(printed), TW__JSON_SHORT);
		json_decref(list);
	}
	return worst;
}

const struct command command_explain = {
	.name = "explain",
	.summary = "say why a run took as long as it did",
	.usage = usage,
	.notes = notes,
	.options = options,
	.run = explain,
};
