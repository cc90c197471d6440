/* tilewright calibrate: measures this machine and writes it as a platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cell_table.h"
#include "base/spec.h"
#include "calibrate/calibrate.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "platform/platform.h"
#include "request/inputs.h"

static const char usage[] =
	"Usage: tilewright calibrate --output DIR [OPTION]...\n"
	"Measures this machine while all its workers are busy: the time of each kernel on each kind of worker,\n"
	"and the bandwidth and latency of the links between memories. The folder DIR is then a platform, as in\n"
	"'tilewright run --platform DIR'. The same command again continues with the kernels whose times are\n"
	"still uncertain.\n"
	"\n";

static const char notes[] =
	"\n"
	"A kernel's time is certain when it has at least 30 valid samples and the 95 % confidence interval of\n"
	"their median is less than 1 % wide. Exit status: 0 done, even if some times are uncertain; 1 a kernel\n"
	"failed; 2 bad arguments or input; 130 or 143 stopped by a signal: DIR has the measurements so far.\n";

struct options {
	struct tw__inputs inputs;
	const char *output, *in_run;
	double limit_s;
	bool numa, force, quiet;
};

static int take_limit(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	struct tw_error why;
	if (tw__parse_seconds(&o->limit_s, text, &why) < 0 || !(o->limit_s > 0) || o->limit_s > 1e7)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected a time above 0, as in 60s", option, text);
	return TW_OK;
}

static const struct cli_option options[] = {
	{"output", "DIR", SETS(CLI_TEXT, output), .letter = 'o',
         .help = "Writes the platform to the folder DIR, which is created if it does not exist. Measurements that "
                 "DIR already has are kept and extended. Required."},
	{"workload", "SPEC[,...]", .type = CLI_INPUT,
         .help = "Measures the kernels of these workloads, with their tile sizes and precisions, as in "
                 "'cholesky:nt=10:nb=640'. Default: all workloads with real kernels, with tiles of 320, 640 and 960 "
                 "in both precisions."},
	{"emulate", "KEY=VALUE[:KEY=VALUE]...", .type = CLI_INPUT,
         .help = "Also measures accelerators that threads of this machine emulate, as in "
                 "'gpus=2:mem=64MiB:bandwidth=2GB/s' for two accelerators, each with 64 MiB of memory and a link of "
                 "2 GB/s. Default: none."},
	{"cpus", "N", .type = CLI_INPUT, .help = "Measures with N busy CPU workers. Default: all."},
	{"gpus", "N", .type = CLI_INPUT, .help = "Measures with N busy GPUs. Default: all."},
	{"cpu-groups", "N[+N]...", .type = CLI_INPUT,
         .help = "Makes groups of cores; each group is one CPU worker, whose cores execute a task together. "
                 "'10+5+5' makes three groups, of 10, 5 and 5 cores. Default: each core is a worker."},
	{"numa", NULL, SETS(CLI_YES, numa),
         .help = "Makes each NUMA node near cores a main memory, and measures copies between them, and between each "
                 "GPU and each of them. Default: all NUMA nodes are one main memory."},
	{"time-limit", "TIME", .type = CLI_OWN, .take = take_limit,
         .help = "Stops the measurement after TIME, as in '60s', but not before each kernel was measured once. "
                 "Default: 300s."},
	{"in-run", "POLICY", SETS(CLI_TEXT, in_run),
         .help = "Then runs each workload 5 times for real under POLICY, as in 'dmdas'. Kernels that ran at least 10 "
                 "times on a kind of worker get the times that they had there, so that contention is in them. "
                 "Default: no such runs."},
	{"seed", "N", .type = CLI_INPUT,
         .help = "Sets the seed of the random numbers that kernels compute with. Default: 1."},
	{"force", NULL, SETS(CLI_YES, force),
         .help = "Drops the measurements that DIR already has, and starts again. Default: the command continues "
                 "with them."},
	{"quiet", NULL, SETS(CLI_YES, quiet), .help = "Prints neither progress nor the table of measured times."},
	{0},
};

/* --- progress ----------------------------------------------------------------------------------------------------- */

