/* Values in messages come from users and files. */
#ifndef TW__ONE_LINE_H
#define TW__ONE_LINE_H

#include <tilewright/base.h>

/* Whether all of it is text, as names are. */
static inline bool tw__is_text(const char *text)
{
	size_t n = 1;
	for (; *text && n; text += n)
		n = tw_character_bytes(text);
	return n > 0;
}

/* Whatever they hold, the message stays one line of text: other bytes become blanks. */
static inline void tw__one_line(char *text)
{
	while (*text) {
		size_t n = tw_character_bytes(text);
		if (n == 0)
			*text = ' ';
		text += n ? n : 1;
	}
}

#endif
