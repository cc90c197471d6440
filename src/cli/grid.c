#include "cli/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "base/utf8.h"
#include "base/print.h"

/* Returns the number of columns that a text takes on the screen. An invalid byte takes one column. */
static int width_of(const char *text)
{
	int width = 0, length;
	for (; *text; width++)
		text += (length = tw__utf8_length(text)) ? length : 1;
	return width;
}

void grid_take(struct grid *g, char *text)
{
	if (!text || !TW_HAS_ROOM(g->cells, g->capacity, (size_t)g->n + 1)) {
		free(text);
		g->short_of_memory = true;
		return;
	}
	g->cells[g->n++] = text;
}

void grid_add(struct grid *g, const char *format, ...)
{
	char *text;
	va_list values;
	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		text = NULL;
	va_end(values);
	grid_take(g, text);
}

static void print_cell(FILE *f, const char *text, int width, bool right, bool last)
{
	int blanks = width - width_of(text);
	fprintf(f, "%*s", right ? blanks : 0, "");
	while (*text)
		text += tw__print_character(f, text);
	if (!last)
		fprintf(f, "%*s  ", right ? 0 : blanks, "");
}

static void print_rows(const struct grid *g, FILE *f, const char *indent, int *widths)
{
	for (int i = 0; i < g->n; i++) {
		int width = width_of(g->cells[i]), *widest = &widths[i % g->columns];
		*widest = width > *widest ? width : *widest;
	}
	for (int i = 0; i < g->n; i++) {
		int column = i % g->columns;
		bool last = column == g->columns - 1;
		if (column == 0)
			fputs(indent, f);
		print_cell(f, g->cells[i], widths[column], g->right && g->right[column] == 'r', last);
		if (last)
			fputc('\n', f);
	}
}

int grid_print(struct grid *g, FILE *f, const char *indent, struct tw_error *err)
{
	int *widths = calloc((size_t)g->columns, sizeof *widths);
	bool whole = widths && !g->short_of_memory;
	if (whole)
		print_rows(g, f, indent, widths);
	for (int i = 0; i < g->n; i++)
		free(g->cells[i]);
	free(g->cells);
	free(widths);
	*g = (struct grid){.columns = g->columns, .right = g->right};
	return whole ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory");
}
