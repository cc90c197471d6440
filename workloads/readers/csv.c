#include "readers/csv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/csv.h>

/* Splits a line of the table into `fields`. Returns the number of fields, or an error. */
static int split(struct tw__csv_table *t, char *line, char **fields, struct tw_error *err)
{
	struct tw_csv csv = {.loose = true, .fields = fields, .most = TW__CSV_TABLE_COLUMNS};
	int n = tw_csv_cut(&csv, line);
	if (n > 0)
		return n;
	if (n == TW_CSV_TOO_MANY)
		return tw__input_fail(t->in, err, "more than %d fields, expected fewer", TW__CSV_TABLE_COLUMNS);
	return tw__input_fail(t->in, err, "field %d has a quote alone, expected two around it", csv.n);
}

static int read_header(struct tw__csv_table *t, struct tw_error *err)
{
	char *line;
	int status = tw__input_line(t->in, &line, err);
	if (status < 0)
		return status;
	if (status == 0)
		return tw__input_fail(t->in, err, "no line, expected the names of the columns");
	t->header = tw_copy_text(line);
	t->n_columns = split(t, t->header, t->names, err);
	return t->n_columns;
}

int tw__csv_table_open(struct tw__csv_table *t, const char *folder, const char *const *names, struct tw_error *err)
{
	*t = (struct tw__csv_table){.path = NULL};
	for (; *names; names++) {
		t->path = tw_format("%s/%s", folder, *names);
		if (access(t->path, F_OK) == 0)
			break;
		tw__csv_table_close(t);
	}
	if (!*names)
		return 0;
	int status = tw__input_open(&t->in, t->path, err);
	if (status == TW_OK)
		status = read_header(t, err);
	if (status < 0)
		tw__csv_table_close(t);
	return status < 0 ? status : 1;
}

void tw__csv_table_close(struct tw__csv_table *t)
{
	tw__input_close(t->in);
	free(t->path);
	free(t->header);
	*t = (struct tw__csv_table){.path = NULL};
}

int tw__csv_table_columns(const struct tw__csv_table *t, const char *const *names, int *columns, struct tw_error *err)
{
	for (int i = 0; names[i]; i++) {
		columns[i] = 0;
		while (columns[i] < t->n_columns && strcmp(t->names[columns[i]], names[i]) != 0)
			columns[i]++;
		if (columns[i] == t->n_columns)
			return tw__input_fail(t->in, err, "no column %s, expected one", names[i]);
	}
	return TW_OK;
}

int tw__csv_table_row(struct tw__csv_table *t, struct tw_error *err)
{
	char *line;
	int status;
	do
		status = tw__input_line(t->in, &line, err);
	while (status == 1 && line[strspn(line, " \t")] == '\0');
	if (status != 1)
		return status;
	char *nothing = line + strlen(line);
	int n = split(t, line, t->values, err);
	if (n < 0)
		return n;
	if (n > t->n_columns)
		return tw__input_fail(t->in, err, "%d fields, expected at most the %d of the header", n, t->n_columns);
	if (n < t->n_columns && !t->short_rows)
		return tw__input_fail(t->in, err, "%d fields, expected the %d of the header", n, t->n_columns);
	for (int i = 0; i < t->n_columns; i++)
		if (i >= n || !strcmp(t->values[i], "NA"))
			t->values[i] = nothing;
	return 1;
}
