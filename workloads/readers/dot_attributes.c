/* Reads lists of attributes in DOT. */
#include <stdio.h>

#include "readers/dot.h"

int tw__dot_attributes(struct tw__dot *p, enum tw__digraph_target target, struct tw__digraph_attributes *to)
{
	char key[32];
	struct tw_error *err = p->graph.err;
	int status = TW_OK;
	while (status == TW_OK && tw__dot_is(&p->tokens, '[')) {
		status = tw__dot_next(&p->tokens, err);
		while (status == TW_OK && !tw__dot_is(&p->tokens, ']')) {
			if (p->tokens.kind != TW__DOT_ID && p->tokens.kind != TW__DOT_WORD)
				return tw__dot_expected(&p->tokens, err, "an attribute, or ]");
			snprintf(key, sizeof key, "%s", p->tokens.text);
			if ((status = tw__dot_next(&p->tokens, err)) < 0)
				return status;
			if (!tw__dot_is(&p->tokens, '='))
				return tw__dot_expected(&p->tokens, err, "= and the attribute's value");
			if ((status = tw__dot_next(&p->tokens, err)) < 0)
				return status;
			if (p->tokens.kind != TW__DOT_ID && p->tokens.kind != TW__DOT_WORD)
				return tw__dot_expected(&p->tokens, err, "the attribute's value");
			status = tw__digraph_set(&p->graph, target, to, key, p->tokens.text, p->tokens.line);
			if (status == TW_OK)
				status = tw__dot_next(&p->tokens, err);
			if (status == TW_OK && (tw__dot_is(&p->tokens, ',') || tw__dot_is(&p->tokens, ';')))
				status = tw__dot_next(&p->tokens, err);
		}
		if (status == TW_OK)
			status = tw__dot_next(&p->tokens, err);
	}
	return status;
}
