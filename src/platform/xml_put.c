#include "platform/xml_put.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/xml_text.h"

/* Writes `value` * `per` as the shortest decimal text that reads back as exactly `value`. false: no text with up to 17
 * digits does, and nothing is written. */
static bool put_in(FILE *f, double value, double per)
{
	char text[32];
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value * per);
		if (strtod(text, NULL) / per == value) {
			fputs(text, f);
			return true;
		}
	}
	return false;
}

void tw__put_number(FILE *f, double value) { put_in(f, value, 1); }

void tw__put_seconds(FILE *f, double value)
{
	if (put_in(f, value, 1e6)) {
		fputs("us", f);
	} else {
		tw__put_number(f, value);
		fputc('s', f);
	}
}

void tw__put_name(FILE *f, const char *before, const char *name, const char *after)
{
	fputs(before, f);
	tw__xml_text(f, name);
	fputs(after, f);
}

void tw__put_prop(FILE *f, const char *id, const char *value)
{
	fprintf(f, "<prop id=\"%s\" value=", id);
	tw__put_name(f, "\"", value, "\"/>");
}
