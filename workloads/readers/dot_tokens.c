#include "readers/dot_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void tw__dot_tokens_init(struct tw__dot_tokens *t, struct tw__draft *draft, const char *text)
{
	*t = (struct tw__dot_tokens){.draft = draft, .c = text, .next_line = 1, .fresh = true};
}

void tw__dot_tokens_finish(struct tw__dot_tokens *t) { free(t->text); }

bool tw__dot_is(const struct tw__dot_tokens *t, char symbol)
{
	return t->kind == TW__DOT_SYMBOL && t->text[0] == symbol;
}

bool tw__dot_is_word(const struct tw__dot_tokens *t, const char *word)
{
	return t->kind == TW__DOT_WORD && !strcmp(t->text, word);
}

void tw__dot_expected(struct tw__dot_tokens *t, const char *expected)
{
	if (t->kind == TW__DOT_END)
		tw__draft_fail(t->draft, t->line, "the file ends, expected %s", expected);
	else
		tw__draft_fail(t->draft, t->line, "'%.60s', expected %s", t->text, expected);
	t->kind = TW__DOT_END;
}

static void add(struct tw__dot_tokens *t, char c)
{
	TW_RESERVE(t->text, t->room, t->length + 2);
	t->text[t->length++] = c;
	t->text[t->length] = '\0';
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
static void skip(struct tw__dot_tokens *t)
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
			if (!*t->c) {
				tw__draft_fail(t->draft, line, "a comment that does not end, expected */");
				return;
			}
			take(t);
			take(t);
		} else {
			return;
		}
	}
}

static void take_quoted(struct tw__dot_tokens *t)
{
	for (;;) { /* in DOT, "a" + "b" is "ab" */
		take(t);
		while (*t->c && *t->c != '"') {
			if (t->c[0] == '\\' && t->c[1] == '\n') {
				take(t);
				take(t);
				continue;
			}
			if (t->c[0] == '\\' && (t->c[1] == '"' || t->c[1] == '\\')) {
				if (t->c[1] == '\\') /* both backslashes stay: DOT has no escape but \" */
					add(t, '\\');
				take(t);
			}
			add(t, take(t));
		}
		if (!*t->c) {
			tw__draft_fail(t->draft, t->line, "a quote that does not end, expected another");
			return;
		}
		take(t);
		skip(t);
		if (*t->c != '+')
			return;
		take(t);
		skip(t);
		if (*t->c != '"') {
			tw__draft_fail(t->draft, t->next_line,
			               "a '+' behind a quoted name, expected another quoted name behind it");
			return;
		}
	}
}

static void take_html(struct tw__dot_tokens *t)
{
	size_t depth = 1;
	take(t);
	for (; *t->c; add(t, take(t))) {
		depth += *t->c == '<';
		depth -= *t->c == '>';
		if (depth == 0) {
			take(t);
			return;
		}
	}
	tw__draft_fail(t->draft, t->line, "a '<' that does not end, expected a '>'");
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void take_number(struct tw__dot_tokens *t)
{
	do
		add(t, take(t));
	while (is_digit(*t->c) || *t->c == '.');
	if (is_letter(*t->c))
		tw__draft_fail(t->draft, t->line,
		               "a letter right behind '%.*s', expected quotes around both, as in \"1e-3\", or a "
		               "blank between them",
		               (int)(t->length < 40 ? t->length : 40), t->text);
}

static void take_name(struct tw__dot_tokens *t)
{
	static const char *const words[] = {"strict", "graph", "digraph", "node", "edge", "subgraph"};
	while (is_letter(*t->c) || is_digit(*t->c))
		add(t, take(t));
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (!strcasecmp(t->text, words[i])) {
			t->kind = TW__DOT_WORD;
			strcpy(t->text, words[i]);
		}
}

char tw__dot_peek(struct tw__dot_tokens *t)
{
	skip(t);
	return t->draft->status < 0 ? '\0' : *t->c;
}

void tw__dot_next(struct tw__dot_tokens *t)
{
	skip(t);
	t->line = t->next_line;
	t->kind = TW__DOT_ID;
	char c = *t->c;
	TW_RESERVE(t->text, t->room, 1);
	t->text[0] = '\0';
	t->length = 0;
	if (c == '\0') {
		t->kind = TW__DOT_END;
	} else if (c == '"') {
		take_quoted(t);
	} else if (c == '<') {
		take_html(t);
	} else if (is_letter(c)) {
		take_name(t);
	} else if (is_digit(c) || c == '.' || (c == '-' && (is_digit(t->c[1]) || t->c[1] == '.'))) {
		take_number(t);
	} else if (c == '-' && (t->c[1] == '>' || t->c[1] == '-')) {
		t->kind = t->c[1] == '>' ? TW__DOT_ARROW : TW__DOT_LINE;
		add(t, take(t));
		add(t, take(t));
	} else {
		t->kind = TW__DOT_SYMBOL;
		add(t, take(t));
		if (!strchr("{}[];,=:", c))
			tw__dot_expected(t, "a name, or one of { } [ ] ; , = : ->");
	}
	if (t->draft->status < 0)
		t->kind = TW__DOT_END;
}
