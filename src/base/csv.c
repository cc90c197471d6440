#include <tilewright/csv.h>

#include <errno.h>
#include <string.h>

/* Removes the quotes of the field at `at`, in place. Returns false if the closing quote is missing. */
static bool unquote(struct tw_csv *c)
{
	char *to = c->at++; /* where the next character goes; always before `at` */
	for (; *c->at; *to++ = *c->at++) {
		if (*c->at == '"' && *++c->at != '"') {
			*to = '\0';
			return true;
		}
		c->line += *c->at == '\n';
	}
	return false;
}

static void drop_blanks_before(const char *field, char *end)
{
	while (end > field && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
}

/* Splits off the next field and moves `at` to the character that ends the field. Returns 0 or a fault. */
static int cut_field(struct tw_csv *c)
{
	if (c->n == c->most) {
		c->n++;
		return TW_CSV_TOO_MANY;
	}
	c->at += c->loose ? strspn(c->at, " \t") : 0;
	char *field = c->fields[c->n++] = c->at;
	bool quoted = *field == '"';
	int line = c->line;
	if (quoted && !unquote(c)) {
		c->line = line;
		return TW_CSV_OPEN_QUOTE;
	}
	if (!quoted)
		c->at += strcspn(c->at, c->loose ? ",\r\n" : ",\"\r\n");
	while (!quoted && c->loose && *c->at == '\r' && c->at[1] != '\n')
		c->at += 1 + strcspn(c->at + 1, ",\r\n");
	if (c->loose && quoted)
		c->at += strspn(c->at, " \t");
	else if (c->loose)
		drop_blanks_before(field, c->at);
	if (!*c->at || *c->at == ',' || *c->at == '\n' || (*c->at == '\r' && c->at[1] == '\n'))
		return 0;
	return *c->at == '\r' ? TW_CSV_STRAY_RETURN : quoted ? TW_CSV_BEHIND_QUOTE : TW_CSV_STRAY_QUOTE;
}

static int cut_record(struct tw_csv *c)
{
	c->n = 0;
	c->unended = true;
	c->first_line = c->line;
	for (;;) {
		int fault = cut_field(c);
		if (fault)
			return fault;
		char mark = *c->at;
		if (!mark)
			return c->n;
		*c->at++ = '\0';
		if (mark == ',')
			continue;
		c->at += mark == '\r';
		c->line++;
		c->unended = false;
		return c->n;
	}
}

int tw_csv_record(struct tw_csv *c) { return *c->at ? cut_record(c) : 0; }

int tw_csv_cut(struct tw_csv *c, char *line)
{
	c->at = line;
	return cut_record(c);
}

const char *tw_csv_why(int fault)
{
	switch (fault) {
	case TW_CSV_TOO_MANY:
		return "too many fields";
	case TW_CSV_OPEN_QUOTE:
		return "a quote that does not end";
	case TW_CSV_BEHIND_QUOTE:
		return "text behind a closing quote";
	case TW_CSV_STRAY_QUOTE:
		return "a quote inside a field that does not begin with one";
	case TW_CSV_STRAY_RETURN:
		return "a carriage return inside a field without quotes";
	case TW_CSV_ZERO_BYTE:
		return "a zero byte";
	case TW_CSV_LONG_LINE:
		return "a line that is too long";
	default:
		return "an error of the system";
	}
}

char *tw_csv_text(char *text) { return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; }

int tw_csv_read_line(FILE *f, char *line)
{
	int length = 0, c;
	errno = 0;
	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		if (c == '\0')
			return TW_CSV_ZERO_BYTE;
		if (length == TW_CSV_LINE_BYTES)
			return TW_CSV_LONG_LINE;
		line[length++] = (char)c;
	}
	if (c == EOF && ferror(f))
		return TW_CSV_UNREADABLE;
	bool found = c != EOF || length > 0;
	if (length > 0 && line[length - 1] == '\r')
		length--;
	line[length] = '\0';
	return found;
}
