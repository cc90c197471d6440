/* Reads the attributes of DOT that concern tasks and data. All others are counted and ignored. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "readers/dot.h"

enum { MAX_DATA_BITS = 60 };

/* Sets the attribute `key`, whose value is the last token. */
static int set_attribute(struct tw__dot *p, enum tw__dot_target target, struct tw__dot_defaults *to, const char *key)
{
	const char *text = p->tokens.text;
	struct tw__dot_node *n = &to->node;
	struct tw__dot_edge *e = &to->edge;
	double *real = NULL, bytes, most = 0;
	int32_t *name = NULL;
	int64_t integer;
	if (target == TW__DOT_OF_NODES) {
		name = !strcmp(key, "kernel")      ? &n->kernel
		       : !strcmp(key, "size")      ? &n->size
		       : !strcmp(key, "precision") ? &n->precision
		       : !strcmp(key, "on")        ? &n->on
		                                   : NULL;
		real = !strcmp(key, "seconds") || !strcmp(key, "weight") ? &n->seconds
		       : !strcmp(key, "flops")                           ? &n->flops
		                                                         : NULL;
		most = real == &n->flops ? TW__DRAFT_MAX_FLOPS : TW_MAX_SECONDS;
		if (!strcmp(key, "priority")) {
			if (!tw__text_int(text, &integer) || integer < INT32_MIN || integer > INT32_MAX)
				return tw__dot_expected(&p->tokens, p->err, "a priority, a whole number of 32 bits");
			n->priority = (int32_t)integer;
			return TW_OK;
		}
	} else if (target == TW__DOT_OF_EDGES && !strcmp(key, "data")) {
		name = &e->data;
	} else if (target == TW__DOT_OF_EDGES && !strcmp(key, "size")) {
		if (!tw__text_real(text, &bytes) || bytes < 0 || bytes > (double)((uint64_t)1 << MAX_DATA_BITS))
			return tw__dot_expected(&p->tokens, p->err, "bytes: a number from 0 to 2^60");
		e->bytes = (int64_t)ceil(bytes);
		return TW_OK;
	}
	if (real) {
		char expected[40];
		snprintf(expected, sizeof expected, "a number from 0 to %g", most);
		return tw__text_real(text, real) && *real >= 0 && *real <= most
		               ? TW_OK
		               : tw__dot_expected(&p->tokens, p->err, expected);
	}
	if (name) {
		if (!*text)
			return tw__dot_expected(&p->tokens, p->err, "a value that is not empty");
		*name = tw__name_list_add(&p->texts, text, strlen(text));
		return *name == TW_NONE ? tw__draft_no_memory(p->draft, p->err) : TW_OK;
	}
	tw__draft_count(p->draft, "attributes left out", 1);
	return TW_OK;
}

int tw__dot_attributes(struct tw__dot *p, enum tw__dot_target target, struct tw__dot_defaults *to)
{
	char key[32];
	int status = TW_OK;
	while (status == TW_OK && tw__dot_is(&p->tokens, '[')) {
		status = tw__dot_next(&p->tokens, p->err);
		while (status == TW_OK && !tw__dot_is(&p->tokens, ']')) {
			if (p->tokens.kind != TW__DOT_ID && p->tokens.kind != TW__DOT_WORD)
				return tw__dot_expected(&p->tokens, p->err, "an attribute, or ]");
			snprintf(key, sizeof key, "%s", p->tokens.text);
			if ((status = tw__dot_next(&p->tokens, p->err)) < 0)
				return status;
			if (!tw__dot_is(&p->tokens, '='))
				return tw__dot_expected(&p->tokens, p->err, "= and the attribute's value");
			if ((status = tw__dot_next(&p->tokens, p->err)) < 0)
				return status;
			if (p->tokens.kind != TW__DOT_ID && p->tokens.kind != TW__DOT_WORD)
				return tw__dot_expected(&p->tokens, p->err, "the attribute's value");
			status = set_attribute(p, target, to, key);
			if (status == TW_OK)
				status = tw__dot_next(&p->tokens, p->err);
			if (status == TW_OK && (tw__dot_is(&p->tokens, ',') || tw__dot_is(&p->tokens, ';')))
				status = tw__dot_next(&p->tokens, p->err);
		}
		if (status == TW_OK)
			status = tw__dot_next(&p->tokens, p->err);
	}
	return status;
}
