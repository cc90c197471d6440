/* A table of texts: each column is as wide as its widest cell, with two blanks between columns. */
#ifndef TW__GRID_H
#define TW__GRID_H

#include <stdio.h>

#include <tilewright/base.h>

struct grid {
	int columns;
	const char *right; /* one letter a column: 'r' aligns right, any other left; NULL: all left */
	int n;             /* number of cells */
	size_t capacity;
	char **cells;
	bool short_of_memory;
};

/* Adds the next cell, row by row. */
void grid_add(struct grid *, const char *format, ...) TW_PRINTF(2, 3);
/* Adds a malloc'ed text, and takes ownership of it. NULL: out of memory. */
void grid_take(struct grid *, char *text);
/* Prints and frees the table, with `indent` before each line. TW_NOMEM if memory ran out while cells were added. */
int grid_print(struct grid *, FILE *, const char *indent, struct tw_error *err);

#endif
