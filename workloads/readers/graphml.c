/* Reads GraphML (Brandes et al., Graph Drawing 2001): files that we write, and those of other programs. digraph.h says
 * how nodes and edges become tasks and handles. A <key> declares an attribute, which nodes, edges and the graph then
 * have as <data>. Undirected, nested and several graphs are errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/digraph.h"
#include "readers/xml.h"

enum place { OUTSIDE, TOP, KEY, DEFAULT, GRAPH, NODE, EDGE, DATA, N_PLACES };

/* A declared attribute of nodes, of edges, or of the graph. */
struct key {
	int32_t name; /* number in tw__digraph.texts of the attribute's name; TW_NONE: it has none */
	bool is_text; /* whether blanks around a value belong to it */
};

struct graphml {
	struct tw__draft *draft;
	struct tw__digraph graph;
	enum place place, around; /* the innermost open element, and the one around an open <data> */
	bool has_graph;           /* whether a <graph> has begun */
	bool nested;              /* whether the open <data> has elements */

	struct tw__name_list key_ids; /* ids of keys, each behind the letter of what has the attribute */
	struct key *keys;             /* [key_ids.n] */
	size_t keys_capacity;
	int32_t open_keys[3]; /* numbers of the open <key>, or of that of the open <data> in front; TW_NONE: no more */

	struct tw__digraph_attributes defaults, own; /* of all nodes and edges; of the open one */
	int32_t node, from, to;                      /* the open node; the ends of the open edge */
	uint64_t n_nodes;
	char *text; /* content of the open <data> or <default> */
	size_t length, text_capacity;
};

static const char node_letter = 'n', edge_letter = 'e', graph_letter = 'g';

