/* Fingerprints of a run's inputs: FNV-1a hashes with 128 bits. They tell inputs apart that differ by accident; they are
 * no defence against attacks. */
#ifndef TW__DIGEST_H
#define TW__DIGEST_H

#include <tilewright/base.h>

struct tw_graph;

struct tw__digest {
	uint64_t high, low;
};

enum { TW__DIGEST_TEXT = 33 }; /* size of a digest as text: 32 hexadecimal digits and the terminating 0 */

struct tw__digest tw__digest_start(void);
void tw__digest_bytes(struct tw__digest *, const void *, size_t bytes);
/* Adds a text to the digest, with its terminating 0: so "ab", "c" gives another digest than "a", "bc". NULL differs
 * from "". */
void tw__digest_word(struct tw__digest *, const char *);
void tw__digest_print(const struct tw__digest *, char text[TW__DIGEST_TEXT]);

/* Adds all of a finished graph that results on one node depend on: tasks, accesses, predecessors, handles, kernels,
 * records. Two graphs have one digest if they differ only in the calls that built them. */
void tw__digest_graph(struct tw__digest *, const struct tw_graph *);
/* Adds places in matrices and flushes, which distributions over nodes and messages follow from. Files have none. */
void tw__digest_tiles(struct tw__digest *, const struct tw_graph *);

/* Adds the content of a file to the digest; for a folder, the names and contents of its regular files. TW_INVALID: the
 * file or folder cannot be read. */
int tw__digest_file(struct tw__digest *, const char *path, struct tw_error *err);

#endif
