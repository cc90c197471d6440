/* The graphs of a workload as users write them: "cholesky:nt=20+lu:nt=10@0.5s:domain=gpus". Behind the first one, each
 * has the date of its arrival. */
#ifndef TW__GRAPH_WORDS_H
#define TW__GRAPH_WORDS_H

#include "graph/parts.h"

struct tw__graph_word {
	char *spec; /* the workload's specification, malloc'ed */
	double arrival_s;
	char *domain; /* malloc'ed; NULL: none */
};

struct tw__graph_words {
	struct tw__graph_word of[TW__MOST_PARTS];
	int n;
};

/* Splits the words of a workload. One graph alone is its specification as it stands. The words are to be finished in
 * any case. */
int tw__graph_words_init(struct tw__graph_words *, const char *workload, struct tw_error *err);
void tw__graph_words_finish(struct tw__graph_words *);

/* Returns the end of the first graph's words, where a further graph begins with '+', or the text ends. */
const char *tw__further_graphs(const char *workload);

/* Parses the text of --with: SPEC@DATE[:domain=NAME]. The word is to be finished in any case. */
int tw__graph_word_init(struct tw__graph_word *, const char *text, struct tw_error *err);
void tw__graph_word_finish(struct tw__graph_word *);

#endif
