/* Writes fields of comma-separated text, as tilewright/csv.h reads them. */
#ifndef TW__CSV_PUT_H
#define TW__CSV_PUT_H

#include <stdio.h>

/* Between quotes if commas, quotes or line breaks are in it. */
void tw__csv_put(FILE *, const char *text);
/* The same, between quotes if one of `marks` is in it. `put` writes the character at its place and returns how many bytes that
 * has; NULL: all bytes as they are. */
void tw__csv_put_with(FILE *, const char *text, const char *marks, int (*put)(FILE *, const char *));

#endif
