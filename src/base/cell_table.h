/* Tables of cells. A row is added once, as the cells of its columns. The table then becomes text, in which each column
 * is as wide as its widest cell, or an array of JSON objects. Rows of CSV are printed one by one: see cells.h. */
#ifndef TW__CELL_TABLE_H
#define TW__CELL_TABLE_H

#include "base/cells.h"

/* How a text shows a number. JSON has it as it is. */
enum cell_unit {
	UNIT_NONE,
	UNIT_DURATION,   /* seconds: "12.5 ms" */
	UNIT_DIFFERENCE, /* seconds, with their sign: "+12.5 ms" */
	UNIT_SIZE,       /* bytes that somebody chose: "500 MiB" */
	UNIT_MEGABYTES,  /* bytes that were counted, without their unit: 1.5 */
	UNIT_PERCENT,    /* a part of 1: 0.125 is "12.5 %" */
	UNIT_CHANGE      /* the same with its sign: "+12.5 %" */
};

struct cell_column {
	const char *key; /* of the member in JSON; NULL: text alone has the column */
	const char
		*title; /* of the text's column; NULL: JSON alone has it. A table whose titles are "" has no titles. */
	enum cell_unit unit;
	const char *format; /* for printf, of a double in this unit; NULL: the usual one */
	char align;         /* 'l' or 'r', left or right; otherwise numbers are on the right, and texts on the left */
	int width;          /* the text's column has at least this many characters */
};

struct cell_table {
	const struct cell_column *columns; /* ends with an empty column */
	bool is_json;                      /* whether the table becomes JSON, otherwise text */
	const char *indent;                /* before each line of the text; NULL: nothing */
	int n;                             /* number of rows */

	/* The next members are the table's own. */
	json_t *rows;
	char **texts; /* of all cells, row by row */
	size_t n_texts, capacity;
	uint64_t numbers; /* bits: columns with numbers */
};

/* Adds a row: a cell for each column, in their order. */
#define tw__cells_add(table, ...)                                  \
	tw__cells_row((table), (const struct cell[]){__VA_ARGS__}, \
	              sizeof((const struct cell[]){__VA_ARGS__}) / sizeof(struct cell))
void tw__cells_row(struct cell_table *, const struct cell *, size_t n);

/* Prints the text of a table with its titles, and frees it. */
void tw__cells_print(struct cell_table *, FILE *);
/* Returns the rows as a JSON array, which the caller owns, and frees the table. */
json_t *tw__cells_array(struct cell_table *);

/* Makes a cell with a malloc'ed text, which the table frees. */
static inline struct cell cell_owned(char *text) { return (struct cell){.kind = CELL_OWNED, .text = text}; }
/* Makes a cell with a formatted text. */
struct cell cell_format(const char *format, ...) TW_PRINTF(1, 2);

/* A list in one cell: "a, b, c and 2 more". */
struct cell_list {
	const char *between; /* NULL: ", " */
	int most;            /* further items are only counted; 0: all are named */
	int n;
	FILE *f; /* this and the next members are the list's own */
	char *text;
	size_t bytes;
};
void tw__list_add(struct cell_list *, const char *format, ...) TW_PRINTF(2, 3);
/* Returns the text, malloc'ed, and empties the list. */
char *tw__list_text(struct cell_list *);
static inline struct cell tw__list_cell(struct cell_list *l) { return cell_owned(tw__list_text(l)); }

#endif
