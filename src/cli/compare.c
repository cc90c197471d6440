/* tilewright compare: compares two files of results, or policies of one file. */
#include "cli/cli.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/compare_print.h"
#include "cli/words.h"
#include "experiment/adapt.h"

static const char *const usage[] = {
	"Usage: tilewright compare REFERENCE.csv RESULTS.csv [OPTION]...\n"
	"       tilewright compare RESULTS.csv --policy A,B[,...] [OPTION]...\n"
	"With two files, compares the results in them, for example of a real node and of its simulation. With one\n"
	"file, compares policies in it. Runs that differ only in seed and repetition are one point, with the mean\n"
	"of their results and its 95 % confidence interval. Only points that both sides have are compared.\n"
	"\n"
	"Options for one file or two:\n"
	"  --policy A,B[,...]     Compares policies of one file: prints how many times faster than policy A each\n"
	"                         other policy is, from the means of repetitions and from their minima. Without\n"
	"                         this option, the command compares two files.\n"
	"  --ignore COLUMN[,...]  Compares points with each other even if their values in these columns differ,\n"
	"                         as in 'engine,runtime'. Default: points must agree in all columns that both\n"
	"                         sides have.\n"
	"  --where COLUMN=VALUE[,VALUE]...\n"
	"                         Reads only the rows that have one of these values in COLUMN, as in\n"
	"                         'policy=eager,dmdas'. Can be given up to 16 times: rows must meet every\n"
	"                         condition. Default: all rows.\n"
	"  --format text|csv      Prints the comparison in this format. Default: 'text', but 'csv' with\n"
	"                         --columns.\n"
	"  --columns NAME[,...]   Prints only these columns of the csv output, in this order. Default: all\n"
	"                         columns.\n"
	"Options for two files:\n"
	"  --metric COLUMN        Compares the numbers in this column. Default: 'makespan_s'.\n"
	"  --tolerance ERROR      Makes the exit status 1 if the relative error of any point is larger than\n"
	"                         ERROR, as in '0.05' or '5%'. Default: the exit status does not depend on\n"
	"                         errors.\n"
	"Options for a REFERENCE.csv of another program; each can be given up to 16 times:\n"
	"  --column NAME=TEXT     Adds the column NAME to REFERENCE.csv. Each '{COLUMN}' in TEXT becomes the\n"
	"                         value of that column of the file, as in 'workload=matmul2d:nt={tiles}'.\n"
	"  --value COLUMN:A=B     Replaces the value A by B in this column of REFERENCE.csv, as in\n"
	"                         'policy:heft=dmda'.\n"
	"  --scale COLUMN=NUMBER  Multiplies the numbers in this column of REFERENCE.csv by NUMBER, as in\n"
	"                         'makespan_s=0.001' to convert milliseconds to seconds.\n"
	"\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"Exit status: 0 done, 1 an error exceeds the tolerance, 2 bad arguments or input.\n",
	NULL,
};

static const struct option long_options[] = {
	{"metric", required_argument, NULL, 'm'}, {"tolerance", required_argument, NULL, 't'},
	{"ignore", required_argument, NULL, 'i'}, {"policy", required_argument, NULL, 'p'},
	{"where", required_argument, NULL, 'w'},  {"column", required_argument, NULL, 'C'},
	{"value", required_argument, NULL, 'V'},  {"scale", required_argument, NULL, 'S'},
	{"format", required_argument, NULL, 'f'}, {"columns", required_argument, NULL, 'l'},
	{"help", no_argument, NULL, 'h'},         {0},
};

enum { MAX_WORDS = 16 };

struct options {
	const char *metric;
	double tolerance; /* largest relative error of a point; NAN: no limit */
	struct words ignore, policies;
	struct texts {
		const char *of[MAX_WORDS + 1];
		int n;
	} where, columns, values, scales;
	enum { DEFAULT, TEXT, CSV } format;
	const char *printed; /* columns to print, as --columns names them; NULL: all */
};

