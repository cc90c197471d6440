/* One line of comma-separated text (RFC 4180, one record a line). */
#include "perf/csv.h"

#include <string.h>

/* The text of a quoted field, moved to where its opening quote was. Returns what follows the closing quote, or NULL. */
static char *unquote(char *field)
{
	char *from = field + 1, *to = field;
	for (; *from; from++) {
		if (*from == '"' && *++from != '"') {
			*to = '\0'; /* at least one place before `from`: the opening quote is gone */
			return from;
		}
		*to++ = *from;
	}
	return NULL;
}

int tw__csv_split(char *line, char **fields, int max, const char **why)
{
	int n = 0;
	for (char *rest = line;;) {
		if (n == max) {
			*why = "too many fields";
			return -1;
		}
		fields[n++] = rest;
		if (*rest == '"') {
			rest = unquote(rest);
			if (!rest) {
				*why = "a quote that does not end on its line";
				return -1;
			}
			if (*rest && *rest != ',') {
				*why = "text behind a closing quote";
				return -1;
			}
		} else {
			rest += strcspn(rest, ",\"");
			if (*rest == '"') {
				*why = "a quote inside a field that does not begin with one";
				return -1;
			}
		}
		if (!*rest)
			return n;
		*rest++ = '\0';
	}
}

void tw__csv_put(FILE *f, const char *text)
{
	if (!text[strcspn(text, ",\"\n#")]) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', f);
		fputc(*text, f);
	}
	fputc('"', f);
}
