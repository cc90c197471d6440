/* tilewright sweep: the product of lists, into a file that survives. */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep_options.h"

static const char usage[] =
	"Usage: tilewright sweep [PLAN] --platform NAME[,...] --workload SPEC[,...] --policy SPEC[,...] --output FILE.csv\n"
	"                        [OPTION]...\n"
	"Runs every policy on every workload, platform, selection and memory limit, into one file, row by row. The same\n"
	"command again runs only what is missing in the file. Options are those of 'tilewright run'; PLAN is a file of them,\n"
	"one 'name = value' a line, which those of the command line override.\n"
	"\n"
	"Lists, of which each combination is a point:\n"
	"  --platform NAME[,...]  nodes; machine: this one (default of engine real)\n"
	"  --workload SPEC[,...]  task graphs\n"
	"  --nt N[,...], --nb N[,...]\n"
	"                         set that parameter of every workload\n"
	"  --cpus N[,...], --gpus N[,...]\n"
	"                         take that many workers of the platform (default all); a N is a number or a range\n"
	"                         FIRST:LAST[:STEP], both included, as in 10:60:10\n"
	"  --gpu-mem SIZE[,...]   bound each GPU's memory, as in 500MiB; none: what the card has (default)\n"
	"  --communication on|off[,...], --cpu-groups N[+N]...[,...], --runtime SPEC[,...], --noise SPEC[,...],\n"
	"  --belief-error ETA[,...]\n"
	"                         as below; groups none: cores alone\n"
	"  --policy SPEC[,...]    scheduling policies; ./mine.so is one of your own, of evictions and workloads, too\n"
	"  --eviction SPEC[,...]  which data leaves a full memory (default: the policy's own, else lru)\n"
	"  --seed N[,...]         of everything random (default 1); a N is a number or a range\n"
	"  --repeat N             run each N times; the r-th, from 0, with the seed plus r (default 1)\n"
	"\n"
	"What runs are like (--mem, --engine, --emulate, --check, --extrapolate and --validate: all of them; without --engine\n"
	"simulations are made by native, or by the engine of the rows that FILE has):\n" RUN_OPTIONS_USAGE "\n"
	"How to go about it:\n"
	"  --output FILE          results go there, as CSV; what is there stays\n"
	"  --columns NAME[,...]   these columns, in that order, then engine, status, message, version and identity\n"
	"  --jobs N               so many processes at once (default: the processors; 1 with --engine real)\n"
	"  --shard K/N            only the K-th of N parts, for several machines\n"
	"  --retry                run points again that have failed\n"
	"  --dry-run              list the points that are missing, and run none\n"
	"  --quiet                no progress\n"
	"  -h, --help             print this\n"
	"\n"
	"Points come in the order platform, workload, nt, nb, communication, cpu-groups, cpus, gpus, gpu-mem, runtime, noise,\n"
	"belief-error, policy, eviction, seed, repetition, the last changing fastest; rows as they are done.\n"
	"Exit status: 0 done, 1 points failed or results could not be written, 2 bad arguments or input, 130 or 143 ended by\n"
	"a signal.\n";

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
	return cli_fail(0, "sweep: %lld of %lld points to run, %.0f tasks: about %s with %d at once, by a rough guess",
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
	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error of writing, with a message */
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
	.summary = "run every policy on every workload, into a file that survives",
	.usage = usage,
	.run = run,
};
