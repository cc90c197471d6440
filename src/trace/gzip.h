/* Compressed files with the interface of stdio. */
#ifndef TW__GZIP_H
#define TW__GZIP_H

#include <stdio.h>

/* Opens a file whose fclose() fails if any write failed. The same text gives the same bytes. NULL: see errno. */
FILE *tw__gzip_open(const char *path);

#endif
