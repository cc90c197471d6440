/* The library's warnings, printed on stderr. A line that was printed before is not printed again: a sweep makes the
 * same platform and graph many times. */
#ifndef TW__CLI_WARNINGS_H
#define TW__CLI_WARNINGS_H

/* Prints what the library logs from now on. */
void warnings_begin(void);
/* Returns the n lines printed so far, in this order, without their level. They are valid until the next warning. */
const char *const *warnings_list(int *n);
/* Stops printing, and forgets the lines. */
void warnings_end(void);

#endif
