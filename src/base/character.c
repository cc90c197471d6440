#include <tilewright/base.h>

/* UTF-8 as of RFC 3629; without the control characters of both sets, C0 and C1. */
size_t tw_character_bytes(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
	bool no_character =
		(c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90); /* surrogates, too great */
	bool controls = c[0] < ' ' || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
	return overlong || no_character || controls ? 0 : n;
}
