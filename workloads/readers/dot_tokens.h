/* Splits Graphviz' DOT language into tokens. */
#ifndef TW__DOT_TOKENS_H
#define TW__DOT_TOKENS_H

#include "readers/draft.h"

enum tw__dot_kind {
	TW__DOT_END,    /* the end of the file, or an error */
	TW__DOT_ID,     /* a name, a number, or a text in quotes or in <>; `text` lacks these marks */
	TW__DOT_WORD,   /* a keyword: strict, graph, digraph, node, edge, subgraph; `text` is in lower case */
	TW__DOT_ARROW,  /* the token -> */
	TW__DOT_LINE,   /* the token -- */
	TW__DOT_SYMBOL, /* text[0] is one of { } [ ] ; , = : */
};

struct tw__dot_tokens {
	struct tw__draft *draft; /* keeps the first error */
	const char *c;           /* the rest of the text to read, up to a '\0' */
	uint32_t next_line;
	bool fresh; /* whether `c` is at the beginning of a line */

	/* The last token that was read. */
	enum tw__dot_kind kind;
	uint32_t line;
	char *text;
	size_t length, room;
};

/* Prepares to read the tokens of `text`, which the caller owns. */
void tw__dot_tokens_init(struct tw__dot_tokens *, struct tw__draft *, const char *text);
void tw__dot_tokens_finish(struct tw__dot_tokens *);

/* Reads the next token, which becomes the last token. After an error it is TW__DOT_END. */
void tw__dot_next(struct tw__dot_tokens *);
/* Returns the first character of the next token, without reading that; '\0' at the end of the file, or after an
 * error. */
char tw__dot_peek(struct tw__dot_tokens *);
/* Whether the last token is this symbol; the next function, whether it is this keyword. */
bool tw__dot_is(const struct tw__dot_tokens *, char symbol);
bool tw__dot_is_word(const struct tw__dot_tokens *, const char *word);
/* Gives the draft the error "path:line: 'token', expected ...". The last token becomes TW__DOT_END, so that all loops
 * over tokens end. */
void tw__dot_expected(struct tw__dot_tokens *, const char *expected);

#endif
