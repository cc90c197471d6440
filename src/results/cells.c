#include "results/cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_put.h"
#include "base/json_text.h"
#include "trace/text.h"

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
	case CELL_SECONDS:
		return json_real(tw__seconds(cell->ns));
	case CELL_FLAG:
		return json_boolean(cell->flag);
	}
	return NULL;
}

json_t *tw__cells_json(const struct cell *cells, int n)
{
	json_t *row = json_object();
	for (int i = 0; row && i < n; i++)
		if (json_object_set_new(row, cells[i].key, json_cell(&cells[i])) < 0) {
			json_decref(row);
			row = NULL;
		}
	return row;
}

bool tw__cells_write_json(FILE *f, json_t *rows)
{
	char *text = rows ? json_dumps(rows, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
	json_decref(rows);
	if (!text)
		return false;
	fputs(text, f);
	fputc('\n', f);
	free(text);
	return true;
}

static void csv_cell(FILE *f, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NONE:
		break;
	case CELL_TEXT:
		tw__csv_put(f, cell->text);
		break;
	case CELL_INTEGER:
		fprintf(f, "%" PRId64, cell->integer);
		break;
	case CELL_REAL:
		fprintf(f, "%.17g", cell->real);
		break;
	case CELL_SECONDS:
		tw__print_seconds(f, cell->ns);
		break;
	case CELL_FLAG:
		fputs(cell->flag ? "true" : "false", f);
		break;
	}
}

void tw__cells_write_keys(FILE *f, const struct cell *cells, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(f, "%s%c", cells[i].key, i + 1 < n ? ',' : '\n');
}

char *tw__cells_header(const struct cell *cells, int n)
{
	char *header = NULL;
	size_t bytes;
	FILE *f = open_memstream(&header, &bytes);
	if (f)
		tw__cells_write_keys(f, cells, n);
	if (f && fclose(f) == 0)
		return header;
	free(header);
	return NULL;
}

void tw__cells_write(FILE *f, const struct cell *cells, int n)
{
	for (int i = 0; i < n; i++) {
		csv_cell(f, &cells[i]);
		fputc(i + 1 < n ? ',' : '\n', f);
	}
}