static int add_text(struct texts *texts, const char *option, const char *text, struct tw_error *err)
{
	if (texts->n == MAX_WORDS)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected this option at most %d times", option, text,
		               MAX_WORDS);
	texts->of[texts->n++] = text;
	return TW_OK;
}

/* Reads the value of --tolerance: "0.05", or "5%" for the same. */
static int take_tolerance(struct options *o, const char *text, struct tw_error *err)
{
	char number[40];
	size_t length = strlen(text);
	bool percent = length > 0 && text[length - 1] == '%';
	snprintf(number, sizeof number, "%.*s", (int)(length - percent), text);
	if (length >= sizeof number || tw__parse_real(&o->tolerance, number, err) < 0 || !(o->tolerance >= 0))
		return tw_fail(err, TW_INVALID, "--tolerance '%.200s': expected a number >= 0, as in 0.05 or 5%%",
		               text);
	o->tolerance /= percent ? 100 : 1;
	return TW_OK;
}

static int take_format(struct options *o, const char *text, struct tw_error *err)
{
	o->format = strcmp(text, "csv") == 0 ? CSV : strcmp(text, "text") == 0 ? TEXT : DEFAULT;
	return o->format != DEFAULT ? TW_OK : tw_fail(err, TW_INVALID, "--format '%.200s': expected text or csv", text);
}

static int take(void *options, int option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	switch (option) {
	case 'm':
		o->metric = text;
		return TW_OK;
	case 't':
		return take_tolerance(o, text, err);
	case 'i':
		return words_init(&o->ignore, "--ignore", text, err);
	case 'p':
		return words_init(&o->policies, "--policy", text, err);
	case 'w':
		return add_text(&o->where, "--where", text, err);
	case 'C':
		return add_text(&o->columns, "--column", text, err);
	case 'V':
		return add_text(&o->values, "--value", text, err);
	case 'S':
		return add_text(&o->scales, "--scale", text, err);
	case 'l':
		o->printed = text;
		return TW_OK;
	default:
		return take_format(o, text, err);
	}
}

static int check_ignored(const struct options *o, struct tw_error *err)
{
	if (o->ignore.n > MAX_WORDS)
		return tw_fail(err, TW_INVALID, "--ignore: %d columns: expected at most %d", o->ignore.n, MAX_WORDS);
	for (int i = 0; i < o->ignore.n; i++) {
		int k = 0;
		while (tw__point_columns[k] && strcmp(tw__point_columns[k], o->ignore.of[i]) != 0)
			k++;
		if (!tw__point_columns[k])
			return tw_fail(
				err, TW_INVALID,
				"--ignore: '%.60s' does not identify points: expected a column such as engine or gpus",
				o->ignore.of[i]);
	}
	return TW_OK;
}

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

/* Copies the columns of --ignore to `list`, which ends with NULL. */
static void list_ignored(const struct options *o, const char **list)
{
	for (int i = 0; i < MAX_WORDS; i++)
		list[i] = i < o->ignore.n ? o->ignore.of[i] : NULL;
	list[MAX_WORDS] = NULL;
}

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

static int compare_files(const struct options *o, const char *path_a, const char *path_b)
{
	struct tw__rows a, b;
	struct tw__comparison c;
	struct tw_error err;
	const char *ignore[MAX_WORDS + 1], *metric = o->metric ? o->metric : "makespan_s";
	int exit_status = 0, status = read_rows(&a, path_a, o, true, &err);
	if (status < 0)
		return cli_error(status, &err);
	status = read_rows(&b, path_b, o, false, &err);
	if (status < 0) {
		tw__rows_finish(&a);
		return cli_error(status, &err);
	}
	list_ignored(o, ignore);
	status = tw__compare(&c, &(struct tw__side){&a, NULL}, &(struct tw__side){&b, NULL}, metric, ignore, &err);
	if (status == TW_OK) {
		status = o->format == CSV ? print_comparison_csv(&c, &a, metric, o->printed, &err)
		                          : print_comparison(&c, &a, &b, metric, &err);
		if (status == TW_OK && !isnan(o->tolerance))
			exit_status = beyond(&c, &a, o->tolerance);
		tw__comparison_finish(&c);
	}
	tw__rows_finish(&a);
	tw__rows_finish(&b);
	return status < 0 ? cli_error(status, &err) : exit_status;
}

