/* Comma-separated text (RFC 4180): the one reader of it, and the one writer.
 *
 * A record is fields with commas between; LF, CR LF or the end of the text ends it. A field stands in double quotes, or holds
 * none. Between quotes a quote is written twice, and commas and line breaks are text. A carriage return stands before a line
 * feed or between quotes. An empty line is a record of one empty field.
 *
 * The text may come from anywhere, but holds no byte 0: who reads the file sees to that, and to the limits of its size. All
 * else that is wrong is a fault, which the caller tells with the file's name and `line`. */
#ifndef TW__CSV_H
#define TW__CSV_H

#include <stdbool.h>
#include <stdio.h>

enum tw__csv_fault {
	TW__CSV_TOO_MANY = -1,     /* more than `most` fields */
	TW__CSV_OPEN_QUOTE = -2,   /* of a field that begins on `line` */
	TW__CSV_BEHIND_QUOTE = -3, /* text behind a closing one */
	TW__CSV_STRAY_QUOTE = -4,  /* in a field that does not begin with one */
	TW__CSV_STRAY_RETURN = -5,
};

/* Records one after the other. All zero but `at`, `line`, `fields` and `most` is a good start. */
struct tw__csv {
	char *at; /* the text that is left; its end is a '\0' */
	int line; /* of `at` */
	bool loose; /* other programs' tables: blanks around fields are dropped; without quotes around, quotes and returns are text */

	/* The record read last. */
	char **fields; /* [most] each ends with a '\0' in the text */
	int most, n;   /* with a fault: n is the number of the field, from 1 */
	int first_line;
	bool unended; /* the text ended, without a line break */
};

/* Cuts the next record, in place. Returns how many fields it has, 0 at the end of the text, or a fault. */
int tw__csv_record(struct tw__csv *);
/* The same of a record that is all of the line: at least 1, or a fault. */
int tw__csv_cut(struct tw__csv *, char *line);
/* "text behind a closing quote" */
const char *tw__csv_why(int fault);

/* The text behind its byte order mark, which spreadsheets write. */
char *tw__csv_text(char *);

/* Files of one record a line. */
enum {
	TW__CSV_LINE_BYTES = 64 << 10, /* at most */
	TW__CSV_ZERO_BYTE = -6,
	TW__CSV_LONG_LINE = -7,
	TW__CSV_UNREADABLE = -8, /* errno says why */
};

/* The file's next line, without its line break, goes to line[TW__CSV_LINE_BYTES + 1]. 1; 0 at the end of the file; or a fault. */
int tw__csv_read_line(FILE *, char *line);

/* Writes a field, between quotes if commas, quotes or line breaks are in it. */
void tw__csv_put(FILE *, const char *text);
/* The same, between quotes if one of `marks` is in it. `put` writes the character at its place and returns how many bytes that
 * has; NULL: all bytes as they are. */
void tw__csv_put_with(FILE *, const char *text, const char *marks, int (*put)(FILE *, const char *));

#endif
