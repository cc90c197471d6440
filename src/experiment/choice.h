/* Choice of a table's columns by name, for options called --columns. */
#ifndef TW__CHOICE_H
#define TW__CHOICE_H

#include <tilewright/base.h>

struct cell;

enum { TW__MAX_COLUMNS = 48 };

/* Indices of the chosen columns, in the order of the choice. n = 0: all columns, in their own order. */
struct tw__column_choice {
	int n, of[TW__MAX_COLUMNS];
};

/* Parses "policy,makespan_s". `columns`: a row of the table, for its names. TW_INVALID: unknown column, or named
 * twice. */
int tw__column_choice_parse(struct tw__column_choice *, const char *text, const struct cell *columns, int n,
                            struct tw_error *err);
/* Adds a column of the table behind the chosen ones. If it is chosen already, `last` moves it to the end. */
void tw__column_choice_add(struct tw__column_choice *, const char *name, bool last, const struct cell *columns, int n);
/* Adds the columns that a resumed file of results needs: `status`, `message`, `version`, and `identity` as the last. */
void tw__column_choice_resume(struct tw__column_choice *, const struct cell *columns, int n);
/* Reduces the row's n cells to the chosen ones; returns their number. */
int tw__column_choice_apply(const struct tw__column_choice *, struct cell *row, int n);

#endif
