/* The tokens of Graphviz' DOT language. */
#ifndef TW__DOT_TOKENS_H
#define TW__DOT_TOKENS_H

#include "readers/input.h"

enum tw__dot_kind {
	TW__DOT_END,
	TW__DOT_ID,     /* a bare name, a number, or text in quotes or in <>; `text` is without these */
	TW__DOT_WORD,   /* a keyword: strict, graph, digraph, node, edge, subgraph; `text` is in lower case */
	TW__DOT_ARROW,  /* -> */
	TW__DOT_LINE,   /* -- */
	TW__DOT_SYMBOL, /* text[0] is one of { } [ ] ; , = : */
};

struct tw__dot_tokens {
	const char *path;
	const char *c; /* the rest of the text, up to a '\0' */
	uint32_t next_line;
	bool fresh; /* `c` is at the beginning of a line */

	/* The last token. */
	enum tw__dot_kind kind;
	uint32_t line;
	char *text;
	size_t length, room;
};

/* The caller keeps the ownership of `text`. */
void tw__dot_tokens_init(struct tw__dot_tokens *, const char *path, const char *text);
void tw__dot_tokens_finish(struct tw__dot_tokens *);

/* Reads the next token. */
int tw__dot_next(struct tw__dot_tokens *, struct tw_error *err);
/* The first character of the next token, or '\0' at the end of the file; negative: an error. */
int tw__dot_peek(struct tw__dot_tokens *, struct tw_error *err);
/* True if the last token is that symbol. */
bool tw__dot_is(const struct tw__dot_tokens *, char symbol);
/* Writes "path:line: 'token', expected ..." and returns TW_INVALID. */
int tw__dot_expected(const struct tw__dot_tokens *, struct tw_error *err, const char *expected);

#endif
