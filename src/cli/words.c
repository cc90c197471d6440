#include "cli/words.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/experiment.h"

int words_init(struct words *words, const char *option, const char *text, struct tw_error *err)
{
	words_finish(words); /* drop an earlier value: of a repeated option, the last value counts */
	size_t most = 1;
	for (const char *c = text; *c; c++)
		most += *c == ',';
	words->of = calloc(most + 1, sizeof *words->of); /* ends with NULL */
	if (!words->of)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (const char *rest = text; rest;) {
		char *word = tw__next_word(&rest);
		if (!word)
			return tw_fail(err, TW_NOMEM, "out of memory");
		words->of[words->n++] = word;
		if (!*word)
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

int specs_init(struct words *words, const char *option, const char *text, struct tw_error *err)
{
	int status = words_init(words, option, text, err);
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

void words_finish(struct words *words)
{
	for (int i = 0; i < words->n; i++)
		free(words->of[i]);
	free(words->of);
	*words = (struct words){0};
}

int word_append(char **to, const char *text, struct tw_error *err)
{
	char *joined;
	if (asprintf(&joined, "%s%s%s", *to ? *to : "", *to ? "," : "", text) < 0)
		return tw_fail(err, TW_NOMEM, "out of memory");
	free(*to);
	*to = joined;
	return TW_OK;
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

int word_seeds_left(uint64_t seed, int repeat, struct tw_error *err)
{
	if (seed <= (uint64_t)INT64_MAX - (uint64_t)(repeat - 1))
		return TW_OK;
	return tw_fail(err, TW_INVALID, "--seed '%llu': expected at most %lld with --repeat %d",
	               (unsigned long long)seed, (long long)INT64_MAX - (repeat - 1), repeat);
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
