/* Texts for labels of lines, and families of workloads. */
#include <stdlib.h>
#include <string.h>

#include "plot/facets.h"
#include "results/adapt.h"
#include "results/columns.h"

/* --- families of workloads ---------------------------------------------------------------------------------------- */

/* Whether an item ":key=value" of a specification has this key. */
static bool has_key(const char *item, size_t length, const char *key)
{
	size_t of_key = strlen(key);
	return length > of_key + 1 && !strncmp(item + 1, key, of_key) && item[of_key + 1] == '=';
}

/* Whether an item of a workload's specification is a size: ":nt=20" if `size` is "nt"; any ":key=NUMBER" without
 * `size`. */
static bool is_size(const char *item, size_t length, const char *size)
{
	if (size)
		return has_key(item, length, size);
	const char *equals = memchr(item, '=', length);
	return equals && strspn(equals + 1, "0123456789.") == (size_t)(item + length - equals - 1);
}

static char *family_of(const char *workload, const char *size)
{
	char *family = tw_alloc(strlen(workload) + 1, 1), *to = family;
	if (!size && strstr(workload, ":nt="))
		size = "nt";
	for (size_t length; *workload; workload += length) {
		length = 1 + strcspn(workload + 1, ":");
		if (is_size(workload, length, size))
			continue;
		memcpy(to, workload, length);
		to += length;
	}
	return family;
}

void tw__families_add(struct tw__rows *rows, const char *size)
{
	tw__rows_make(rows, TW__FAMILY, "workload", family_of, size);
}

bool tw__is_workload(const char *column) { return !strcmp(column, "workload") || !strcmp(column, TW__FAMILY); }

int tw__family_columns(const struct tw__rows *rows, const char *const *without, int *columns)
{
	int n = tw__point_columns_of(rows, without, columns), workload = tw__rows_column(rows, "workload");
	for (int c = 0; c < n; c++)
		if (columns[c] == workload)
			columns[c] = tw__rows_column(rows, TW__FAMILY);
	return n;
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word, size_t length)
{
	for (const char *at = strchr(words, ':'); at; at = strchr(at + 1, ':'))
		if (1 + strcspn(at + 1, ":") == length && !strncmp(at, word, length))
			return true;
	return false;
}

void tw__cell_label(char *text, size_t size, const struct tw__rows *rows, int row, int column, const int *among, int n)
{
	const char *cell = tw__rows_text(rows, row, column);
	if (column >= 0 && !tw__is_workload(rows->names[column])) {
		tw__column_text(text, size, rows->names[column], cell);
		return;
	}
	size_t length = strcspn(cell, ":"), at = (size_t)snprintf(text, size, "%.*s", (int)length, cell);
	for (const char *word = cell + length; *word && at < size; word += length) {
		bool all = n > 1;
		length = 1 + strcspn(word + 1, ":");
		for (int i = 0; i < n && all; i++)
			all = has_word(tw__rows_text(rows, among ? among[i] : i, column), word, length);
		if (!all)
			at += (size_t)snprintf(text + at, size - at, "%.*s", (int)length, word);
	}
}

/* Renames a label, or the parts of it between commas that have this name. Returns whether there are any. */
static bool rename_parts(char *label, const char *old, size_t old_length, const char *new)
{
	char made[TW__CHART_LABEL] = "";
	size_t at = 0;
	bool any = false, whole = strlen(label) == old_length && !memcmp(label, old, old_length);
	if (whole) {
		snprintf(label, TW__CHART_LABEL, "%s", new);
		return true;
	}
	for (const char *part = label; part && at < sizeof made;) {
		const char *end = strstr(part, ", ");
		size_t length = end ? (size_t)(end - part) : strlen(part);
		bool is_it = length == old_length && !memcmp(part, old, length);
		any |= is_it;
		at += (size_t)snprintf(made + at, sizeof made - at, "%s%.*s", part == label ? "" : ", ",
		                       is_it ? (int)strlen(new) : (int)length, is_it ? new : part);
		part = end ? end + 2 : NULL;
	}
	if (any)
		memcpy(label, made, sizeof made);
	return any;
}

int tw__chart_rename(struct tw__chart *c, const char *const *names, struct tw_error *err)
{
	for (; names && *names; names++) {
		const char *equals = strrchr(*names, '=');
		size_t length = equals ? (size_t)(equals - *names) : 0;
		bool any = false;
		if (length == 0)
			return tw_fail(err, TW_INVALID, "plot: --names '%.80s': expected LABEL=NAME, as in dmdas=DMDAS",
			               *names);
		for (int i = 0; i < c->n_curves; i++)
			any |= rename_parts(c->curves[i].label, *names, length, equals + 1);
		for (int i = 0; i < c->n_panels; i++)
			any |= rename_parts(c->panels[i].title, *names, length, equals + 1);
		for (int i = 0; c->ticks && i < c->n_ticks; i++)
			any |= rename_parts(c->ticks[i], *names, length, equals + 1);
		if (!any)
			return tw_fail(err, TW_INVALID,
			               "plot: --names '%.80s': no label '%.*s': expected one such as '%s'", *names,
			               (int)length, *names, c->curves[0].label);
	}
	return TW_OK;
}
