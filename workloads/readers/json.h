/* Reads JSON files with jansson. Error messages have the line of a value, and its path in the structure. */
#ifndef TW__JSON_H
#define TW__JSON_H

#include <jansson.h>

#include "readers/draft.h"

struct tw__json {
	struct tw__draft *draft; /* keeps the first error */
	char *text;
	json_t *root;
};

/* A value and its place: a member of an object or an item of an array. */
struct tw__json_at {
	const struct tw__json *file;
	const struct tw__json_at *in; /* the object or array that contains the value; NULL: it is the root */
	const char *key;              /* name of a member; NULL: the value is an item of an array */
	size_t index;
	const json_t *value; /* the value; NULL: the file has none at this place */
};

/* Reads the draft's file. Returns its root, without a value after an error. */
struct tw__json_at tw__json_read(struct tw__json *, struct tw__draft *);
void tw__json_finish(struct tw__json *);

struct tw__json_at tw__json_member(const struct tw__json_at *in, const char *key);
struct tw__json_at tw__json_item(const struct tw__json_at *in, size_t index);
/* Moves to the next item of an array; `item` is zeroed before the first one. False: there is no more, or the draft has
 * an error, as for a value that is no array. */
bool tw__json_next(const struct tw__json_at *array, struct tw__json_at *item);

/* Returns the lines of all items of an array, of which there may be none; the caller frees them. */
uint32_t *tw__json_lines(const struct tw__json_at *array);

/* Gives the draft an error such as "path:line: workflow.tasks[3].id: message". The line is that of the value, or, if it
 * does not exist, that of the object or array that would contain it. */
void tw__json_fail(const struct tw__json_at *, const char *format, ...) TW_PRINTF(2, 3);

/* Return the value, or "", `least`, false or 0 with an error if it is missing or of another type. A text is not
 * empty. */
const char *tw__json_text(const struct tw__json_at *);
int64_t tw__json_int(const struct tw__json_at *, int64_t least, int64_t most);
/* Reads the size of a handle, of at least `least` bytes, as tw__draft_bytes does. */
uint64_t tw__json_bytes(const struct tw__json_at *, uint64_t least);
bool tw__json_flag(const struct tw__json_at *);
double tw__json_real(const struct tw__json_at *);
double tw__json_amount(const struct tw__json_at *); /* a number, 0 or more */
/* Returns the number of items of an array. */
size_t tw__json_array(const struct tw__json_at *);
/* Returns whether the value is an object, which is an error otherwise. */
bool tw__json_object(const struct tw__json_at *);

/* Returns the job that a text names, which the file has described before. Negative: an error. */
int32_t tw__json_job(const struct tw__json_at *);

/* Counts members of an object that are not in `known`, which ends with NULL: those of another version, or misspelt
 * ones. */
void tw__json_count_unknown(const struct tw__json_at *, const char *const *known);

#endif
