/* Reading a platform file: read.c knows XML, elements.c what the elements mean. */
#ifndef TW__READ_H
#define TW__READ_H

#include "platform/raw.h"

enum { TW__MAX_DEPTH = 5 };

struct tw__reader {
	struct XML_ParserStruct *parser;
	struct tw__raw raw;
	struct tw_error *err;
	int status; /* the first error; nothing is looked at after it */
	int line;   /* of what is being read */
	int depth;
	unsigned stack[TW__MAX_DEPTH]; /* the open elements */
	int n_zones;
	int first_link; /* of the open <link>: a SPLITDUPLEX has two */
};

int tw__reader_fail(struct tw__reader *, const char *format, ...) TW_PRINTF(2, 3);
int tw__reader_no_memory(struct tw__reader *);

/* An element begins, ends. `attributes`: name, value, name, value, NULL. */
int tw__reader_open(struct tw__reader *, const char *name, const char **attributes);
int tw__reader_close(struct tw__reader *);

/* The file as it stands, without its meaning; tw__raw_finish frees it. `path` must outlive it. */
int tw__raw_read(struct tw__raw *, const char *path, struct tw_error *err);

#endif
