/* The rows of struct tw__models: adds a row, and finds one by its names. Reads where the time of a row comes from. */
#include <stdlib.h>
#include <string.h>

#include "base/one_line.h"
#include "perf/rows.h"

#include "base/hash.h"

enum { MAX_ROWS = 1 << 20, N_NAMES = 4 };

struct tw__row_index {
	UT_hash_handle hh;
	int row, cores; /* the key: `cores`, then kernel, size, precision and arch in `texts` */
	char texts[];   /* all texts of the row, each with its '\0' */
};

const struct tw__row *tw__models_find(const struct tw__models *models, const char *kernel, const char *size,
                                      const char *precision, const char *arch, int cores)
{
	const char *names[N_NAMES] = {kernel, size, precision, arch};
	struct {
		int cores;
		char texts[N_NAMES * (TW__MOST_NAME + 1)];
	} key;
	size_t used = 0;
	for (int i = 0; i < N_NAMES; i++) {
		size_t bytes = strlen(names[i]) + 1;
		if (bytes > TW__MOST_NAME + 1)
			return NULL;
		memcpy(key.texts + used, names[i], bytes);
		used += bytes;
	}
	key.cores = cores;
	struct tw__row_index *entry;
	HASH_FIND(hh, models->index, &key, sizeof key.cores + used, entry);
	return entry ? &models->rows[entry->row] : NULL;
}

/* Returns the row that has the key of the new entry, or NULL. */
static const struct tw__row *add_entry(struct tw__models *models, struct tw__row_index *entry, size_t key_bytes)
{
	struct tw__row_index *same;
	unsigned hash;
	HASH_VALUE(&entry->cores, key_bytes, hash);
	HASH_FIND_BYHASHVALUE(hh, models->index, &entry->cores, key_bytes, hash, same);
	if (same)
		return &models->rows[same->row];
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, models->index, &entry->cores, key_bytes, hash, entry);
	return NULL;
}

int tw__models_add(const struct tw__table *t, struct tw__models *models, struct tw__row row)
{
	const char **texts[] = {&row.kernel, &row.size, &row.precision, &row.arch, &row.source, &row.caution};
	enum { N_TEXTS = sizeof texts / sizeof *texts };
	size_t bytes[N_TEXTS], total = 0, key_bytes = sizeof(int);
	for (int i = 0; i < N_TEXTS; i++) {
		bytes[i] = strlen(*texts[i]) + 1;
		total += bytes[i];
		key_bytes += i < N_NAMES ? bytes[i] : 0;
	}
	struct tw__row_index *entry = tw__arena_alloc(&models->texts, sizeof *entry + total, 1);
	char *to = entry->texts;
	for (int i = 0; i < N_TEXTS; to += bytes[i++])
		*texts[i] = memcpy(to, *texts[i], bytes[i]);
	entry->row = models->n_rows;
	entry->cores = row.cores;
	const struct tw__row *same = add_entry(models, entry, key_bytes);
	if (same)
		return tw__table_fail(t,
		                      "%.60s of size %.60s, precision %.20s on %.60s with %d cores is on line %d "
		                      "already, expected one row",
		                      same->kernel, same->size, same->precision, same->arch, same->cores, same->line);
	if (models->n_rows == MAX_ROWS)
		return tw__table_fail(t, "too many rows, expected at most %d", MAX_ROWS);
	TW_RESERVE(models->rows, models->capacity, (size_t)models->n_rows + 1);
	models->rows[models->n_rows++] = row;
	return TW_OK;
}

void tw__models_drop_rows(struct tw__models *models)
{
	HASH_CLEAR(hh, models->index);
	tw__arena_finish(&models->texts);
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
	size_t length = 0;
	for (int i = 0; i < TW__UNKNOWN_ORIGIN && *origin == TW__UNKNOWN_ORIGIN; i++) {
		length = strlen(tw__origin_names[i]);
		if (strncmp(text, tw__origin_names[i], length) == 0 && (text[length] == ':' || !text[length]))
			*origin = i;
	}
	if (*origin == TW__UNKNOWN_ORIGIN)
		return tw__table_fail(t,
		                      "origin '%.80s': expected measured, paper, extrapolated or assumed, and perhaps "
		                      "': SOURCE' behind it",
		                      text);
	if (text[length])
		*source = text + length + 1 + strspn(text + length + 1, " ");
	return TW_OK;
}
