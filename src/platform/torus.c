/* SimGrid's torus: each node has a cable to the next one in each dimension. Routes go through one dimension after the
 * other. */
#include <stdlib.h>

#include "platform/wiring.h"

struct torus {
	struct tw__wiring *w;
	int n_dimensions;
	const int *size;          /* [n_dimensions] */
	struct tw__cable *cables; /* [n_hosts * n_dimensions]: to the next node */
	int *limiters;            /* [n_hosts] */
};

/* Returns the neighbour of a node in a dimension, of which `step` nodes are between neighbours: the next node, or the
 * one before. */
static int neighbour(int node, int size, int step, bool next)
{
	const int at = node / step % size, to = (at + (next ? 1 : size - 1)) % size;
	return node + (to - at) * step;
}

/* Whether a route goes upwards in a dimension from coordinate `from` to `to`. */
static bool goes_up(int from, int to, int size)
{
	const int half = size / 2;
	return (to > from && to <= from + half) || (from > half && (from + half) % size >= to);
}

static void go(const struct torus *t, int from, int to)
{
	int at = from;
	for (int d = 0, step = 1; d < t->n_dimensions; step *= t->size[d++]) {
		const int size = t->size[d], target = to / step % size;
		const bool up = goes_up(from / step % size, target, size);
		while (at / step % size != target) {
			const int next = neighbour(at, size, step, up);
			tw__wire_hop(t->w, t->limiters[at]);
			tw__wire_hop(t->w, up ? t->cables[at * t->n_dimensions + d].up
			                      : t->cables[next * t->n_dimensions + d].down);
			at = next;
		}
	}
	tw__wire_hop(t->w, t->limiters[to]);
}

int tw__wire_torus(struct tw__wiring *w)
{
	struct tw__lists lists;
	const int n = w->cluster->n_hosts;
	int64_t nodes = 1;
	int status = tw__wire_lists(&lists, w, 1, (const int[]){0}, "3,2,2");
	for (int d = 0; status == TW_OK && d < lists.n[0] && nodes <= INT32_MAX; d++)
		nodes *= lists.of[0][d];
	if (status == TW_OK)
		status = tw__wire_check(w, nodes, 2 * (int64_t)n * (lists.n[0] + 1));
	if (status < 0)
		return status;
	struct torus t = {.w = w, .n_dimensions = lists.n[0], .size = lists.of[0]};
	t.cables = tw_alloc((size_t)(n * t.n_dimensions), sizeof *t.cables);
	t.limiters = tw_alloc((size_t)n, sizeof *t.limiters);
	for (int h = 0; h < n; h++) {
		t.limiters[h] = tw__wire_limiter(w, h);
		for (int d = 0, step = 1; d < t.n_dimensions; step *= t.size[d++])
			t.cables[h * t.n_dimensions + d] =
				tw__wire_cable(w, w->cluster->bandwidth, "%s_link_from_%d_to_%d", w->cluster->id, h,
			                       neighbour(h, t.size[d], step, true));
	}
	for (int from = 0; from < n && status == TW_OK; from++)
		for (int to = 0; to < n && status == TW_OK; to++)
			if (from != to) {
				go(&t, from, to);
				status = tw__wire_route(w, from, to);
			}
	free(t.cables);
	free(t.limiters);
	return status;
}
