/* Writes files compressed by gzip through the interface of stdio. */
#ifndef TW__GZIP_H
#define TW__GZIP_H

#include <stdio.h>

/* Opens a compressed file for writing. Its fclose() fails if any write has failed. Equal texts give equal files. NULL:
 * failed, see errno. */
FILE *tw__gzip_open(const char *path);

#endif
