/* Writes results as JSON and CSV, for programs to read. */
#include "results/write.h"

/* Fills `cells` with the chosen columns of the result; returns the number of cells. */
static int chosen_cells(const struct tw__column_choice *choice, const struct tw__result *result, struct cell *cells)
{
	return tw__column_choice_apply(choice, cells, tw__result_cells(result, cells));
}

/* A row, with its explanation if one was asked for: null for a failed run. */
static json_t *row_json(const struct tw__column_choice *choice, const struct tw__result *result, struct cell *cells)
{
	json_t *row = tw__cells_json(cells, chosen_cells(choice, result, cells));
	if (result->request->explain)
		json_object_set_new(row, "explanation",
		                    result->explanation ? json_loads(result->explanation, 0, NULL) : json_null());
	return row;
}

static void write_json(FILE *f, const struct tw__column_choice *choice, const struct tw__result *results, int n)
{
	struct cell cells[TW__MAX_COLUMNS];
	json_t *rows = json_array();
	for (int i = 0; i < n; i++)
		json_array_append_new(rows, row_json(choice, &results[i], cells));
	tw__cells_write_json(f, rows);
}

static void write_csv(FILE *f, const struct tw__column_choice *choice, const struct tw__result *results, int n)
{
	struct cell cells[TW__MAX_COLUMNS];
	if (n > 0)
		tw__cells_write_keys(f, cells, chosen_cells(choice, &results[0], cells));
	for (int i = 0; i < n; i++)
		tw__cells_write(f, cells, chosen_cells(choice, &results[i], cells));
}

char *tw__result_header(const struct tw__column_choice *choice)
{
	struct cell cells[TW__MAX_COLUMNS];
	return tw__cells_header(cells,
	                        tw__column_choice_apply(choice, cells, tw__column_names(tw__result_table, cells)));
}

void tw__result_write_row(FILE *f, const struct tw__column_choice *choice, const struct tw__result *result)
{
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write(f, cells, chosen_cells(choice, result, cells));
}

void tw__result_write(FILE *f, enum tw__result_format format, const struct tw__column_choice *choice,
                      const struct tw__result *results, int n)
{
	switch (format) {
	case TW__TEXT:
		tw__result_write_text(f, results, n);
		break;
	case TW__JSON:
		write_json(f, choice, results, n);
		break;
	case TW__CSV:
		write_csv(f, choice, results, n);
		break;
	}
}
