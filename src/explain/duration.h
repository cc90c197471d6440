/* Durations as text for people. */
#ifndef TW__EXPLAIN_DURATION_H
#define TW__EXPLAIN_DURATION_H

enum { TW__DURATION_TEXT = 32 };

/* Writes a duration with four significant digits, in the greatest unit in which it is at least 1: "12.5 ms", "0 s". */
void tw__duration_text(char text[TW__DURATION_TEXT], double seconds);
/* Writes a difference in the same way, with its sign: "+12.5 ms", "-3 us", "0 s". */
void tw__difference_text(char text[TW__DURATION_TEXT], double seconds);

/* The greatest of s, ms, us and ns in which a duration is at least 1, in seconds; *name: its name. */
double tw__duration_unit(double seconds, const char **name);

#endif
