#include "report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "base/print.h"

/* Prints one character, and returns the bytes that it has. Bidirectional controls (U+202A to U+202E, U+2066 to U+2069)
 * become '?': they would reverse the text behind a name. */
static int print_character(FILE *f, const char *s)
{
	const unsigned char *c = (const unsigned char *)s;
	if (c[0] == 0xe2 &&
	    ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9))) {
		putc('?', f);
		return 3;
	}
	return tw__print_character(f, s);
}

/* Prints one character, escaped for HTML. Returns the number of bytes read. */
static int print_escaped(FILE *f, const char *s)
{
	static const char special[] = "&<>\"'";
	static const char *const escaped[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
	const char *at = strchr(special, *s);
	if (!at)
		return print_character(f, s);
	fputs(escaped[at - special], f);
	return 1;
}

void tw__html_text(FILE *f, const char *s)
{
	while (*s)
		s += print_escaped(f, s);
}

void tw__html_brief(FILE *f, const char *s, int most)
{
	for (int n = 0; *s && n < most; n++)
		s += print_escaped(f, s);
	if (*s)
		fputs("…", f);
}

void tw__html_json(FILE *f, const char *s)
{
	putc('"', f);
	while (*s)
		if (strchr("\"\\<>&", *s) || (unsigned char)*s < 0x20)
			fprintf(f, "\\u%04x", (unsigned)*s++);
		else
			s += print_character(f, s);
	putc('"', f);
}

/* Prints a number such as "-1234567.8", with narrow spaces between groups of three digits if there are at least five
 * digits. */
static void print_grouped(FILE *f, const char *number)
{
	if (*number == '-') {
		fputs("−", f); /* the minus sign of typography */
		number++;
	}
	size_t whole = strspn(number, "0123456789");
	for (size_t i = 0; i < whole; i++) {
		if (whole > 4 && i > 0 && (whole - i) % 3 == 0)
			fputs("\xe2\x80\xaf", f);
		putc(number[i], f);
	}
	fputs(number + whole, f);
}

void tw__html_number(FILE *f, double value, int digits)
{
	char text[64];
	if (!isfinite(value)) {
		fputs(isnan(value) ? "" : value > 0 ? "∞" : "−∞", f);
		return;
	}
	double size = fabs(value);
	int power = size > 0 ? (int)floor(log10(size)) : 0;
	if (power < -4 || power > 14)
		snprintf(text, sizeof text, "%.*g", digits, value);
	else
		snprintf(text, sizeof text, "%.*f", power < digits - 1 ? digits - 1 - power : 0, value);
	char *dot = strchr(text, '.');
	if (dot && !strchr(text, 'e')) { /* drop zeros at the end of the decimals */
		char *end = text + strlen(text);
		while (end[-1] == '0')
			*--end = '\0';
		if (end[-1] == '.')
			end[-1] = '\0';
	}
	print_grouped(f, text);
}

void tw__html_mean(FILE *f, double mean, double half)
{
	char text[400];
	if (!(half > 0) || !isfinite(half)) {
		tw__html_number(f, mean, 4);
		if (!isnan(half))
			fputs(" <span class=\"ci\">± 0</span>", f);
		return;
	}
	int decimals = 1 - (int)floor(log10(half));
	decimals = decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
	snprintf(text, sizeof text, "%.*f", decimals, mean);
	print_grouped(f, text);
	snprintf(text, sizeof text, "%.*f", decimals, half);
	fputs(" <span class=\"ci\">± ", f);
	print_grouped(f, text);
	fputs("</span>", f);
}

void tw__html_cell(FILE *f, const char *text, int is_number)
{
	struct tw_error err;
	double value;
	if (!is_number || !*text || tw__parse_real(&value, text, &err) < 0) {
		fputs("<td>", f);
		tw__html_text(f, text);
		fputs("</td>", f);
		return;
	}
	size_t digits = strspn(text, "0123456789");
	if (digits > 0 && digits < 5 && !text[digits]) {
		fprintf(f, "<td>%s</td>", text);
		return;
	}
	fputs("<td data-v=\"", f);
	tw__html_text(f, text);
	fputs("\">", f);
	if (text[digits] || digits == 0)
		tw__html_number(f, value, 6);
	else
		print_grouped(f, text);
	fputs("</td>", f);
}
