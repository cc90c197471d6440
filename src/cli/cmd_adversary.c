/* tilewright adversary: searches small task graphs on which one policy loses most against another. */
#include "cli/cli.h"

#include <string.h>

#include "adversary/adversary.h"
#include "base/cells.h"
#include "base/spec.h"
#include "cli/output.h"
#include "export/export.h"
#include "machine/machine.h"
#include "request/inputs.h"
#include "request/plugins.h"
#include "results/write.h"

static const char usage[] =
	"Usage: tilewright adversary --platform NAME --policy SPEC --against SPEC [OPTION]...\n"
	"Searches small task graphs on which the makespan of a policy is as much longer than another's\n"
	"as possible, by simulated annealing. Equal arguments find equal graphs.\n"
	"docs/reference/adversary.md describes the search.\n"
	"\n";

static const char notes[] = "\n"
			    "The same options of 'tilewright run', with '--workload file:FILE', run the graph\n"
			    "that --output FILE wrote, with the same makespans.\n";

/* Limits of options. */
#define LONGEST_S 1000.0
#define MOST_BYTES (UINT64_C(1) << 50)
enum { MOST_ITERATIONS = 1000000, MOST_RESTARTS = 10000 };

struct options {
	struct tw__inputs inputs;
	struct tw__adversary_search search;
	int format; /* enum tw__result_format */
	const char *output;
};

static int take_against(void *options, const char *option, const char *text, struct tw_error *err)
{
	((struct options *)options)->search.against = text;
	if (strcmp(text, "optimum") == 0 || tw__policy_check(text, err) == TW_OK)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s: %s", option, err->message);
}

static int take_acceptance(void *options, const char *option, const char *text, struct tw_error *err)
{
	static const char *const names[] = {[TW__ACCEPT_METROPOLIS] = "metropolis", [TW__ACCEPT_PISA] = "pisa", NULL};
	return tw__word_choice(&((struct options *)options)->search.acceptance, option, text, names,
	                       "metropolis or pisa", err);
}

static int take_longest(void *options, const char *option, const char *text, struct tw_error *err)
{
	double *longest_s = &((struct options *)options)->search.longest_s;
	if (tw__parse_seconds(longest_s, text, err) == TW_OK && *longest_s >= 1e-6 && *longest_s <= LONGEST_S)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected a time from 1us to %gs, as in 10ms", option, text,
	               LONGEST_S);
}

static int take_size(void *options, const char *option, const char *text, struct tw_error *err)
{
	uint64_t *bytes = &((struct options *)options)->search.most_bytes;
	if (tw__parse_bytes(bytes, text, err) == TW_OK && *bytes >= 1 && *bytes <= MOST_BYTES)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected a size from 1B to 1PiB, as in 64MiB", option, text);
}

static const struct cli_option options[] = {
	{"policy", "SPEC", .type = CLI_INPUT, .help = "Chooses the policy that should lose, as in 'heft'. Required."},
	{"against", "SPEC", .type = CLI_OWN, .take = take_against,
         .help = "Chooses the policy that should win, as in 'cpop'. With 'optimum', the proven optimum of 'tilewright "
                 "optimum' stands for it; few tasks can then be searched. Required."},
	{"tasks", "N", SETS(CLI_INT, search.n_tasks), TW__INSTANCE_LEAST_TASKS, TW__INSTANCE_MOST_TASKS,
         .help = "Searches graphs of N tasks. Default: 10."},
	{"iterations", "N", SETS(CLI_INT, search.n_iterations), 1, MOST_ITERATIONS,
         .help = "Makes N changes, one after the other, after each restart. Default: 1000."},
	{"restarts", "N", SETS(CLI_INT, search.n_restarts), 1, MOST_RESTARTS,
         .help = "Begins N times with another random graph. The worst graph of all counts. Default: 10."},
	{"accept", "metropolis|pisa", .type = CLI_OWN, .take = take_acceptance,
         .help = "Chooses how changes are accepted after which the policy loses less. 'metropolis': the less it loses, "
                 "the less likely (default). 'pisa': by the rule of the program of PISA's authors, SAGA."},
	{"max-time", "TIME", .type = CLI_OWN, .take = take_longest,
         .help = "Limits the time of a task. The least time is a hundredth of it. Default: 10ms."},
	{"max-size", "SIZE", .type = CLI_OWN, .take = take_size,
         .help = "Limits the size of the data that one task passes on to another. The least size is a hundredth of it. "
                 "Default: 64MiB."},
	{"seed", "N", .type = CLI_INPUT,
         .help = "Sets the seed of the random numbers of the search and of policies. Default: 1."},
	{.type = CLI_INPUTS},
	{"output", "FILE.json", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "Writes the worst graph to FILE.json. The workload 'file:FILE.json' reads it."},
	{"format", "text|csv|json", SETS(CLI_FORMAT, format), .help = "Prints in this format. Default: 'text'."},
	{0},
};

/* --- output ------------------------------------------------------------------------------------------------------- */

