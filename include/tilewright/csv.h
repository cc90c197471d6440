/* A reader of comma-separated text (RFC 4180), for workloads and policies that read files.
 *
 * A record is fields with commas between; LF, CR LF or the end of the text ends it. A field stands in double quotes, or
 * holds none. Between quotes a quote is written twice, and commas and line breaks are text. A carriage return stands before
 * a line feed or between quotes. An empty line is a record of one empty field. */
#ifndef TILEWRIGHT_CSV_H
#define TILEWRIGHT_CSV_H

#include <stdio.h>

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_CSV_LINE_BYTES = 64 << 10 }; /* at most */
enum tw_csv_fault {
	TW_CSV_TOO_MANY = -1,     /* more than `most` fields */
	TW_CSV_OPEN_QUOTE = -2,   /* of a field that begins on `line` */
	TW_CSV_BEHIND_QUOTE = -3, /* text behind a closing one */
	TW_CSV_STRAY_QUOTE = -4,  /* in a field that does not begin with one */
	TW_CSV_STRAY_RETURN = -5,
	TW_CSV_ZERO_BYTE = -6,
	TW_CSV_LONG_LINE = -7,
	TW_CSV_UNREADABLE = -8 /* errno says why */
};

/* The file's next line, without its line break, goes to line[TW_CSV_LINE_BYTES + 1]. 1; 0 at the end; or a fault. */
int tw_csv_read_line(FILE *, char *line);
/* The text behind its byte order mark, which spreadsheets write. */
char *tw_csv_text(char *);

/* Cuts records in place. All zero but `at`, `line`, `fields` and `most` is a good start; the text holds no byte 0. */
struct tw_csv {
	char *at;      /* the text that is left; its end is a '\0' */
	int line;      /* of `at` */
	bool loose;    /* blanks around fields are dropped; without quotes around, quotes and returns are text */
	char **fields; /* [most] of the record cut last: each ends with a '\0' in the text */
	int most, n;   /* fields; with a fault: n is the number of the field, from 1 */
	int first_line;
	bool unended; /* the text ended, without a line break */
};

/* The next record: how many fields it has, 0 at the end of the text, or a fault, which the caller tells with `line`. */
int tw_csv_record(struct tw_csv *);
/* The same of a record that is all of the line: at least 1, or a fault. */
int tw_csv_cut(struct tw_csv *, char *line);
/* "text behind a closing quote" */
const char *tw_csv_why(int fault);

#ifdef __cplusplus
}
#endif
#endif
