/* Reads JSON files with jansson. Error messages have the line of a value, and its path in the structure. */
#ifndef TW__JSON_H
#define TW__JSON_H

#include <jansson.h>

#include "readers/draft.h"

struct tw__json {
	const char *path;
	char *text;
	size_t length;
	json_t *root;
};

int tw__json_read(struct tw__json *, const char *path, struct tw_error *err);
void tw__json_finish(struct tw__json *);

/* A value and its place: a member of an object or an item of an array. */
struct tw__json_at {
	const struct tw__json_at *in; /* the object or array that contains the value; NULL: it is the root */
	const char *key;              /* name of a member; NULL: the value is an item of an array */
	size_t index;
	const json_t *value; /* the value; NULL: the file has none at this place */
};

struct tw__json_at tw__json_root(const struct tw__json *);
struct tw__json_at tw__json_member(const struct tw__json_at *in, const char *key);
struct tw__json_at tw__json_item(const struct tw__json_at *in, size_t index);
/* Returns the number of items of an array; 0 for other values. */
size_t tw__json_n(const struct tw__json_at *);

/* Returns the line of a value, or, if the value does not exist, of the object or array that would contain it. */
uint32_t tw__json_line(const struct tw__json *, const struct tw__json_at *);

/* Returns the lines of all items of an array; the caller frees them. NULL: out of memory. */
uint32_t *tw__json_lines(const struct tw__json *, const struct tw__json_at *array);

/* Fills an error message such as "path:line: workflow.tasks[3].id: message", and returns TW_INVALID. */
int tw__json_fail(const struct tw__json *, const struct tw__json_at *, struct tw_error *err, const char *format, ...)
	TW_PRINTF(4, 5);

/* Sets `*text` to the value, a string that is not empty. TW_INVALID: the value is missing or of another type. The
 * functions below read values of other types; `*n` is the number of items of an array. */
int tw__json_text(const struct tw__json *, const struct tw__json_at *, const char **text, struct tw_error *err);
int tw__json_int(const struct tw__json *, const struct tw__json_at *, int64_t least, int64_t most, int64_t *number,
                 struct tw_error *err);
/* Reads the size of a handle, of at least `least` bytes, as tw__draft_bytes does. */
int tw__json_bytes(const struct tw__json *, const struct tw__json_at *, uint64_t least, struct tw__draft *,
                   uint64_t *bytes, struct tw_error *err);
int tw__json_flag(const struct tw__json *, const struct tw__json_at *, bool *flag, struct tw_error *err);
int tw__json_real(const struct tw__json *, const struct tw__json_at *, double *number, struct tw_error *err);
int tw__json_array(const struct tw__json *, const struct tw__json_at *, size_t *n, struct tw_error *err);
int tw__json_object(const struct tw__json *, const struct tw__json_at *, struct tw_error *err);

#endif
