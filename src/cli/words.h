/* Words of the command line: lists and numbers. */
#ifndef TW__WORDS_H
#define TW__WORDS_H

#include <tilewright/base.h>

struct words {
	char **of;
	int n;
};

/* Cuts "eager,dmdas" at its commas; `\,` is a comma. Not 0: the message names `option`. */
int words_init(struct words *, const char *option, const char *text, struct tw_error *err);
void words_finish(struct words *);

/* Whole numbers from `min` to INT_MAX: "1,2" or "10:60:10", from 10 to 60, both included, in steps of 10 (of 1 without the
 * third number), or several of these with commas between. */
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

/* Seeds: whole numbers from 0 to INT64_MAX, as `ints` otherwise. */
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

/* A whole number from `min` to `max`. */
int word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err);
/* A number from `min` to `max`. */
int word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err);
int word_seed(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* A size of at least one byte; 0 for "none". */
int word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* The number of the name that `text` is; `names` ends with NULL. `expected`: "text, json or csv", for the message. */
int word_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
                struct tw_error *err);
/* enum tw__result_format */
extern const char *const word_formats[];

#endif
