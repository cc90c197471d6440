/* Parses lists of numbers on the command line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "base/spec.h"
#include "cli/words.h"

enum { MAX_NUMBERS = 100000 };

static int bad_range(const char *option, const char *text, int min, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID,
	               "%s '%.200s': expected integers >= %d with commas between, or ranges FIRST:LAST[:STEP], as in "
	               "10:60:10",
	               option, text, min);
}

/* Parses a number or a range FIRST:LAST[:STEP], as in "7", "1:4", "10:60:10". Returns false for any other word. */
static bool parse_range(const char *word, int min, int64_t max, int64_t *first, int64_t *last, int64_t *step)
{
	char parts[3][24] = {0};
	int n = 0;
	for (const char *at = word; at; n++) {
		size_t length = strcspn(at, ":");
		if (n == 3 || length >= sizeof parts[0])
			return false;
		memcpy(parts[n], at, length);
		parts[n][length] = '\0';
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

/* Calls `take` for each number of a comma-separated list of numbers and ranges. `take` returns false when out of
 * memory. */
static int for_each(const char *option, const char *text, int min, int64_t max, bool (*take)(void *, int64_t),
                    void *list, struct tw_error *err)
{
	struct words words = {0};
	int status = words_init(&words, option, text, err), n = 0;
	for (int i = 0; status == TW_OK && i < words.n; i++) {
		int64_t first, last, step;
		if (!parse_range(words.of[i], min, max, &first, &last, &step))
			status = bad_range(option, text, min, err);
		/* Count the steps first: `last` plus a step may not fit in 64 bits. */
		for (int64_t left = status == TW_OK ? (last - first) / step : -1; status == TW_OK && left >= 0;
		     left--) {
			if (n++ == MAX_NUMBERS)
				status = tw_fail(err, TW_INVALID, "%s '%.200s': expected at most %d numbers", option,
				                 text, MAX_NUMBERS);
			else if (!take(list, last - (last - first) % step - left * step))
				status = tw_fail(err, TW_NOMEM, "out of memory");
		}
	}
	words_finish(&words);
	return status;
}

static bool take_int(void *list, int64_t value)
{
	struct ints *ints = list;
	bool has_room = TW_HAS_ROOM(ints->of, ints->capacity, (size_t)ints->n + 1);
	if (has_room)
		ints->of[ints->n++] = (int)value;
	return has_room;
}

int ints_init(struct ints *ints, const char *option, const char *text, int min, struct tw_error *err)
{
	ints_finish(ints);
	return for_each(option, text, min, INT_MAX, take_int, ints, err);
}

void ints_finish(struct ints *ints)
{
	free(ints->of);
	*ints = (struct ints){0};
}

static bool take_seed(void *list, int64_t value)
{
	struct seeds *seeds = list;
	bool has_room = TW_HAS_ROOM(seeds->of, seeds->capacity, (size_t)seeds->n + 1);
	if (has_room)
		seeds->of[seeds->n++] = (uint64_t)value;
	return has_room;
}

int seeds_init(struct seeds *seeds, const char *option, const char *text, struct tw_error *err)
{
	seeds_finish(seeds);
	return for_each(option, text, 0, INT64_MAX, take_seed, seeds, err);
}

void seeds_finish(struct seeds *seeds)
{
	free(seeds->of);
	*seeds = (struct seeds){0};
}

int reals_init(struct reals *reals, const char *option, const char *text, double min, double max, struct tw_error *err)
{
	reals_finish(reals);
	struct words words = {0};
	int status = words_init(&words, option, text, err);
	if (status == TW_OK && !(reals->of = calloc((size_t)words.n, sizeof *reals->of)))
		status = tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; status == TW_OK && i < words.n; i++)
		status = word_real(&reals->of[reals->n++], option, words.of[i], min, max, err);
	words_finish(&words);
	return status;
}

void reals_finish(struct reals *reals)
{
	free(reals->of);
	*reals = (struct reals){0};
}

int sizes_init(struct sizes *sizes, const char *option, const char *text, struct tw_error *err)
{
	sizes_finish(sizes);
	struct words words = {0};
	int status = words_init(&words, option, text, err);
	if (status == TW_OK && !(sizes->of = calloc((size_t)words.n, sizeof *sizes->of)))
		status = tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; status == TW_OK && i < words.n; i++)
		status = word_bound(&sizes->of[sizes->n++], option, words.of[i], err);
	words_finish(&words);
	return status;
}

void sizes_finish(struct sizes *sizes)
{
	free(sizes->of);
	*sizes = (struct sizes){0};
}
