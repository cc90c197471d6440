/* Compressed files, written like others. */
#ifndef TW__GZIP_H
#define TW__GZIP_H

#include <stdio.h>

/* A file whose fclose() fails if anything could not be written. The same text gives the same bytes. NULL: see errno. */
FILE *tw__gzip_open(const char *path);

#endif
