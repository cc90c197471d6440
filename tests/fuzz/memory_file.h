/* A file that has these bytes and no name in the file system. */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* `path`: 64 bytes; the descriptor, the caller's to close. */
static inline int memory_file(char *path, const uint8_t *bytes, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
