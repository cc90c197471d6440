/* Results for programs: JSON and CSV. */
#include "experiment/columns.h"

#include <string.h>

#include "experiment/load.h"
#include "experiment/text.h"

/* --- columns ---------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof((struct tw__column_choice){0}.of) == TW__MAX_COLUMNS * sizeof(int), "room for all columns");

/* The columns of no run: the names are the same for all results. */
static int blank_cells(struct cell *cells)
{
	static const struct tw__request request = {.platform = "", .workload = "", .policy = ""};
	static const struct tw__result result = {.request = &request, .eviction = "", .kernel_model = ""};
	return tw__result_cells(&result, cells);
}

static const char *column_name(int i)
{
	struct cell cells[TW__MAX_COLUMNS];
	return i < blank_cells(cells) ? cells[i].key : NULL;
}

static int add_column(struct tw__column_choice *choice, const char *name, struct tw_error *err)
{
	int column = 0;
	while (column_name(column) && strcmp(name, column_name(column)) != 0)
		column++;
	if (!column_name(column))
		return tw__unknown_name("column", name, column_name, err);
	for (int i = 0; i < choice->n; i++)
		if (choice->of[i] == column)
			return tw_fail(err, TW_INVALID, "column '%s' is named twice: expected it once", name);
	choice->of[choice->n++] = column;
	return TW_OK;
}

int tw__column_choice_parse(struct tw__column_choice *choice, const char *text, struct tw_error *err)
{
	char name[64];
	int status = TW_OK;
	choice->n = 0;
	do {
		size_t length = strcspn(text, ",");
		snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name, text);
		status = add_column(choice, name, err);
		text += length;
	} while (status == TW_OK && *text++);
	return status;
}

/* The result's cells in the chosen columns; returns how many. */
static int chosen_cells(const struct tw__column_choice *choice, const struct tw__result *result, struct cell *cells)
{
	struct cell all[TW__MAX_COLUMNS];
	if (!choice->n)
		return tw__result_cells(result, cells);
	tw__result_cells(result, all);
	for (int i = 0; i < choice->n; i++)
		cells[i] = all[choice->of[i]];
	return choice->n;
}

/* --- formats ---------------------------------------------------------------------------------------------------- */

static int write_json(FILE *f, const struct tw__column_choice *choice, const struct tw__result *results, int n,
                      struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	json_t *rows = json_array();
	for (int i = 0; rows && i < n; i++)
		if (json_array_append_new(rows, tw__cells_json(cells, chosen_cells(choice, &results[i], cells))) < 0) {
			json_decref(rows);
			rows = NULL;
		}
	return tw__cells_write_json(f, rows) ? TW_OK : tw_fail(err, TW_NOMEM, "results: out of memory");
}

static void write_csv(FILE *f, const struct tw__column_choice *choice, const struct tw__result *results, int n)
{
	struct cell cells[TW__MAX_COLUMNS];
	if (n > 0)
		tw__cells_write_keys(f, cells, chosen_cells(choice, &results[0], cells));
	for (int i = 0; i < n; i++)
		tw__cells_write(f, cells, chosen_cells(choice, &results[i], cells));
}

void tw__result_write_header(FILE *f)
{
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write_keys(f, cells, blank_cells(cells));
}

void tw__result_write_row(FILE *f, const struct tw__result *result)
{
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write(f, cells, tw__result_cells(result, cells));
}

int tw__result_write(FILE *f, enum tw__result_format format, const struct tw__column_choice *choice,
                     const struct tw__result *results, int n, struct tw_error *err)
{
	switch (format) {
	case TW__TEXT:
		return tw__result_write_text(f, results, n, err);
	case TW__JSON:
		return write_json(f, choice, results, n, err);
	case TW__CSV:
		write_csv(f, choice, results, n);
		return TW_OK;
	}
	return tw_fail(err, TW_INVALID, "results: expected text, json or csv");
}
