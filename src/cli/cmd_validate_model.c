/* tilewright validate-model: compares simulated with real makespans, and explains the difference. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cell_table.h"
#include "base/json_text.h"
#include "cli/cli.h"
#include "cli/signals.h"
#include "request/words.h"
#include "engine/engine.h"
#include "platform/emulate.h"
#include "platform/platform.h"
#include "validation/validate.h"

static const char usage[] =
	"Usage: tilewright validate-model --platform DIR --workload SPEC[,...] --policy SPEC[,...]\n"
	"                                 --output FILE.csv [OPTION]...\n"
	"Executes each combination of a workload, a policy and a memory limit (a point) on this machine, and also\n"
	"simulates it. Appends one row for each point to FILE.csv; the same command again continues with the\n"
	"points that the file does not have yet. Further simulations explain the difference of the makespans:\n"
	"with the real durations of kernels, then also in the real order, then with the real durations of copies,\n"
	"then with the real times at which the runtime system acted.\n"
	"\n";

static const char notes[] =
	"\n"
	"Exit status: 0 done; 1 points failed or were too noisy; 2 bad arguments or input; 130 or 143 stopped by\n"
	"a signal.\n";

struct options {
	struct tw__validate_model model;
	struct tw__inputs inputs;
	int format; /* enum tw__result_format; -1: not given */
	bool quiet;
};

/* "10" and "10%" are a tenth. */
static int take_off_cpu(void *options, const char *option, const char *text, struct tw_error *err)
{
	char number[32];
	size_t length = strlen(text);
	double percent;
	snprintf(number, sizeof number, "%.*s", (int)(length && text[length - 1] == '%' ? length - 1 : length), text);
	int status = tw__word_real(&percent, option, number, 0, 100, err);
	((struct options *)options)->model.most_off_cpu = percent / 100;
	return status;
}

static int take_columns(void *options, const char *option, const char *text, struct tw_error *err)
{
	(void)option;
	return tw__columns_parse(&((struct options *)options)->model.columns, tw__validation_table, text, err);
}

static const struct cli_option options[] = {
	{"platform", "DIR", .type = CLI_INPUT,
         .help = "Names the folder in which 'tilewright calibrate' has measured this machine.\n"
                 "With --engine real:mode=timed, any platform. Required."},
	{"gpu-mem", "SIZE[,...]", .type = CLI_INPUT,
         .help = "Limits the memory of each accelerator to SIZE, as in '64MiB'. 'none' sets no\n"
                 "limit: each accelerator has the memory that the platform says (default).\n"
                 "Several values: one point for each."},
	{"engine", "SPEC", .type = CLI_INPUT,
         .help = "Chooses how the real runs execute. 'real' executes the kernels (default). In 'real:mode=timed', "
                 "threads sleep for the times that the model gives to kernels and copies, and compute nothing."},
	{"emulate", "gpus=N", .type = CLI_INPUT,
         .help = "Emulates N accelerators of the platform with threads. Default: none."},
	{.type = CLI_INPUTS},
	{"repeat", "N", SETS(CLI_INT, model.repeat), .least = 1, .most = 1000000,
         .help = "Executes N real runs of each point. Default: 5."},
	{"off-cpu", "PERCENT", .type = CLI_OWN, .take = take_off_cpu,
         .help = "Repeats a real run, at most 10 times, if its threads lost their cores for more\n"
                 "than PERCENT % of the time. Other programs on the machine cause that; the\n"
                 "column 'off_cpu' says how much it was. Default: 2."},
	{"output", "FILE.csv", SETS(CLI_TEXT, model.output),
         .help = "Appends the rows to this CSV file, which is created if it does not exist. Required."},
	{"format", "text|csv|json", SETS(CLI_FORMAT, format),
         .help = "\nPrints the new rows in this format on standard output. Default: 'text', but\n"
                 "'csv' with --columns."},
	{"columns", "NAME[,...]", .type = CLI_OWN, .take = take_columns,
         .help = "Writes and prints only these columns of the rows, in this order, as in 'policy,makespan_error'. "
                 "FILE.csv also gets 'status', 'message', 'version' and 'identity' after them if they are not "
                 "named, because the command needs them to continue. For csv and json. Default: all columns."},
	{"retry", NULL, SETS(CLI_YES, model.retry),
         .help = "Runs the points again that have a row in FILE.csv but failed or were too noisy. Default: such "
                 "points are left as they are."},
	{"force", NULL, SETS(CLI_YES, model.force),
         .help = "Runs even if the platform was measured on another machine, or if its folder\n"
                 "does not say on which. Default: such a platform is an error."},
	{"quiet", NULL, SETS(CLI_YES, quiet), .help = "Prints neither progress nor the new rows."},
	{0},
};

