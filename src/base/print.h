/* Prints text in trace files and figures: dates that do not depend on the locale, and names that each format allows. */
#ifndef TW__PRINT_H
#define TW__PRINT_H

#include <stdint.h>
#include <stdio.h>

/* Rounds seconds to nanoseconds, the precision of trace files. Rounding keeps the order of dates. */
int64_t tw__nanoseconds(double seconds);

/* Print `ns` as seconds "12.000000345", as milliseconds "12000.000345", or as microseconds "12000000.345". */
void tw__print_seconds(FILE *, int64_t ns);
void tw__print_milliseconds(FILE *, int64_t ns);
void tw__print_microseconds(FILE *, int64_t ns);

/* Prints a JSON string with its quotes. Bytes that are not UTF-8 become '?'. */
void tw__print_json(FILE *, const char *);

/* Prints the UTF-8 character at `s`. A control character becomes a blank, and an invalid byte becomes '?'. Returns the
 * length of the character in bytes. */
int tw__print_character(FILE *, const char *s);
/* Prints a field of comma-separated values with tw__print_character, quoted if necessary. */
void tw__print_csv(FILE *, const char *);
/* Writes one field: the text, in quotes if it contains commas, quotes or line breaks. */
void tw__csv_put(FILE *, const char *text);
/* Writes one field: the text, in quotes if it contains one of the characters `marks`. `put` writes the next character
 * and returns how many bytes of `text` it has used. NULL: the bytes are written as they are. */
void tw__csv_put_with(FILE *, const char *text, const char *marks, int (*put)(FILE *, const char *));
/* Prints text between double quotes. Paje allows no quotes and control characters there: quotes become ', and control
 * characters become blanks. */
void tw__print_paje(FILE *, const char *);

#endif
