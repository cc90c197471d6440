#include <tilewright/base.h>

#include "base/utf8.h"

/* Returns 0 for control characters of both sets, C0 and C1, and for U+FFFE and U+FFFF, which XML cannot hold: they
 * count as no character. */
size_t tw_character_bytes(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	bool controls = c[0] < ' ' || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
	bool reserved = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
	return controls || reserved ? 0 : (size_t)tw__utf8_length(text);
}
