#include "base/refused.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/spec.h"

/* Room of a thread's stack; a process needs no less for a start. */
enum { STACK_BYTES = 8 << 20 };

/* The limit; false: there is none. */
static bool limit_of(int resource, uint64_t *limit)
{
	struct rlimit r;
	if (getrlimit(resource, &r) < 0 || r.rlim_cur == RLIM_INFINITY)
		return false;
	*limit = r.rlim_cur;
	return true;
}

bool tw__is_short_of_memory(uint64_t bytes)
{
	uint64_t limit;
	if (!limit_of(RLIMIT_AS, &limit))
		return false;
	void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return true;
	munmap(at, bytes);
	return false;
}

const char *tw__refused(char text[TW__REFUSED_TEXT], int reason)
{
	uint64_t limit;
	char size[32];
	int used = snprintf(text, TW__REFUSED_TEXT, "%s", strerror(reason));
	if (used < 0 || used >= TW__REFUSED_TEXT)
		return text;
	char *rest = text + used;
	size_t room = TW__REFUSED_TEXT - (size_t)used;
	if ((reason == EAGAIN || reason == ENOMEM) && tw__is_short_of_memory(STACK_BYTES) &&
	    limit_of(RLIMIT_AS, &limit))
		snprintf(rest, room, " (ulimit -v allows %s of memory)", tw__size_text(size, sizeof size, limit));
	else if (reason == EAGAIN && limit_of(RLIMIT_NPROC, &limit))
		snprintf(rest, room, " (ulimit -u allows %llu processes and threads)", (unsigned long long)limit);
	else if (reason == EAGAIN)
		snprintf(rest, room, " (too many processes and threads)");
	return text;
}
