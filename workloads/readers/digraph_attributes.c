/* The attributes of nodes and edges that concern tasks and data. All others are counted and ignored. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "readers/digraph.h"
#include "readers/input.h"

const struct tw__digraph_attributes tw__digraph_no_attributes = {
	.node = {TW_NONE, TW_NONE, TW_NONE, TW_NONE, TW_NONE, 0, NAN, NAN, NAN, NAN},
	.edge = {0, TW_NONE},
};

static int expected(const struct tw__digraph *g, uint32_t line, const char *text, const char *what)
{
	return tw__draft_fail(g->draft, line, g->err, "'%.60s', expected %s", text, what);
}

int tw__digraph_set(struct tw__digraph *g, enum tw__digraph_target target, struct tw__digraph_attributes *to,
                    const char *key, const char *text, uint32_t line)
{
	struct tw__digraph_node *n = &to->node;
	struct tw__digraph_edge *e = &to->edge;
	double *real = NULL, number, most = 0;
	int32_t *name = NULL;
	int64_t integer;
	if (target == TW__OF_NODES) {
		name = !strcmp(key, "kernel")         ? &n->kernel
		       : !strcmp(key, "size")         ? &n->size
		       : !strcmp(key, "precision")    ? &n->precision
		       : !strcmp(key, "on")           ? &n->on
		       : !strcmp(key, "arch_seconds") ? &n->arch_seconds
		                                      : NULL;
		real = !strcmp(key, "seconds") || !strcmp(key, "weight") ? &n->seconds
		       : !strcmp(key, "cpu_seconds")                     ? &n->cpu_seconds
		       : !strcmp(key, "gpu_seconds")                     ? &n->gpu_seconds
		       : !strcmp(key, "flops")                           ? &n->flops
		                                                         : NULL;
		most = real == &n->flops ? TW__DRAFT_MAX_FLOPS : TW_MAX_SECONDS;
		if (!strcmp(key, "priority")) {
			if (!tw__text_int(text, &integer) || integer < INT32_MIN || integer > INT32_MAX)
				return expected(g, line, text, "a priority, a whole number of 32 bits");
			n->priority = (int32_t)integer;
			return TW_OK;
		}
	} else if (target == TW__OF_EDGES && !strcmp(key, "data")) {
		name = &e->data;
	} else if (target == TW__OF_EDGES && !strcmp(key, "size")) {
		/* SimGrid writes -1 for an edge without data. */
		if (tw__text_real(text, &number) && number == -1)
			e->bytes = 0;
		else if (!tw__draft_bytes(g->draft, text, &e->bytes))
			return expected(g, line, text, "bytes, from 0 to 2^60, or -1 for mere order");
		return TW_OK;
	}
	if (real) {
		char what[40];
		snprintf(what, sizeof what, "a number from 0 to %g", most);
		return tw__text_real(text, real) && *real >= 0 && *real <= most ? TW_OK : expected(g, line, text, what);
	}
	if (name) {
		if (!*text)
			return expected(g, line, text, "a value that is not empty");
		*name = tw__name_list_add(&g->texts, text, strlen(text));
		return *name == TW_NONE ? tw__draft_no_memory(g->draft, g->err) : TW_OK;
	}
	tw__draft_count(g->draft, "attributes left out", 1);
	return TW_OK;
}
