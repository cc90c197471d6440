/* tilewright compare: compares two files of results, or policies of one file. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "cli/compare_print.h"
#include "request/words.h"
#include "results/adapt.h"

static const char usage[] =
	"Usage: tilewright compare REFERENCE.csv RESULTS.csv [OPTION]...\n"
	"       tilewright compare RESULTS.csv --policy A,B[,...] [OPTION]...\n"
	"With two files, compares the results in them, for example of a real node and of its simulation. With one\n"
	"file, compares policies in it. Runs that differ only in seed and repetition are one point, with the mean\n"
	"of their results and its 95 % confidence interval. Only points that both sides have are compared.\n"
	"\n"
	"Options for one file or two:\n";

static const char notes[] = "\n"
			    "Exit status: 0 done, 1 an error exceeds the tolerance, 2 bad arguments or input.\n";

struct options {
	const char *metric;
	double tolerance; /* largest relative error of a point; NAN: no limit */
	struct tw__words ignore, policies;
	struct tw__repeated where, columns, values, scales;
	int format;          /* enum tw__result_format; -1, until the options end: not given */
	const char *plot;    /* the file of --plot; NULL: none */
	const char *printed; /* columns to print, as --columns names them; NULL: all */
};

/* Reads the value of --tolerance: "0.05", or "5%" for the same. */
static int take_tolerance(void *options, const char *option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	char number[40];
	size_t length = strlen(text);
	bool percent = length > 0 && text[length - 1] == '%';
	snprintf(number, sizeof number, "%.*s", (int)(length - percent), text);
	if (length >= sizeof number || tw__parse_real(&o->tolerance, number, err) < 0 || !(o->tolerance >= 0))
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected a number >= 0, as in 0.05 or 5%%", option, text);
	o->tolerance /= percent ? 100 : 1;
	return TW_OK;
}

static const struct cli_option options[] = {
	{"policy", "A,B[,...]", SETS(CLI_WORDS, policies),
         .help = "Compares policies of one file: prints how many times faster than policy A each other policy is, "
                 "from the means of repetitions and from their minima. Without this option, the command compares "
                 "two files."},
	{"ignore", "COLUMN[,...]", SETS(CLI_WORDS, ignore),
         .help = "Compares points with each other even if their values in these columns differ,\n"
                 "as in 'engine,runtime'. Default: points must agree in all columns that both\n"
                 "sides have."},
	{"where", "COLUMN=VALUE[,VALUE]...", SETS(CLI_REPEATED, where), .help = CLI_WHERE},
	{"format", "text|csv|json", SETS(CLI_FORMAT, format),
         .help = "\nPrints the comparison in this format. Default: 'text', but 'csv' with\n"
                 "--columns."},
	{"columns", "NAME[,...]", SETS(CLI_TEXT, printed),
         .help = "Prints only these columns of the points in csv or json, in this order. Default: all columns."},
	{"plot", "FILE", SETS(CLI_TEXT, plot),
         .help = "Also draws the points: side B over side A, the diagonal, and a band of 10 % around it. The ending "
                 "of FILE chooses the format: .svg, .png or .pdf, which need the program gnuplot, or .gp, a script "
                 "for gnuplot."},
	{.type = CLI_LINES, .help = "Options for two files:"},
	{"metric", "COLUMN", SETS(CLI_TEXT, metric),
         .help = "Compares the numbers in this column. Default: 'makespan_s'."},
	{"tolerance", "ERROR", .type = CLI_OWN, .take = take_tolerance,
         .help = "Makes the exit status 1 if the relative error of any point is larger than\n"
                 "ERROR, as in '0.05' or '5%'. Default: the exit status does not depend on\n"
                 "errors."},
	{.type = CLI_LINES,
         .help = "Options for a REFERENCE.csv of another program; each can be given up to 16 times:"},
	{"column", "NAME=TEXT", SETS(CLI_REPEATED, columns),
         .help = "Adds the column NAME to REFERENCE.csv. Each '{COLUMN}' in TEXT becomes the\n"
                 "value of that column of the file, as in 'workload=matmul2d:nt={tiles}'."},
	{"value", "COLUMN:A=B", SETS(CLI_REPEATED, values),
         .help = "Replaces the value A by B in this column of REFERENCE.csv, as in 'policy:heft=dmda'."},
	{"scale", "COLUMN=NUMBER", SETS(CLI_REPEATED, scales),
         .help = "Multiplies the numbers in this column of REFERENCE.csv by NUMBER, as in 'makespan_s=0.001' to "
                 "convert milliseconds to seconds."},
	{.type = CLI_LINES, .help = ""},
	{0},
};

/* Reads a file of results, and keeps the rows that --where chooses. `reference`: the file may come from another
 * program, so its columns are adapted. */
static int read_rows(struct tw__rows *rows, const char *path, const struct options *o, bool reference,
                     struct tw_error *err)
{
	const struct tw__adaptation how = {o->columns.of, o->values.of, o->scales.of};
	int status =
		reference && o->columns.n ? tw__rows_read_foreign(rows, path, err) : tw__rows_read(rows, path, err);
	if (status < 0)
		return status;
	if (reference)
		status = tw__rows_adapt(rows, &how, err);
	if (status == TW_OK)
		status = tw__rows_choose(rows, o->where.of, err);
	if (status < 0)
		tw__rows_finish(rows);
	return status;
}

static const char *const *ignored(const struct options *o) { return (const char *const *)o->ignore.of; }

