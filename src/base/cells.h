/* Cells: the named values of one row of a table, in the order of the columns. The CSV and JSON writers print rows of
 * cells. Users choose columns by name. */
#ifndef TW__CELLS_H
#define TW__CELLS_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tilewright/base.h>

#include "base/date.h"

enum cell_kind {
	CELL_NONE,
	CELL_TEXT,
	CELL_OWNED, /* a text that the table frees, see cell_table.h */
	CELL_INTEGER,
	CELL_REAL,
	CELL_SECONDS,
	CELL_FLAG
};

struct cell {
	const char *key;
	enum cell_kind kind;
	union {
		const char *text; /* of a CELL_TEXT or a CELL_OWNED */
		int64_t integer;
		double real; /* value of a CELL_REAL; must be finite */
		tw__ns ns;   /* value of a CELL_SECONDS; printed as seconds, with 9 decimals */
		bool flag;
	};
};

static inline struct cell cell_text(const char *value) { return (struct cell){.kind = CELL_TEXT, .text = value}; }
static inline struct cell cell_integer(int64_t value) { return (struct cell){.kind = CELL_INTEGER, .integer = value}; }
/* Makes a cell with a number of bytes. Above INT64_MAX the number means unbounded, and the cell is empty. */
static inline struct cell cell_bytes(uint64_t value)
{
	return value > INT64_MAX ? (struct cell){.kind = CELL_NONE} : cell_integer((int64_t)value);
}
/* Makes a cell with a number; an empty cell if the number is not finite. */
static inline struct cell cell_real(double value)
{
	return isfinite(value) ? (struct cell){.kind = CELL_REAL, .real = value} : (struct cell){.kind = CELL_NONE};
}
static inline struct cell cell_ns(tw__ns value) { return (struct cell){.kind = CELL_SECONDS, .ns = value}; }
/* Makes a cell with a duration in seconds; an empty cell if the duration is not finite. */
static inline struct cell cell_seconds(double value)
{
	return isfinite(value) ? cell_ns(tw__ns_of(value)) : (struct cell){.kind = CELL_NONE};
}
static inline struct cell cell_flag(bool value) { return (struct cell){.kind = CELL_FLAG, .flag = value}; }

/* Returns the header line of a CSV file, with its line feed, malloc'ed. The next two functions write the header line
 * and a row's line to a file. */
char *tw__cells_header(const struct cell *, int n);
void tw__cells_write_keys(FILE *, const struct cell *, int n);
void tw__cells_write(FILE *, const struct cell *, int n);
/* Returns the value of a cell as CSV has it, without quotes, malloc'ed. */
char *tw__cell_text(const struct cell *);
/* Returns the row as a JSON object, which the caller owns. */
json_t *tw__cells_json(const struct cell *, int n);
/* As tw__json_write, with TW__JSON_EXACT. */
void tw__cells_write_json(FILE *, json_t *rows);

/* The most columns that a table may have. */
enum { TW__MAX_COLUMNS = 96 };

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
/* Replaces the row's n cells by the chosen ones, in the order of the choice. Returns the new number of cells. */
int tw__column_choice_apply(const struct tw__column_choice *, struct cell *row, int n);

#endif
