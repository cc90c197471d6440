/* Decimal numbers in files as whole multiples of 10^-decimals, exact where doubles are not: seconds as nanoseconds
 * with 9 decimals, milliseconds with 6, microseconds with 3. No locale has a say. Further digits round to the nearest,
 * halves up. */
#ifndef TILEWRIGHT_DECIMAL_H
#define TILEWRIGHT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The greatest: in nanoseconds, the last date of a run, after 292 years. */
#define TW_DECIMAL_MAX (INT64_MAX - 1)

/* Of all `length` bytes: digits, at least one, and at most one point. False: they are something else, or above
 * TW_DECIMAL_MAX; `*value` is undefined then. */
bool tw_decimal(const char *text, size_t length, int decimals, int64_t *value);

/* The same of the whole text, which may have an exponent: "1.25e-05". */
bool tw_decimal_scientific(const char *text, int decimals, int64_t *value);

#ifdef __cplusplus
}
#endif
#endif
