/* Some of a table's columns, by their names: what options called --columns have in common. */
#ifndef TW__CHOICE_H
#define TW__CHOICE_H

#include <tilewright/base.h>

struct cell;

enum { TW__MAX_COLUMNS = 48 };

/* Places of the chosen columns, in the order of the choice. n is 0: all columns, in their own order. */
struct tw__column_choice {
	int n, of[TW__MAX_COLUMNS];
};

/* From "policy,makespan_s". `columns`: a row of the table, of which the names count. TW_INVALID: there is no such column, or it is named
 * twice. */
int tw__column_choice_parse(struct tw__column_choice *, const char *text, const struct cell *columns, int n,
                            struct tw_error *err);
/* Chooses that column of the table too, behind the others. `last`: moves it there if it is chosen already. */
void tw__column_choice_add(struct tw__column_choice *, const char *name, bool last, const struct cell *columns, int n);
/* Leaves the chosen cells of the row's n; returns how many. */
int tw__column_choice_apply(const struct tw__column_choice *, struct cell *row, int n);

#endif
