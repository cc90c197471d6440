/* Checks and cleans text from users and files, before messages show it. */
#ifndef TW__ONE_LINE_H
#define TW__ONE_LINE_H

#include <tilewright/base.h>

/* Whether the text is UTF-8 without control characters. */
static inline bool tw__is_text(const char *text)
{
	for (size_t n = 1; n; text += n) {
		while (*text >= ' ' && *text < 0x7f) /* mostly printable ASCII */
			text++;
		n = *text ? tw_character_bytes(text) : 0;
	}
	return !*text;
}

/* Replaces control characters and invalid bytes by blanks, so that a message stays one line of text. */
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
