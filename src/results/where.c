/* Conditions on rows of results (--where), with values as users type them. */
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/load.h"
#include "results/adapt.h"
#include "results/columns.h"

enum { MOST_VALUES = 64 };

static bool has_bytes(const char *column) { return !strcmp(tw__column_unit(column), "bytes"); }

static bool are_equal_numbers(const char *a, const char *b)
{
	double x, y;
	struct tw_error ignored;
	return tw__parse_real(&x, a, &ignored) == TW_OK && tw__parse_real(&y, b, &ignored) == TW_OK && x <= y && x >= y;
}

/* Whether a cell has the value itself. Numbers may be written in several ways, and sizes with units. "none" is an empty
 * cell. */
static bool is_value(const char *cell, const char *value, bool is_bytes)
{
	uint64_t a, b;
	struct tw_error ignored;
	if (!strcmp(cell, value) || (!*cell && !strcmp(value, "none")) || are_equal_numbers(cell, value))
		return true;
	return is_bytes && tw__parse_bytes(&a, cell, &ignored) == TW_OK &&
	       tw__parse_bytes(&b, value, &ignored) == TW_OK && a == b;
}

/* Whether a size is shown to people as they show the value: 5072899276 is "5.073 GB". */
static bool is_shown(const char *cell, const char *value)
{
	char a[32], b[32];
	uint64_t bytes, typed;
	struct tw_error ignored;
	return tw__parse_bytes(&bytes, cell, &ignored) == TW_OK && tw__parse_bytes(&typed, value, &ignored) == TW_OK &&
	       !strcmp(tw__size_text(a, sizeof a, bytes), tw__size_text(b, sizeof b, typed));
}

/* The memory of each GPU of a row's platform that data can use in a run without --gpu-mem. */
struct room {
	const char *platform, *runtime; /* texts of the rows; NULL: nothing was looked up yet */
	int gpus;
	uint64_t bytes; /* 0: the platform is not known here */
};

static uint64_t gpu_mem_of_platform(const struct room *of)
{
	struct tw__platform *platform = NULL;
	struct tw__models *models = NULL;
	struct tw__runtime_params params = {0};
	struct tw_error ignored;
	uint64_t usable = 0;
	const struct tw__request request = {
		.platform = of->platform,
		.choice = {.cpus = TW__ALL_WORKERS, .gpus = of->gpus},
	};
	if (tw__load_platform(&platform, &models, &request, &ignored) == TW_OK &&
	    tw__runtime_params_init(&params, *of->runtime ? of->runtime : TW__DEFAULT_RUNTIME, platform, &ignored) ==
	            TW_OK) {
		uint64_t *capacity = tw_alloc((size_t)platform->n_nodes, sizeof *capacity);
		tw__run_capacities(platform, &params, capacity);
		usable = tw__accelerator_bytes(platform, capacity);
		free(capacity);
	}
	tw__runtime_params_finish(&params);
	tw__models_destroy(models);
	tw__platform_destroy(platform);
	return usable;
}

/* Finds the memory for the row. Neighbouring rows nearly always agree, so `*last` spares reading their platform. */
static uint64_t find_room(struct room *last, const struct tw__rows *rows, int row)
{
	double gpus;
	struct tw_error ignored;
	if (tw__rows_number(rows, row, tw__rows_column(rows, "gpus"), &gpus, &ignored) < 0 || !(gpus > 0 && gpus < 1e6))
		return 0;
	struct room room = {.platform = tw__rows_text(rows, row, tw__rows_column(rows, "platform")),
	                    .runtime = tw__rows_text(rows, row, tw__rows_column(rows, "runtime")),
	                    .gpus = (int)gpus};
	if (!last->platform || strcmp(last->platform, room.platform) != 0 || strcmp(last->runtime, room.runtime) != 0 ||
	    last->gpus != room.gpus) {
		room.bytes = gpu_mem_of_platform(&room);
		*last = room;
	}
	return last->bytes;
}

static bool is_unlimited(struct room *last, const struct tw__rows *rows, int row, const char *cell)
{
	uint64_t bytes;
	struct tw_error ignored;
	return tw__parse_bytes(&bytes, cell, &ignored) == TW_OK && bytes && bytes == find_room(last, rows, row);
}

/* How a cell may agree with a value. The weaker way counts only if no row agrees in the stronger one. */
enum way { ITSELF, AS_SHOWN, N_WAYS };

static bool agrees(struct room *last, const struct tw__rows *rows, int row, int column, const char *value, enum way way)
{
	const char *cell = tw__rows_text(rows, row, column), *name = rows->names[column];
	if (way == AS_SHOWN)
		return has_bytes(name) && is_shown(cell, value);
	return is_value(cell, value, has_bytes(name)) ||
	       (!strcmp(name, "gpu_mem_bytes") && !strcmp(value, "none") && is_unlimited(last, rows, row, cell));
}

/* Marks the rows that have the value in the column. */
static void mark(const struct tw__rows *rows, int column, const char *value, bool *marked)
{
	struct room last = {0};
	bool any = false;
	for (enum way way = ITSELF; way < N_WAYS && !any; way++)
		for (int row = 0; row < rows->n_rows; row++)
			if (agrees(&last, rows, row, column, value, way))
				any = marked[row] = true;
}

static int keep_where(struct tw__rows *rows, const char *name, char *const *values, int n, struct tw_error *err)
{
	int column, n_rows = rows->n_rows, status = tw__rows_find_or_make(rows, name, "--where", &column, err);
	if (status < 0)
		return status;
	bool *marked = tw_alloc((size_t)n_rows, sizeof *marked);
	for (int i = 0; i < n; i++)
		mark(rows, column, values[i], marked);
	rows->n_rows = 0;
	for (int row = 0; row < n_rows; row++)
		if (marked[row])
			tw__rows_add(rows, rows, row);
	free(marked);
	return TW_OK;
}

/* Follows one option --where: "gpus=1,2" keeps the rows whose column `gpus` has the value 1 or 2. */
static int take_where(struct tw__rows *rows, const char *text, struct tw_error *err)
{
	char *copy = tw_copy_text(text), *equals = strchr(copy, '='), *values[MOST_VALUES];
	int n = 0, status = TW_OK;
	if (!equals || equals == copy) {
		status = tw_fail(err, TW_INVALID, "--where '%.200s': expected COLUMN=VALUE[,VALUE]...", text);
	} else {
		*equals = '\0';
		char *at = equals + 1;
		for (; at && n < MOST_VALUES; n++) {
			values[n] = at;
			at = strchr(at, ',');
			if (at)
				*at++ = '\0';
		}
		status = at ? tw_fail(err, TW_INVALID, "--where '%.60s=...': expected at most %d values", copy,
		                      MOST_VALUES)
		            : keep_where(rows, copy, values, n, err);
		if (status == TW_OK && rows->n_rows == 0)
			status =
				tw_fail(err, TW_INVALID, "%s: no row is left after --where '%.200s'", rows->path, text);
	}
	free(copy);
	return status;
}

int tw__rows_where(struct tw__rows *rows, const char *const *where, struct tw_error *err)
{
	int status = TW_OK;
	for (; where && *where && status == TW_OK; where++)
		status = take_where(rows, *where, err);
	return status;
}