/* --- output: progress on stderr, new rows on stdout -------------------------------------------------------------- */

struct shown {
	bool quiet;
	enum tw__result_format format;
	const struct tw__column_choice *columns; /* of csv and json */
	int n;                                   /* number of rows printed so far, or kept for the end */
	struct cell_table table;
	json_t *rows; /* rows kept for JSON; NULL: another format */
};

static void begin(void *context, const struct tw__request *q, int64_t point, int64_t n)
{
	const struct shown *s = context;
	if (!s->quiet)
		fprintf(stderr, "%lld/%lld %s %s:", (long long)point + 1, (long long)n, q->workload, q->policy);
}

static void tick(void *context, int run, bool quiet)
{
	const struct shown *s = context;
	if (!s->quiet && quiet) /* the message of the row tells of noise */
		fputs(run == 0 ? " ." : ".", stderr);
}

static void add_row(struct cell_table *t, const struct tw__validation *v)
{
	bool inside = v->real_s >= v->low_s && v->real_s <= v->high_s;
	tw__cells_add(t, cell_text(v->request->workload), cell_text(v->request->policy), cell_real(1e3 * v->real_s),
	              cell_real(1e3 * v->simulated_s), cell_real(v->error),
	              cell_format("%.4g to %.4g%s", 1e3 * v->low_s, 1e3 * v->high_s, inside ? "" : " no"),
	              cell_real(v->parts[TW__PART_KERNELS]), cell_real(v->parts[TW__PART_ORDER]),
	              cell_real(v->parts[TW__PART_BUS]), cell_real(v->parts[TW__PART_RUNTIME]),
	              cell_real(v->parts[TW__PART_REST]), cell_text(tw__part_names[tw__largest_part(v)]));
}

/* Prints or keeps the row of a finished point. CSV rows are printed immediately, so that an interrupted command loses
 * none. Other formats are printed at the end. */
static void show_row(struct shown *s, const struct tw__validation *v)
{
	struct cell cells[TW__MAX_COLUMNS];
	int n = tw__column_choice_apply(s->columns, cells, tw__validation_cells(v, cells));
	if (s->format == TW__TEXT && v->status == TW__VALIDATED)
		add_row(&s->table, v);
	if (s->format == TW__CSV && s->n == 0)
		tw__cells_write_keys(stdout, cells, n);
	if (s->format == TW__CSV)
		tw__cells_write(stdout, cells, n);
	if (s->format == TW__JSON)
		tw__json_append(s->rows, tw__cells_json(cells, n));
	s->n += s->format != TW__TEXT || v->status == TW__VALIDATED;
}

static void end(void *context, const struct tw__validation *v)
{
	struct shown *s = context;
	if (s->quiet)
		return;
	if (v->status == TW__VALIDATED)
		fprintf(stderr, " %+.1f %%\n", 100 * v->error);
	else
		fprintf(stderr, " %s\n", v->message);
	show_row(s, v);
}

/* Prints the rows that were kept for the end, and frees all. */
static void show(struct shown *s)
{
	if (s->n == 0)
		json_decref(s->rows);
	else if (s->format == TW__JSON)
		tw__cells_write_json(stdout, s->rows);
	else if (s->format == TW__TEXT)
		tw__cells_print(&s->table, stdout);
}

