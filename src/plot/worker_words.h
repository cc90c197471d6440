/* The workers that words of the user name, and the kinds of workers. */
#ifndef TW__WORKER_WORDS_H
#define TW__WORKER_WORDS_H

#include "platform/platform.h"

/* Writes the kind of a worker: the part of its arch's name that names its kind (tw__arch_kind_length). */
enum { TW__KIND_BYTES = 64 };
void tw__worker_kind(const struct tw_platform *, tw_worker, char kind[TW__KIND_BYTES]);

/* Whether a word names the kind of a worker. Such a word is the kind of tw__worker_kind, or the worker's name without
 * the number at its end, as "CPU" for CPU3 and CPU.3. */
bool tw__worker_is_kind(const struct tw_platform *, tw_worker, const char *word);

/* Finds the workers that words name: by name, by kind, or FIRST:LAST, a range of names in the order of the platform.
 * Lists each once in `workers`, which has room for all, in the order of the words. Returns their number. `figure`: kind
 * of figure, for messages. TW_INVALID: a word names no worker. */
int tw__choose_workers(int *workers, const struct tw_platform *, const char *const *words, int n_words,
                       const char *figure, const char *trace, struct tw_error *err);

#endif
