/* Reads platform files: read.c parses XML, elements.c handles the XML elements, cluster_tag.c <cluster>, and props.c
 * properties (<prop>). */
#ifndef TW__READ_H
#define TW__READ_H

#include <string.h>

#include "platform/raw.h"

enum { TW__MAX_DEPTH = 5, TW__MOST_UNKNOWN = 10 }; /* MOST_UNKNOWN: unknown properties that are named */

/* Elements of platform.xml as bits, so that a set of an element's possible parents is one integer. */
enum {
	TW__IN_PLATFORM = 1,
	TW__IN_ZONE = 2,
	TW__IN_HOST = 4,
	TW__IN_LINK = 8,
	TW__IN_ROUTE = 16,
	TW__IN_LINK_CTN = 32,
	TW__IN_PROP = 64,
	TW__IN_CONFIG = 128,
	TW__IN_CLUSTER = 256
};

struct tw__reader {
	struct XML_ParserStruct *parser;
	struct tw__raw raw;
	struct tw_error *err;
	int status; /* TW_OK, or the first error, at which parsing stops */
	int line;   /* the line of the file that is being read */
	/* Whether all lines end with LF and all characters have one byte or are UTF-8, so far; and n_counted line feeds
	 * in the first `counted` bytes. */
	bool is_plain;
	long counted;
	int n_counted;
	int depth;
	unsigned stack[TW__MAX_DEPTH]; /* the open elements (TW__IN_...), the root first */
	unsigned props[TW__MAX_DEPTH]; /* for each open element, the properties read so far, one bit each */
	int n_zones;                   /* with <cluster>s that stand outside a zone */
	long n_unknown;                /* number of unknown properties */
	int first_link; /* index of the first link that the open <link> has added; a SPLITDUPLEX <link> adds two */
};

/* As strcmp() == 0. Most words differ in their first letters. */
static inline bool tw__same_word(const char *one, const char *other)
{
	return *one == *other && strcmp(one, other) == 0;
}

int tw__reader_fail(struct tw__reader *, const char *format, ...) TW_PRINTF(2, 3);

/* Handle the start and the end of an element. `attributes` is an array: name, value, name, value, ..., NULL. */
int tw__reader_open(struct tw__reader *, const char *name, const char **attributes);
int tw__reader_close(struct tw__reader *);

/* Call it after a parser of values has left the message "expected ...". Puts the name of the value (`what`) and its
 * `text` in front of the message. Returns TW_INVALID. */
int tw__reader_bad_value(struct tw__reader *, const char *what, const char *text);

/* Read the value of attribute `what`: a rate (bytes/s or flop/s), or a time in seconds. The unit of a rate must end
 * with `unit`, or be missing. `example`: a valid rate, for messages. */
int tw__reader_rate(struct tw__reader *, double *rate, const char *what, const char *text, const char *unit,
                    const char *example);
int tw__reader_seconds(struct tw__reader *, double *seconds, const char *what, const char *text);

/* Handles <cluster>; `values` are those of tw__cluster_attributes, NULL: absent. */
enum { TW__CLUSTER_ATTRIBUTES = 18, TW__CLUSTER_REQUIRED = 7 };
extern const char *const tw__cluster_attributes[TW__CLUSTER_ATTRIBUTES + 1];
int tw__reader_cluster(struct tw__reader *, const char *const *values);

/* Handles <prop id="values[0]" value="values[1]"> in the open element. */
int tw__reader_prop(struct tw__reader *, const char *const *values);

#endif
