/* tilewright compare: compares two files of results, or policies of one file. */
#include "cli/cli.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_options.h"
#include "cli/compare_print.h"
#include "results/adapt.h"

/* Reads a file of results, and keeps the rows that --where chooses. `reference`: the file may come from another
 * program, so its columns are adapted. */
static int read_rows(struct tw__rows *rows, const char *path, const struct compare_options *o, bool reference,
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

static const char *const *ignored(const struct compare_options *o) { return (const char *const *)o->ignore.of; }

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

static int show(const struct compare_options *o, const struct compared *c, struct tw_error *err)
{
	int status = o->plot ? plot_comparisons(c, o->plot, err) : TW_OK;
	return status < 0 ? status : print_comparisons(c, (enum tw__result_format)o->format, o->printed, err);
}

static int compare_files(const struct compare_options *o, const char *path_a, const char *path_b)
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

static int compare_policies(const struct compare_options *o, const char *path)
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

static int compare(int argc, char **argv)
{
	struct compare_options o;
	struct tw_error err;
	int exit_status = compare_options_init(&o, argc, argv);
	if (exit_status == CLI_GO_ON && compare_options_check(&o, argc - optind, &err) < 0)
		exit_status = cli_error(TW_INVALID, &err);
	if (exit_status == CLI_GO_ON)
		exit_status = o.policies.n ? compare_policies(&o, argv[optind])
		                           : compare_files(&o, argv[optind], argv[optind + 1]);
	compare_options_finish(&o);
	return exit_status;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare two files of results, or policies",
	.usage = compare_usage,
	.run = compare,
};
