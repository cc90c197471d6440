/* The workers that words of the user name, and the kinds of workers. */
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

void tw__worker_kind(const struct tw__platform *p, tw_worker worker, char kind[TW__KIND_BYTES])
{
	snprintf(kind, TW__KIND_BYTES, "%s", p->archs[p->workers[worker].arch].name);
	kind[tw__arch_kind_length(kind)] = '\0';
}

bool tw__worker_is_kind(const struct tw__platform *p, tw_worker worker, const char *word)
{
	const char *name = p->workers[worker].name;
	char kind[TW__KIND_BYTES];
	size_t length = strlen(name), stem = length;
	while (stem > 0 && strchr("0123456789_-.", name[stem - 1]))
		stem--;
	tw__worker_kind(p, worker, kind);
	return !strcmp(word, kind) || (stem < length && strlen(word) == stem && !strncmp(word, name, stem));
}

static int find(const struct tw__platform *p, const char *name, size_t length)
{
	for (int w = 0; w < p->n_workers; w++)
		if (strlen(p->workers[w].name) == length && !strncmp(p->workers[w].name, name, length))
			return w;
	return TW_NONE;
}

/* Finds the range FIRST:LAST of a word. False: the word is no range of workers. */
static bool find_range(const struct tw__platform *p, const char *word, int *first, int *last)
{
	for (const char *colon = strchr(word, ':'); colon; colon = strchr(colon + 1, ':')) {
		*first = find(p, word, (size_t)(colon - word));
		*last = find(p, colon + 1, strlen(colon + 1));
		if (*first != TW_NONE && *last >= *first)
			return true;
	}
	return false;
}

int tw__choose_workers(int *workers, const struct tw__platform *p, const char *const *words, int n_words,
                       const char *figure, const char *trace, struct tw_error *err)
{
	bool *chosen = tw_alloc((size_t)p->n_workers, sizeof *chosen);
	int n = 0;
	for (int i = 0; i < n_words && n >= 0; i++) {
		int one = find(p, words[i], strlen(words[i])), first = one, last = one;
		bool by_name = one != TW_NONE || find_range(p, words[i], &first, &last), found = by_name;
		for (int w = 0; w < p->n_workers; w++) {
			if (by_name ? w < first || w > last : !tw__worker_is_kind(p, w, words[i]))
				continue;
			found = true;
			if (!chosen[w])
				workers[n++] = w;
			chosen[w] = true;
		}
		if (!found)
			n = tw_fail(err, TW_INVALID, "plot %s: no worker '%.60s' in %s: expected one such as '%.60s'",
			            figure, words[i], trace, p->workers[0].name);
	}
	free(chosen);
	return n;
}
