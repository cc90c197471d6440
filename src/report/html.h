/* Text and numbers in HTML. All that comes from files goes through here: names may hold anything. */
#ifndef TW__HTML_H
#define TW__HTML_H

#include <stdio.h>

/* As text of an element or of an attribute in double quotes; control characters become blanks, bytes that are no
 * UTF-8 and what turns the direction of writing '?'. */
void tw__html_text(FILE *, const char *);
/* The same, at most so many characters, then an ellipsis. */
void tw__html_brief(FILE *, const char *, int most);

/* As a JSON string, quotes included, that a script element can hold. */
void tw__html_json(FILE *, const char *);

/* So many significant digits, thousands apart, without an exponent where that is short. */
void tw__html_number(FILE *, double value, int digits);

/* A mean with half the width of its confidence interval, both to the second digit of that; NAN: the mean alone. */
void tw__html_mean(FILE *, double mean, double half);

/* A cell of a table, tags included: of numbers the value stands in data-v where what is shown is not all of it. */
void tw__html_cell(FILE *, const char *text, int is_number);

#endif
