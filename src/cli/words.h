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

/* A whole number from `min` to `max`. */
int word_int(int *value, const char *option, const char *text, int min, int max, struct tw_error *err);
/* A number from `min` to `max`. */
int word_real(double *value, const char *option, const char *text, double min, double max, struct tw_error *err);
int word_seed(uint64_t *value, const char *option, const char *text, struct tw_error *err);
/* A size of at least one byte; 0 for "none". */
int word_bound(uint64_t *value, const char *option, const char *text, struct tw_error *err);

#endif
