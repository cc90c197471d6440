/* JSON files, read with jansson. Error messages have the line and the path in the structure. */
#ifndef TW__JSON_H
#define TW__JSON_H

#include <jansson.h>

#include <tilewright/base.h>

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
	const struct tw__json_at *in; /* the object or array; NULL: this is the root */
	const char *key;              /* of a member; NULL: this is an item */
	size_t index;
	const json_t *value; /* NULL: the file has no such value */
};

struct tw__json_at tw__json_root(const struct tw__json *);
struct tw__json_at tw__json_member(const struct tw__json_at *in, const char *key);
struct tw__json_at tw__json_item(const struct tw__json_at *in, size_t index);
/* The number of items of an array; 0 for other values. */
size_t tw__json_n(const struct tw__json_at *);

/* The line of a value, or, if it does not exist, of the object or array that would contain it. */
uint32_t tw__json_line(const struct tw__json *, const struct tw__json_at *);

/* The lines of all items of an array, for the caller to free. NULL: out of memory. */
uint32_t *tw__json_lines(const struct tw__json *, const struct tw__json_at *array);

/* Writes "path:line: workflow.tasks[3].id: message" and returns TW_INVALID. */
int tw__json_fail(const struct tw__json *, const struct tw__json_at *, struct tw_error *err, const char *format, ...)
	TW_PRINTF(4, 5);

/* Get a value of the given type. A value of another type, or a missing one, is an error. */
int tw__json_text(const struct tw__json *, const struct tw__json_at *, const char **text, struct tw_error *err);
int tw__json_int(const struct tw__json *, const struct tw__json_at *, int64_t least, int64_t most, int64_t *number,
                 struct tw_error *err);
int tw__json_flag(const struct tw__json *, const struct tw__json_at *, bool *flag, struct tw_error *err);
int tw__json_real(const struct tw__json *, const struct tw__json_at *, double *number, struct tw_error *err);
int tw__json_array(const struct tw__json *, const struct tw__json_at *, size_t *n, struct tw_error *err);
int tw__json_object(const struct tw__json *, const struct tw__json_at *, struct tw_error *err);

#endif
