/* Chooses workers of a schedule by their names, by ranges of names, and by kinds. */
#include <stdlib.h>
#include <string.h>

#include "plot/schedule.h"

bool tw__schedule_is_kind(const struct tw__schedule *s, int worker, const char *word)
{
	const char *name = s->workers.list[worker];
	char kind[TW__KIND_BYTES];
	size_t length = strlen(name), stem = length;
	while (stem > 0 && strchr("0123456789_-.", name[stem - 1]))
		stem--;
	tw__schedule_kind(s, worker, kind);
	return !strcmp(word, kind) || (stem < length && strlen(word) == stem && !strncmp(word, name, stem));
}

static int find(const struct tw__schedule *s, const char *name, size_t length)
{
	for (int w = 0; w < s->workers.n; w++)
		if (strlen(s->workers.list[w]) == length && !strncmp(s->workers.list[w], name, length))
			return w;
	return TW_NONE;
}

/* Finds the range FIRST:LAST of a word. False: the word is no range of workers. */
static bool find_range(const struct tw__schedule *s, const char *word, int *first, int *last)
{
	for (const char *colon = strchr(word, ':'); colon; colon = strchr(colon + 1, ':')) {
		*first = find(s, word, (size_t)(colon - word));
		*last = find(s, colon + 1, strlen(colon + 1));
		if (*first != TW_NONE && *last >= *first)
			return true;
	}
	return false;
}

int tw__schedule_choose(int **workers, int *n, const struct tw__schedule *s, const char *const *words, int n_words,
                        const char *figure, const char *trace, struct tw_error *err)
{
	bool *chosen = calloc((size_t)s->workers.n + 1, sizeof *chosen);
	int status = TW_OK;
	*workers = malloc(((size_t)s->workers.n + 1) * sizeof **workers);
	*n = 0;
	if (!chosen || !*workers)
		status = tw_fail(err, TW_NOMEM, "plot %s: out of memory", figure);
	for (int i = 0; i < n_words && status == TW_OK; i++) {
		int one = find(s, words[i], strlen(words[i])), first = one, last = one;
		bool by_name = one != TW_NONE || find_range(s, words[i], &first, &last), found = by_name;
		for (int w = 0; w < s->workers.n; w++) {
			if (by_name ? w < first || w > last : !tw__schedule_is_kind(s, w, words[i]))
				continue;
			found = true;
			if (!chosen[w])
				(*workers)[(*n)++] = w;
			chosen[w] = true;
		}
		if (!found)
			status = tw_fail(err, TW_INVALID,
			                 "plot %s: no worker '%.60s' in %s: expected one such as '%.60s'", figure,
			                 words[i], trace, s->workers.list[0]);
	}
	free(chosen);
	if (status < 0) {
		free(*workers);
		*workers = NULL;
	}
	return status;
}
