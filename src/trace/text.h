/* Text in trace files and figures: dates independent of the locale, and names that are safe in each format. */
#ifndef TW__TEXT_H
#define TW__TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Rounds to nanoseconds, the precision of trace files; monotonic, so order is kept. */
int64_t tw__nanoseconds(double seconds);

/* Print nanoseconds as seconds "12.000000345", milliseconds "12000.000345", or microseconds "12000000.345". */
void tw__print_seconds(FILE *, int64_t ns);
void tw__print_milliseconds(FILE *, int64_t ns);
void tw__print_microseconds(FILE *, int64_t ns);

/* Prints a JSON string with its quotes. Bytes that are not UTF-8 become '?'. */
void tw__print_json(FILE *, const char *);

/* Prints the character at `s`; a control character becomes a blank, an invalid byte '?'. Returns its length in
 * bytes. */
int tw__print_character(FILE *, const char *s);
/* Prints a field of comma-separated values, quoted if necessary. */
void tw__print_csv(FILE *, const char *);
/* Prints text between double quotes; characters that Paje does not allow there (quotes, line ends) become ' or a
 * blank. */
void tw__print_paje(FILE *, const char *);

#endif
