#include "base/csv_put.h"

#include <stdbool.h>
#include <string.h>

void tw__csv_put_with(FILE *f, const char *text, const char *marks, int (*put)(FILE *, const char *))
{
	bool quoted = text[strcspn(text, marks)];
	if (quoted)
		putc('"', f);
	while (*text) {
		if (*text == '"')
			putc('"', f);
		if (put)
			text += put(f, text);
		else
			putc(*text++, f);
	}
	if (quoted)
		putc('"', f);
}

void tw__csv_put(FILE *f, const char *text) { tw__csv_put_with(f, text, ",\"\r\n", NULL); }
