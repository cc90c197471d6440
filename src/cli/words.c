#include "cli/words.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "results/write.h"

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

/* Prints a number with the fewest digits from which it can be read again. */
static void print_exactly(char *text, size_t room, double value)
{
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, room, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			return;
	}
}

/* Appends the parameter default_seconds to a specification that lacks it. *is_file: whether it is one of a file. */
static int add_default_seconds(char **workload, const char *seconds, bool *is_file, struct tw_error *err)
{
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, *workload, err);
	if (status < 0)
		return tw_fail(err, status, "workload %s", err->message);
	*is_file = strcmp(spec.name, "file") == 0;
	bool is_due = *is_file;
	for (int i = 0; i < spec.n; i++)
		is_due &= !spec.items[i].key || strcmp(spec.items[i].key, "default_seconds") != 0;
	tw__spec_finish(&spec);
	char *longer;
	if (!is_due)
		return TW_OK;
	if (asprintf(&longer, "%s:default_seconds=%s", *workload, seconds) < 0)
		return tw_fail(err, TW_NOMEM, "out of memory");
	free(*workload);
	*workload = longer;
	return TW_OK;
}

int specs_default_seconds(struct words *workloads, const char *text, struct tw_error *err)
{
	double seconds;
	char number[32] = "";
	int n_files = 0, status = TW_OK;
	if (!text)
		return TW_OK;
	if (tw__parse_seconds(&seconds, text, err) < 0 || !(seconds > 0 && seconds <= 1e9))
		return tw_fail(err, TW_INVALID,
		               "--default-seconds '%.200s': expected a time above 0 and up to 1e9 s, as in 10ms", text);
	print_exactly(number, sizeof number, seconds);
	bool *is_file = calloc((size_t)workloads->n + 1, sizeof *is_file);
	if (!is_file)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; i < workloads->n && status == TW_OK; i++) {
		status = add_default_seconds(&workloads->of[i], number, &is_file[i], err);
		n_files += is_file[i];
	}
	if (status == TW_OK && n_files == 0)
		status = tw_fail(err, TW_INVALID,
		                 "--default-seconds '%.200s': none of the workloads is a file: expected a workload "
		                 "file:PATH with it",
		                 text);
	for (int i = 0; i < workloads->n && status == TW_OK; i++)
		if (!is_file[i])
			tw_log(TW_LOG_WARNING,
			       "--default-seconds '%.100s': nothing changes for workload '%.200s', which is no file",
			       text, workloads->of[i]);
	free(is_file);
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
