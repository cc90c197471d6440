/* Prints text in trace files and figures: dates that do not depend on the locale, and names that each format allows. */
#ifndef TW__TEXT_H
#define TW__TEXT_H

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
/* Prints a field of comma-separated values, quoted if necessary. */
void tw__print_csv(FILE *, const char *);
/* Prints text between double quotes. Paje allows no quotes and control characters there: quotes become ', and control
 * characters become blanks. */
void tw__print_paje(FILE *, const char *);

#endif
