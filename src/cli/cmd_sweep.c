/* tilewright sweep: runs all combinations of its lists, into one file that can be resumed. */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep_options.h"
#include "experiment/load.h"

static const char usage[] =
	"Usage: tilewright sweep [PLAN] --platform NAME[,...] --workload SPEC[,...] --policy SPEC[,...]\n"
	"                        --output FILE.csv [OPTION]...\n"
	"Runs every combination of the values in its lists, and appends one row for each to a CSV file. The same\n"
	"command again runs only the combinations that the file does not have yet. PLAN is a file of these\n"
	"options, with one 'name = value' on each line; options of the command line override it.\n"
	"\n"
	"Lists: one value, or several with commas between them. Each combination of values is a point of the\n"
	"sweep. In a list of numbers, FIRST:LAST[:STEP] is a range with both ends included: '10:60:10' is\n"
	"10,20,30,40,50,60. Seeds must differ by at least the number of --repeat.\n";

static const char notes[] =
	"\n"
	"Points are numbered in the order platform, workload, nt, nb, communication, cpu-groups, cpus, gpus,\n"
	"gpu-mem, runtime, noise, belief-error, policy, eviction, seed, repetition; the repetition changes\n"
	"fastest. A row is appended when its point is done.\n"
	"Exit status: 0 done, 1 points failed or results could not be written, 2 bad arguments or input, 130 or\n"
	"143 stopped by a signal.\n";

static void print_name(void *context, const struct tw__request *request)
{
	char name[1024];
	(void)context;
	progress_name(name, sizeof name, request);
	puts(name);
}

static int preview(const struct sweep_options *o)
{
	struct tw__preview p;
	struct tw_error err;
	char left[32];
	int status = tw__sweep_preview(&o->sweep, &p, print_name, NULL, &err);
	if (status < 0)
		return cli_error(status, &err);
	progress_duration(left, sizeof left, p.seconds);
	return cli_fail(0, "sweep: %lld of %lld points to run, %.0f tasks: about %s with %d at once, a rough estimate",
	                (long long)p.missing, (long long)p.points, p.tasks, left, o->sweep.jobs);
}

static int summarise(const struct tw__sweep_counts *c, const struct sweep_options *o, int stop_fd)
{
	int64_t failed = c->there_failed + c->failed;
	if (c->stopped)
		return cli_fail(signals_status(stop_fd),
		                "sweep: stopped: %lld of %lld points are in '%s'; the same command runs the others",
		                (long long)(c->there + c->done), (long long)c->points, o->sweep.output);
	if (failed)
		return cli_fail(EXIT_RUN_FAILED, "sweep: %lld of %lld points failed: see column message of '%s'",
		                (long long)failed, (long long)c->points, o->sweep.output);
	return 0;
}

static int run_sweep(struct sweep_options *o)
{
	struct tw_error err;
	struct tw__sweep_counts counts;
	struct progress progress;
	int checked = tw__check_speedup(&o->inputs, &err);
	if (checked < 0)
		return cli_error(checked, &err);
	progress_init(&progress, o->sweep.output, o->quiet);
	int stop_fd = signals_watch();
	const struct tw__sweep_watch watch = {
		.begin = progress_begin,
		.point = progress_point,
		.tick = progress_tick,
		.context = &progress,
		.stop_fd = stop_fd,
	};
	/* Exceeding the limit on file sizes then gives a write error, which the sweep reports. */
	signal(SIGXFSZ, SIG_IGN);
	int status = tw__sweep_run(&o->sweep, &watch, &counts, &err);
	progress_end(&progress);
	int exit_status = status < 0 ? cli_error(status, &err) : summarise(&counts, o, stop_fd);
	if (stop_fd >= 0)
		close(stop_fd);
	return exit_status;
}

static int run(int argc, char **argv)
{
	struct sweep_options o;
	int exit_status = sweep_options_init(&o, argc, argv);
	if (exit_status < 0)
		exit_status = o.dry_run ? preview(&o) : run_sweep(&o);
	sweep_options_finish(&o);
	return exit_status;
}

const struct command command_sweep = {
	.name = "sweep",
	.summary = "run all combinations of lists, into one CSV file that can be resumed",
	.usage = usage,
	.notes = notes,
	.options = sweep_table,
	.inputs = TW__FOR_SWEEP,
	.run = run,
};
