#include "cli/compare_options.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "cli/cli.h"
#include "results/write.h"

const char *const compare_usage[] = {
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
	"                         'policy=eager,dmdas', 'gpu-mem=2GB', 'gpu-mem=none' or 'nt=16', a parameter of\n"
	"                         the workload. Can be given up to 16 times: rows must meet every condition.\n"
	"                         Default: all rows.\n"
	"  --format text|csv|json\n"
	"                         Prints the comparison in this format. Default: 'text', but 'csv' with\n"
	"                         --columns.\n"
	"  --columns NAME[,...]   Prints only these columns of the points in csv or json, in this order. Default:\n"
	"                         all columns.\n"
	"  --plot FILE            Also draws the points: side B over side A, the diagonal, and a band of 10 %\n"
	"                         around it. The ending of FILE chooses the format: .svg, .png or .pdf, which need\n"
	"                         the program gnuplot, or .gp, a script for gnuplot.\n"
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
	{"metric", required_argument, NULL, 'm'},
	{"tolerance", required_argument, NULL, 't'},
	{"ignore", required_argument, NULL, 'i'},
	{"policy", required_argument, NULL, 'p'},
	{"where", required_argument, NULL, 'w'},
	{"column", required_argument, NULL, 'C'},
	{"value", required_argument, NULL, 'V'},
	{"scale", required_argument, NULL, 'S'},
	{"format", required_argument, NULL, 'f'},
	{"columns", required_argument, NULL, 'l'},
	{"plot", required_argument, NULL, 'P'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

/* Reads the value of --tolerance: "0.05", or "5%" for the same. */
static int take_tolerance(struct compare_options *o, const char *text, struct tw_error *err)
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

static int take(void *options, int option, const char *text, struct tw_error *err)
{
	struct compare_options *o = options;
	switch (option) {
	case 'm':
		o->metric = text;
		return TW_OK;
	case 't':
		return take_tolerance(o, text, err);
	case 'i':
		return tw__words_init(&o->ignore, "--ignore", text, err);
	case 'p':
		return tw__words_init(&o->policies, "--policy", text, err);
	case 'w':
		return tw__repeated_add(&o->where, "--where", text, err);
	case 'C':
		return tw__repeated_add(&o->columns, "--column", text, err);
	case 'V':
		return tw__repeated_add(&o->values, "--value", text, err);
	case 'S':
		return tw__repeated_add(&o->scales, "--scale", text, err);
	case 'l':
		o->printed = text;
		return TW_OK;
	case 'P':
		o->plot = text;
		return TW_OK;
	default:
		return cli_format(&o->format, text, err);
	}
}

int compare_options_init(struct compare_options *o, int argc, char **argv)
{
	*o = (struct compare_options){.tolerance = NAN, .format = -1};
	int exit_status = cli_options(&command_compare, argc, argv, ":h", long_options, take, o);
	if (o->format < 0)
		o->format = o->printed ? TW__CSV : TW__TEXT;
	return exit_status;
}

void compare_options_finish(struct compare_options *o)
{
	tw__words_finish(&o->ignore);
	tw__words_finish(&o->policies);
}

static int check_ignored(const struct compare_options *o, struct tw_error *err)
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
static const char *of_two_files(const struct compare_options *o)
{
	return o->metric              ? "metric"
	       : !isnan(o->tolerance) ? "tolerance"
	       : o->columns.n         ? "column"
	       : o->values.n          ? "value"
	       : o->scales.n          ? "scale"
	                              : NULL;
}

int compare_options_check(const struct compare_options *o, int n_files, struct tw_error *err)
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
