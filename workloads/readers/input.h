/* Text files, gzip-compressed or not, for the readers of task graphs. Files come from anywhere: whatever is in them gives
 * an error or text without zero bytes, and neither a line nor a file is longer than the limits. A byte order mark in front
 * is passed over. */
#ifndef TW__INPUT_H
#define TW__INPUT_H

#include <tilewright/base.h>

struct tw__input; /* an open file */

int tw__input_open(struct tw__input **, const char *path, struct tw_error *err);
void tw__input_close(struct tw__input *);

/* The next line, without its line break; it may be changed, and lasts until the next call. 1: there is one, 0: the file has
 * ended, negative: an error, which a last line without a line break is, too: the file may have been cut. */
int tw__input_line(struct tw__input *, char **line, size_t *length, struct tw_error *err);

/* "path:line: " and the message, about the line read last. Returns TW_INVALID. */
int tw__input_fail(const struct tw__input *, struct tw_error *err, const char *format, ...) TW_PRINTF(3, 4);
uint32_t tw__input_line_number(const struct tw__input *);

/* The whole file, with a '\0' behind it; malloc'ed. */
int tw__input_whole(char **text, size_t *length, const char *path, struct tw_error *err);

/* The first bytes of the file, at most `room` - 1, and a '\0'. */
int tw__input_head(char *head, size_t room, const char *path, struct tw_error *err);

/* Whether the whole text is a number, in decimal and finite. */
bool tw__text_real(const char *text, double *number);
bool tw__text_int(const char *text, int64_t *number);

/* Cuts the next word (no blanks in it) off the front of *text and ends it with '\0'; NULL: there is none. */
char *tw__text_word(char **text);

#endif
