/* The words of Graphviz' DOT language. */
#ifndef TW__DOT_TOKENS_H
#define TW__DOT_TOKENS_H

#include "readers/input.h"

enum tw__dot_kind {
	TW__DOT_END,
	TW__DOT_ID,     /* bare, a number, in quotes or in <>: `text` is what it stands for */
	TW__DOT_WORD,   /* a keyword: strict, graph, digraph, node, edge, subgraph; `text` in lower case */
	TW__DOT_ARROW,  /* -> */
	TW__DOT_LINE,   /* -- */
	TW__DOT_SYMBOL, /* one of { } [ ] ; , = : which is text[0] */
};

struct tw__dot_tokens {
	const char *path;
	const char *c; /* what was not read yet; ends with '\0' */
	uint32_t next_line;
	bool fresh; /* at the begin of a line */

	/* The token read last. */
	enum tw__dot_kind kind;
	uint32_t line;
	char *text;
	size_t length, room;
};

/* `text` stays the caller's. */
void tw__dot_tokens_init(struct tw__dot_tokens *, const char *path, const char *text);
void tw__dot_tokens_finish(struct tw__dot_tokens *);

/* Reads the next token. */
int tw__dot_next(struct tw__dot_tokens *, struct tw_error *err);
/* What the next token begins with, '\0' at the end of the file; negative: an error. */
int tw__dot_peek(struct tw__dot_tokens *, struct tw_error *err);
/* Whether the token read last is that symbol. */
bool tw__dot_is(const struct tw__dot_tokens *, char symbol);
/* "path:line: 'token', expected ..." */
int tw__dot_expected(const struct tw__dot_tokens *, struct tw_error *err, const char *expected);

#endif
