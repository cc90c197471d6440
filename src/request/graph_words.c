#include "request/graph_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spec.h"

static const char domain_key[] = ":domain=";

/* Parses DATE[:domain=NAME] between `text` and `end`. False: it is none. */
static bool parse_arrival(const char *text, const char *end, struct tw__graph_word *word)
{
	struct tw_error ignored;
	char date[40];
	const char *colon = memchr(text, ':', (size_t)(end - text)), *date_end = colon ? colon : end;
	if (date_end == text || date_end - text >= (ptrdiff_t)sizeof date || !isdigit((unsigned char)*text))
		return false;
	memcpy(date, text, (size_t)(date_end - text));
	date[date_end - text] = '\0';
	if (tw__parse_seconds(&word->arrival_s, date, &ignored) < 0 || !(word->arrival_s <= TW_MAX_SECONDS))
		return false;
	if (!colon)
		return true;
	const char *name = colon + sizeof domain_key - 1;
	if (end <= name || strncmp(colon, domain_key, sizeof domain_key - 1) != 0)
		return false;
	for (const char *c = name; c < end; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	word->domain = tw_format("%.*s", (int)(end - name), name);
	return true;
}

/* Parses a further graph, SPEC@DATE[:domain=NAME], that ends at `end`. Returns where its words begin: behind a '+', or
 * at the begin of the text; NULL: there is none. */
static const char *parse_further(const char *text, const char *end, struct tw__graph_word *word)
{
	const char *at = memrchr(text, '@', (size_t)(end - text));
	if (!at || !parse_arrival(at + 1, end, word))
		return NULL;
	const char *plus = memrchr(text, '+', (size_t)(at - text)), *spec = plus ? plus + 1 : text;
	word->spec = tw_format("%.*s", (int)(at - spec), spec);
	return spec;
}

void tw__graph_word_finish(struct tw__graph_word *word)
{
	free(word->spec);
	free(word->domain);
	*word = (struct tw__graph_word){0};
}

/* Takes the last further graph of the text before `end`. Returns where the text before it ends; NULL: there is none. A
 * graph alone may have an '@' in its words. */
static const char *take_last(const char *text, const char *end, struct tw__graph_word *word)
{
	*word = (struct tw__graph_word){0};
	const char *begin = parse_further(text, end, word);
	if (begin && begin != text)
		return begin - 1;
	tw__graph_word_finish(word);
	return NULL;
}

const char *tw__further_graphs(const char *workload)
{
	const char *end = workload + strlen(workload), *before;
	struct tw__graph_word word;
	while ((before = take_last(workload, end, &word))) {
		tw__graph_word_finish(&word);
		end = before;
	}
	return end;
}

int tw__graph_words_init(struct tw__graph_words *words, const char *workload, struct tw_error *err)
{
	const char *end = workload + strlen(workload), *before;
	struct tw__graph_word word;
	*words = (struct tw__graph_words){0};
	while ((before = take_last(workload, end, &word))) {
		if (words->n == TW__MOST_PARTS - 1) {
			tw__graph_word_finish(&word);
			return tw_fail(err, TW_INVALID, "workload '%.200s': expected at most %d graphs", workload,
			               TW__MOST_PARTS);
		}
		memmove(words->of + 1, words->of, (size_t)words->n++ * sizeof *words->of);
		words->of[0] = word;
		end = before;
	}
	memmove(words->of + 1, words->of, (size_t)words->n++ * sizeof *words->of);
	words->of[0] = (struct tw__graph_word){.spec = tw_format("%.*s", (int)(end - workload), workload)};
	return TW_OK;
}

void tw__graph_words_finish(struct tw__graph_words *words)
{
	for (int i = 0; i < words->n; i++)
		tw__graph_word_finish(&words->of[i]);
	words->n = 0;
}

int tw__graph_word_init(struct tw__graph_word *word, const char *text, struct tw_error *err)
{
	*word = (struct tw__graph_word){0};
	const char *begin = parse_further(text, text + strlen(text), word);
	if (!begin)
		return tw_fail(err, TW_INVALID,
		               "--with '%.200s': expected SPEC@DATE[:domain=NAME], as in lu:nt=10@0.5s", text);
	if (begin != text)
		return tw_fail(err, TW_INVALID, "--with '%.200s': expected one graph, and no '+' in its words", text);
	return TW_OK;
}
