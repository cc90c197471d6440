#include "cli/validate_print.h"

void validation_begin(void *context, const struct tw__request *q, int64_t point, int64_t n)
{
	const struct validation_shown *s = context;
	if (!s->quiet)
		fprintf(stderr, "%lld/%lld %s %s:", (long long)point + 1, (long long)n, q->workload, q->policy);
}

void validation_tick(void *context, int run, bool quiet)
{
	const struct validation_shown *s = context;
	if (!s->quiet && quiet) /* the message of the row tells of noise */
		fputs(run == 0 ? " ." : ".", stderr);
}

static void add_part(struct grid *g, double part) { grid_add(g, "%+.1f %%", 100 * part); }

static void add_row(struct grid *g, const struct tw__validation *v)
{
	grid_add(g, "%s", v->request->workload);
	grid_add(g, "%s", v->request->policy);
	grid_add(g, "%.4g ms", 1e3 * v->real_s);
	grid_add(g, "%.4g ms", 1e3 * v->simulated_s);
	add_part(g, v->error);
	grid_add(g, "%.4g to %.4g%s", 1e3 * v->low_s, 1e3 * v->high_s,
	         v->real_s >= v->low_s && v->real_s <= v->high_s ? "" : " no");
	for (enum tw__part p = TW__PART_KERNELS; p < TW__N_PARTS; p++)
		add_part(g, v->parts[p]);
	grid_add(g, "%s", tw__part_names[tw__largest_part(v)]);
}

/* Prints or keeps the row of a finished point. CSV rows are printed immediately, so that an interrupted command loses
 * none. Other formats are printed at the end. */
static void show_row(struct validation_shown *s, const struct tw__validation *v)
{
	struct cell cells[TW__MAX_COLUMNS];
	int n = tw__column_choice_apply(s->columns, cells, tw__validation_cells(v, cells));
	if (s->format == TW__TEXT && v->status == TW__VALIDATED)
		add_row(&s->grid, v);
	if (s->format == TW__CSV && s->n == 0)
		tw__cells_write_keys(stdout, cells, n);
	if (s->format == TW__CSV)
		tw__cells_write(stdout, cells, n);
	if (s->format == TW__JSON && json_array_append_new(s->rows, tw__cells_json(cells, n)) < 0) {
		json_decref(s->rows);
		s->rows = NULL;
	}
	s->n += s->format != TW__TEXT || v->status == TW__VALIDATED;
}

void validation_end(void *context, const struct tw__validation *v)
{
	struct validation_shown *s = context;
	if (s->quiet)
		return;
	if (v->status == TW__VALIDATED)
		fprintf(stderr, " %+.1f %%\n", 100 * v->error);
	else
		fprintf(stderr, " %s\n", v->message);
	show_row(s, v);
}

int validation_show(struct validation_shown *s, struct tw_error *err)
{
	struct tw_error ignored;
	if (s->n == 0)
		json_decref(s->rows);
	else if (s->format == TW__JSON && !tw__cells_write_json(stdout, s->rows))
		return tw_fail(err, TW_NOMEM, "out of memory");
	if (s->format == TW__TEXT && s->n)
		return grid_print(&s->grid, stdout, "", err);
	FILE *nowhere = fopen("/dev/null", "we"); /* prints nowhere, to free the titles of an empty table */
	if (nowhere) {
		grid_print(&s->grid, nowhere, "", &ignored);
		fclose(nowhere);
	}
	return TW_OK;
}

void validation_shown_init(struct validation_shown *s, bool quiet, enum tw__result_format format,
                           const struct tw__column_choice *columns)
{
	static const char *const titles[] = {"workload",      "policy",  "real",  "simulated", "error",
	                                     "interval (ms)", "kernels", "order", "bus",       "runtime",
	                                     "rest",          "largest", NULL};
	*s = (struct validation_shown){.quiet = quiet, .format = format, .columns = columns};
	s->grid = (struct grid){.columns = 12, .right = "llrrrrrrrrrl"};
	s->rows = format == TW__JSON ? json_array() : NULL;
	for (int i = 0; titles[i]; i++)
		grid_add(&s->grid, "%s", titles[i]);
}
