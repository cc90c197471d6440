#include "base/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

int64_t tw__nanoseconds(double seconds) { return (int64_t)llround(seconds * 1e9); }

/* Prints value / unit with this number of decimals. It does not use printf(), because a trace has millions of dates and
 * printf() is slow. */
static void print_split(FILE *f, int64_t value, int64_t unit, int digits)
{
	char text[48], *end = text + sizeof text, *c = end;
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, whole = size / (uint64_t)unit,
		 part = size % (uint64_t)unit;
	for (int i = 0; i < digits; i++, part /= 10)
		*--c = (char)('0' + part % 10);
	*--c = '.';
	do
		*--c = (char)('0' + whole % 10);
	while ((whole /= 10) > 0);
	if (value < 0)
		*--c = '-';
	fwrite(c, 1, (size_t)(end - c), f);
}

void tw__print_seconds(FILE *f, int64_t ns) { print_split(f, ns, 1000000000, 9); }

void tw__print_milliseconds(FILE *f, int64_t ns) { print_split(f, ns, 1000000, 6); }

void tw__print_microseconds(FILE *f, int64_t ns) { print_split(f, ns, 1000, 3); }

void tw__print_json(FILE *f, const char *s)
{
	putc('"', f);
	while (*s) {
		int n = tw__utf8_length(s);
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			fprintf(f, "\\u%04x", (unsigned)*s);
		else if (n == 0)
			putc('?', f);
		else
			fwrite(s, 1, (size_t)n, f);
		s += n ? n : 1;
	}
	putc('"', f);
}

int tw__print_character(FILE *f, const char *s)
{
	int n = tw__utf8_length(s);
	if ((unsigned char)*s < 0x20 || *s == 0x7f)
		putc(' ', f);
	else if (n == 0)
		putc('?', f);
	else
		fwrite(s, 1, (size_t)n, f);
	return n ? n : 1;
}

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

void tw__print_csv(FILE *f, const char *s) { tw__csv_put_with(f, s, ",\"", tw__print_character); }

void tw__print_paje(FILE *f, const char *s)
{
	putc('"', f);
	while (*s)
		if (*s == '"') {
			putc('\'', f);
			s++;
		} else {
			s += tw__print_character(f, s);
		}
	putc('"', f);
}
