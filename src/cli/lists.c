/* Lists of numbers of the command line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/array.h>

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

/* "7", "1:4", "10:60:10". False: it is none of these. */
static bool parse_range(const char *word, int min, int64_t *first, int64_t *last, int64_t *step)
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
	return *first >= min && *first <= *last && *last <= INT_MAX && *step >= 1;
}

int ints_init(struct ints *ints, const char *option, const char *text, int min, struct tw_error *err)
{
	ints_finish(ints);
	struct words words = {0};
	int status = words_init(&words, option, text, err);
	for (int i = 0; status == TW_OK && i < words.n; i++) {
		int64_t first, last, step;
		if (!parse_range(words.of[i], min, &first, &last, &step))
			status = bad_range(option, text, min, err);
		for (int64_t value = first; status == TW_OK && value <= last; value += step) {
			if (ints->n == MAX_NUMBERS)
				status = tw_fail(err, TW_INVALID, "%s '%.200s': expected at most %d numbers", option,
				                 text, MAX_NUMBERS);
			else if (!TW_HAS_ROOM(ints->of, ints->capacity, (size_t)ints->n + 1))
				status = tw_fail(err, TW_NOMEM, "out of memory");
			else
				ints->of[ints->n++] = (int)value;
		}
	}
	words_finish(&words);
	return status;
}

void ints_finish(struct ints *ints)
{
	free(ints->of);
	*ints = (struct ints){0};
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
