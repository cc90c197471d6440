/* Returns a text as a JSON string; NULL: out of memory. In a text that is not UTF-8, as names of files may be, each
 * byte outside ASCII becomes '?'. */
#ifndef TW__JSON_TEXT_H
#define TW__JSON_TEXT_H

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
