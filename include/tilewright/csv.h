/* A reader of comma-separated text (RFC 4180), for workloads and policies that read files.
 *
 * Commas separate the fields of a record. LF, CR LF or the end of the text ends a record. A field either stands in
 * double quotes or contains none. Inside quotes, commas and line breaks are text, and a quote is written twice. A
 * carriage return is allowed only before a line feed or inside quotes. An empty line is a record of one empty field. */
#ifndef TILEWRIGHT_CSV_H
#define TILEWRIGHT_CSV_H

#include <stdio.h>

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_CSV_LINE_BYTES = 64 << 10 }; /* the longest line that the reader accepts, in bytes */
enum tw_csv_fault {
	TW_CSV_TOO_MANY = -1,     /* the record has more than `most` fields */
	TW_CSV_OPEN_QUOTE = -2,   /* a quoted field lacks its closing quote; the field begins on line `line` */
	TW_CSV_BEHIND_QUOTE = -3, /* there is text between a closing quote and the next comma */
	TW_CSV_STRAY_QUOTE = -4,  /* there is a quote inside a field that does not begin with a quote */
	TW_CSV_STRAY_RETURN = -5,
	TW_CSV_ZERO_BYTE = -6,
	TW_CSV_LONG_LINE = -7,
	TW_CSV_UNREADABLE = -8 /* reading the file failed; errno has the reason */
};

/* Reads the next line of the file into line[TW_CSV_LINE_BYTES + 1], without its line break. Returns 1, 0 at the end of
 * the file, or a fault. */
int tw_csv_read_line(FILE *, char *line);
/* Returns the text behind its byte order mark, which spreadsheets write; without such a mark, the text itself. */
char *tw_csv_text(char *);

/* The state of a reader that splits records in place. The caller sets `at`, `line`, `fields` and `most`, and zeroes the
 * other members. */
struct tw_csv {
	char *at;      /* the text that is not split yet, up to a '\0' */
	int line;      /* number of the line that `at` points into */
	bool loose;    /* whether to drop blanks around fields; unquoted fields may then contain quotes and carriage
	                * returns */
	char **fields; /* [most]; the fields of the last record, each of which ends with a '\0' in the text */
	int most, n;   /* n: the number of fields of the last record; after a fault, which field is faulty, from 1 */
	int first_line;
	bool unended; /* whether the last record ended at the end of the text, without a line break */
};

/* Splits the next record. Returns the number of fields, 0 at the end of the text, or a fault; the fault is on line
 * `line`. */
int tw_csv_record(struct tw_csv *);
/* Splits `line`, which must be one whole record. Returns the number of fields, at least 1, or a fault. */
int tw_csv_cut(struct tw_csv *, char *line);
/* Returns a message for a fault, such as "text behind a closing quote". */
const char *tw_csv_why(int fault);

#ifdef __cplusplus
}
#endif
#endif
