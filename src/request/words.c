#include "request/words.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"

enum { MAX_NUMBERS = 100000 };

/* --- lists -------------------------------------------------------------------------------------------------------- */

void tw__words_take(struct tw__words *words, char *word)
{
	TW_RESERVE(words->of, words->capacity, (size_t)words->n + 2);
	words->of[words->n++] = word;
	words->of[words->n] = NULL;
}

int tw__words_init(struct tw__words *words, const char *option, const char *text, struct tw_error *err)
{
	tw__words_finish(words);
	for (const char *rest = text; rest;) {
		tw__words_take(words, tw__next_word(&rest));
		if (!*words->of[words->n - 1])
			return tw_fail(err, TW_INVALID,
			               "%s '%.200s': an empty name: expected names with commas between", option, text);
	}
	return TW_OK;
}

/* Whether a word that begins no plug-in's name could be one more value of a parameter: "20", or "no". */
static bool is_value(const char *word)
{
	return (*word >= '0' && *word <= '9') || !strcmp(word, "yes") || !strcmp(word, "no");
}

/* Returns the last item KEY=VALUE of a specification; NULL: the last item is none. */
static const char *last_item(const char *spec)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	const char *colon = strrchr(spec, ':');
	return colon && colon[1 + strspn(colon + 1, letters)] == '=' ? colon + 1 : NULL;
}

int tw__specs_init(struct tw__words *words, const char *option, const char *text, struct tw_error *err)
{
	int status = tw__words_init(words, option, text, err);
	for (int i = 1; i < words->n && status == TW_OK; i++) {
		const char *word = words->of[i], *before = words->of[i - 1], *item = last_item(before);
		if (!item || !is_value(word))
			continue;
		int key = (int)strcspn(item, "="), value = (int)strcspn(word, ":");
		char sweep[128] = "";
		if (key == 2 && (!strncmp(item, "nt", 2) || !strncmp(item, "nb", 2)))
			snprintf(sweep, sizeof sweep, ", or --%.2s %.40s,%.*s of 'tilewright sweep'", item, item + 3,
			         value, word);
		status = tw_fail(err, TW_INVALID, "%s '%.100s': nothing is called '%.*s': expected %.80s,%.*s%.*s%s",
		                 option, text, value, word, before, (int)(item + key + 1 - before), before, value, word,
		                 sweep);
	}
	return status;
}

/* Parses a number or a range FIRST:LAST[:STEP], as in "7", "1:4", "10:60:10". Returns false for any other word. */
static bool parse_range(const char *word, int64_t min, int64_t max, int64_t *first, int64_t *last, int64_t *step)
{
	char parts[3][24] = {0};
	int n = 0;
	for (const char *at = word; at; n++) {
		size_t length = strcspn(at, ":");
		if (n == 3 || length >= sizeof parts[0])
			return false;
		memcpy(parts[n], at, length);
		at = at[length] ? at + length + 1 : NULL;
	}
	struct tw_error ignored;
	*step = 1;
	if (tw__parse_int(first, parts[0], &ignored) < 0 || (n > 1 && tw__parse_int(last, parts[1], &ignored) < 0) ||
	    (n > 2 && tw__parse_int(step, parts[2], &ignored) < 0))
		return false;
	if (n == 1)
		*last = *first;
	return *first >= min && *first <= *last && *last <= max && *step >= 1;
}

int tw__ranges_init(struct tw__words *words, const char *option, const char *text, int64_t min, int64_t max,
                    struct tw_error *err)
{
	struct tw__words parts = {0};
	int status = tw__words_init(&parts, option, text, err);
	tw__words_finish(words);
	for (int i = 0; status == TW_OK && i < parts.n; i++) {
		int64_t first, last, step;
		if (!parse_range(parts.of[i], min, max, &first, &last, &step)) {
			status = tw_fail(err, TW_INVALID,
			                 "%s '%.200s': expected integers >= %lld with commas between, or ranges "
			                 "FIRST:LAST[:STEP], as in 10:60:10",
			                 option, text, (long long)min);
			break;
		}
		/* Count the steps first: `last` plus a step may not fit in 64 bits. */
		for (int64_t left = (last - first) / step; status == TW_OK && left >= 0; left--)
			if (words->n == MAX_NUMBERS)
				status = tw_fail(err, TW_INVALID, "%s '%.200s': expected at most %d numbers", option,
				                 text, MAX_NUMBERS);
			else
				tw__words_take(words,
				               tw_format("%" PRId64, last - (last - first) % step - left * step));
	}
	tw__words_finish(&parts);
	return status;
}

void tw__words_finish(struct tw__words *words)
{
	for (int i = 0; i < words->n; i++)
		free(words->of[i]);
	free(words->of);
	*words = (struct tw__words){0};
}

/* --- values ------------------------------------------------------------------------------------------------------- */

int tw__repeated_add(struct tw__repeated *r, const char *option, const char *text, struct tw_error *err)
{
	if (r->n == TW__REPEATED_MOST)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected this option at most %d times", option, text,
		               TW__REPEATED_MOST);
	r->of[r->n++] = text;
	return TW_OK;
}

int tw__word_whole(int64_t *value, const char *option, const char *text, int64_t min, int64_t max, struct tw_error *err)
{
	int64_t number;
	if (tw__parse_int(&number, text, err) == TW_OK && number >= min && number <= max) {
		*value = number;
		return TW_OK;
	}
	if (max != INT_MAX)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected an integer from %lld to %lld", option, text,
		               (long long)min, (long long)max);
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected an integer >= %lld", option, text, (long long)min);
}

int tw__word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err)
{
	int64_t number = *value;
	int status = tw__word_whole(&number, option, text, min, max, err);
	*value = (int)number;
	return status;
}

int tw__word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err)
{
	if (tw__parse_real(value, text, err) < 0 || *value < min || *value > max)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected a number from %g to %g", option, text, min, max);
	return TW_OK;
}

int tw__word_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
                    struct tw_error *err)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(text, names[i]) == 0) {
			*value = i;
			return TW_OK;
		}
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected %s", option, text, expected);
}

int tw__word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err)
{
	if (strcmp(text, "none") == 0) {
		*value = 0;
		return TW_OK;
	}
	if (tw__parse_bytes(value, text, err) < 0)
		return tw_fail(err, TW_INVALID, "%s '%.200s': %s", option, text, err->message);
	if (*value == 0)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected at least one byte, or none", option, text);
	return TW_OK;
}
