/* Fingerprints of inputs: FNV-1a with 128 bits. They tell inputs apart that differ by chance, not by malice. */
#ifndef TW__DIGEST_H
#define TW__DIGEST_H

#include <tilewright/base.h>

struct tw__digest {
	uint64_t high, low;
};

enum { TW__DIGEST_TEXT = 33 }; /* hexadecimal digits and the end */

struct tw__digest tw__digest_start(void);
void tw__digest_bytes(struct tw__digest *, const void *, size_t bytes);
/* A text with its end, so that "ab", "c" is not "a", "bc". NULL is not "". */
void tw__digest_word(struct tw__digest *, const char *);
void tw__digest_print(const struct tw__digest *, char text[TW__DIGEST_TEXT]);

/* What a file holds, or all the plain files of a folder, by name. TW_INVALID: it cannot be read. */
int tw__digest_file(struct tw__digest *, const char *path, struct tw_error *err);

#endif
