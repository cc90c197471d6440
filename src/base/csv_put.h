/* Writes fields of comma-separated text in the format of tilewright/csv.h. */
#ifndef TW__CSV_PUT_H
#define TW__CSV_PUT_H

#include <stdio.h>

/* Writes one field: the text, in quotes if it contains commas, quotes or line breaks. */
void tw__csv_put(FILE *, const char *text);
/* Writes one field: the text, in quotes if it contains one of the characters `marks`. `put` writes the next character
 * and returns how many bytes of `text` it has used. NULL: the bytes are written as they are. */
void tw__csv_put_with(FILE *, const char *text, const char *marks, int (*put)(FILE *, const char *));

#endif
