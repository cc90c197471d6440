/* Files in memory, without a name in the file system. */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Makes a file with these bytes. Sets `path` (64 bytes) and returns the descriptor, which the caller closes. */
static inline int memory_file(char *path, const uint8_t *bytes, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
