/* Writes text and numbers into HTML. All texts from files pass through these functions, as names may contain
 * anything. */
#ifndef TW__HTML_H
#define TW__HTML_H

#include <stdio.h>

/* Writes text for an element, or for an attribute in double quotes. Control characters become blanks. Invalid UTF-8 and
 * bidirectional controls become '?'. */
void tw__html_text(FILE *, const char *);
/* Writes text as tw__html_text does, cut off after `most` characters, with an ellipsis. */
void tw__html_brief(FILE *, const char *, int most);

/* Writes a text as a JSON string with its quotes, safe within a script element. */
void tw__html_json(FILE *, const char *);

/* Writes a number with `digits` significant digits and thousands separated. The number has no exponent if it is short
 * without. */
void tw__html_number(FILE *, double value, int digits);

/* Writes a mean, and `half`, half the width of its confidence interval. Both end at the second significant digit of
 * `half`. NAN: only the mean. */
void tw__html_mean(FILE *, double mean, double half);

/* Writes a table cell with its tags. If the cell shows a number with fewer digits than `text`, data-v has the full
 * value. */
void tw__html_cell(FILE *, const char *text, int is_number);

#endif
