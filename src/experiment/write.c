/* Results for programs: JSON and CSV. */
#include "experiment/columns.h"

#include "experiment/text.h"

static int write_json(FILE *f, const struct tw__result *results, int n, struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	json_t *rows = json_array();
	for (int i = 0; rows && i < n; i++)
		if (json_array_append_new(rows, tw__cells_json(cells, tw__result_cells(&results[i], cells))) < 0) {
			json_decref(rows);
			rows = NULL;
		}
	return tw__cells_write_json(f, rows) ? TW_OK : tw_fail(err, TW_NOMEM, "results: out of memory");
}

void tw__result_write_header(FILE *f)
{
	/* The names are the same for all results. */
	static const struct tw__request request = {.platform = "", .workload = "", .policy = ""};
	static const struct tw__result result = {.request = &request, .eviction = "", .kernel_model = ""};
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write_keys(f, cells, tw__result_cells(&result, cells));
}

void tw__result_write_row(FILE *f, const struct tw__result *result)
{
	struct cell cells[TW__MAX_COLUMNS];
	tw__cells_write(f, cells, tw__result_cells(result, cells));
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
