/* The command gives jansson an allocator that never returns NULL, so values never are NULL for lack of memory.
 *
 * Returns a text as a JSON string. In a text that is not UTF-8, as names of files may be, each
 * byte outside ASCII becomes '?'. */
#ifndef TW__JSON_TEXT_H
#define TW__JSON_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <tilewright/base.h>

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
	return string;
}

/* The layout of JSON for people as well as programs, and a shorter one. */
#define TW__JSON_EXACT (JSON_INDENT(2) | JSON_REAL_PRECISION(17))
#define TW__JSON_SHORT (JSON_INDENT(1) | JSON_REAL_PRECISION(15))
/* Writes a value with this layout and a line feed, and frees the value. */
static inline void tw__json_write(FILE *f, json_t *value, size_t layout)
{
	json_dumpf(value, f, layout);
	fputc('\n', f);
	json_decref(value);
}

/* As json_array_append_new, which always succeeds in the command. */
static inline void tw__json_append(json_t **list, json_t *value) { json_array_append_new(*list, value); }

#endif
