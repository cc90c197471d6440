#include "base/cells.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/print.h"

static json_t *json_cell(const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NONE:
		return json_null();
	case CELL_TEXT:
	case CELL_OWNED:
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
	for (int i = 0; i < n; i++)
		tw__json_set(row, cells[i].key, json_cell(&cells[i]));
	return row;
}

void tw__cells_write_json(FILE *f, json_t *rows) { tw__json_write(f, rows, TW__JSON_EXACT); }

static void csv_cell(FILE *f, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NONE:
		break;
	case CELL_TEXT:
	case CELL_OWNED:
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

char *tw__cell_text(const struct cell *cell)
{
	char *text;
	size_t bytes;
	if (cell->kind == CELL_TEXT || cell->kind == CELL_OWNED)
		return tw_copy_text(cell->text);
	FILE *f = tw__text_open(&text, &bytes);
	csv_cell(f, cell);
	tw__text_close(f);
	return text;
}

void tw__cells_write_keys(FILE *f, const struct cell *cells, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(f, "%s%c", cells[i].key, i + 1 < n ? ',' : '\n');
}

char *tw__cells_header(const struct cell *cells, int n)
{
	char *header;
	size_t bytes;
	FILE *f = tw__text_open(&header, &bytes);
	tw__cells_write_keys(f, cells, n);
	tw__text_close(f);
	return header;
}

void tw__cells_write(FILE *f, const struct cell *cells, int n)
{
	for (int i = 0; i < n; i++) {
		csv_cell(f, &cells[i]);
		fputc(i + 1 < n ? ',' : '\n', f);
	}
}

/* --- columns that users choose --- */

struct table {
	const struct cell *columns;
	int n;
};

static const char *name_at(const void *context, int i)
{
	const struct table *table = context;
	return i < table->n ? table->columns[i].key : NULL;
}

static int find(const struct table *table, const char *name)
{
	int column = 0;
	while (column < table->n && strcmp(name, table->columns[column].key) != 0)
		column++;
	return column;
}

/* Returns the position of `column` among the chosen columns; choice->n if `column` is not chosen. */
static int place_of(const struct tw__column_choice *choice, int column)
{
	int place = 0;
	while (place < choice->n && choice->of[place] != column)
		place++;
	return place;
}

static int take(struct tw__column_choice *choice, const char *name, const struct table *table, struct tw_error *err)
{
	int column = find(table, name);
	if (column == table->n)
		return tw__unknown_name_in("column", name, name_at, table, err);
	if (place_of(choice, column) < choice->n)
		return tw_fail(err, TW_INVALID, "column '%s' is named twice: expected it once", name);
	choice->of[choice->n++] = column;
	return TW_OK;
}

int tw__column_choice_parse(struct tw__column_choice *choice, const char *text, const struct cell *columns, int n,
                            struct tw_error *err)
{
	const struct table table = {columns, n};
	char name[64];
	int status = TW_OK;
	choice->n = 0;
	do {
		size_t length = strcspn(text, ",");
		snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name, text);
		status = take(choice, name, &table, err);
		text += length;
	} while (status == TW_OK && *text++);
	return status;
}

void tw__column_choice_add(struct tw__column_choice *choice, const char *name, bool last, const struct cell *columns,
                           int n)
{
	const struct table table = {columns, n};
	int column = find(&table, name), place = place_of(choice, column);
	if (place < choice->n && !last)
		return;
	if (place < choice->n)
		memmove(&choice->of[place], &choice->of[place + 1], (size_t)(--choice->n - place) * sizeof *choice->of);
	choice->of[choice->n++] = column;
}

int tw__column_choice_apply(const struct tw__column_choice *choice, struct cell *row, int n)
{
	struct cell all[TW__MAX_COLUMNS];
	if (!choice->n)
		return n;
	memcpy(all, row, (size_t)n * sizeof *row);
	for (int i = 0; i < choice->n; i++)
		row[i] = all[choice->of[i]];
	return choice->n;
}
