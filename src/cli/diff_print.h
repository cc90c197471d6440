/* Prints the differences of two runs, as text for people and as JSON for programs. docs/reference/diff.md describes
 * both. Tables that both have are made once. */
#ifndef TW__DIFF_PRINT_H
#define TW__DIFF_PRINT_H

#include <stdio.h>

#include "base/cell_table.h"
#include "experiment/past.h"
#include "explain/diff.h"

/* The caller checks ferror() for write errors. */
void print_diff(FILE *, const struct tw__diff *, const struct tw__past runs[2], bool is_json);

/* --- parts, for the files that print ------------------------------------------------------------------------------ */

enum { DIFF_MOST_ROWS = 10 }; /* of one table of the text */

struct diff_printed {
	const struct tw__diff *d;
	const struct tw__past *runs;
	bool is_json;
	FILE *f;
};

struct cell_table diff_table(const struct diff_printed *, const struct cell_column *);
/* Returns the rows as JSON. Or prints them under the title, and returns NULL. `n`: how many rows the text would have
 * without a limit. */
json_t *diff_end(const struct diff_printed *, struct cell_table *, const char *title, size_t n);
/* The cells of the seconds of A and B, and of their difference. NAN: that run has none, so there is no difference. */
#define DIFF_SECONDS(a_s, b_s) cell_real(a_s), cell_real(b_s), cell_real((b_s) - (a_s))

/* diff_tables.c */
json_t *diff_task_json(const struct tw__diff *, tw_task);
json_t *diff_tasks_json(const struct diff_printed *);
json_t *diff_memories_json(const struct tw__diff *);
json_t *diff_transfers(const struct diff_printed *); /* or prints them */
void diff_put_tasks(const struct diff_printed *);
void diff_put_loads_again(const struct diff_printed *);

#endif
