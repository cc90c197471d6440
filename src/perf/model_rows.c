/* The rows of struct tw__models: adds a row, and finds one by its names. Reads where the time of a row comes from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/one_line.h"
#include "perf/rows.h"

/* By default uthash ends the process when out of memory. Here it marks the entry that it could not add. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->row = TW_NONE)
#include <uthash.h>

#include <tilewright/containers.h>

enum { MAX_ROWS = 1 << 20 };

struct tw__row_index {
	UT_hash_handle hh;
	int row;
	char key[];
};

/* Returns the key of a row in the hash table: all names, joined by line breaks, which no name contains. Returns NULL if
 * out of memory. */
static char *make_key(const char *kernel, const char *size, const char *precision, const char *arch, int cores)
{
	char *key;
	return asprintf(&key, "%s\n%s\n%s\n%s\n%d", kernel, size, precision, arch, cores) < 0 ? NULL : key;
}

const struct tw__row *tw__models_find(const struct tw__models *models, const char *kernel, const char *size,
                                      const char *precision, const char *arch, int cores, bool *short_of_memory)
{
	struct tw__row_index *entry = NULL;
	char *key = make_key(kernel, size, precision, arch, cores);
	*short_of_memory = !key;
	if (!key)
		return NULL;
	HASH_FIND_STR(models->index, key, entry);
	free(key);
	return entry ? &models->rows[entry->row] : NULL;
}

static int add_to_index(const struct tw__table *t, struct tw__models *models, const struct tw__row *row, int place)
{
	char *key = make_key(row->kernel, row->size, row->precision, row->arch, row->cores);
	size_t length = key ? strlen(key) : 0;
	struct tw__row_index *entry = key ? malloc(sizeof *entry + length + 1) : NULL;
	if (entry) {
		memcpy(entry->key, key, length + 1);
		entry->row = place;
		HASH_ADD_STR(models->index, key, entry);
		if (entry->row == TW_NONE) {
			free(entry);
			entry = NULL;
		}
	}
	free(key);
	return entry ? TW_OK : tw__table_no_memory(t);
}

/* Replaces the row's texts by copies in one allocation. Returns false if out of memory. */
static bool copy_texts(struct tw__row *row)
{
	char **texts[] = {&row->kernel, &row->arch, &row->size, &row->precision, &row->source, &row->caution};
	enum { N_TEXTS = sizeof texts / sizeof *texts };
	size_t total = 0;
	for (int i = 0; i < N_TEXTS; i++)
		total += strlen(*texts[i]) + 1;
	char *to = malloc(total);
	for (int i = 0; i < N_TEXTS && to; i++) {
		size_t length = strlen(*texts[i]) + 1;
		memcpy(to, *texts[i], length);
		*texts[i] = to;
		to += length;
	}
	return to;
}

int tw__models_add(const struct tw__table *t, struct tw__models *models, struct tw__row row)
{
	if (models->n_rows == MAX_ROWS)
		return tw__table_fail(t, "too many rows, expected at most %d", MAX_ROWS);
	if (!TW_HAS_ROOM(models->rows, models->capacity, (size_t)models->n_rows + 1) || !copy_texts(&row))
		return tw__table_no_memory(t);
	models->rows[models->n_rows++] = row;
	return add_to_index(t, models, &row, models->n_rows - 1);
}

void tw__models_drop_rows(struct tw__models *models)
{
	struct tw__row_index *entry, *next;
	HASH_ITER(hh, models->index, entry, next)
	{
		HASH_DEL(models->index, entry);
		free(entry);
	}
	for (int i = 0; i < models->n_rows; i++)
		free(models->rows[i].kernel);
	free(models->rows);
}

/* --- where a time comes from -------------------------------------------------------------------------------------- */

enum { MOST_BYTES = 1000 };

const char *const tw__origin_names[TW__N_ORIGINS] = {
	[TW__MEASURED] = "measured", [TW__FROM_PAPER] = "paper",       [TW__EXTRAPOLATED] = "extrapolated",
	[TW__ASSUMED] = "assumed",   [TW__UNKNOWN_ORIGIN] = "unknown",
};

int tw__row_origin_read(enum tw__row_origin *origin, const char **source, const struct tw__table *t, const char *text)
{
	*origin = TW__UNKNOWN_ORIGIN;
	*source = "";
	if (!text || !*text)
		return TW_OK;
	if (strlen(text) > MOST_BYTES || !tw__is_text(text))
		return tw__table_fail(t, "origin '%.80s': expected at most %d bytes of text in UTF-8", text,
		                      MOST_BYTES);
	size_t length = strcspn(text, ":");
	for (int i = 0; i < TW__UNKNOWN_ORIGIN; i++)
		if (strlen(tw__origin_names[i]) == length && strncmp(text, tw__origin_names[i], length) == 0)
			*origin = i;
	if (*origin == TW__UNKNOWN_ORIGIN)
		return tw__table_fail(t,
		                      "origin '%.80s': expected measured, paper, extrapolated or assumed, and perhaps "
		                      "': SOURCE' behind it",
		                      text);
	if (text[length])
		*source = text + length + 1 + strspn(text + length + 1, " ");
	return TW_OK;
}
