/* tilewright calibration: prints models of kernel times. */
#include "cli/cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "perf/series.h"

static const char usage[] =
	"Usage: tilewright calibration show --platform NAME|--learn DIR [--kernel KERNEL]\n"
	"Prints the measured times of kernels, in microseconds, and the models of them. For each size: mean,\n"
	"standard deviation (spread) and number of samples. Then the laws that were fitted to the means, as\n"
	"functions of the size of the data s in bytes: their parameters with 95 % confidence intervals, the part\n"
	"of the variance that the law explains (R2), and the standard deviation of the residuals. A '*' marks the\n"
	"law that 'tilewright run --extrapolate' uses for sizes that were not measured.\n"
	"\n";

struct options {
	const char *platform, *learn, *kernel;
};

static const struct cli_option options[] = {
	{"platform", "NAME", SETS(CLI_TEXT, platform),
         .help = "Prints the times in this platform: a name that 'tilewright list platforms' prints, the path of a "
                 "folder with platform.xml and kernels.csv, or the path of such an XML file."},
	{"learn", "DIR", SETS(CLI_TEXT, learn),
         .help = "Prints, instead of those of a platform, the times that 'tilewright run --learn DIR' has kept in "
                 "the folder DIR."},
	{"kernel", "KERNEL", SETS(CLI_TEXT, kernel),
         .help = "Prints only the times and models of this kernel, as in 'gemm'. Default: all kernels."},
	{0},
};

static void print_history(const struct tw__models *models, const int *rows, int n)
{
	int width = (int)strlen("size");
	for (int i = 0; i < n; i++) {
		int length = (int)strlen(models->rows[rows[i]].size);
		width = length > width ? length : width;
	}
	printf("  %-*s  %12s  %12s  %8s  %8s\n", width, "size", "s (bytes)", "mean (us)", "spread", "samples");
	for (int i = 0; i < n; i++) {
		const struct tw__row *row = &models->rows[rows[i]];
		double bytes = tw__size_bytes(row->size, row->precision);
		printf("  %-*s  ", width, row->size);
		if (bytes > 0)
			printf("%12.0f", bytes);
		else
			printf("%12s", "-");
		printf("  %12.6g  %6.2f %%  %8" PRId64, row->mean_us, 100 * row->stddev_us / row->mean_us,
		       row->samples);
		if (row->draws.n)
			printf(", %zu in samples.csv", row->draws.n);
		putchar('\n');
	}
}

static void print_parameter(const char *name, const struct tw__parameter *p)
{
	char text[80];
	snprintf(text, sizeof text, "%s = %.4g [%.4g, %.4g]", name, p->value, p->low, p->high);
	printf("  %-38s", text);
}

static void print_fit(const struct tw__fit *fit, bool best)
{
	char r2[16] = "-";
	if (!isnan(fit->r2))
		snprintf(r2, sizeof r2, "%.5f", fit->r2);
	printf("%c %-7s", best ? '*' : ' ', tw__law_text(fit->law));
	print_parameter("a", &fit->a);
	print_parameter("b", &fit->b);
	if (fit->law == TW__POWER_OFFSET)
		print_parameter("c", &fit->c);
	printf("  R2 %s  residuals %.2f %%\n", r2, 100 * fit->residual);
}

static void print_fits(const struct tw__series *series, const struct tw__fits *fits)
{
	/* The law that --extrapolate uses for sizes like these. For a distant size at which it gives a time of 0 or
	 * less, --extrapolate uses another law. */
	enum tw__law best = tw__fits_best(fits, series->points[0].s);
	for (enum tw__law law = TW__AFFINE; law < TW__N_LAWS; law++)
		if (fits->fitted[law])
			print_fit(&fits->of[law], law == best);
		else
			printf("  %s\n", fits->why[law].message);
}

/* Prints the series of times that models->rows[first] belongs to: all sizes of one shape of the row's kernel,
 * precision, arch and cores. Marks the rows of the series in `shown`. */