static int print_policies(const struct options *o, const struct tw__comparison *c, const struct tw__rows *rows,
                          struct tw_error *err)
{
	int n = o->policies.n - 1, status = TW_OK;
	if (o->format == CSV)
		return print_speedups_csv(c, n, rows, o->policies.of, o->printed, err);
	for (int i = 0; i < n && status == TW_OK; i++) {
		if (i > 0)
			putchar('\n');
		status = print_speedups(&c[i], rows, o->policies.of[0], o->policies.of[i + 1], err);
	}
	return status;
}

static int compare_policies(const struct options *o, const char *path)
{
	struct tw__rows rows;
	struct tw_error err;
	const char *ignore[MAX_WORDS + 1];
	int n = 0, status = read_rows(&rows, path, o, false, &err);
	if (status < 0)
		return cli_error(status, &err);
	list_ignored(o, ignore);
	struct tw__comparison *c = calloc((size_t)o->policies.n, sizeof *c);
	if (!c)
		status = tw_fail(&err, TW_NOMEM, "compare: out of memory");
	while (status == TW_OK && n + 1 < o->policies.n) {
		const struct tw__side a = {&rows, o->policies.of[0]}, b = {&rows, o->policies.of[n + 1]};
		status = tw__compare(&c[n], &a, &b, "makespan_s", ignore, &err);
		n += status == TW_OK;
	}
	if (status == TW_OK)
		status = print_policies(o, c, &rows, &err);
	while (n > 0)
		tw__comparison_finish(&c[--n]);
	free(c);
	tw__rows_finish(&rows);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int run(const struct options *o, int n, char **files)
{
	struct tw_error err;
	if (check_ignored(o, &err) < 0)
		return cli_error(TW_INVALID, &err);
	if (o->printed && o->format == TEXT)
		return cli_fail(EXIT_BAD_INPUT, "--columns: expected --format csv with it");
	if (o->policies.n == 0)
		return n == 2 ? compare_files(o, files[0], files[1])
		              : cli_fail(EXIT_BAD_INPUT,
		                         "compare: %d files of results: expected two, or one and --policy", n);
	if (n != 1)
		return cli_fail(EXIT_BAD_INPUT, "compare: %d files of results: expected one with --policy", n);
	if (o->policies.n < 2)
		return cli_fail(EXIT_BAD_INPUT, "compare: --policy '%s': expected at least two, as in eager,dmdas",
		                o->policies.of[0]);
	const char *only_files = o->metric              ? "metric"
	                         : !isnan(o->tolerance) ? "tolerance"
	                         : o->columns.n         ? "column"
	                         : o->values.n          ? "value"
	                         : o->scales.n          ? "scale"
	                                                : NULL;
	if (only_files)
		return cli_fail(EXIT_BAD_INPUT, "compare: --%s: expected it with two files only", only_files);
	return compare_policies(o, files[0]);
}

static int compare(int argc, char **argv)
{
	struct options o = {.tolerance = NAN};
	int exit_status = cli_options(&command_compare, argc, argv, ":h", long_options, take, &o);
	if (o.printed && o.format == DEFAULT)
		o.format = CSV;
	if (exit_status < 0)
		exit_status = run(&o, argc - optind, argv + optind);
	words_finish(&o.ignore);
	words_finish(&o.policies);
	return exit_status;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare two files of results, or policies",
	.usage = usage,
	.run = compare,
};
