/* Returns a text as a JSON string; NULL: out of memory. In a text that is not UTF-8, as names of files may be, each
 * byte outside ASCII becomes '?'. */
#ifndef TW__JSON_TEXT_H
#define TW__JSON_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static inline json_t *tw__json_text(const char *text)
{
	json_t *string = json_string(text);
	if (string)
		return string;
	char *ascii = strdup(text);
	for (char *c = ascii; c && *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	string = ascii ? json_string(ascii) : NULL;
	free(ascii);
	return string;
}

/* The layout of JSON for people as well as programs, and a shorter one. */
#define TW__JSON_EXACT (JSON_INDENT(2) | JSON_REAL_PRECISION(17))
#define TW__JSON_SHORT (JSON_INDENT(1) | JSON_REAL_PRECISION(15))
/* Writes a value with this layout and a line feed, and frees the value. Returns false when out of memory, also if the
 * value is NULL; then nothing was written. */
static inline bool tw__json_write(FILE *f, json_t *value, size_t layout)
{
	char *text = value ? json_dumps(value, layout) : NULL;
	json_decref(value);
	bool whole = text;
	if (whole)
		fprintf(f, "%s\n", text);
	free(text);
	return whole;
}

/* Appends a value to a list, and takes ownership of the value. When memory runs out, the list becomes NULL, and stays
 * so. */
static inline void tw__json_append(json_t **list, json_t *value)
{
	if (json_array_append_new(*list, value) == 0)
		return;
	json_decref(*list);
	*list = NULL;
}

#endif
