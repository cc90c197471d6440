/* tilewright sweep: runs all combinations of its lists, into one file that can be resumed. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spec.h"
#include "base/wall.h"
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
	"gpu-mem, runtime, decision-cost, noise, belief-error, policy, eviction, seed, repetition; the\n"
	"repetition changes fastest. A row is appended when its point is done.\n"
	"Exit status: 0 done, 1 points failed or results could not be written, 2 bad arguments or input, 130 or\n"
	"143 stopped by a signal.\n";

/* --- progress ----------------------------------------------------------------------------------------------------- */

/* Progress on stderr: a bar on a terminal, otherwise one line for each point. */
struct progress {
	bool quiet, bar;
	const char *output; /* name of the sweep's output file, for messages */
	double start_s, drawn_s;
	bool drawn; /* whether a bar is on the screen */
};

static void draw(struct progress *p, const struct tw__sweep_counts *c)
{
	char left[32] = "?";
	int64_t there = c->there + c->done;
	double seconds = tw__wall_s() - p->start_s, rate = seconds > 0 ? (double)c->done / seconds : 0;
	if (c->done > 0)
		progress_duration(left, sizeof left, (double)(c->points - there) / rate);
	progress_bar(c->points ? (double)there / (double)c->points : 1);
	fprintf(stderr, "%lld of %lld points, %lld failed, %.1f a second, %s left\033[K", (long long)there,
	        (long long)c->points, (long long)(c->there_failed + c->failed), rate, left);
	p->drawn = true;
	p->drawn_s = tw__wall_s();
}

static void begin(void *context, const struct tw__sweep_counts *c, const struct tw__kept *rows)
{
	struct progress *p = context;
	p->start_s = tw__wall_s();
	if (*rows->dropped)
		cli_fail(0, "%s: %s: dropped it; its point runs again", p->output, rows->dropped);
	if (p->quiet)
		return;
	if (c->there > 0)
		cli_fail(0, "%s: has %lld of %lld points, %lld missing", p->output, (long long)c->there,
		         (long long)c->points, (long long)(c->points - c->there));
	if (p->bar)
		draw(p, c);
}

/* Prints the name of a point, from the options given: "mirage cholesky:nt=20 dmdas lru, gpus 2, gpu-mem 500 MiB,
 * repeat 3". */
static void print_name(FILE *f, const struct tw__request *q)
{
	struct tw__request own = *q;
	own.seed = tw__seed_of(q);
	fprintf(f, "%.100s %.100s %.100s%s%.100s", q->platform, q->workload, q->policy, q->eviction ? " " : "",
	        q->eviction ? q->eviction : "");
	for (const struct tw__field *field = tw__fields; field->name; field++) {
		char value[TW__FIELD_ROOM];
		const char *given = tw__field_text(field, &own, value);
		bool is_named = field->needs & TW__FOR_SWEEP || strcmp(field->name, "eviction") == 0;
		bool varies = field->lists & TW__FOR_SWEEP || field->type == TW__FIELD_REPETITIONS;
		if (!given || is_named || !varies)
			continue;
		if (field->type == TW__FIELD_SIZE)
			given = tw__size_text(value, sizeof value, strtoull(given, NULL, 10));
		fprintf(f, ", %s %.100s", field->name, given);
	}
}

static void tick(void *context, const struct tw__sweep_counts *c)
{
	struct progress *p = context;
	if (p->bar && tw__wall_s() - p->drawn_s > 0.1)
		draw(p, c);
}

static void point(void *context, const struct tw__sweep_counts *c, const struct tw__finished *finished)
{
	struct progress *p = context;
	bool failed = finished->report.status != TW__RUN_OK;
	if (!p->quiet && (failed || !p->bar)) {
		progress_wipe(&p->drawn);
		fprintf(stderr, "%lld/%lld ", (long long)(c->there + c->done), (long long)c->points);
		print_name(stderr, &finished->request);
		if (failed)
			fprintf(stderr, ": failed: %s\n", finished->report.message);
		else
			fprintf(stderr, ": %.6g s\n", finished->report.makespan_s);
	}
	tick(context, c);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static void put_point(const struct tw__request *request)
{
	print_name(stdout, request);
	putchar('\n');
}

static int preview(const struct sweep_options *o)
{
	struct tw__preview p;
	struct tw_error err;
	char left[32];
	int status = tw__sweep_preview(&o->sweep, &p, put_point, &err);
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
	struct progress progress = {
		.quiet = o->quiet, .bar = !o->quiet && isatty(STDERR_FILENO), .output = o->sweep.output};
	int checked = tw__check_factors(&o->inputs, &err);
	if (checked < 0)
		return cli_error(checked, &err);
	int stop_fd = signals_watch();
	const struct tw__sweep_watch watch = {
		.begin = begin,
		.point = point,
		.tick = tick,
		.context = &progress,
		.stop_fd = stop_fd,
	};
	/* Exceeding the limit on file sizes then gives a write error, which the sweep reports. */
	signal(SIGXFSZ, SIG_IGN);
	int status = tw__sweep_run(&o->sweep, &watch, &counts, &err);
	progress_wipe(&progress.drawn);
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
