/* Reads kernels and dependencies from StarVZ's tables. */
#include "import/shown.h"
#include "readers/csv.h"
#include "readers/starpu_names.h"

struct reader {
	struct tw__shown *shown;
	const char *folder;
	struct tw__csv_table table;
	struct tw_error *err;
};

/* Reads milliseconds, as exact nanoseconds. */
static int read_date(struct reader *r, const char *column, const char *text, tw__ns *date)
{
	if (tw_decimal_scientific(text, 6, date))
		return TW_OK;
	return tw__input_fail(r->table.in, r->err, "%s '%.60s', expected milliseconds, 0 or more", column, text);
}

/* Reads a row of a worker's state. States without a job are no kernels. */
static int read_state(struct reader *r, const int *columns)
{
	enum { RESOURCE, START, END, NAME, JOB };
	char **v = r->table.values, room[256];
	tw__ns start, end;
	if (!*v[columns[JOB]])
		return TW_OK;
	if (!*v[columns[RESOURCE]])
		return tw__input_fail(r->table.in, r->err, "no ResourceId, expected the job's worker");
	int status = read_date(r, "Start", v[columns[START]], &start);
	if (status == TW_OK)
		status = read_date(r, "End", v[columns[END]], &end);
	if (status == TW_OK && end < start)
		status = tw__input_fail(r->table.in, r->err, "End '%.60s' is before Start", v[columns[END]]);
	if (status < 0)
		return status;
	const char *job = tw_starpu_job_name(v[columns[JOB]], tw_starpu_rank(v[columns[RESOURCE]]), room, sizeof room);
	if (!job)
		return tw__input_fail(r->table.in, r->err, "JobId '%.60s', expected a shorter one", v[columns[JOB]]);
	tw__shown_kernel(r->shown, v[columns[RESOURCE]], v[columns[NAME]], job, start, end);
	return TW_OK;
}

static int read_states(struct reader *r)
{
	static const char *const tables[] = {"paje.worker_state.csv.gz", "paje.worker_state.csv", "worker_state.csv.gz",
	                                     "worker_state.csv", NULL};
	static const char *const names[] = {"ResourceId", "Start", "End", "Value", "JobId", NULL};
	int columns[5];
	int status = tw__csv_table_open(&r->table, r->folder, tables, r->err);
	if (status < 0)
		return status;
	if (status == 0)
		return tw_fail(r->err, TW_INVALID,
		               "%s: neither run.record.gz nor paje.worker_state.csv: expected a folder that "
		               "'tilewright run --trace' or StarVZ wrote",
		               r->folder);
	r->table.short_rows = true; /* rows of idle workers lack the job */
	status = tw__csv_table_columns(&r->table, names, columns, r->err);
	while (status == TW_OK && (status = tw__csv_table_row(&r->table, r->err)) == 1)
		status = read_state(r, columns);
	tw__csv_table_close(&r->table);
	return status;
}

static int read_dependencies(struct reader *r)
{
	static const char *const tables[] = {"dag.csv.gz", "dag.csv", NULL};
	static const char *const names[] = {"Dependent", "JobId", NULL};
	int columns[2];
	int status = tw__csv_table_open(&r->table, r->folder, tables, r->err);
	if (status <= 0)
		return status;
	status = tw__csv_table_columns(&r->table, names, columns, r->err);
	while (status == TW_OK && (status = tw__csv_table_row(&r->table, r->err)) == 1) {
		tw__shown_depend(r->shown, r->table.values[columns[0]], r->table.values[columns[1]]);
		status = TW_OK;
	}
	tw__csv_table_close(&r->table);
	return status;
}

int tw__shown_read_tables(struct tw__shown *shown, const char *folder, struct tw_error *err)
{
	struct reader r = {.shown = shown, .folder = folder, .err = err};
	int status = read_states(&r);
	return status == TW_OK ? read_dependencies(&r) : status;
}
