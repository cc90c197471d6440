#include "policies/support/gap_tree.h"

#include <math.h>
#include <string.h>

/* --- the gaps of one worker --------------------------------------------------------------------------------------- */

void tw_gaps_init(struct tw_gaps *gaps, const struct tw_sched *s)
{
	*gaps = (struct tw_gaps){.of = tw_run_alloc(s, 1, sizeof *gaps->of), .n = 1, .capacity = 1};
	gaps->of[0] = (struct tw_gap){0, INFINITY};
}

/* Returns the index of the first gap that ends after the date. */
static size_t first_gap(const struct tw_gaps *gaps, double date)
{
	size_t low = 0, high = gaps->n - 1;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (gaps->of[middle].to > date)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static double latest(double a, double b) { return a > b ? a : b; }

double tw_gaps_earliest(const struct tw_gaps *gaps, double ready, double length, bool insertion, size_t *gap)
{
	size_t g = insertion ? first_gap(gaps, ready) : gaps->n - 1;
	double start;
	while ((start = latest(gaps->of[g].from, ready)) + length > gaps->of[g].to)
		g++;
	*gap = g;
	return start;
}

static void measure(struct tw_gaps *gaps)
{
	gaps->longest = 0;
	for (size_t g = 0; g + 1 < gaps->n; g++)
		gaps->longest = latest(gaps->longest, gaps->of[g].to - gaps->of[g].from);
}

/* The parts of the gap before `start` and after `end` remain gaps. */
void tw_gaps_fill(struct tw_gaps *gaps, const struct tw_sched *s, size_t g, double start, double end)
{
	struct tw_gap gap = gaps->of[g];
	bool is_last = g == gaps->n - 1;
	bool before = start > gap.from, behind = end < gap.to;
	if (before && behind) {
		if (gaps->n == gaps->capacity) {
			gaps->capacity = 2 * gaps->capacity + 8;
			gaps->of = tw_run_resize(s, gaps->of, gaps->capacity, sizeof *gaps->of);
		}
		memmove(&gaps->of[g + 1], &gaps->of[g], (gaps->n - g) * sizeof gap);
		gaps->n++;
		gaps->of[g].to = start;
		gaps->of[g + 1].from = end;
	} else if (before) {
		gaps->of[g].to = start;
	} else if (behind) {
		gaps->of[g].from = end;
	} else {
		memmove(&gaps->of[g], &gaps->of[g + 1], (gaps->n - g - 1) * sizeof gap);
		gaps->n--;
	}
	if (is_last && before)
		gaps->longest = latest(gaps->longest, start - gap.from);
	else if (!is_last && gap.to - gap.from >= gaps->longest)
		measure(gaps);
}

/* --- the gaps of equal workers ------------------------------------------------------------------------------------ */

/* Node that covers no worker: no task fits there. */
static const struct tw_gap_node none = {INFINITY, -INFINITY, -INFINITY};

static struct tw_gap_node of_worker(const struct tw_gaps *gaps)
{
	return (struct tw_gap_node){
		.last = gaps->of[gaps->n - 1].from,
		.closed = gaps->n > 1 ? gaps->of[gaps->n - 2].to : 0,
		.longest = gaps->longest,
	};
}

static struct tw_gap_node of_both(const struct tw_gap_node *a, const struct tw_gap_node *b)
{
	return (struct tw_gap_node){
		.last = a->last < b->last ? a->last : b->last,
		.closed = a->closed > b->closed ? a->closed : b->closed,
		.longest = a->longest > b->longest ? a->longest : b->longest,
	};
}

void tw_gap_tree_init(struct tw_gap_tree *t, const struct tw_sched *s, int n)
{
	*t = (struct tw_gap_tree){.s = s, .n = n, .n_leaves = 1};
	while (t->n_leaves < n)
		t->n_leaves *= 2;
	t->gaps = tw_run_alloc(s, (size_t)n, sizeof *t->gaps);
	t->nodes = tw_run_alloc(s, 2 * (size_t)t->n_leaves, sizeof *t->nodes);
	for (int w = 0; w < n; w++)
		tw_gaps_init(&t->gaps[w], s);
	tw_gap_tree_clear(t);
}

void tw_gap_tree_clear(struct tw_gap_tree *t)
{
	for (int w = 0; w < t->n; w++) {
		t->gaps[w].of[0] = (struct tw_gap){0, INFINITY};
		t->gaps[w].n = 1;
		t->gaps[w].longest = 0;
	}
	for (int leaf = 0; leaf < t->n_leaves; leaf++)
		t->nodes[t->n_leaves + leaf] = leaf < t->n ? of_worker(&t->gaps[leaf]) : none;
	for (int node = t->n_leaves - 1; node > 0; node--)
		t->nodes[node] = of_both(&t->nodes[2 * node], &t->nodes[2 * node + 1]);
}

struct search {
	const struct tw_gap_tree *tree;
	double ready, length, idle_at;
	bool insertion;
	struct tw_gap_place *best;
};

/* Returns a lower bound of the end of the task on the workers that the node covers; INFINITY: no worker is idle by
 * `idle_at`. */
static double least_end(const struct search *s, const struct tw_gap_node *node)
{
	bool may_fit = s->insertion && node->longest >= s->length && node->closed >= s->ready + s->length;
	double start = !may_fit && node->last > s->ready ? node->last : s->ready;
	return node->last > s->idle_at ? INFINITY : start + s->length;
}

static bool is_better(const struct search *s, double end, int worker)
{
	return end < s->best->end || (end == s->best->end && worker < s->best->worker);
}

static void look_at_worker(const struct search *s, int worker)
{
	size_t gap;
	double start = tw_gaps_earliest(&s->tree->gaps[worker], s->ready, s->length, s->insertion, &gap);
	if (is_better(s, start + s->length, worker))
		*s->best = (struct tw_gap_place){worker, gap, start, start + s->length};
}

/* Searches the n workers that a node covers, from worker `first` on. Searches the child with the lower bound first. */
static void look_below(const struct search *s, int node, int first, int n)
{
	if (n == 1) {
		look_at_worker(s, first);
		return;
	}
	double left = least_end(s, &s->tree->nodes[2 * node]), right = least_end(s, &s->tree->nodes[2 * node + 1]);
	n /= 2;
	if (right < left && is_better(s, right, first + n))
		look_below(s, 2 * node + 1, first + n, n);
	if (is_better(s, left, first))
		look_below(s, 2 * node, first, n);
	if (right >= left && is_better(s, right, first + n))
		look_below(s, 2 * node + 1, first + n, n);
}

bool tw_gap_tree_earliest(const struct tw_gap_tree *t, double ready, double length, bool insertion, double idle_at,
                          struct tw_gap_place *place)
{
	const struct search s = {t, ready, length, idle_at, insertion, place};
	place->worker = TW_NONE;
	if (is_better(&s, least_end(&s, &t->nodes[1]), 0))
		look_below(&s, 1, 0, t->n_leaves);
	return place->worker != TW_NONE;
}

bool tw_gap_tree_earliest_on(const struct tw_gap_tree *t, int worker, double ready, double length, bool insertion,
                             struct tw_gap_place *place)
{
	place->worker = TW_NONE;
	look_at_worker(&(struct search){t, ready, length, INFINITY, insertion, place}, worker);
	return place->worker != TW_NONE;
}

/* Updates the nodes that cover the worker. */
static void update(struct tw_gap_tree *t, int worker)
{
	int node = t->n_leaves + worker;
	t->nodes[node] = of_worker(&t->gaps[worker]);
	while ((node /= 2) > 0)
		t->nodes[node] = of_both(&t->nodes[2 * node], &t->nodes[2 * node + 1]);
}

void tw_gap_tree_fill(struct tw_gap_tree *t, const struct tw_gap_place *place)
{
	tw_gaps_fill(&t->gaps[place->worker], t->s, place->gap, place->start, place->end);
	update(t, place->worker);
}

struct tw_gap_trial tw_gap_tree_try(struct tw_gap_tree *t, const struct tw_gap_place *place)
{
	const struct tw_gaps *gaps = &t->gaps[place->worker];
	struct tw_gap_trial trial = {*place, gaps->of[place->gap], gaps->longest};
	tw_gap_tree_fill(t, place);
	return trial;
}

void tw_gap_tree_take_back(struct tw_gap_tree *t, const struct tw_gap_trial *trial)
{
	struct tw_gaps *gaps = &t->gaps[trial->place.worker];
	size_t g = trial->place.gap;
	bool before = trial->place.start > trial->gap.from, behind = trial->place.end < trial->gap.to;
	if (before && behind) {
		gaps->n--;
		memmove(&gaps->of[g], &gaps->of[g + 1], (gaps->n - g) * sizeof *gaps->of);
	} else if (!before && !behind) { /* there is room, as this gap was there */
		memmove(&gaps->of[g + 1], &gaps->of[g], (gaps->n - g) * sizeof *gaps->of);
		gaps->n++;
	}
	gaps->of[g] = trial->gap;
	gaps->longest = trial->longest;
	update(t, trial->place.worker);
}
