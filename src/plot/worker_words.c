/* The workers that words of the user name, and the kinds of workers. */
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

void tw__worker_kind(const struct tw__platform *p, tw_worker worker, char kind[TW__KIND_BYTES])
{
	snprintf(kind, TW__KIND_BYTES, "%s", p->archs[p->workers[worker].arch].name);
	kind[tw__arch_kind_length(kind)] = '\0';
}

/* Returns the name of the worker's node of a cluster. */
static const char *rank_name(const struct tw__platform *p, tw_worker worker)
{
	return p->rank_names[p->workers[worker].rank];
}

bool tw__worker_is_kind(const struct tw__platform *p, tw_worker worker, const char *word)
{
	const char *name = p->workers[worker].name + (p->rank_names ? strlen(rank_name(p, worker)) + 1 : 0);
	char kind[TW__KIND_BYTES];
	size_t length = strlen(name), stem = length;
	while (stem > 0 && strchr("0123456789_-.", name[stem - 1]))
		stem--;
	tw__worker_kind(p, worker, kind);
	return !strcmp(word, kind) || (stem < length && strlen(word) == stem && !strncmp(word, name, stem));
}

/* Workers or nodes of a cluster from `first` to `last`. */
struct range {
	bool of_ranks;
	int first, last;
};

static int find(const struct tw__platform *p, bool rank, const char *name, size_t length)
{
	for (int i = 0; i < (rank ? p->n_ranks : p->n_workers); i++) {
		const char *other = rank ? p->rank_names[i] : p->workers[i].name;
		if (strlen(other) == length && !strncmp(other, name, length))
			return i;
	}
	return TW_NONE;
}

/* Finds the range of a word, which is NAME or FIRST:LAST. False: the word is no range. */
static bool find_range(const struct tw__platform *p, const char *word, struct range *r)
{
	for (int rank = 0; rank <= (p->rank_names ? 1 : 0); rank++) {
		*r = (struct range){.of_ranks = rank, .first = find(p, rank, word, strlen(word))};
		r->last = r->first;
		for (const char *colon = strchr(word, ':'); colon && r->first == TW_NONE;
		     colon = strchr(colon + 1, ':')) {
			r->first = find(p, rank, word, (size_t)(colon - word));
			r->last = find(p, rank, colon + 1, strlen(colon + 1));
			if (r->last < r->first)
				r->first = TW_NONE;
		}
		if (r->first != TW_NONE)
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
		struct range r;
		bool by_name = find_range(p, words[i], &r), found = by_name;
		for (int w = 0; w < p->n_workers; w++) {
			const int at = r.of_ranks ? p->workers[w].rank : w;
			if (by_name ? at < r.first || at > r.last : !tw__worker_is_kind(p, w, words[i]))
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
