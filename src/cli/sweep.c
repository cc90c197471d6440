/* tilewright sweep: runs all combinations of its lists, into one file that can be resumed. */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep_options.h"

static const char usage[] =
	"Usage: tilewright sweep [PLAN] --platform NAME[,...] --workload SPEC[,...] --policy SPEC[,...]\n"
	"                        --output FILE.csv [OPTION]...\n"
	"Runs every combination of its lists and appends one row for each to a CSV file. The same command again\n"
	"runs only the points that the file lacks. Options are those of 'tilewright run'. PLAN is a file of\n"
	"options, one 'name = value' a line; the command line overrides it.\n"
	"\n"
	"Lists (each combination is a point):\n"
	"  --platform NAME[,...]  nodes; machine: this one (default of engine real)\n"
	"  --workload SPEC[,...]  task graphs\n"
	"  --nt N[,...], --nb N[,...]\n"
	"                         set this parameter of every workload\n"
	"  --cpus N[,...], --gpus N[,...]\n"
	"                         use N CPU or GPU workers of the platform (default all); N is a number or a range\n"
	"                         FIRST:LAST[:STEP], both included, as in 10:60:10\n"
	"  --gpu-mem SIZE[,...]   limit the memory of each GPU, as in 500MiB; none: the memory of the card (default)\n"
	"  --communication on|off[,...], --cpu-groups N[+N]...[,...], --runtime SPEC[,...], --noise SPEC[,...],\n"
	"  --belief-error ETA[,...]\n"
	"                         as below; groups none: single cores\n"
	"  --policy SPEC[,...]    scheduling policies; ./mine.so is your own, for evictions and workloads too\n"
	"  --eviction SPEC[,...]  eviction policies (default: the policy's own, else lru)\n"
	"  --seed N[,...]         seeds of all random numbers (default 1); N is a number or a range\n"
	"  --repeat N             repetitions (default 1); the r-th, from 0, has the seed plus r\n"
	"\n"
	"Options of runs (--mem, --engine, --emulate, --check, --extrapolate and --validate hold for all points;\n"
	"the default engine is native, or that of the rows in FILE):\n" RUN_OPTIONS_USAGE "\n"
	"Options of the sweep:\n"
	"  --output FILE          append results to FILE, as CSV\n"
	"  --columns NAME[,...]   write these columns, in this order, then engine, status, message, version and\n"
	"                         identity\n"
	"  --jobs N               run N processes at once (default: the number of processors; 1 with --engine real)\n"
	"  --shard K/N            run only part K of N, for several machines\n"
	"  --retry                run failed points again\n"
	"  --dry-run              list the missing points and run none\n"
	"  --quiet                print no progress\n"
	"  -h, --help             print this\n"
	"\n"
	"Points come in the order platform, workload, nt, nb, communication, cpu-groups, cpus, gpus, gpu-mem,\n"
	"runtime, noise, belief-error, policy, eviction, seed, repetition; repetition changes fastest. Rows come\n"
	"in the order of completion.\n"
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
	const struct tw__sweep sweep = sweep_options_sweep(o);
	struct tw__preview p;
	struct tw_error err;
	char left[32];
	int status = tw__sweep_preview(&sweep, &p, print_name, NULL, &err);
	if (status < 0)
		return cli_error(status, &err);
	progress_duration(left, sizeof left, p.seconds);
	return cli_fail(0, "sweep: %lld of %lld points to run, %.0f tasks: about %s with %d at once, a rough estimate",
	                (long long)p.missing, (long long)p.points, p.tasks, left, o->jobs);
}

static int summarise(const struct tw__sweep_counts *c, const struct sweep_options *o, int stop_fd)
{
	int64_t failed = c->there_failed + c->failed;
	if (c->stopped)
		return cli_fail(signals_status(stop_fd),
		                "sweep: stopped: %lld of %lld points are in '%s'; the same command runs the others",
		                (long long)(c->there + c->done), (long long)c->points, o->output);
	if (failed)
		return cli_fail(EXIT_RUN_FAILED, "sweep: %lld of %lld points failed: see column message of '%s'",
		                (long long)failed, (long long)c->points, o->output);
	return 0;
}

static int run_sweep(const struct sweep_options *o)
{
	const struct tw__sweep sweep = sweep_options_sweep(o);
	struct tw_error err;
	struct tw__sweep_counts counts;
	struct progress progress;
	progress_init(&progress, o->output, o->quiet);
	int stop_fd = signals_watch();
	const struct tw__sweep_watch watch = {
		.begin = progress_begin,
		.point = progress_point,
		.tick = progress_tick,
		.context = &progress,
		.stop_fd = stop_fd,
	};
	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes becomes an error of writing, with a message */
	int status = tw__sweep_run(&sweep, &watch, &counts, &err);
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
	.run = run,
};
