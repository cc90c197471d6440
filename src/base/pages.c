#include "base/pages.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { HUGE_BYTES = 2 << 20, LEAST_BYTES = 2 * HUGE_BYTES, APART_BYTES = 128 << 10 };

void tw__pages_set_apart(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, APART_BYTES); /* by default the threshold rises with the sizes of freed blocks */
#endif
}

void tw__pages_give_back(size_t bytes)
{
	(void)bytes;
#ifdef __GLIBC__
	if (bytes >= LEAST_BYTES)
		malloc_trim(0);
#endif
}

#ifdef MADV_HUGEPAGE
/* Passes the advice to madvise for the whole huge pages inside the block, so that the block takes no more memory than
 * its size. */
static void advise(uintptr_t begin, size_t bytes, int advice)
{
	uintptr_t end = (begin + bytes) / HUGE_BYTES * HUGE_BYTES;
	begin = (begin + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	if (bytes >= LEAST_BYTES && begin < end)
		madvise((void *)begin, end - begin, advice); /* if madvise fails, the pages stay small */
}

void tw__pages_collapse(void *block, size_t bytes)
{
	advise((uintptr_t)block, bytes, MADV_HUGEPAGE);
#ifdef MADV_COLLAPSE
	advise((uintptr_t)block, bytes, MADV_COLLAPSE);
#endif
}

void tw__pages_advise_all(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t begin, end;
	char line[512], access[5];
	unsigned long inode; /* 0: the mapping is anonymous, not a file */
	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu", &begin, &end, access, &inode) == 4 &&
		    inode == 0 && !strcmp(access, "rw-p"))
			advise(begin, end - begin, MADV_HUGEPAGE);
	if (maps)
		fclose(maps);
}
#else
void tw__pages_collapse(void *block, size_t bytes) { (void)block, (void)bytes; }
void tw__pages_advise_all(void) {}
#endif
