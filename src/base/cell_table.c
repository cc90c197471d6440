#include "base/cell_table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memory.h"
#include "base/print.h"
#include "base/spec.h"
#include "base/utf8.h"

/* --- cells -------------------------------------------------------------------------------------------------------- */

struct cell cell_format(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	char *text = tw__format_list(format, values);
	va_end(values);
	return cell_owned(text);
}

void tw__list_add(struct cell_list *l, const char *format, ...)
{
	va_list values;
	l->n++;
	if (!l->f)
		l->f = tw__text_open(&l->text, &l->bytes);
	if (l->most && l->n > l->most)
		return;
	fputs(l->n == 1 ? "" : l->between ? l->between : ", ", l->f);
	va_start(values, format);
	vfprintf(l->f, format, values);
	va_end(values);
}

char *tw__list_text(struct cell_list *l)
{
	if (l->n == 0)
		return tw_copy_text("");
	if (l->most && l->n > l->most)
		fprintf(l->f, " and %d more", l->n - l->most);
	tw__text_close(l->f);
	char *text = l->text;
	*l = (struct cell_list){.between = l->between, .most = l->most};
	return text;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Returns a number as text, malloc'ed. */
static char *number_text(const struct cell_column *column, double number)
{
	static const double scales[] = {
		[UNIT_NONE] = 1, [UNIT_MEGABYTES] = 1e-6, [UNIT_PERCENT] = 100, [UNIT_CHANGE] = 100};
	static const char *const formats[] = {[UNIT_NONE] = "%.15g",
	                                      [UNIT_MEGABYTES] = "%.4g",
	                                      [UNIT_PERCENT] = "%.1f %%",
	                                      [UNIT_CHANGE] = "%+.1f %%"};
	char text[TW__DURATION_TEXT];
	if (column->unit == UNIT_DURATION)
		return tw_copy_text(tw__duration_text(text, number));
	if (column->unit == UNIT_DIFFERENCE)
		return tw_copy_text(tw__difference_text(text, number));
	if (column->unit == UNIT_SIZE)
		return tw_copy_text(tw__size_text(text, sizeof text, (uint64_t)number));
	const char *format = column->format ? column->format : formats[column->unit];
	return tw_format(format, scales[column->unit] * number);
}

static char *text_of(const struct cell_column *column, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_TEXT:
		return tw_copy_text(cell->text);
	case CELL_INTEGER:
		return column->unit || column->format ? number_text(column, (double)cell->integer)
		                                      : (char *)cell_format("%" PRId64, cell->integer).text;
	case CELL_REAL:
		return number_text(column, cell->real);
	case CELL_SECONDS:
		return number_text(column, tw__seconds(cell->ns));
	default:
		return tw_copy_text(cell->kind == CELL_FLAG ? cell->flag ? "yes" : "no" : "-");
	}
}

static size_t count_columns(const struct cell_table *t)
{
	size_t n = 0;
	while (t->columns[n].key || t->columns[n].title)
		n++;
	return n;
}

/* Takes ownership of the text. */
static void add_text(struct cell_table *t, char *text)
{
	TW_RESERVE(t->texts, t->capacity, t->n_texts + 1);
	t->texts[t->n_texts++] = text;
}

static void add_json(struct cell_table *t, const struct cell *cells, size_t n_columns)
{
	struct cell keyed[n_columns];
	int n = 0;
	for (size_t i = 0; i < n_columns; i++)
		if (t->columns[i].key) {
			keyed[n] = cells[i];
			keyed[n++].key = t->columns[i].key;
		}
	if (!t->rows)
		t->rows = json_array();
	tw__json_append(t->rows, tw__cells_json(keyed, n));
}

void tw__cells_row(struct cell_table *t, const struct cell *cells, size_t n)
{
	assert(n == count_columns(t));
	if (t->is_json)
		add_json(t, cells, n);
	for (size_t i = 0; i < n; i++) {
		bool is_owned = cells[i].kind == CELL_OWNED, is_shown = !t->is_json && t->columns[i].title;
		if (is_shown)
			add_text(t, is_owned ? (char *)cells[i].text : text_of(&t->columns[i], &cells[i]));
		else if (is_owned)
			free((char *)cells[i].text);
		bool is_number =
			cells[i].kind == CELL_INTEGER || cells[i].kind == CELL_REAL || cells[i].kind == CELL_SECONDS;
		t->numbers |= (uint64_t)is_number << i;
	}
	t->n++;
}

/* --- the whole table ---------------------------------------------------------------------------------------------- */

static void finish(struct cell_table *t)
{
	json_decref(t->rows);
	for (size_t i = 0; i < t->n_texts; i++)
		free(t->texts[i]);
	free(t->texts);
	*t = (struct cell_table){.columns = t->columns, .is_json = t->is_json, .indent = t->indent};
}

json_t *tw__cells_array(struct cell_table *t)
{
	json_t *rows = t->rows ? json_incref(t->rows) : json_array();
	finish(t);
	return rows;
}

/* Returns the number of columns that a text takes on the screen. An invalid byte takes one column. */
static int width_of(const char *text)
{
	int width = 0, length;
	for (; *text; width++)
		text += (length = tw__utf8_length(text)) ? length : 1;
	return width;
}

static void print_text(FILE *f, const char *text, int width, bool right, bool last)
{
	int blanks = width - width_of(text);
	blanks = blanks > 0 ? blanks : 0;
	fprintf(f, "%*s", right ? blanks : 0, "");
	while (*text)
		text += tw__print_character(f, text);
	if (!last)
		fprintf(f, "%*s  ", right ? 0 : blanks, "");
}

/* A column of the text. */
struct shown {
	const char *title;
	int width;
	bool right;
};

static void print_line(const struct cell_table *t, FILE *f, const struct shown *shown, int n, char *const *texts)
{
	fputs(t->indent ? t->indent : "", f);
	for (int i = 0; i < n; i++)
		print_text(f, texts ? texts[i] : shown[i].title, shown[i].width, shown[i].right, i == n - 1);
	fputc('\n', f);
}

/* Fills the columns of the text; returns their number. *has_titles: whether one of them has a title. */
static int find_shown(const struct cell_table *t, struct shown *shown, bool *has_titles)
{
	int n = 0;
	*has_titles = false;
	for (size_t i = 0; i < count_columns(t); i++) {
		const struct cell_column *c = &t->columns[i];
		if (!c->title)
			continue;
		shown[n++] = (struct shown){c->title, c->width, c->align ? c->align == 'r' : t->numbers >> i & 1};
		*has_titles |= *c->title;
	}
	for (int i = 0; i < n && *has_titles; i++)
		shown[i].width = width_of(shown[i].title) > shown[i].width ? width_of(shown[i].title) : shown[i].width;
	for (size_t i = 0; i < t->n_texts; i++) {
		int width = width_of(t->texts[i]), *widest = &shown[i % (size_t)n].width;
		*widest = width > *widest ? width : *widest;
	}
	return n;
}

void tw__cells_print(struct cell_table *t, FILE *f)
{
	struct shown shown[count_columns(t)];
	bool has_titles;
	int n = find_shown(t, shown, &has_titles);
	if (has_titles)
		print_line(t, f, shown, n, NULL);
	for (size_t i = 0; i < t->n_texts; i += (size_t)n)
		print_line(t, f, shown, n, t->texts + i);
	finish(t);
}
