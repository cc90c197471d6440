/* tilewright validate: checks schedules in trace files. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>

#include "experiment/past.h"
#include "plot/schedule.h"

static const char *const usage[] = {
	"Usage: tilewright validate TRACE...\n"
	"Checks the schedules in trace files that 'tilewright run --trace' wrote. The checks use the trace alone, and\n"
	"share no code with the simulation. Each trace becomes one line of output.\n"
	"\n"
	"A trace in .json, .paje, .trace, .record or a folder holds the whole run, so every rule is checked: tasks run\n"
	"once, in the order of their dependencies, one at a time on each worker, as long as the model says; data is\n"
	"coherent and valid where tasks read it; memories do not overflow; transfers take as long as the links that\n"
	"they share allow. docs/reference/traces.md lists the rules.\n"
	"Other traces, of other programs or older versions, show only which kernels ran where and when. For these the\n"
	"command checks that no two kernels overlap on a worker, and says what it could not check.\n"
	"\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"Exit status: 0 all valid, 1 a trace breaks a rule, 2 bad arguments, or a trace that cannot be read.\n",
	NULL,
};

static const struct option long_options[] = {{"help", no_argument, NULL, 'h'}, {0}};

/* Prints the result for a trace that holds the whole run. */
static int check_run(struct tw__past *past)
{
	struct tw_error err;
	const struct tw__validation_input input = tw__plan_validation(&past->plan);
	size_t n_events = past->section.record.n;
	int status = tw__validate(&input, &past->section.record, NULL, &err);
	if (status < 0)
		return cli_fail(status == TW_FAILED ? EXIT_RUN_FAILED : EXIT_BAD_INPUT, "%s: %s", past->section.path,
		                err.message);
	printf("%s: valid: %d tasks on %d workers, %zu events%s\n", past->section.path,
	       (int)past->scene->graph->n_tasks, (int)past->scene->platform->n_workers, n_events,
	       past->section.record.measured ? " of a real run, whose durations are measured" : "");
	return 0;
}

static int by_worker_then_start(const void *a, const void *b)
{
	const struct tw__box *x = a, *y = b;
	if (x->worker != y->worker)
		return x->worker < y->worker ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Returns the second of two kernels that overlap on a worker; NULL: no kernels overlap. Sorts the boxes. */
static const struct tw__box *find_overlap(struct tw__schedule *s)
{
	qsort(s->boxes, s->n_boxes, sizeof *s->boxes, by_worker_then_start);
	for (size_t i = 1; i < s->n_boxes; i++)
		if (s->boxes[i].worker == s->boxes[i - 1].worker && s->boxes[i].start < s->boxes[i - 1].end)
			return &s->boxes[i];
	return NULL;
}

/* Prints the result for a trace that shows kernels alone. */
static int check_kernels(const char *path)
{
	struct tw_error err;
	struct tw__schedule s;
	tw__schedule_init(&s);
	int status = tw__schedule_read(&s, path, &err), exit_status = 0;
	const struct tw__box *overlap = status == TW_OK && s.n_boxes ? find_overlap(&s) : NULL;
	if (status < 0)
		exit_status = cli_error(status, &err);
	else if (overlap)
		exit_status = cli_fail(
			EXIT_RUN_FAILED,
			"%s: exclusive: kernel %s starts on worker %s at %.9f s, before another kernel ended there",
			path, s.kernels.list[overlap->kernel], s.workers.list[overlap->worker],
			tw__seconds(overlap->start));
	else
		printf("%s: no two of %zu kernels overlap on a worker. Not checked, as the trace does not hold the whole "
		       "run: dependencies, durations, data, memories and transfers\n",
		       path, s.n_boxes);
	tw__schedule_finish(&s);
	return exit_status;
}

static int check_trace(const char *path)
{
	struct tw_error err;
	struct tw__past past;
	bool found;
	int status = tw__past_open(&past, path, &found, &err);
	int exit_status = status < 0 ? cli_error(status, &err) : found ? check_run(&past) : check_kernels(path);
	tw__past_close(&past);
	return exit_status;
}

static int validate(int argc, char **argv)
{
	int worst = cli_options(&command_validate, argc, argv, ":h", long_options, NULL, NULL);
	if (worst >= 0)
		return worst;
	if (optind == argc)
		return cli_fail(EXIT_BAD_INPUT, "validate: no trace: expected one, see 'tilewright validate --help'");
	worst = 0;
	for (int i = optind; i < argc; i++) {
		int exit_status = check_trace(argv[i]);
		worst = exit_status > worst ? exit_status : worst;
	}
	return worst;
}

const struct command command_validate = {
	.name = "validate",
	.summary = "check schedules in trace files",
	.usage = usage,
	.run = validate,
};