static int beyond(const struct tw__comparison *c, const struct tw__rows *a, double tolerance)
{
	int n = 0;
	const struct tw__pair *worst = NULL;
	for (int p = 0; p < c->n; p++) {
		bool is_beyond = fabs(c->pairs[p].error) > tolerance;
		n += is_beyond;
		if (is_beyond && (!worst || fabs(c->pairs[p].error) > fabs(worst->error)))
			worst = &c->pairs[p];
	}
	if (!worst)
		return 0;
	return cli_fail(EXIT_RUN_FAILED, "%d of %d points have errors above %.4g %%, the worst %.4g %%: %.100s, %.100s",
	                n, c->n, 100 * tolerance, 100 * fabs(worst->error),
	                tw__rows_text(a, worst->a, tw__rows_column(a, "workload")),
	                tw__rows_text(a, worst->a, tw__rows_column(a, "policy")));
}

static int show(const struct options *o, const struct compared *c, struct tw_error *err)
{
	int status = o->plot ? plot_comparisons(c, o->plot, err) : TW_OK;
	return status < 0 ? status : print_comparisons(c, (enum tw__result_format)o->format, o->printed, err);
}

static int compare_files(const struct options *o, const char *path_a, const char *path_b)
{
	struct tw__rows a, b;
	struct tw__comparison c;
	struct tw_error err;
	const char *metric = o->metric ? o->metric : "makespan_s";
	int exit_status = 0, status = read_rows(&a, path_a, o, true, &err);
	if (status < 0)
		return cli_error(status, &err);
	status = read_rows(&b, path_b, o, false, &err);
	if (status < 0) {
		tw__rows_finish(&a);
		return cli_error(status, &err);
	}
	status = tw__compare(&c, &(struct tw__side){&a, NULL}, &(struct tw__side){&b, NULL}, metric, ignored(o), &err);
	if (status == TW_OK) {
		status = show(o, &(struct compared){&c, 1, &a, &b, metric, NULL}, &err);
		if (status == TW_OK && !isnan(o->tolerance))
			exit_status = beyond(&c, &a, o->tolerance);
		tw__comparison_finish(&c);
	}
	tw__rows_finish(&a);
	tw__rows_finish(&b);
	return status < 0 ? cli_error(status, &err) : exit_status;
}

static int compare_policies(const struct options *o, const char *path)
{
	static const char metric[] = "makespan_s";
	struct tw__rows rows;
	struct tw_error err;
	int n = 0, status = read_rows(&rows, path, o, false, &err);
	if (status < 0)
		return cli_error(status, &err);
	struct tw__comparison *c = tw_alloc((size_t)o->policies.n, sizeof *c);
	while (status == TW_OK && n + 1 < o->policies.n) {
		const struct tw__side a = {&rows, o->policies.of[0]}, b = {&rows, o->policies.of[n + 1]};
		status = tw__compare(&c[n], &a, &b, metric, ignored(o), &err);
		n += status == TW_OK;
	}
	if (status == TW_OK)
		status = show(o, &(struct compared){c, n, &rows, &rows, metric, o->policies.of}, &err);
	while (n > 0)
		tw__comparison_finish(&c[--n]);
	free(c);
	tw__rows_finish(&rows);
	return status < 0 ? cli_error(status, &err) : 0;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int check_ignored(const struct options *o, struct tw_error *err)
{
	for (int i = 0; i < o->ignore.n; i++)
		if (!tw__is_point_column(o->ignore.of[i]))
			return tw_fail(
				err, TW_INVALID,
				"--ignore: '%.60s' does not identify points: expected a column such as engine or gpus",
				o->ignore.of[i]);
	return TW_OK;
}

/* The name of an option given that compares two files only; NULL: none. */
static const char *of_two_files(const struct options *o)
{
	return o->metric              ? "metric"
	       : !isnan(o->tolerance) ? "tolerance"
	       : o->columns.n         ? "column"
	       : o->values.n          ? "value"
	       : o->scales.n          ? "scale"
	                              : NULL;
}

static int check(const struct options *o, int n_files, struct tw_error *err)
{
	int status = check_ignored(o, err);
	if (status < 0)
		return status;
	if (o->printed && o->format == TW__TEXT)
		return tw_fail(err, TW_INVALID, "--columns: expected --format csv or json with it");
	if (o->policies.n == 0)
		return n_files == 2
		               ? TW_OK
		               : tw_fail(err, TW_INVALID,
		                         "compare: %d files of results: expected two, or one and --policy", n_files);
	if (n_files != 1)
		return tw_fail(err, TW_INVALID, "compare: %d files of results: expected one with --policy", n_files);
	if (o->policies.n < 2)
		return tw_fail(err, TW_INVALID, "compare: --policy '%s': expected at least two, as in eager,dmdas",
		               o->policies.of[0]);
	if (of_two_files(o))
		return tw_fail(err, TW_INVALID, "compare: --%s: expected it with two files only", of_two_files(o));
	return TW_OK;
}

static int compare(int argc, char **argv)
{
	struct options o = {.tolerance = NAN, .format = -1};
	struct tw_error err;
	int exit_status = cli_parse(&command_compare, argc, argv, &o, NULL);
	if (o.format < 0)
		o.format = o.printed ? TW__CSV : TW__TEXT;
	if (exit_status == CLI_GO_ON && check(&o, argc - optind, &err) < 0)
		exit_status = cli_error(TW_INVALID, &err);
	if (exit_status == CLI_GO_ON)
		exit_status = o.policies.n ? compare_policies(&o, argv[optind])
		                           : compare_files(&o, argv[optind], argv[optind + 1]);
	tw__words_finish(&o.ignore);
	tw__words_finish(&o.policies);
	return exit_status;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare two files of results, or policies",
	.usage = usage,
	.notes = notes,
	.options = options,
	.run = compare,
};
