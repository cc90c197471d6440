/* Counts transitive dependencies: u -> v where a longer path leads from u to v, too.
 *
 * igraph's transitive closure is a graph with an edge for each ordered pair of tasks, up to half the square of their
 * number. Here a pass over the dependencies finds the ancestors of every task among 512 tasks, one bit each. A pass
 * needs 64 bytes a task, and the passes together take (tasks x dependencies / 128) operations on words. */
#include <stdlib.h>
#include <string.h>

#include "describe/describe.h"

enum { WORDS = 8, BLOCK = 64 * WORDS }; /* tasks of one pass: `first` to first + BLOCK - 1 */

struct ancestors {
	uint64_t word[WORDS];
};

static bool has(const struct ancestors *a, tw_task i) { return a->word[i / 64] >> (i % 64) & 1; }

/* The ancestors of the predecessors edges[0] to edges[n - 1] of one task. */
static struct ancestors ancestors_of_all(const struct ancestors *of, const struct tw__edge *edges, size_t n,
                                         tw_task first)
{
	struct ancestors all = {{0}};
	for (size_t i = 0; i < n; i++)
		for (int w = 0; w < WORDS && edges[i].from >= first; w++)
			all.word[w] |= of[edges[i].from - first].word[w];
	return all;
}

/* The number of transitive dependencies on tasks of the block. of[t - first]: the ancestors of t in the block; no task
 * before `first` has any. `next`: the first dependency of a task of the block or behind it. */
static int64_t count_in_block(const struct tw_graph *g, struct tw__dependencies deps, tw_task first, size_t next,
                              struct ancestors *of)
{
	int64_t n = 0;
	for (tw_task t = first; t < g->n_tasks; t++) {
		size_t begin = next;
		while (next < deps.n && deps.edges[next].to == t)
			next++;
		struct ancestors all = ancestors_of_all(of, deps.edges + begin, next - begin, first);
		for (size_t i = begin; i < next; i++) {
			tw_task place = deps.edges[i].from - first;
			if (place >= 0 && place < BLOCK)
				n += has(&all, place);
		}
		for (size_t i = begin; i < next; i++) {
			tw_task place = deps.edges[i].from - first;
			if (place >= 0 && place < BLOCK)
				all.word[place / 64] |= UINT64_C(1) << (place % 64);
		}
		of[t - first] = all;
	}
	return n;
}

void tw__describe_transitive(struct tw__description *d, struct tw__dependencies deps)
{
	const struct tw_graph *g = d->graph;
	struct ancestors *of = tw_resize(NULL, (size_t)g->n_tasks, sizeof *of);
	size_t next = 0;
	d->n_transitive = 0;
	for (tw_task first = 0; first < g->n_tasks; first += BLOCK) {
		while (next < deps.n && deps.edges[next].to < first)
			next++;
		d->n_transitive += count_in_block(g, deps, first, next, of);
		if (next == deps.n || g->n_tasks - first <= BLOCK)
			break; /* no further task has dependencies; and `first` must not overflow */
	}
	free(of);
}
