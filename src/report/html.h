/* Text and numbers in HTML. All texts from files pass through these functions, as names may contain anything. */
#ifndef TW__HTML_H
#define TW__HTML_H

#include <stdio.h>

/* Writes text for an element, or for an attribute in double quotes. Control characters become blanks. Invalid UTF-8 and
 * bidirectional controls become '?'. */
void tw__html_text(FILE *, const char *);
/* The same, cut after `most` characters, with an ellipsis. */
void tw__html_brief(FILE *, const char *, int most);

/* Writes a JSON string with quotes, safe within a script element. */
void tw__html_json(FILE *, const char *);

/* Writes a number with so many significant digits, thousands separated, and without exponent if that is short. */
void tw__html_number(FILE *, double value, int digits);

/* Writes a mean and half the width of its confidence interval, both up to the second digit of that width. NAN: only the
 * mean. */
void tw__html_mean(FILE *, double mean, double half);

/* Writes a table cell with its tags. If a number is shortened, data-v has the full value. */
void tw__html_cell(FILE *, const char *text, int is_number);

#endif
