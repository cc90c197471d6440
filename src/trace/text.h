/* Text in trace files and figures: dates that no locale changes, and names that break no format. */
#ifndef TW__TEXT_H
#define TW__TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Whole nanoseconds, the precision of trace files; monotonic, so that order is kept. */
int64_t tw__nanoseconds(double seconds);

/* Nanoseconds as "12.000000345" seconds, as "12000.000345" milliseconds, or as "12000000.345" microseconds. */
void tw__print_seconds(FILE *, int64_t ns);
void tw__print_milliseconds(FILE *, int64_t ns);
void tw__print_microseconds(FILE *, int64_t ns);

/* As a JSON string, quotes included. Bytes that are no UTF-8 become '?'. */
void tw__print_json(FILE *, const char *);

/* The character at `s`, a blank for a control character, '?' for a byte that is none. Returns how many bytes it took. */
int tw__print_character(FILE *, const char *s);
/* As a field of comma-separated values, between quotes where it needs them. */
void tw__print_csv(FILE *, const char *);
/* Between double quotes; what a Paje file cannot have there (quotes, line ends) becomes ' or a blank. */
void tw__print_paje(FILE *, const char *);

#endif
