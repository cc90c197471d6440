#include "readers/dot_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

void tw__dot_tokens_init(struct tw__dot_tokens *t, const char *path, const char *text)
{
	*t = (struct tw__dot_tokens){.path = path, .c = text, .next_line = 1, .fresh = true};
}

void tw__dot_tokens_finish(struct tw__dot_tokens *t) { free(t->text); }

bool tw__dot_is(const struct tw__dot_tokens *t, char symbol)
{
	return t->kind == TW__DOT_SYMBOL && t->text[0] == symbol;
}

int tw__dot_expected(const struct tw__dot_tokens *t, struct tw_error *err, const char *expected)
{
	if (t->kind == TW__DOT_END)
		return tw_fail(err, TW_INVALID, "%.256s:%u: the file ends, expected %s", t->path, (unsigned)t->line,
		               expected);
	return tw_fail(err, TW_INVALID, "%.256s:%u: '%.60s', expected %s", t->path, (unsigned)t->line, t->text,
	               expected);
}

static int fail(const struct tw__dot_tokens *t, uint32_t line, const char *what, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "%.256s:%u: %s", t->path, (unsigned)line, what);
}

static int add(struct tw__dot_tokens *t, char c, struct tw_error *err)
{
	if (!TW_HAS_ROOM(t->text, t->room, t->length + 2))
		return tw_fail(err, TW_NOMEM, "%.256s: out of memory", t->path);
	t->text[t->length++] = c;
	t->text[t->length] = '\0';
	return TW_OK;
}

/* Takes the next character of the text, and counts lines. */
static char take(struct tw__dot_tokens *t)
{
	t->fresh = *t->c == '\n';
	t->next_line += t->fresh;
	return *t->c++;
}

/* Skips blanks and the three kinds of comments in DOT: behind two slashes, between slash-stars, and lines that begin
 * with a hash. */
static int skip(struct tw__dot_tokens *t, struct tw_error *err)
{
	for (;;) {
		if (*t->c && strchr(" \t\r\n\f\v", *t->c)) {
			take(t);
		} else if ((t->fresh && *t->c == '#') || (t->c[0] == '/' && t->c[1] == '/')) {
			while (*t->c && *t->c != '\n')
				take(t);
		} else if (t->c[0] == '/' && t->c[1] == '*') {
			uint32_t line = t->next_line;
			take(t);
			take(t);
			while (*t->c && (t->c[0] != '*' || t->c[1] != '/'))
				take(t);
			if (!*t->c)
				return fail(t, line, "a comment that does not end, expected */", err);
			take(t);
			take(t);
		} else {
			return TW_OK;
		}
	}
}

static int take_quoted(struct tw__dot_tokens *t, struct tw_error *err)
{
	int status = TW_OK;
	for (;;) { /* in DOT, "a" + "b" is "ab" */
		take(t);
		while (*t->c && *t->c != '"' && status == TW_OK) {
			if (t->c[0] == '\\' && t->c[1] == '\n') {
				take(t);
				take(t);
				continue;
			}
			if (t->c[0] == '\\' && (t->c[1] == '"' || t->c[1] == '\\')) {
				if (t->c[1] == '\\') /* both backslashes stay: DOT has no escape but \" */
					status = add(t, '\\', err);
				take(t);
			}
			if (status == TW_OK)
				status = add(t, take(t), err);
		}
		if (status < 0)
			return status;
		if (!*t->c)
			return fail(t, t->line, "a quote that does not end, expected another", err);
		take(t);
		status = skip(t, err);
		if (status < 0 || *t->c != '+')
			return status;
		take(t);
		status = skip(t, err);
		if (status < 0)
			return status;
		if (*t->c != '"')
			return fail(t, t->next_line,
			            "a '+' behind a quoted name, expected another quoted name behind it", err);
	}
}

static int take_html(struct tw__dot_tokens *t, struct tw_error *err)
{
	size_t depth = 1;
	int status = TW_OK;
	take(t);
	for (; *t->c && status == TW_OK; status = add(t, take(t), err)) {
		depth += *t->c == '<';
		depth -= *t->c == '>';
		if (depth == 0) {
			take(t);
			return TW_OK;
		}
	}
	return status < 0 ? status : fail(t, t->line, "a '<' that does not end, expected a '>'", err);
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int take_number(struct tw__dot_tokens *t, struct tw_error *err)
{
	int status = add(t, take(t), err);
	while (status == TW_OK && (is_digit(*t->c) || *t->c == '.'))
		status = add(t, take(t), err);
	if (status == TW_OK && is_letter(*t->c))
		return tw_fail(err, TW_INVALID,
		               "%.256s:%u: a letter right behind '%.*s', expected quotes around both, as in "
		               "\"1e-3\", or a blank between them",
		               t->path, (unsigned)t->line, (int)(t->length < 40 ? t->length : 40), t->text);
	return status;
}

static int take_name(struct tw__dot_tokens *t, struct tw_error *err)
{
	static const char *const words[] = {"strict", "graph", "digraph", "node", "edge", "subgraph"};
	int status = TW_OK;
	while (status == TW_OK && (is_letter(*t->c) || is_digit(*t->c)))
		status = add(t, take(t), err);
	for (size_t i = 0; status == TW_OK && i < sizeof words / sizeof words[0]; i++)
		if (!strcasecmp(t->text, words[i])) {
			t->kind = TW__DOT_WORD;
			strcpy(t->text, words[i]);
		}
	return status;
}

int tw__dot_peek(struct tw__dot_tokens *t, struct tw_error *err)
{
	int status = skip(t, err);
	return status < 0 ? status : (unsigned char)*t->c;
}

int tw__dot_next(struct tw__dot_tokens *t, struct tw_error *err)
{
	t->length = 0;
	int status = skip(t, err);
	t->line = t->next_line;
	if (status < 0)
		return status;
	t->kind = TW__DOT_ID;
	char c = *t->c;
	if (c == '\0') {
		t->kind = TW__DOT_END;
		return TW_OK;
	}
	if (c == '"' || c == '<') {
		status = add(t, '\0', err); /* allocates t->text, even for an empty token */
		t->length = 0;
		return status < 0 ? status : c == '"' ? take_quoted(t, err) : take_html(t, err);
	}
	if (is_letter(c))
		return take_name(t, err);
	if (is_digit(c) || c == '.' || (c == '-' && (is_digit(t->c[1]) || t->c[1] == '.')))
		return take_number(t, err);
	if (c == '-' && (t->c[1] == '>' || t->c[1] == '-')) {
		t->kind = t->c[1] == '>' ? TW__DOT_ARROW : TW__DOT_LINE;
		status = add(t, take(t), err);
		return status < 0 ? status : add(t, take(t), err);
	}
	t->kind = TW__DOT_SYMBOL;
	status = add(t, take(t), err);
	if (status == TW_OK && !strchr("{}[];,=:", c))
		return tw__dot_expected(t, err, "a name, or one of { } [ ] ; , = : ->");
	return status;
}