static void show_series(const struct tw__models *models, int first, bool *shown)
{
	const struct tw__row *row = &models->rows[first];
	struct tw__series series;
	struct tw__fits fits;
	tw__series_init(&series, models, row->kernel, row->precision, row->arch, row->cores, row->size);
	tw__series_fit(&series, &fits);
	shown[first] = true;
	for (int i = 0; i < series.n; i++)
		shown[series.row[i]] = true;
	printf("%s on %s, precision %s", row->kernel, row->arch, row->precision);
	printf(row->cores > 1 ? ", %d cores\n" : "\n", row->cores);
	print_history(models, series.n ? series.row : &first, series.n ? series.n : 1);
	if (series.n)
		print_fits(&series, &fits);
	else
		puts("  no laws: expected a size of the form 960 or 960x3840+3840x960");
	tw__series_finish(&series);
}

/* Fails as no time has that kernel. */
static int no_kernel(const struct tw__models *models, const char *kernel, struct tw_error *err)
{
	struct cell_list known = {0};
	for (int i = 0; i < models->n_rows; i++) {
		int first = 0;
		while (strcmp(models->rows[first].kernel, models->rows[i].kernel) != 0)
			first++;
		if (first == i)
			tw__list_add(&known, "%s", models->rows[i].kernel);
	}
	char *text = tw__list_text(&known);
	tw_fail(err, TW_INVALID, "--kernel '%.60s': no times of it in %.120s: expected one of %.255s", kernel,
	        models->path, text);
	free(text);
	return TW_INVALID;
}

static int show_models(const struct tw__models *models, const char *kernel, struct tw_error *err)
{
	bool *shown = tw_alloc((size_t)models->n_rows, sizeof *shown);
	int n = 0;
	for (int i = 0; i < models->n_rows; i++) {
		if (shown[i] || (kernel && strcmp(models->rows[i].kernel, kernel) != 0))
			continue;
		if (n++)
			putchar('\n');
		show_series(models, i, shown);
	}
	free(shown);
	return kernel && n == 0 ? no_kernel(models, kernel, err) : TW_OK;
}

/* Prints the times of the platform, or those in the folder --learn. */
static int show(const struct options *o)
{
	struct tw_error err;
	struct tw__platform *platform = NULL;
	struct tw__models *models = NULL;
	char *kernels_path = NULL;
	int status = TW_OK;
	if (o->learn)
		kernels_path = tw_format("%s/kernels.csv", o->learn);
	else
		status = tw__platform_find(&platform, &kernels_path, o->platform, &err);
	if (status < 0)
		return cli_error(status, &err);
	status = tw__models_read(&models, kernels_path, platform, &err);
	if (status == TW_OK)
		status = show_models(models, o->kernel, &err);
	tw__models_destroy(models);
	tw__platform_destroy(platform);
	free(kernels_path);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int calibration(int argc, char **argv)
{
	struct options o = {0};
	int exit_status = cli_parse(&command_calibration, argc, argv, &o, NULL), n = argc - optind;
	if (exit_status != CLI_GO_ON)
		return exit_status;
	if (n < 1)
		return cli_fail(EXIT_BAD_INPUT, "calibration: nothing to do: expected 'show'");
	if (strcmp(argv[optind], "show") != 0)
		return cli_fail(EXIT_BAD_INPUT, "calibration: '%s': expected 'show'", argv[optind]);
	if (n > 1)
		return cli_fail(EXIT_BAD_INPUT,
		                "calibration show: '%s': expected options only, see 'tilewright calibration --help'",
		                argv[optind + 1]);
	if (o.platform && o.learn)
		return cli_fail(EXIT_BAD_INPUT, "calibration show: --platform and --learn: expected one of them");
	if (!o.platform && !o.learn)
		return cli_fail(EXIT_BAD_INPUT,
		                "calibration show: option --platform is missing: expected it, as in --platform mirage");
	return show(&o);
}

const struct command command_calibration = {
	.name = "calibration",
	.summary = "print the models of kernel times",
	.usage = usage,
	.options = options,
	.run = calibration,
};
