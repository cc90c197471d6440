/* JSON with jansson, which returns NULL when memory runs out. These functions leave by a door then (base/door.h), so
 * that no member is missing. A value that json_pack could not make is NULL: whoever adds or writes it notices. */
#ifndef TW__JSON_TEXT_H
#define TW__JSON_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <tilewright/base.h>

#include "base/door.h"

/* Returns a text as a JSON string. In a text that is not UTF-8, as names of files may be, each byte outside ASCII
 * becomes '?'. */
static inline json_t *tw__json_text(const char *text)
{
	json_t *string = json_string(text);
	if (string)
		return string;
	char *ascii = tw_copy_text(text);
	for (char *c = ascii; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	string = json_string(ascii);
	free(ascii);
	if (!string)
		tw__no_memory(1, 1);
	return string;
}

static inline void tw__json_set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		tw__no_memory(1, 1);
}

static inline void tw__json_append(json_t *list, json_t *value)
{
	if (json_array_append_new(list, value) < 0)
		tw__no_memory(1, 1);
}

/* The layout of JSON for people as well as programs, and a shorter one. */
#define TW__JSON_EXACT (JSON_INDENT(2) | JSON_REAL_PRECISION(17))
#define TW__JSON_SHORT (JSON_INDENT(1) | JSON_REAL_PRECISION(15))
/* Writes a value with this layout, and frees the value. An error of the stream stays in the stream. */
static inline void tw__json_put(FILE *f, json_t *value, size_t layout)
{
	if (!value || (json_dumpf(value, f, layout) < 0 && !ferror(f)))
		tw__no_memory(1, 1);
	json_decref(value);
}

/* The same, with a line feed. */
static inline void tw__json_write(FILE *f, json_t *value, size_t layout)
{
	tw__json_put(f, value, layout);
	fputc('\n', f);
}

#endif
