/* The C library's allocators, of which one call fails. For tests without sanitizers, which have allocators of their
 * own. Included once, by the file with main. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static long until_failure = -1; /* number of allocations before the failing one; negative: none fails */

static int fails(void)
{
	if (until_failure < 0 || until_failure-- > 0)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }

void *reallocarray(void *p, size_t n, size_t size)
{
	return (n && size > SIZE_MAX / n) || fails() ? NULL : __libc_realloc(p, n * size);
}

#endif
