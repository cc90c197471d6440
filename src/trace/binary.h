/* The events of a record as bytes, in a binary record. Such a file begins with TW__BINARY_MAGIC. The head of the run
 * section follows as lines of text, then the line TW__BINARY_LINE. Behind the events, the section's last line is text
 * again. docs/reference/traces.md describes the bytes of an event. */
#ifndef TW__BINARY_H
#define TW__BINARY_H

#include <stdio.h>

#include "trace/gzip.h"
#include "trace/record.h"

/* The bytes that a transfer as text would change or cut: as in PNG. */
#define TW__BINARY_MAGIC "\x89TWB\r\n\x1a\n"
enum { TW__BINARY_MAGIC_BYTES = 8 };
#define TW__BINARY_LINE "binary,1" /* with the version */

/* Finds out whether a file that was opened is a binary record, for lines->is_binary, and skips the magic then. */
int tw__binary_begin(struct tw__lines *);

/* Writes the events of a sorted record. */
void tw__binary_write(FILE *, const struct tw__record *);

/* Reads events into an empty record, whose `bytes` they become. TW_INVALID: the message names the file and the byte. */
int tw__binary_read(struct tw__lines *, struct tw__record *);

/* Before an event in the bytes of a record. At the first one, all but `at` is 0. */
struct tw__binary_place {
	const unsigned char *at;
	tw__ns date;    /* of the event before */
	uint64_t bytes; /* of the last event that has bytes */
};

/* Decodes the next n events, which must be there. */
void tw__binary_decode(struct tw__binary_place *, struct tw__event *, size_t n);

#endif
