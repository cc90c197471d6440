/* Text within XML. */
#ifndef TW__XML_TEXT_H
#define TW__XML_TEXT_H

#include <stdio.h>

/* Writes a text of valid characters (tw_character_bytes), as content, or as the value of an attribute in quotes. */
static inline void tw__xml_text(FILE *f, const char *text)
{
	for (const char *c = text; *c; c++)
		switch (*c) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			fputc(*c, f);
		}
}

#endif
