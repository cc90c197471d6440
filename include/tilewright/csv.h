/* A reader of comma-separated text (RFC 4180), for workloads and policies that read files.
 *
 * Commas separate the fields of a record; LF, CR LF or the end of the text ends it. A field either stands in double
 * quotes or contains none. Inside quotes, commas and line breaks are text, and a quote is written twice. A carriage
 * return is allowed only before a line feed or inside quotes. An empty line is a record of one empty field. */
#ifndef TILEWRIGHT_CSV_H
#define TILEWRIGHT_CSV_H

#include <stdio.h>

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_CSV_LINE_BYTES = 64 << 10 }; /* the longest line */
enum tw_csv_fault {
	TW_CSV_TOO_MANY = -1,     /* more than `most` fields */
	TW_CSV_OPEN_QUOTE = -2,   /* the field that begins on `line` lacks its closing quote */
	TW_CSV_BEHIND_QUOTE = -3, /* text after a closing quote */
	TW_CSV_STRAY_QUOTE = -4,  /* a quote in a field that does not begin with one */
	TW_CSV_STRAY_RETURN = -5,
	TW_CSV_ZERO_BYTE = -6,
	TW_CSV_LONG_LINE = -7,
	TW_CSV_UNREADABLE = -8 /* errno says why */
};

/* Reads the next line, without its line break, to line[TW_CSV_LINE_BYTES + 1]. Returns 1, 0 at the end, or a fault. */
int tw_csv_read_line(FILE *, char *line);
/* Skips the byte order mark, which spreadsheets write. */
char *tw_csv_text(char *);

/* Splits records in place. The caller sets `at`, `line`, `fields` and `most` and zeroes the rest. */
struct tw_csv {
	char *at;      /* the remaining text, up to a '\0' */
	int line;      /* the line number of `at` */
	bool loose;    /* drop blanks around fields; in unquoted fields, quotes and carriage returns are text */
	char **fields; /* [most] of the last record; each ends with a '\0' in the text */
	int most, n;   /* number of fields; after a fault, n is the number of the faulty field, from 1 */
	int first_line;
	bool unended; /* the record ended at the end of the text, without a line break */
};

/* Splits the next record. Returns the number of its fields, 0 at the end of the text, or a fault in line `line`. */
int tw_csv_record(struct tw_csv *);
/* Splits `line`, which is one whole record. Returns at least 1, or a fault. */
int tw_csv_cut(struct tw_csv *, char *line);
/* "text behind a closing quote" */
const char *tw_csv_why(int fault);

#ifdef __cplusplus
}
#endif
#endif
