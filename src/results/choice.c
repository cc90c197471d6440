#include "results/choice.h"

#include "base/nearest.h"

#include <string.h>

#include "experiment/load.h"
#include "results/cells.h"

struct table {
	const struct cell *columns;
	int n;
};

static const char *name_at(const void *context, int i)
{
	const struct table *table = context;
	return i < table->n ? table->columns[i].key : NULL;
}

static int find(const struct table *table, const char *name)
{
	int column = 0;
	while (column < table->n && strcmp(name, table->columns[column].key) != 0)
		column++;
	return column;
}

/* Returns the position of `column` among the chosen columns; choice->n if `column` is not chosen. */
static int place_of(const struct tw__column_choice *choice, int column)
{
	int place = 0;
	while (place < choice->n && choice->of[place] != column)
		place++;
	return place;
}

static int take(struct tw__column_choice *choice, const char *name, const struct table *table, struct tw_error *err)
{
	int column = find(table, name);
	if (column == table->n)
		return tw__unknown_name_in("column", name, name_at, table, err);
	if (place_of(choice, column) < choice->n)
		return tw_fail(err, TW_INVALID, "column '%s' is named twice: expected it once", name);
	choice->of[choice->n++] = column;
	return TW_OK;
}

int tw__column_choice_parse(struct tw__column_choice *choice, const char *text, const struct cell *columns, int n,
                            struct tw_error *err)
{
	const struct table table = {columns, n};
	char name[64];
	int status = TW_OK;
	choice->n = 0;
	do {
		size_t length = strcspn(text, ",");
		snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name, text);
		status = take(choice, name, &table, err);
		text += length;
	} while (status == TW_OK && *text++);
	return status;
}

void tw__column_choice_add(struct tw__column_choice *choice, const char *name, bool last, const struct cell *columns,
                           int n)
{
	const struct table table = {columns, n};
	int column = find(&table, name), place = place_of(choice, column);
	if (place < choice->n && !last)
		return;
	if (place < choice->n)
		memmove(&choice->of[place], &choice->of[place + 1], (size_t)(--choice->n - place) * sizeof *choice->of);
	choice->of[choice->n++] = column;
}

/* The options --retry read the status, and users need the message of a failed point. The script scripts/cluster/merge
 * takes the last column as the identity. */
void tw__column_choice_resume(struct tw__column_choice *choice, const struct cell *columns, int n)
{
	static const char *const needed[] = {"status", "message", "version"};
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		tw__column_choice_add(choice, needed[i], false, columns, n);
	tw__column_choice_add(choice, "identity", true, columns, n);
}

int tw__column_choice_apply(const struct tw__column_choice *choice, struct cell *row, int n)
{
	struct cell all[TW__MAX_COLUMNS];
	if (!choice->n)
		return n;
	memcpy(all, row, (size_t)n * sizeof *row);
	for (int i = 0; i < choice->n; i++)
		row[i] = all[choice->of[i]];
	return choice->n;
}
