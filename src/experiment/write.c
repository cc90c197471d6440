/* Results for programs: JSON and CSV. */
#include "experiment/columns.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/json_text.h"
#include "experiment/text.h"

static json_t *json_cell(const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NONE:
		return json_null();
	case CELL_TEXT:
		return tw__json_text(cell->text);
	case CELL_INTEGER:
		return json_integer(cell->integer);
	case CELL_REAL:
		return json_real(cell->real);
	case CELL_FLAG:
		return json_boolean(cell->flag);
	}
	return NULL;
}

/* NULL: out of memory. */
static json_t *json_row(const struct tw__result *result)
{
	struct cell cells[TW__MAX_COLUMNS];
	int n = tw__result_cells(result, cells);
	json_t *row = json_object();
	for (int i = 0; row && i < n; i++)
		if (json_object_set_new(row, cells[i].key, json_cell(&cells[i])) < 0) {
			json_decref(row);
			row = NULL;
		}
	return row;
}

static int write_json(FILE *f, const struct tw__result *results, int n, struct tw_error *err)
{
	json_t *rows = json_array();
	bool complete = rows;
	for (int i = 0; complete && i < n; i++)
		complete = json_array_append_new(rows, json_row(&results[i])) == 0;
	char *text = complete ? json_dumps(rows, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
	json_decref(rows);
	if (!text)
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	fputs(text, f);
	fputc('\n', f);
	free(text);
	return TW_OK;
}

/* RFC 4180, with line feeds as the ends of lines. */
static void csv_text(FILE *f, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			fputc('"', f);
		fputc(*c, f);
	}
	fputc('"', f);
}

static void csv_cell(FILE *f, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NONE:
		break;
	case CELL_TEXT:
		csv_text(f, cell->text);
		break;
	case CELL_INTEGER:
		fprintf(f, "%" PRId64, cell->integer);
		break;
	case CELL_REAL:
		fprintf(f, "%.17g", cell->real);
		break;
	case CELL_FLAG:
		fputs(cell->flag ? "true" : "false", f);
		break;
	}
}

void tw__result_write_header(FILE *f)
{
	/* The names are the same for all results. */
	static const struct tw__request request = {.platform = "", .workload = "", .policy = ""};
	static const struct tw__result result = {.request = &request, .eviction = "", .kernel_model = ""};
	struct cell cells[TW__MAX_COLUMNS];
	int columns = tw__result_cells(&result, cells);
	for (int i = 0; i < columns; i++)
		fprintf(f, "%s%c", cells[i].key, i + 1 < columns ? ',' : '\n');
}

void tw__result_write_row(FILE *f, const struct tw__result *result)
{
	struct cell cells[TW__MAX_COLUMNS];
	int columns = tw__result_cells(result, cells);
	for (int i = 0; i < columns; i++) {
		csv_cell(f, &cells[i]);
		fputc(i + 1 < columns ? ',' : '\n', f);
	}
}

int tw__result_write(FILE *f, enum tw__result_format format, const struct tw__result *results, int n,
                     struct tw_error *err)
{
	switch (format) {
	case TW__TEXT:
		return tw__result_write_text(f, results, n, err);
	case TW__JSON:
		return write_json(f, results, n, err);
	case TW__CSV:
		if (n > 0)
			tw__result_write_header(f);
		for (int i = 0; i < n; i++)
			tw__result_write_row(f, &results[i]);
		return TW_OK;
	}
	return tw_fail(err, TW_INVALID, "results: expected text, json or csv");
}
