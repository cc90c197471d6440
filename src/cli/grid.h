/* A table of texts for people: columns as wide as their widest cell, two blanks between. */
#ifndef TW__GRID_H
#define TW__GRID_H

#include <stdio.h>

#include <tilewright/base.h>

struct grid {
	int columns;
	const char *right; /* one letter a column: 'r' is flushed right, anything else left; NULL: all left */
	int n;             /* cells */
	size_t capacity;
	char **cells;
	bool short_of_memory;
};

/* The next cell, row by row. */
void grid_add(struct grid *, const char *format, ...) TW_PRINTF(2, 3);
/* The same with a text of malloc, which is freed at the end; NULL: out of memory. */
void grid_take(struct grid *, char *text);
/* Prints and frees the table, each line behind `indent`; TW_NOMEM if a cell is missing for want of memory. */
int grid_print(struct grid *, FILE *, const char *indent, struct tw_error *err);

#endif