static void fail(const struct graphml *f, uint32_t line, const char *what, const char *text, const char *expected)
{
	tw__draft_fail(f->draft, line, "%s'%.60s', expected %s", what, text, expected);
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

enum { MAX_ID = 255 };

/* Writes the name of a key for nodes, edges or the graph to `text`. Returns its length, or -1 if the id is too long. */
static int name_key(char *text, size_t room, char letter, const char *id)
{
	return strlen(id) > MAX_ID ? -1 : snprintf(text, room, "%c%s", letter, id);
}

static void add_key(struct graphml *f, char letter, const char *id, struct key key, int n, uint32_t line)
{
	char text[MAX_ID + 2];
	int length = name_key(text, sizeof text, letter, id);
	if (length < 0) {
		fail(f, line, "key ", id, "an id of at most 255 bytes");
		return;
	}
	int32_t known = f->key_ids.n, number = tw__name_list_add(&f->key_ids, text, (size_t)length);
	if (number < known)
		fail(f, line, "a second key ", id, "it once");
	TW_RESERVE(f->keys, f->keys_capacity, (size_t)number + 1);
	f->keys[number] = key;
	f->open_keys[n] = number;
}

static void open_key(struct graphml *f, const char **attributes, uint32_t line)
{
	const char *id = tw__xml_need(f->draft, "key", attributes, "id", line);
	const char *of = tw__xml_attribute(attributes, "for"), *name = tw__xml_attribute(attributes, "attr.name");
	const char *type = tw__xml_attribute(attributes, "attr.type");
	bool all = !of || !strcmp(of, "all");
	const char *const targets[] = {"node", "edge", "graph"};
	struct key key = {TW_NONE, !type || !strcmp(type, "string")};
	int n = 0;
	f->place = KEY;
	f->open_keys[0] = f->open_keys[1] = f->open_keys[2] = TW_NONE;
	if (name && *name)
		key.name = tw__name_list_add(&f->graph.texts, name, strlen(name));
	for (int i = 0; i < 3; i++)
		if (all || !strcmp(of, targets[i]))
			add_key(f, targets[i][0], id, key, n++, line);
}

/* Sets the attribute of a key to the text that has been read. */
static void set_attribute(struct graphml *f, int32_t number, struct tw__digraph_attributes *to, uint32_t line)
{
	const struct key *key = &f->keys[number];
	char letter = *tw__name_list_text(&f->key_ids, number);
	enum tw__digraph_target target = letter == node_letter   ? TW__OF_NODES
	                                 : letter == edge_letter ? TW__OF_EDGES
	                                                         : TW__OF_GRAPH;
	TW_RESERVE(f->text, f->text_capacity, f->length + 1);
	while (!key->is_text && f->length && strchr(" \t\r\n", f->text[f->length - 1]))
		f->length--;
	f->text[f->length] = '\0';
	if (key->name == TW_NONE || f->nested)
		tw__draft_count(f->draft, "attributes left out", 1);
	else
		tw__digraph_set(&f->graph, target, to, tw__name_list_text(&f->graph.texts, key->name),
		                f->text + (key->is_text ? 0 : strspn(f->text, " \t\r\n")), line);
}

static void open_data(struct graphml *f, const char **attributes, uint32_t line)
{
	const char *id = tw__xml_need(f->draft, "data", attributes, "key", line);
	char letter = f->place == NODE ? node_letter : f->place == EDGE ? edge_letter : graph_letter;
	char text[MAX_ID + 2];
	int length = name_key(text, sizeof text, letter, id);
	f->open_keys[0] = length < 0 ? TW_NONE : tw__name_list_find(&f->key_ids, text, (size_t)length);
	f->around = f->place;
	f->place = DATA;
	f->nested = false;
	f->length = 0;
	if (f->open_keys[0] == TW_NONE)
		fail(f, line, "key ", id, "one that a <key> declares");
}

/* --- nodes and edges ---------------------------------------------------------------------------------------------- */

static void open_graph(struct graphml *f, const char **attributes, uint32_t line)
{
	const char *direction = tw__xml_need(f->draft, "graph", attributes, "edgedefault", line);
	f->place = GRAPH;
	if (strcmp(direction, "directed") != 0)
		fail(f, line, "edgedefault ", direction, "directed");
	if (f->has_graph)
		tw__draft_fail(f->draft, line, "a second graph, expected one");
	f->has_graph = true;
}

static void open_node(struct graphml *f, const char **attributes, uint32_t line)
{
	const char *id = tw__xml_need(f->draft, "node", attributes, "id", line);
	f->place = NODE;
	f->own = f->defaults;
	f->node = tw__digraph_node(&f->graph, id, &tw__digraph_no_attributes.node, line);
	tw__draft_describe(f->draft, id, line);
	f->draft->jobs[f->node].order = f->n_nodes++;
}

static void open_edge(struct graphml *f, const char **attributes, uint32_t line)
{
	const char *from = tw__xml_need(f->draft, "edge", attributes, "source", line);
	const char *to = tw__xml_need(f->draft, "edge", attributes, "target", line);
	const char *directed = tw__xml_attribute(attributes, "directed");
	f->place = EDGE;
	f->own = f->defaults;
	if (directed && strcmp(directed, "true") != 0 && strcmp(directed, "1") != 0)
		fail(f, line, "directed ", directed, "true");
	f->from = tw__digraph_node(&f->graph, from, &tw__digraph_no_attributes.node, line);
	f->to = tw__digraph_node(&f->graph, to, &tw__digraph_no_attributes.node, line);
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

/* The elements that may stand within each other; those without a function are passed over with all that they hold. */
static const struct element {
	enum place in;
	const char *name;
	void (*open)(struct graphml *, const char **attributes, uint32_t line);
} elements[] = {
	{TOP, "key", open_key},    {TOP, "graph", open_graph}, {TOP, "desc", NULL},        {TOP, "data", NULL},
	{KEY, "desc", NULL},       {GRAPH, "node", open_node}, {GRAPH, "edge", open_edge}, {GRAPH, "data", open_data},
	{GRAPH, "desc", NULL},     {NODE, "data", open_data},  {NODE, "desc", NULL},       {NODE, "port", NULL},
	{EDGE, "data", open_data}, {EDGE, "desc", NULL},
};

static bool on_open(void *context, const char *name, const char **attributes, uint32_t line)
{
	static const char *const expected[N_PLACES] = {
		"<graphml>", "<key> or <graph>", "<default>", "text", "<node>, <edge> or <data>", "<data>", "<data>"};
	struct graphml *f = context;
	if (f->place == DATA) {
		f->nested = true;
		return false;
	}
	if (f->place == OUTSIDE && !strcmp(name, "graphml")) {
		f->place = TOP;
		return true;
	}
	if (f->place == KEY && !strcmp(name, "default")) {
		f->place = DEFAULT;
		f->nested = false;
		f->length = 0;
		return true;
	}
	for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
		if (elements[i].in != f->place || strcmp(elements[i].name, name) != 0)
			continue;
		if (elements[i].open)
			elements[i].open(f, attributes, line);
		else
			tw__draft_count(f->draft, "attributes left out", !strcmp(name, "data"));
		return elements[i].open != NULL;
	}
	tw__draft_fail(f->draft, line, "<%.60s> is not supported here, expected %s", name, expected[f->place]);
	return false;
}

static void on_close(void *context, uint32_t line)
{
	static const enum place above[N_PLACES] = {
		[TOP] = OUTSIDE, [KEY] = TOP, [DEFAULT] = KEY, [GRAPH] = TOP, [NODE] = GRAPH, [EDGE] = GRAPH};
	struct graphml *f = context;
	enum place closed = f->place;
	f->place = closed == DATA ? f->around : above[closed];
	if (closed == NODE)
		f->graph.nodes[f->node] = f->own.node;
	else if (closed == DATA)
		set_attribute(f, f->open_keys[0], &f->own, line);
	else if (closed == EDGE)
		tw__digraph_edge(&f->graph, f->from, f->to, &f->own.edge, line);
	for (int i = 0; closed == DEFAULT && i < 3 && f->open_keys[i] != TW_NONE; i++)
		set_attribute(f, f->open_keys[i], &f->defaults, line);
}

static void on_text(void *context, const char *text, size_t length, uint32_t line)
{
	struct graphml *f = context;
	(void)line;
	if (f->place != DATA && f->place != DEFAULT)
		return;
	TW_RESERVE(f->text, f->text_capacity, f->length + length + 1);
	memcpy(f->text + f->length, text, length);
	f->length += length;
}

void tw__read_graphml(struct tw__draft *draft)
{
	static const struct tw__xml_format format = {on_open, on_close, on_text};
	struct graphml f = {.draft = draft, .defaults = tw__digraph_no_attributes};
	tw__digraph_init(&f.graph, draft);
	f.graph.late = true;
	tw__xml_read(draft, &format, &f);
	tw__digraph_tasks(&f.graph);
	tw__digraph_finish(&f.graph);
	tw__name_list_finish(&f.key_ids);
	free(f.keys);
	free(f.text);
}
