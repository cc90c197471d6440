/* JSON files through jansson, with messages that tell where in the file and in its structure something is wrong. */
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

/* A value and where it stands: a member or an item of the one that it is in. */
struct tw__json_at {
	const struct tw__json_at *in; /* NULL: the root */
	const char *key;              /* of a member; NULL: an item */
	size_t index;
	const json_t *value; /* NULL: not there */
};

struct tw__json_at tw__json_root(const struct tw__json *);
struct tw__json_at tw__json_member(const struct tw__json_at *in, const char *key);
struct tw__json_at tw__json_item(const struct tw__json_at *in, size_t index);
/* How many items an array has; 0 for anything else. */
size_t tw__json_n(const struct tw__json_at *);

/* The line of a value, or of what it would be in. */
uint32_t tw__json_line(const struct tw__json *, const struct tw__json_at *);

/* The lines of all items of an array; malloc'ed, NULL: out of memory. */
uint32_t *tw__json_lines(const struct tw__json *, const struct tw__json_at *array);

/* "path:line: workflow.tasks[3].id: message". TW_INVALID. */
int tw__json_fail(const struct tw__json *, const struct tw__json_at *, struct tw_error *err, const char *format, ...)
	TW_PRINTF(4, 5);

/* What a value has to be. One that is not there is an error, too. */
int tw__json_text(const struct tw__json *, const struct tw__json_at *, const char **text, struct tw_error *err);
int tw__json_int(const struct tw__json *, const struct tw__json_at *, int64_t least, int64_t most, int64_t *number,
                 struct tw_error *err);
int tw__json_flag(const struct tw__json *, const struct tw__json_at *, bool *flag, struct tw_error *err);
int tw__json_real(const struct tw__json *, const struct tw__json_at *, double *number, struct tw_error *err);
int tw__json_array(const struct tw__json *, const struct tw__json_at *, size_t *n, struct tw_error *err);
int tw__json_object(const struct tw__json *, const struct tw__json_at *, struct tw_error *err);

#endif