static void print_text(const struct options *o, const struct tw__adversary *found)
{
	const struct tw__adversary_search *s = &o->search;
	const struct tw__request *request = s->request;
	printf("%s against %s on %s, %d CPU%s + %d GPU%s: %d tasks, %d x %d changes, seed %llu\n", request->policy,
	       s->against, request->platform, found->cpus, found->cpus == 1 ? "" : "s", found->gpus,
	       found->gpus == 1 ? "" : "s", s->n_tasks, s->n_restarts, s->n_iterations,
	       (unsigned long long)request->seed);
	printf("  %-24s %12.6f\n", "first ratio", found->start);
	printf("  %-24s %12.6f\n", "worst ratio", found->ratio);
	printf("  %-24s %12.9f s\n", "makespan", tw__seconds(found->makespan[0]));
	printf("  %-24s %12.9f s\n", "makespan against it", tw__seconds(found->makespan[1]));
	printf("  %-24s %12d\n", "found after restart", found->restart + 1);
	printf("  %-24s %12lld\n", "graphs", (long long)found->n_graphs);
	printf("  %-24s %12lld\n", "accepted changes", (long long)found->n_accepted);
	if (found->n_refused)
		printf("  %-24s %12lld\n", "graphs that cannot run", (long long)found->n_refused);
}

static struct cell keyed(const char *key, struct cell cell)
{
	cell.key = key;
	return cell;
}

static void print_cells(const struct options *o, const struct tw__adversary *found)
{
	const struct tw__adversary_search *s = &o->search;
	const struct cell cells[] = {
		keyed("policy", cell_text(s->request->policy)),
		keyed("against", cell_text(s->against)),
		keyed("platform", cell_text(s->request->platform)),
		keyed("cpus", cell_integer(found->cpus)),
		keyed("gpus", cell_integer(found->gpus)),
		keyed("tasks", cell_integer(s->n_tasks)),
		keyed("iterations", cell_integer(s->n_iterations)),
		keyed("restarts", cell_integer(s->n_restarts)),
		keyed("seed", cell_integer((int64_t)s->request->seed)),
		keyed("first_ratio", cell_real(found->start)),
		keyed("worst_ratio", cell_real(found->ratio)),
		keyed("makespan_s", cell_ns(found->makespan[0])),
		keyed("against_makespan_s", cell_ns(found->makespan[1])),
		keyed("restart", cell_integer(found->restart + 1)),
		keyed("graphs", cell_integer(found->n_graphs)),
		keyed("accepted", cell_integer(found->n_accepted)),
		keyed("refused", cell_integer(found->n_refused)),
	};
	const int n = (int)(sizeof cells / sizeof *cells);
	if (o->format == TW__CSV) {
		tw__cells_write_keys(stdout, cells, n);
		tw__cells_write(stdout, cells, n);
	} else {
		tw__cells_write_json(stdout, json_pack("[o]", tw__cells_json(cells, n)));
	}
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int check(struct options *o, struct tw_error *err)
{
	int status = tw__inputs_complete(&o->inputs, TW__FOR_ADVERSARY, "adversary", 1, err);
	if (status < 0)
		return status;
	if (!o->search.against)
		return tw_fail(err, TW_INVALID,
		               "adversary: option --against is missing: expected it, see 'tilewright adversary "
		               "--help'");
	if (tw__is_machine(&o->inputs.common))
		return tw_fail(err, TW_INVALID,
		               "--platform machine: expected a platform with a file, where tasks of any time can run");
	if (!o->output)
		return TW_OK;
	const char *dot = strrchr(o->output, '.');
	if (!dot || strcmp(dot, ".json") != 0)
		return tw_fail(err, TW_INVALID, "--output '%.200s': expected a name that ends in .json", o->output);
	return TW_OK;
}

/* Searches, and writes the graph. The file can be opened before the search takes its time. */
static int find(const struct options *o, struct tw__adversary *found, struct tw_error *err)
{
	struct output output = {0};
	int status = o->output ? output_open(&output, o->output, err) : TW_OK;
	if (status < 0)
		return status;
	status = tw__adversary_find(found, &o->search, err);
	if (status == TW_OK && o->output) {
		output_begin(&output);
		status = tw__export_json(output.file, found->graph, err);
		if (status == TW_OK)
			status = output_close(&output, err);
		if (status < 0)
			tw__adversary_finish(found);
	}
	if (o->output)
		output_abandon(&output); /* does nothing unless an error left the output open */
	return status;
}

static int find_worst(struct options *o)
{
	struct tw_error err;
	struct tw__adversary found;
	o->search.request = &o->inputs.common;
	int status = check(o, &err);
	if (status == TW_OK)
		status = find(o, &found, &err);
	if (status < 0)
		return cli_error(status, &err);
	if (o->format == TW__TEXT)
		print_text(o, &found);
	else
		print_cells(o, &found);
	tw__adversary_finish(&found);
	return 0;
}

static int adversary(int argc, char **argv)
{
	struct options o = {
		.format = TW__TEXT,
		.search = {.n_tasks = 10,
	                   .n_iterations = 1000,
	                   .n_restarts = 10,
	                   .longest_s = 10e-3,
	                   .most_bytes = 64 << 20},
	};
	tw__inputs_init(&o.inputs);
	o.inputs.common.lacks_emulate = o.inputs.common.lacks_extrapolate = true;
	int exit_status = cli_parse(&command_adversary, argc, argv, &o, &o.inputs);
	if (exit_status == CLI_GO_ON)
		exit_status = find_worst(&o);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_adversary = {
	.name = "adversary",
	.summary = "search small graphs on which a policy loses most against another",
	.usage = usage,
	.notes = notes,
	.options = options,
	.inputs = TW__FOR_ADVERSARY,
	.has_no_words = true,
	.run = adversary,
};
