/* Reads text files, gzip-compressed or not, for the readers of task graphs. Files are not trusted: the result is an
 * error, or text without zero bytes and within the limits of lines and files. A byte order mark at the beginning is
 * skipped. */
#ifndef TW__INPUT_H
#define TW__INPUT_H

#include <tilewright/base.h>

struct tw__input; /* an open file */

int tw__input_open(struct tw__input **, const char *path, struct tw_error *err);
void tw__input_close(struct tw__input *);

/* Reads the next line of the file, without its line break. The caller may change the line, which is valid until the
 * next call. Returns 1, 0 at the end of the file, or an error. A last line without a line break is an error, because
 * the file may be truncated. */
int tw__input_line(struct tw__input *, char **line, struct tw_error *err);

/* From now on, tw__input_line also returns a last line without a line break. */
void tw__input_pass_open_end(struct tw__input *);
/* Whether the last line read has no line break, so that it may be cut. */
bool tw__input_is_open(const struct tw__input *);

/* Fills the error message "path:line: message" about the last line read, and returns TW_INVALID. */
int tw__input_fail(const struct tw__input *, struct tw_error *err, const char *format, ...) TW_PRINTF(3, 4);
uint32_t tw__input_line_number(const struct tw__input *);

/* Reads the whole file, at most 1 GiB, and ends it with a '\0'. The caller frees `*text`. */
int tw__input_whole(char **text, const char *path, struct tw_error *err);

/* Reads the first bytes of the file, at most `room` - 1, and ends them with a '\0'. */
int tw__input_head(char *head, size_t room, const char *path, struct tw_error *err);

/* Parses the whole text as a finite decimal number; the next function, as an integer. False: the text is none. */
bool tw__text_real(const char *text, double *number);
bool tw__text_int(const char *text, int64_t *number);

/* Splits the first word, up to a blank, off *text, and ends it with '\0'. NULL: there is no word. */
char *tw__text_word(char **text);

#endif
