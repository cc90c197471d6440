/* Prints the differences of two runs, as text for people and as JSON for programs. docs/reference/diff.md describes
 * both. Tables that both have are made once. */
#ifndef TW__DIFF_PRINTED_H
#define TW__DIFF_PRINTED_H

#include <stdio.h>

#include "base/cell_table.h"
#include "explain/diff.h"
#include "trace/write.h"

/* The names of a run, and the options that the user gave for it. */
struct tw__diff_about {
	struct tw__explained_name name;
	const struct tw__run_argument *arguments;
	int n_arguments;
};

/* Prints text. The caller checks ferror() for write errors. */
void tw__diff_print(FILE *, const struct tw__diff *, const struct tw__diff_about[2]);
/* An object of JSON, which the caller releases. */
json_t *tw__diff_json(const struct tw__diff *, const struct tw__diff_about[2]);

/* --- parts, for the files that print ------------------------------------------------------------------------------ */

enum { TW__DIFF_MOST_ROWS = 10 }; /* of one table of the text */

struct tw__diff_printed {
	const struct tw__diff *d;
	const struct tw__diff_about *runs;
	bool is_json;
	FILE *f; /* of the text */
};

struct cell_table tw__diff_table(const struct tw__diff_printed *, const struct cell_column *);
/* Returns the rows as JSON. Or prints them under the title, and returns NULL. `n`: how many rows the text would have
 * without a limit. */
json_t *tw__diff_end(const struct tw__diff_printed *, struct cell_table *, const char *title, size_t n);
/* The cells of the seconds of A and B, and of their difference. NAN: that run has none, so there is no difference. */
#define DIFF_SECONDS(a_s, b_s) cell_real(a_s), cell_real(b_s), cell_real((b_s) - (a_s))
/* The cells of the bytes of A and of B, and of their difference. */
#define DIFF_MEGABYTES(a, b) \
	cell_bytes(a), cell_bytes(b), cell_format((a) == (b) ? "%.4g" : "%+.4g", 1e-6 * ((double)(b) - (double)(a)))

/* Whether the text leaves out a row. */
static inline bool tw__diff_leaves_out(const struct tw__diff_printed *p, size_t row)
{
	return !p->is_json && row >= TW__DIFF_MOST_ROWS;
}

/* diff_tables.c */
json_t *tw__diff_task_json(const struct tw__diff *, tw_task);
json_t *tw__diff_tasks_json(const struct tw__diff_printed *);
json_t *tw__diff_memories_json(const struct tw__diff *);
json_t *tw__diff_transfers(const struct tw__diff_printed *);      /* or prints them */
json_t *tw__diff_messages_table(const struct tw__diff_printed *); /* or prints; NULL: no run has any */
void tw__diff_put_tasks(const struct tw__diff_printed *);
void tw__diff_put_loads_again(const struct tw__diff_printed *);

#endif
