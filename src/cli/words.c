#include "cli/words.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/experiment.h"

/* Returns a malloc'ed copy of the next word of a list; NULL: out of memory. `*text` moves behind the word's comma; NULL
 * after the last word. */
static char *next_word(const char **text)
{
	const char *from = *text;
	char *word = malloc(strlen(from) + 1), *to = word;
	if (!word)
		return NULL;
	while (*from && *from != ',') {
		if (from[0] == '\\' && from[1] == ',')
			from++;
		*to++ = *from++;
	}
	*to = '\0';
	*text = *from ? from + 1 : NULL;
	return word;
}

int words_init(struct words *words, const char *option, const char *text, struct tw_error *err)
{
	words_finish(words); /* drop an earlier value: of a repeated option, the last value counts */
	size_t most = 1;
	for (const char *c = text; *c; c++)
		most += *c == ',';
	words->of = calloc(most, sizeof *words->of);
	if (!words->of)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (const char *rest = text; rest;) {
		char *word = next_word(&rest);
		if (!word)
			return tw_fail(err, TW_NOMEM, "out of memory");
		words->of[words->n++] = word;
		if (!*word)
			return tw_fail(err, TW_INVALID,
			               "%s '%.200s': an empty name: expected names with commas between", option, text);
	}
	return TW_OK;
}

void words_finish(struct words *words)
{
	for (int i = 0; i < words->n; i++)
		free(words->of[i]);
	free(words->of);
	*words = (struct words){0};
}

int word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err)
{
	int64_t number;
	if (tw__parse_int(&number, text, err) == TW_OK && number >= min && number <= max) {
		*value = (int)number;
		return TW_OK;
	}
	if (max < INT_MAX)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected an integer from %d to %d", option, text, min,
		               max);
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected an integer >= %d", option, text, min);
}

int word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err)
{
	if (tw__parse_real(value, text, err) < 0 || *value < min || *value > max)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected a number from %g to %g", option, text, min, max);
	return TW_OK;
}

int word_seed(uint64_t *value, const char *option, const char *text, struct tw_error *err)
{
	int64_t number;
	if (tw__parse_int(&number, text, err) < 0 || number < 0)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected an integer from 0 to %lld", option, text,
		               (long long)INT64_MAX);
	*value = (uint64_t)number;
	return TW_OK;
}

int word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err)
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

int word_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
                struct tw_error *err)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(text, names[i]) == 0) {
			*value = i;
			return TW_OK;
		}
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected %s", option, text, expected);
}

int word_json(bool *json, const char *text, struct tw_error *err)
{
	static const char *const names[] = {"text", "json", NULL};
	int format = 0;
	int status = word_choice(&format, "--format", text, names, "text or json", err);
	*json = status == TW_OK && format;
	return status;
}

const char *const word_formats[] = {[TW__TEXT] = "text", [TW__JSON] = "json", [TW__CSV] = "csv", NULL};
