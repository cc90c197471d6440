/* Files that are deleted at the end of a test. */
#ifndef TEST_TEMP_H
#define TEST_TEMP_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct temp {
	char path[64];
};

/* Writes `n` bytes to a new file. */
static inline struct temp temp_bytes(const void *bytes, size_t n)
{
	struct temp file = {"/tmp/tilewright-test-XXXXXX"};
	int fd = mkstemp(file.path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
	return file;
}

static inline struct temp temp_text(const char *text) { return temp_bytes(text, strlen(text)); }

static inline void temp_remove(struct temp file) { unlink(file.path); }

#define ck_assert_contains(text, part) ck_assert_msg(strstr((text), (part)), "expected '%s' in '%s'", (part), (text))

#endif