static void shown_init(struct shown *s, bool quiet, enum tw__result_format format,
                       const struct tw__column_choice *columns)
{
	static const struct cell_column text[] = {{.title = "workload"},
	                                          {.title = "policy"},
	                                          {.title = "real", .format = "%.4g ms"},
	                                          {.title = "simulated", .format = "%.4g ms"},
	                                          {.title = "error", .unit = UNIT_CHANGE},
	                                          {.title = "interval (ms)", .align = 'r'},
	                                          {.title = "kernels", .unit = UNIT_CHANGE},
	                                          {.title = "order", .unit = UNIT_CHANGE},
	                                          {.title = "bus", .unit = UNIT_CHANGE},
	                                          {.title = "runtime", .unit = UNIT_CHANGE},
	                                          {.title = "rest", .unit = UNIT_CHANGE},
	                                          {.title = "largest"},
	                                          {0}};
	*s = (struct shown){.quiet = quiet, .format = format, .columns = columns, .table = {.columns = text}};
	s->rows = format == TW__JSON ? json_array() : NULL;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static int summarise(const struct tw__validate_counts *c, const char *output, int stop_fd)
{
	if (c->stopped)
		return cli_fail(signals_status(stop_fd),
		                "validate-model: stopped: '%s' has the rows so far; the same command continues",
		                output);
	if (c->failed)
		return cli_fail(
			EXIT_RUN_FAILED,
			"validate-model: %lld of %lld points failed or were too noisy: see column message of '%s'",
			(long long)c->failed, (long long)c->points, output);
	return 0;
}

static int validate(struct options *o)
{
	struct shown shown;
	struct tw__validate_counts counts;
	struct tw_error err;
	shown_init(&shown, o->quiet, (enum tw__result_format)o->format, &o->model.columns);
	struct tw__validate_model *m = &o->model;
	m->stop_fd = signals_watch();
	m->begin = begin;
	m->tick = tick;
	m->end = end;
	m->context = &shown;
	int status = tw__validate_model(m, &counts, &err);
	show(&shown);
	int exit_status = status < 0 ? cli_error(status, &err) : summarise(&counts, m->output, m->stop_fd);
	close(m->stop_fd);
	return exit_status;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static int check(struct options *o, struct tw_error *err)
{
	int status = tw__inputs_complete(&o->inputs, TW__FOR_VALIDATE_MODEL, "validate-model", TW__MOST_POINTS, err);
	if (status < 0)
		return status;
	if (!o->model.output)
		return tw_fail(err, TW_INVALID,
		               "validate-model: option --output is missing: expected it, see 'tilewright "
		               "validate-model --help'");
	if (!tw__computes(&o->inputs.common))
		return tw_fail(err, TW_INVALID, "--engine '%.100s': this engine simulates: expected real",
		               o->inputs.common.engine);
	if (o->model.columns.n && o->format == TW__TEXT)
		return tw_fail(err, TW_INVALID, "--columns: expected --format csv or json with it");
	return TW_OK;
}

static int run(int argc, char **argv)
{
	struct options o = {.model = {.inputs = &o.inputs, .repeat = 5, .most_off_cpu = TW__MOST_OFF_CPU},
	                    .format = -1};
	struct tw_error err;
	tw__inputs_init(&o.inputs);
	o.inputs.common.engine = "real";
	o.inputs.common.check = "none";
	o.inputs.common.lacks_extrapolate = true;
	int exit_status = cli_parse(&command_validate_model, argc, argv, &o, &o.inputs);
	if (exit_status == CLI_GO_ON && check(&o, &err) < 0)
		exit_status = cli_error(TW_INVALID, &err);
	if (o.format < 0)
		o.format = o.model.columns.n ? TW__CSV : TW__TEXT;
	if (exit_status == CLI_GO_ON)
		exit_status = validate(&o);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_validate_model = {
	.name = "validate-model",
	.summary = "compare simulated with real makespans, and explain the difference",
	.usage = usage,
	.notes = notes,
	.options = options,
	.inputs = TW__FOR_VALIDATE_MODEL,
	.has_no_words = true,
	.run = run,
};
