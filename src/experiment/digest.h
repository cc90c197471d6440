/* Fingerprints of inputs: FNV-1a with 128 bits. It separates inputs that differ by accident; it is no defence against
 * attacks. */
#ifndef TW__DIGEST_H
#define TW__DIGEST_H

#include <tilewright/base.h>

struct tw__digest {
	uint64_t high, low;
};

enum { TW__DIGEST_TEXT = 33 }; /* hexadecimal digits and the terminating 0 */

struct tw__digest tw__digest_start(void);
void tw__digest_bytes(struct tw__digest *, const void *, size_t bytes);
/* Adds a text with its terminating 0, so that "ab", "c" differs from "a", "bc". NULL differs from "". */
void tw__digest_word(struct tw__digest *, const char *);
void tw__digest_print(const struct tw__digest *, char text[TW__DIGEST_TEXT]);

/* Adds the content of a file, or names and contents of all regular files of a folder. TW_INVALID: it cannot be read. */
int tw__digest_file(struct tw__digest *, const char *path, struct tw_error *err);

#endif
