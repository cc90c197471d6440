/* The fields of the lines of a run section, for the files that parse them. */
#ifndef TW__RUN_SECTION_LINES_H
#define TW__RUN_SECTION_LINES_H

#include <string.h>

#include "trace/event_fields.h"
#include "trace/run_section.h"

/* The fields of one line. */
struct fields {
	char **of; /* [n] the fields behind the line's first word */
	int n;
	struct tw_error *err;
};

static inline bool parse_number(const char *text, int64_t least, int64_t most, int64_t *value)
{
	return tw__field_number(&text, least, most, value) && !*text;
}

static inline int expected(const struct fields *f, const char *what, const char *text)
{
	return tw_fail(f->err, TW_INVALID, "'%.60s': expected %s", text, what);
}

/* Makes room for one more element of an array of n, all zeros. Capacities are powers of two. */
static inline void *grow(struct tw__run_section *s, void *array, size_t n, size_t each)
{
	if (n & (n - 1))
		return array;
	void *grown = tw__arena_alloc(&s->memory, n ? 2 * n : 1, each);
	return n ? memcpy(grown, array, n * each) : grown;
}
#define GROW(array, n) ((array) = grow(s, (array), (size_t)(n), sizeof *(array)))

static inline int copy_text(struct tw__run_section *s, char **copy, const char *text, const struct fields *f)
{
	*copy = tw__arena_alloc(&s->memory, strlen(text) + 1, 1);
	const char *wrong = tw__field_unescape(*copy, text);
	return wrong ? expected(f, "\\xHH behind a backslash, and not \\x00", wrong) : TW_OK;
}

/* run_section_scene.c: take a line about the platform or the graph. */
int tw__section_node(struct tw__run_section *, const struct fields *);
int tw__section_worker(struct tw__run_section *, const struct fields *);
int tw__section_domain(struct tw__run_section *, const struct fields *);
int tw__section_memory(struct tw__run_section *, const struct fields *);
int tw__section_link(struct tw__run_section *, const struct fields *);
int tw__section_route(struct tw__run_section *, const struct fields *);
int tw__section_kernel(struct tw__run_section *, const struct fields *);
int tw__section_tasks(struct tw__run_section *, const struct fields *);
int tw__section_graph(struct tw__run_section *, const struct fields *);
/* Makes the tables of routes and links if there were no lines of them. */
void tw__section_make_routes(struct tw__run_section *);

#endif
