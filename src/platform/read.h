/* Reading a platform file: read.c parses XML, elements.c handles its elements, props.c their properties. */
#ifndef TW__READ_H
#define TW__READ_H

#include "platform/raw.h"

enum { TW__MAX_DEPTH = 5 };

/* Elements as bits, so that a set of possible parents is one word. */
enum {
	TW__IN_PLATFORM = 1,
	TW__IN_ZONE = 2,
	TW__IN_HOST = 4,
	TW__IN_LINK = 8,
	TW__IN_ROUTE = 16,
	TW__IN_LINK_CTN = 32,
	TW__IN_PROP = 64,
	TW__IN_CONFIG = 128
};

struct tw__reader {
	struct XML_ParserStruct *parser;
	struct tw__raw raw;
	struct tw_error *err;
	int status; /* the first error; parsing stops there */
	int line;   /* the current line */
	int depth;
	unsigned stack[TW__MAX_DEPTH]; /* the open elements */
	unsigned props[TW__MAX_DEPTH]; /* for each of them, the properties seen */
	int n_zones;
	int first_link; /* the first link of the open <link>; a SPLITDUPLEX has two */
};

int tw__reader_fail(struct tw__reader *, const char *format, ...) TW_PRINTF(2, 3);
int tw__reader_no_memory(struct tw__reader *);

/* Handle the begin and the end of an element. `attributes`: name, value, name, value, NULL. */
int tw__reader_open(struct tw__reader *, const char *name, const char **attributes);
int tw__reader_close(struct tw__reader *);

/* The parsers of values report "expected ..."; this adds what was read in front. */
int tw__reader_bad_value(struct tw__reader *, const char *what, const char *text);

/* Read a rate in the unit that ends with `unit`, or without unit; and a time in seconds. */
int tw__reader_rate(struct tw__reader *, double *rate, const char *what, const char *text, const char *unit,
                    const char *example);
int tw__reader_seconds(struct tw__reader *, double *seconds, const char *what, const char *text);

/* Handles <prop id="values[0]" value="values[1]"> in the open element. */
int tw__reader_prop(struct tw__reader *, const char *const *values);

/* Reads the file without interpreting it; free with tw__raw_finish. `path`, for messages, must outlive it. */
int tw__raw_read(struct tw__raw *, FILE *, const char *path, struct tw_error *err);

#endif
