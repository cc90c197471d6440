/* The columns of a table that the user chooses by name, with options called --columns. */
#ifndef TW__CHOICE_H
#define TW__CHOICE_H

#include <tilewright/base.h>

struct cell;

/* The most columns that a table may have. */
enum { TW__MAX_COLUMNS = 64 };

/* Indices of the chosen columns, in the order of the choice. n = 0: all columns are chosen, in the table's order. */
struct tw__column_choice {
	int n, of[TW__MAX_COLUMNS];
};

/* Parses names of columns, as in "policy,makespan_s". `columns`: any row of the table, for the names of its n columns.
 * TW_INVALID: a column is unknown or named twice. */
int tw__column_choice_parse(struct tw__column_choice *, const char *text, const struct cell *columns, int n,
                            struct tw_error *err);
/* Adds the column `name` of the table behind the chosen columns. If the column is chosen already, `last` moves it to
 * the end; otherwise it stays. */
void tw__column_choice_add(struct tw__column_choice *, const char *name, bool last, const struct cell *columns, int n);
/* Adds the columns that a resumed file of results needs: `status`, `message`, `version`, and `identity` as the last. */
void tw__column_choice_resume(struct tw__column_choice *, const struct cell *columns, int n);
/* Replaces the row's n cells by the chosen ones, in the order of the choice. Returns the new number of cells. */
int tw__column_choice_apply(const struct tw__column_choice *, struct cell *row, int n);

#endif
