/* Values and lists of values as users write them. Error messages name the option that they belong to. */
#ifndef TW__WORDS_H
#define TW__WORDS_H

#include <tilewright/base.h>

struct tw__words {
	char **of; /* [n] malloc'ed, with a NULL behind */
	int n;
	size_t capacity;
};

/* Splits a list such as "eager,dmdas" at its commas; `\,` is a comma inside a word. Earlier words are dropped. */
int tw__words_init(struct tw__words *, const char *option, const char *text, struct tw_error *err);
/* Splits a list of specifications. A word that can only be one more value of the parameter before it, as in
 * "cholesky:nt=10,20", is an error that says how to write the list. */
int tw__specs_init(struct tw__words *, const char *option, const char *text, struct tw_error *err);
/* Makes one word of each integer from `min` to `max` in a list of numbers, as in "1,2", and ranges FIRST:LAST[:STEP],
 * as in "10:60:10". Ranges include both ends; STEP is 1 by default. */
int tw__ranges_init(struct tw__words *, const char *option, const char *text, int64_t min, int64_t max,
                    struct tw_error *err);
/* Adds a malloc'ed word, which then belongs to the list. */
void tw__words_take(struct tw__words *, char *word);
void tw__words_finish(struct tw__words *);

/* The values of an option that can be given several times; NULL behind the last. */
enum { TW__REPEATED_MOST = 16 };
struct tw__repeated {
	const char *of[TW__REPEATED_MOST + 1];
	int n;
};
/* TW_INVALID: the option was given too often. */
int tw__repeated_add(struct tw__repeated *, const char *option, const char *text, struct tw_error *err);

/* Parse a whole number and a number from `min` to `max`. */
int tw__word_whole(int64_t *value, const char *option, const char *text, int64_t min, int64_t max,
                   struct tw_error *err);
int tw__word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err);
int tw__word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err);
/* Sets `*value` to the index of `text` in `names`, which ends with NULL. `expected`: the names for the message, as in
 * "text, json or csv". */
int tw__word_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
                    struct tw_error *err);
/* Parses a size of at least one byte; the word "none" gives 0. */
int tw__word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err);

#endif
