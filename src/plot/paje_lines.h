/* Reads lines of a Paje trace: definitions of events, and events with their values. */
#ifndef TW__PAJE_LINES_H
#define TW__PAJE_LINES_H

#include <tilewright/base.h>

#include "base/date.h"

enum { TW__PAJE_MAX_DEFINITIONS = 256, TW__PAJE_MAX_FIELDS = 16 };

/* Kinds of Paje events that the reader of our traces uses. */
enum tw__paje_kind {
	TW__PAJE_DEFINE_CONTAINER_TYPE,
	TW__PAJE_DEFINE_STATE_TYPE,
	TW__PAJE_DEFINE_VALUE,
	TW__PAJE_DEFINE_VARIABLE_TYPE,
	TW__PAJE_CREATE,
	TW__PAJE_DESTROY,
	TW__PAJE_SET_STATE,
	TW__PAJE_SET_VARIABLE,
	TW__PAJE_IGNORED,
	TW__PAJE_UNDEFINED
};
enum tw__paje_field {
	TW__PAJE_TIME,
	TW__PAJE_ALIAS,
	TW__PAJE_TYPE,
	TW__PAJE_NAME,
	TW__PAJE_CONTAINER,
	TW__PAJE_VALUE,
	TW__PAJE_JOB_ID,
	TW__PAJE_WORKLOAD,
	TW__PAJE_POLICY,
	TW__PAJE_ARCH,
	TW__PAJE_CAPACITY,
	TW__PAJE_BANDWIDTH,
	TW__PAJE_N_FIELDS,
	TW__PAJE_OTHER
};

struct tw__paje_definition {
	enum tw__paje_kind kind;
	int n;
	enum tw__paje_field fields[TW__PAJE_MAX_FIELDS];
};

struct tw__paje {
	const char *path;
	struct tw_error *err;
	long line;
	tw__ns date; /* date of the last event that has one */
	struct tw__paje_definition definitions[TW__PAJE_MAX_DEFINITIONS];
	struct tw__paje_definition *open; /* the definition whose fields are being read; NULL: none */
};

void tw__paje_init(struct tw__paje *, const char *path, struct tw_error *err);

/* Takes the next line of the file, and splits it in place. Returns 1 for an event of *kind. Then `values` are its
 * fields, NULL for missing ones; all fields that the kind requires are set. Returns 0 if the line has no event to
 * handle. */
int tw__paje_line(struct tw__paje *, char *line, enum tw__paje_kind *kind, char *values[TW__PAJE_N_FIELDS]);

/* Fails with TW_INVALID and a message that has path and line. `value`: the text found there, or NULL. */
int tw__paje_bad(const struct tw__paje *, const char *what, const char *value);

/* Parses a number of tasks or bytes: digits, perhaps with a decimal point; the locale does not matter. False:
 * malformed. */
bool tw__paje_number(const char *, double *value);

#endif
