/* tilewright sweep: runs all combinations of its lists, into one file that can be resumed. */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep_options.h"
#include "experiment/origin.h"

static const char *const usage[] = {
	"Usage: tilewright sweep [PLAN] --platform NAME[,...] --workload SPEC[,...] --policy SPEC[,...]\n"
	"                        --output FILE.csv [OPTION]...\n"
	"Runs every combination of the values in its lists, and appends one row for each to a CSV file. The same\n"
	"command again runs only the combinations that the file does not have yet. PLAN is a file of these\n"
	"options, with one 'name = value' on each line; options of the command line override it.\n"
	"\n"
	"Lists: one value, or several with commas between them. Each combination of values is a point of the\n"
	"sweep.\n"
	"  --platform NAME[,...]  Chooses the nodes to simulate, each by a name that 'tilewright list platforms'\n"
	"                         prints, by the path of a folder with platform.xml and kernels.csv, or by the\n"
	"                         path of such an XML file. 'machine' is this machine; it is the default with\n"
	"                         --engine real. Otherwise this option is required.\n"
	"  --workload SPEC[,...]  Chooses the task graphs, as in 'cholesky:nt=20:nb=960'. 'file:PATH' reads a\n"
	"                         graph from the file PATH. Required.\n"
	"  --nt N[,...]           Sets the parameter nt of every workload, in most workloads the number of tiles\n"
	"                         in a row: 'cholesky' becomes 'cholesky:nt=N'. No SPEC may then set nt itself.\n"
	"                         Default: nt is as each SPEC says.\n"
	"  --nb N[,...]           Sets the parameter nb of every workload, in most workloads the elements in a\n"
	"                         row of a tile: 'cholesky' becomes 'cholesky:nb=N'. No SPEC may then set nb\n"
	"                         itself. Default: nb is as each SPEC says.\n"
	"  --cpus N[,...]         Uses N CPU workers of the platform. A range is FIRST:LAST[:STEP] with both ends\n"
	"                         included: '10:60:10' is 10,20,30,40,50,60. Default: all cores, except one core\n"
	"                         for each GPU in use, which drives that GPU.\n"
	"  --gpus N[,...]         Uses N GPUs of the platform. Ranges as for --cpus. Default: all.\n"
	"  --gpu-mem SIZE[,...]   Limits the memory of each GPU to SIZE, as in '500MiB'. 'none' sets no limit:\n"
	"                         each GPU has the memory that the platform says (default).\n"
	"  --communication, --cpu-groups, --runtime, --noise, --belief-error\n"
	"                         These options, described below, also take lists here: one run for each value.\n"
	"                         The value 'none' of --cpu-groups makes each core a worker.\n"
	"  --policy SPEC[,...]    Chooses the scheduling policies, as in 'eager,dmdas'. './mine.so' loads your\n"
	"                         own policy from that shared object. Required.\n"
	"  --eviction SPEC[,...]  Chooses the eviction policies, which decide which data leaves a full memory.\n"
	"                         Default: the eviction policy that the scheduling policy names, otherwise 'lru'.\n"
	"  --seed N[,...]         Runs every combination with each of these seeds of random numbers. Ranges as\n"
	"                         for --cpus. Seeds must differ by at least the number of --repeat. Default: 1.\n",
	"  --repeat N             Runs every combination N times in all. Repetition r, counted from 0, has the\n"
	"                         value of --seed plus r as its seed. Default: 1.\n"
	"\n"
	"Options of runs; those that take no list hold for all points:\n",
	RUN_MACHINE_USAGE,
	RUN_MODEL_USAGE,
	RUN_LIMIT_USAGE,
	"\n"
	"Options of the sweep:\n"
	"  --output FILE.csv      Appends the results to this CSV file, one row for each point. Creates the file\n"
	"                         if it does not exist. Required.\n"
	"  --columns NAME[,...]   Writes only these columns of the results, in this order. The sweep adds\n"
	"                         'engine', 'status', 'message', 'version' and 'identity' after them if they are\n"
	"                         not named, because it needs them to continue. Default: all columns.\n"
	"  --jobs N               Runs up to N points at the same time, each in its own process. Default: the\n"
	"                         number of processors; with --engine real always 1.\n"
	"  --shard K/N            Runs only every N-th point, from the K-th on, as in '2/8'. So N machines, each\n"
	"                         with its own K from 1 to N, share one sweep. Default: 1/1, all points.\n"
	"  --retry                Runs the points again that have a row of a failed run in FILE.csv. Default:\n"
	"                         such points are left as they are.\n"
	"  --dry-run              Prints the points that FILE.csv does not have yet, with a rough estimate of the\n"
	"                         time that they take, and runs none.\n"
	"  --quiet                Prints no progress on standard error.\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"Points are numbered in the order platform, workload, nt, nb, communication, cpu-groups, cpus, gpus,\n"
	"gpu-mem, runtime, noise, belief-error, policy, eviction, seed, repetition; the repetition changes\n"
	"fastest. A row is appended when its point is done.\n"
	"Exit status: 0 done, 1 points failed or results could not be written, 2 bad arguments or input, 130 or\n"
	"143 stopped by a signal.\n",
	NULL,
};

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
	struct tw__sweep sweep = sweep_options_sweep(o);
	struct tw_error err;
	struct tw__sweep_counts counts;
	struct progress progress;
	int checked = tw__check_speedup(&sweep.common, sweep.platforms, sweep.n[TW__PLATFORMS], sweep.workloads,
	                                sweep.n[TW__WORKLOADS], &err);
	if (checked < 0)
		return cli_error(checked, &err);
	progress_init(&progress, o->output, o->quiet);
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
