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
static void show_row(struct validation_shown *s, const struct tw__validation *v)
{
	struct cell cells[TW__MAX_COLUMNS];
	int n = tw__column_choice_apply(s->columns, cells, tw__validation_cells(v, cells));
	if (s->format == TW__TEXT && v->status == TW__VALIDATED)
		add_row(&s->table, v);
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
	if (s->n == 0)
		json_decref(s->rows);
	else if (s->format == TW__JSON && !tw__cells_write_json(stdout, s->rows))
		return tw_fail(err, TW_NOMEM, "out of memory");
	return s->n && s->format == TW__TEXT ? tw__cells_print(&s->table, stdout, err) : TW_OK;
}

void validation_shown_init(struct validation_shown *s, bool quiet, enum tw__result_format format,
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
	*s = (struct validation_shown){
		.quiet = quiet, .format = format, .columns = columns, .table = {.columns = text}};
	s->rows = format == TW__JSON ? json_array() : NULL;
}
