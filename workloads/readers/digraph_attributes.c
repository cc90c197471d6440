/* The attributes of nodes, edges and graphs that concern tasks and data. All others are counted and ignored. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "readers/digraph.h"

const struct tw__digraph_attributes tw__digraph_no_attributes = {
	.node = {TW_NONE, TW_NONE, TW_NONE, TW_NONE, TW_NONE, TW_NONE, TW_NONE, 0, false, NAN, NAN, NAN, NAN},
	.edge = {0, TW_NONE, false},
};

enum kind { NAME, TEXT, SECONDS, FLOPS, PRIORITY, FLAG, BYTES };

#define OF_NODE(member) TW__OF_NODES, offsetof(struct tw__digraph_node, member)
#define OF_EDGE(member) TW__OF_EDGES, offsetof(struct tw__digraph_edge, member)
#define OF_GRAPH(member) TW__OF_GRAPH, offsetof(struct tw__digraph_whole, member)
static const struct {
	const char *key;
	enum kind kind;
	enum tw__digraph_target target;
	size_t offset; /* of the member that has the value */
} known[] = {
	{"kernel", NAME, OF_NODE(kernel)},
	{"size", NAME, OF_NODE(size)},
	{"precision", NAME, OF_NODE(precision)},
	{"on", NAME, OF_NODE(on)},
	{"arch_seconds", NAME, OF_NODE(arch_seconds)},
	{"archs", NAME, OF_NODE(archs)},
	{"accesses", NAME, OF_NODE(accesses)},
	{"priority", PRIORITY, OF_NODE(priority)},
	{"critical", FLAG, OF_NODE(critical)},
	{"seconds", SECONDS, OF_NODE(seconds)},
	{"weight", SECONDS, OF_NODE(seconds)},
	{"cpu_seconds", SECONDS, OF_NODE(cpu_seconds)},
	{"gpu_seconds", SECONDS, OF_NODE(gpu_seconds)},
	{"flops", FLOPS, OF_NODE(flops)},
	{"data", NAME, OF_EDGE(data)},
	{"size", BYTES, OF_EDGE(bytes)},
	{"bytes", BYTES, OF_EDGE(bytes)},
	{"ordered", FLAG, OF_EDGE(ordered)},
	{"handles", TEXT, OF_GRAPH(handles)},
	{"discarded", TEXT, OF_GRAPH(discarded)},
	{"homes", TEXT, OF_GRAPH(homes)},
	{"ends", TEXT, OF_GRAPH(ends)},
	{"reductions", TEXT, OF_GRAPH(reductions)},
	{"priorities", NAME, OF_GRAPH(priorities)},
	{"flops", FLOPS, OF_GRAPH(flops)},
};

static void expected(const struct tw__digraph *g, uint32_t line, const char *text, const char *what)
{
	tw__draft_fail(g->draft, line, "'%.60s', expected %s", text, what);
}

static void set_real(const struct tw__digraph *g, double *value, const char *text, double most, uint32_t line)
{
	char what[40];
	snprintf(what, sizeof what, "a number from 0 to %g", most);
	if (!tw__text_real(text, value) || *value < 0 || *value > most)
		expected(g, line, text, what);
}

static void set_priority(const struct tw__digraph *g, int32_t *value, const char *text, uint32_t line)
{
	int64_t number;
	if (tw__text_int(text, &number) && number >= INT32_MIN && number <= INT32_MAX)
		*value = (int32_t)number;
	else
		expected(g, line, text, "a priority, a whole number of 32 bits");
}

static void set_flag(const struct tw__digraph *g, bool *value, const char *text, uint32_t line)
{
	*value = !strcmp(text, "true") || !strcmp(text, "1");
	if (!*value && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
		expected(g, line, text, "true or false");
}

/* SimGrid writes -1 for an edge without data. */
static void set_bytes(const struct tw__digraph *g, uint64_t *value, const char *text, uint32_t line)
{
	double number;
	if (tw__text_real(text, &number) && number == -1)
		*value = 0;
	else if (!tw__draft_bytes(g->draft, text, value))
		expected(g, line, text, "bytes, from 0 to 2^60, or -1 for mere order");
}

void tw__digraph_set(struct tw__digraph *g, enum tw__digraph_target target, struct tw__digraph_attributes *to,
                     const char *key, const char *text, uint32_t line)
{
	size_t i = 0, n = sizeof known / sizeof known[0];
	while (i < n && (known[i].target != target || strcmp(known[i].key, key) != 0))
		i++;
	if (i == n) {
		tw__draft_count(g->draft, "attributes left out", 1);
		return;
	}
	char *base = target == TW__OF_GRAPH   ? (char *)&g->whole
	             : target == TW__OF_NODES ? (char *)&to->node
	                                      : (char *)&to->edge;
	void *value = base + known[i].offset;
	if (target == TW__OF_GRAPH)
		g->whole.line = line;
	switch (known[i].kind) {
	case NAME:
		if (!*text)
			expected(g, line, text, "a value that is not empty");
		/* fallthrough */
	case TEXT:
		*(int32_t *)value = tw__name_list_add(&g->texts, text, strlen(text));
		break;
	case SECONDS:
		set_real(g, value, text, TW_MAX_SECONDS, line);
		break;
	case FLOPS:
		set_real(g, value, text, TW__DRAFT_MAX_FLOPS, line);
		break;
	case PRIORITY:
		set_priority(g, value, text, line);
		break;
	case FLAG:
		set_flag(g, value, text, line);
		break;
	case BYTES:
		set_bytes(g, value, text, line);
		break;
	}
}
