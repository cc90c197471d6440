/* Writes and reads files compressed by gzip through the interface of stdio. */
#ifndef TW__GZIP_H
#define TW__GZIP_H

#include <stdio.h>

/* Opens a compressed file for writing. Its fclose() fails if any write has failed. Equal texts give equal files. NULL:
 * failed, see errno. */
FILE *tw__gzip_open(const char *path);
/* Opens a file for reading, compressed or not. Content that is damaged or cut off is an error of the stream, with errno
 * EBADMSG. NULL: failed, see errno. */
FILE *tw__gzip_read(const char *path);

#endif
