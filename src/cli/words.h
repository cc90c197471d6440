/* Values on the command line: lists and numbers. */
#ifndef TW__WORDS_H
#define TW__WORDS_H

#include <tilewright/base.h>

struct words {
	char **of;
	int n;
};

/* Splits "eager,dmdas" at its commas; `\,` is a comma inside a word. Error messages name `option`. */
int words_init(struct words *, const char *option, const char *text, struct tw_error *err);
void words_finish(struct words *);

/* Integers from `min` to INT_MAX: numbers as in "1,2", ranges FIRST:LAST[:STEP] as in "10:60:10" (both ends included,
 * STEP 1 by default), or both with commas between. */
struct ints {
	int *of;
	int n;
	size_t capacity;
};
int ints_init(struct ints *, const char *option, const char *text, int min, struct tw_error *err);
void ints_finish(struct ints *);

/* Sizes with commas between; 0 for "none". */
struct sizes {
	uint64_t *of;
	int n;
};
int sizes_init(struct sizes *, const char *option, const char *text, struct tw_error *err);
void sizes_finish(struct sizes *);

/* Seeds: integers from 0 to INT64_MAX, otherwise as `ints`. */
struct seeds {
	uint64_t *of;
	int n;
	size_t capacity;
};
int seeds_init(struct seeds *, const char *option, const char *text, struct tw_error *err);
void seeds_finish(struct seeds *);

/* Numbers from `min` to `max` with commas between. */
struct reals {
	double *of;
	int n;
};
int reals_init(struct reals *, const char *option, const char *text, double min, double max, struct tw_error *err);
void reals_finish(struct reals *);

/* An integer from `min` to `max`. */
int word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err);
/* A number from `min` to `max`. */
int word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err);
int word_seed(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* A size of at least one byte; 0 for "none". */
int word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* *value: the index of `text` in `names`, which ends with NULL. `expected` is for the message: "text, json or csv". */
int word_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
                struct tw_error *err);
/* names of enum tw__result_format */
extern const char *const word_formats[];

#endif