struct shown {
	bool quiet, bar, drawn;
	const char *last; /* last workload named on stderr, where there is no bar */
};

static void draw(struct shown *s, const struct tw__calibrate_progress *p)
{
	char left[32];
	progress_bar(fmin(1, fmax(p->n ? (double)p->n_narrow / p->n : 0, p->seconds / p->limit_s)));
	progress_duration(left, sizeof left, fmax(0, p->limit_s - p->seconds));
	fprintf(stderr, "%d of %d kernels, at most %s left", p->n_narrow, p->n, left);
	if (p->last)
		fprintf(stderr, ": %.20s on %.20s, %.20s, %zu samples", p->last->kernel, p->last->arch, p->last->size,
		        p->last->n);
	fputs("\033[K", stderr);
	s->drawn = true;
}

static void tick(void *context, const struct tw__calibrate_progress *p)
{
	struct shown *s = context;
	if (s->bar)
		draw(s, p);
	else if (!s->quiet && s->last != p->workload)
		fprintf(stderr, "%s\n", p->workload);
	s->last = p->workload;
}

static void failed(void *context, const char *workload, const char *message)
{
	progress_wipe(&((struct shown *)context)->drawn);
	if (strncmp(message, "workload ", strlen("workload ")) == 0) /* it names the workload itself */
		cli_fail(0, "calibrate: %s", message);
	else
		cli_fail(0, "calibrate: workload '%.200s': %s", workload, message);
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static struct cell seconds_cell(double seconds)
{
	return seconds < 1e-3 ? cell_format("%.2f us", 1e6 * seconds) : cell_format("%.4g ms", 1e3 * seconds);
}

static struct cell interval_cell(const struct tw__estimate *e)
{
	return isfinite(e->interval)
	               ? cell_format("%.1f %%%s", 100 * e->interval, tw__estimate_is_wide(e) ? " wide" : "")
	               : cell_text("wide");
}

static void print_kernels(const struct tw__calibration *calibration)
{
	static const struct cell_column columns[] = {{.title = "kernel"},
	                                             {.title = "arch"},
	                                             {.title = "cores"},
	                                             {.title = "size"},
	                                             {.title = "precision"},
	                                             {.title = "mean", .align = 'r'},
	                                             {.title = "spread", .unit = UNIT_PERCENT},
	                                             {.title = "interval", .align = 'r'},
	                                             {.title = "samples"},
	                                             {.title = "interrupted"},
	                                             {.title = "outliers"},
	                                             {0}};
	struct cell_table t = {.columns = columns};
	for (int i = 0; i < calibration->n; i++) {
		const struct tw__calibrated *c = &calibration->kernels[i];
		const struct tw__estimate *e = &c->estimate;
		if (c->n)
			tw__cells_add(&t, cell_text(c->kernel), cell_text(c->arch), cell_integer(c->cores),
			              cell_text(c->size), cell_text(c->precision), seconds_cell(e->mean_s),
			              cell_real(e->stddev_s / e->mean_s), interval_cell(e),
			              cell_integer((int64_t)e->n[TW__COUNTS]),
			              cell_integer((int64_t)(e->n[TW__INTERRUPTED] + c->n_dropped[TW__INTERRUPTED])),
			              cell_integer((int64_t)(e->n[TW__OUTLIER] + c->n_dropped[TW__OUTLIER])));
	}
	tw__cells_print(&t, stdout);
}

static void add_way(struct cell_list *ways, const struct tw__calibration *c, int way)
{
	const struct tw__node *nodes = c->platform->nodes;
	tw__list_add(ways, "%s-%s", nodes[c->buses.ways[way].way.from].name, nodes[c->buses.ways[way].way.to].name);
}

static void print_links(const struct tw__calibration *c)
{
	static const struct cell_column columns[] = {{.title = "link"},
	                                             {.title = "shared by"},
	                                             {.title = "bandwidth", .format = "%.4g GB/s"},
	                                             {.title = "latency", .format = "%.4g us"},
	                                             {0}};
	struct cell_table t = {.columns = columns};
	for (int w = 0; w < c->buses.n_ways; w++) {
		const struct tw__bus_way *way = &c->buses.ways[w];
		struct cell_list name = {0};
		add_way(&name, c, w);
		tw__cells_add(&t, tw__list_cell(&name), cell_text(""), cell_real(way->line.bandwidth / 1e9),
		              cell_real(1e6 * way->line.latency_s));
	}
	for (int i = 0; i < c->buses.n_shared; i++) {
		struct cell_list ways = {.between = " "};
		for (int w = 0; w < c->buses.n_ways; w++)
			if (c->buses.shared[i].has[w])
				add_way(&ways, c, w);
		tw__cells_add(&t, cell_format("shared%d", i), tw__list_cell(&ways),
		              cell_real(c->buses.shared[i].bandwidth / 1e9), cell_text(""));
	}
	putchar('\n');
	tw__cells_print(&t, stdout);
}

static int count_wide(const struct tw__calibration *c)
{
	int n = 0;
	for (int i = 0; i < c->n; i++)
		n += c->kernels[i].n && tw__estimate_is_wide(&c->kernels[i].estimate);
	return n;
}

static int summarise(const struct options *o, const struct tw__calibrate_result *r, int stop_fd)
{
	int wide = count_wide(&r->calibration);
	if (r->stopped)
		return cli_fail(signals_status(stop_fd), "calibrate: stopped: '%s' %s; the same command continues",
		                o->output,
		                tw__calibration_is_incomplete(&r->calibration) ? "is left as it was"
		                                                               : "has the measurements so far");
	if (wide)
		cli_fail(0, "calibrate: %d kernel%s an interval above 1 %%: see its column; the same command continues",
		         wide, wide == 1 ? " has" : "s have");
	if (r->n_failed)
		return cli_fail(EXIT_RUN_FAILED, "calibrate: %d workload%s failed", r->n_failed,
		                r->n_failed == 1 ? "" : "s");
	return 0;
}

static int calibrate(struct options *o)
{
	const struct tw__words *workloads = tw__inputs_list(&o->inputs, "workload");
	struct shown shown = {.quiet = o->quiet, .bar = !o->quiet && isatty(STDERR_FILENO)};
	struct tw__calibrate_result result;
	struct tw_error err;
	int n = 0, stop_fd = signals_watch();
	while (tw__calibrate_workloads[n])
		n++;
	const struct tw__calibrate_setup setup = {
		.request = &o->inputs.common,
		.workloads = workloads->n ? workloads->of : (char *const *)tw__calibrate_workloads,
		.n_workloads = workloads->n ? workloads->n : n,
		.folder = o->output,
		.in_run = o->in_run,
		.limit_s = o->limit_s,
		.numa = o->numa,
		.force = o->force,
		.tick = tick,
		.failed = failed,
		.context = &shown,
		.stop_fd = stop_fd,
	};
	int status = tw__calibrate(&result, &setup, &err);
	progress_wipe(&shown.drawn);
	if (status == TW_OK && !o->quiet) {
		print_kernels(&result.calibration);
		if (result.calibration.has_buses)
			print_links(&result.calibration);
	}
	int exit_status = status < 0 ? cli_error(status, &err) : summarise(o, &result, stop_fd);
	tw__calibration_finish(&result.calibration);
	close(stop_fd);
	return exit_status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run(int argc, char **argv)
{
	struct options o = {.limit_s = 300};
	tw__inputs_init(&o.inputs);
	o.inputs.common.platform = TW__MACHINE_NAME;
	int exit_status = cli_parse(&command_calibrate, argc, argv, &o, &o.inputs);
	if (exit_status == CLI_GO_ON && !o.output)
		exit_status =
			cli_fail(EXIT_BAD_INPUT,
		                 "calibrate: option --output is missing: expected it, as in --output platforms/mine");
	if (exit_status == CLI_GO_ON)
		exit_status = calibrate(&o);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_calibrate = {
	.name = "calibrate",
	.summary = "measure the kernels and links of this machine, as a platform",
	.usage = usage,
	.notes = notes,
	.options = options,
	.inputs = TW__FOR_CALIBRATE,
	.has_no_words = true,
	.run = run,
};
