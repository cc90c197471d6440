/* The inputs of a run, one row each. Options of commands, their help, keys of plans, lists of a sweep, identities,
 * columns of rows and arguments in traces come from this table. A new input is a row, and the code that uses it. */
#ifndef TW__FIELDS_H
#define TW__FIELDS_H

#include "engine/real/config.h"
#include "request/request.h"

/* The type of an input's member in struct tw__request. */
enum tw__field_type {
	TW__FIELD_TEXT,       /* const char *; NULL: not given */
	TW__FIELD_COUNT,      /* int */
	TW__FIELD_SEED,       /* uint64_t, up to INT64_MAX */
	TW__FIELD_SIZE,       /* uint64_t, bytes; 0: not given */
	TW__FIELD_REAL,       /* double, from 0 to 1; 0: not given */
	TW__FIELD_TIME,       /* double, seconds; 0: not given */
	TW__FIELD_YES,        /* bool, an option without a value */
	TW__FIELD_OFF,        /* bool, "on" or "off"; true: off */
	TW__FIELD_PARAMETER,  /* no member, but a whole number: the parameter of that name of each workload */
	TW__FIELD_PART,       /* no member: a part of the policy or the workloads, see tw__inputs_complete */
	TW__FIELD_OF_FILES,   /* no member, but a time: parameter of workloads `file`, see tw__inputs_complete */
	TW__FIELD_REPETITIONS /* int, number of this repetition; the option gives their number */
};

/* Commands that take inputs: bits. */
enum {
	TW__FOR_RUN = 1,
	TW__FOR_SWEEP = 2,
	TW__FOR_BOUNDS = 4,
	TW__FOR_DESCRIBE = 8,
	TW__FOR_EXPORT = 16,
	TW__FOR_CALIBRATE = 32,
	TW__FOR_VALIDATE_MODEL = 64,
	TW__FOR_OPTIMUM = 128,
	TW__FOR_ADVERSARY = 256
};

enum {
	TW__SCENE = 1,  /* runs that differ in this input have different scenes */
	TW__ASIDE = 2,  /* the input changes no result, and is not kept with it */
	TW__JOINED = 4, /* the option may be given several times; its values are joined by commas */
	TW__NAMED = 8   /* the input names a platform, workload, plug-in or runtime model: see identity.c */
};

struct tw__field {
	const char *name;   /* of the option and of the trace's argument */
	const char *column; /* column of rows that holds the input as it was given; NULL: none */
	enum tw__field_type type;
	size_t offset;         /* of the member */
	int absent;            /* TW__FIELD_COUNT, TW__FIELD_SEED: the value of an input that is not given */
	unsigned commands;     /* commands that take the option */
	unsigned lists, needs; /* those among them that take a list of values, and that need the option */
	unsigned flags;
	const char *preset; /* text that means the same as no value; NULL: none */
	/* Checks a value, as far as the check does not depend on the run; NULL: all are valid. */
	int (*check)(const char *text, struct tw_error *);
	const char *value, *help; /* for --help; `value` NULL: the option has none */
};

/* The table. Points of a sweep are numbered in its order, where the last input changes fastest. Inputs of the scene
 * come first, so points of one scene are neighbours. The table ends with a row without a name. */
extern const struct tw__field tw__fields[];
enum { TW__MOST_INPUTS = 40 };

/* Returns the row of that name; NULL: none. */
const struct tw__field *tw__field_of(const char *name);
/* The request without any option. */
struct tw__request tw__request_empty(void);

/* Sets an input from a text, which the request then refers to. TW_INVALID: the text is no such value. Checks that cost
 * more are those of field->check. */
int tw__field_set(const struct tw__field *, struct tw__request *, const char *text, struct tw_error *err);
/* Returns an input as a text from which tw__field_set sets it, in `room` or in the request; NULL: it is not given. */
enum { TW__FIELD_ROOM = 40 };
const char *tw__field_text(const struct tw__field *, const struct tw__request *, char room[TW__FIELD_ROOM]);
/* Prints a number with the fewest digits from which it can be read again. */
void tw__print_exactly(char *text, size_t room, double value);
/* Whether two requests differ in an input with that flag. */
bool tw__requests_differ(const struct tw__request *, const struct tw__request *, unsigned flag);

struct tw__run_argument; /* trace/formats.h */
/* The inputs of a run as named texts, for traces; see tw__field_text. They are malloc'ed; the caller frees them with
 * tw__arguments_free. */
struct tw__run_argument *tw__arguments_of(const struct tw__request *, int *n);
void tw__arguments_free(struct tw__run_argument *, int n);
/* Fills a request from arguments. Texts in the request point into `arguments`. TW_INVALID: an unknown name, a value out
 * of range, or no platform, workload or policy. */
int tw__arguments_request(struct tw__request *, const struct tw__run_argument *, int n, struct tw_error *err);

/* Parses the value of --check: "full", "residual" or "none". */
int tw__check_parse(enum tw__check *, const char *text, struct tw_error *err);

#endif
