/* Parses values on the command line: lists and numbers. */
#ifndef TW__WORDS_H
#define TW__WORDS_H

#include <tilewright/base.h>

struct words {
	char **of;
	int n;
};

/* Splits a list such as "eager,dmdas" at its commas; `\,` is a comma inside a word. Error messages name `option`. */
int words_init(struct words *, const char *option, const char *text, struct tw_error *err);
void words_finish(struct words *);

/* Splits a list of specifications, as words_init does. A word that can only be one more value of the parameter before
 * it, as in "cholesky:nt=10,20", is an error that says how to write the list. */
int specs_init(struct words *, const char *option, const char *text, struct tw_error *err);

/* Sets the parameter default_seconds of each workload 'file:PATH' that does not set it itself to `text`, the value of
 * --default-seconds, and warns of workloads that are no files. NULL: the option was not given, so nothing changes.
 * TW_INVALID: `text` is no time, or none of the workloads is a file. */
int specs_default_seconds(struct words *, const char *text, struct tw_error *err);

/* A list of integers from `min` to INT_MAX, with commas between: numbers as in "1,2", and ranges FIRST:LAST[:STEP] as
 * in "10:60:10". Ranges include both ends; STEP is 1 by default. */
struct ints {
	int *of;
	int n;
	size_t capacity;
};
int ints_init(struct ints *, const char *option, const char *text, int min, struct tw_error *err);
void ints_finish(struct ints *);

/* A list of sizes in bytes, with commas between; 0 for the word "none". */
struct sizes {
	uint64_t *of;
	int n;
};
int sizes_init(struct sizes *, const char *option, const char *text, struct tw_error *err);
void sizes_finish(struct sizes *);

/* A list of seeds: integers from 0 to INT64_MAX, and ranges as in struct ints. */
struct seeds {
	uint64_t *of;
	int n;
	size_t capacity;
};
int seeds_init(struct seeds *, const char *option, const char *text, struct tw_error *err);
void seeds_finish(struct seeds *);

/* A list of numbers from `min` to `max`, with commas between. */
struct reals {
	double *of;
	int n;
};
int reals_init(struct reals *, const char *option, const char *text, double min, double max, struct tw_error *err);
void reals_finish(struct reals *);

/* Appends `text` to the malloc'ed list `*to`, with a comma between; NULL: an empty list. */
int word_append(char **to, const char *text, struct tw_error *err);

/* Parses an integer from `min` to `max`. Error messages name `option`. */
int word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err);
/* Parses a number from `min` to `max`. Error messages name `option`. */
int word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err);
int word_seed(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* Checks that the seeds of all repetitions are in the range of --seed. */
int word_seeds_left(uint64_t seed, int repeat, struct tw_error *err);
/* Parses a size of at least one byte; the word "none" gives 0. */
int word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* Finds `text` in `names`, which ends with NULL, and sets `*value` to its index. `expected`: the names for the error
 * message, as in "text, json or csv". */
int word_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
                struct tw_error *err);
/* Parses --format of a command that prints text or JSON. */
int word_json(bool *json, const char *text, struct tw_error *err);
/* The values of --format, indexed by enum tw__result_format; ends with NULL. */
extern const char *const word_formats[];

#endif
