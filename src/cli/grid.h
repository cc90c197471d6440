/* A table of texts: each column is as wide as its widest cell, with two blanks between columns. */
#ifndef TW__GRID_H
#define TW__GRID_H

#include <stdio.h>

#include <tilewright/base.h>

struct grid {
	int columns;
	const char *right; /* one letter for each column: 'r' aligns right, any other left; NULL: all left */
	int n;             /* number of cells */
	size_t capacity;
	char **cells;
	bool short_of_memory;
};

/* Adds a formatted text as the next cell. Cells are added row by row. */
void grid_add(struct grid *, const char *format, ...) TW_PRINTF(2, 3);
/* Adds a malloc'ed text as the next cell, and takes ownership of it. NULL stands for a failed allocation. */
void grid_take(struct grid *, char *text);
/* Prints the table, with `indent` before each line, and frees it. TW_NOMEM: memory ran out while cells were added;
 * nothing is printed. */
int grid_print(struct grid *, FILE *, const char *indent, struct tw_error *err);

#endif
