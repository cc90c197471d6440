/* Recognises well-formed UTF-8 characters (RFC 3629). */
#ifndef TW__UTF8_H
#define TW__UTF8_H

#include <stdbool.h>

/* Returns the number of bytes (1 to 4) of the well-formed character at `text`. Returns 0 for malformed bytes, and at
 * the end of the text. */
static inline int tw__utf8_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	if (c[0] < 0x80)
		return c[0] != 0;
	int n = c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
	for (int i = 1; i < n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
	/* The bytes encode a surrogate or a number above U+10FFFF. */
	bool no_character = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
	return overlong || no_character ? 0 : n;
}

#endif
