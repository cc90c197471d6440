#include "policies/support/availability.h"

#include <assert.h>
#include <math.h>

void tw_availability_init(struct tw_availability *a, const struct tw_sched *s, int32_t n, bool greatest)
{
	*a = (struct tw_availability){.n_leaves = 1};
	while (a->n_leaves < n)
		a->n_leaves *= 2;
	size_t nodes = 2 * (size_t)a->n_leaves, all = nodes * (greatest ? 6 : 4);
	a->start = tw_run_alloc(s, all, sizeof *a->start);
	for (size_t i = 0; i < all; i++)
		a->start[i] = INFINITY;
	a->ahead = a->start + nodes;
	a->passed = a->ahead + nodes;
	a->queued = a->passed + nodes;
	if (greatest) {
		a->ahead_negated = a->queued + nodes;
		a->passed_negated = a->ahead_negated + nodes;
	}
	for (int32_t member = 0; member < n; member++)
		tw_availability_set(a, member, 0, 0, 0);
}

/* Sets the value of a leaf in a tree. Updates the ancestors of the leaf, up to the first one that does not change. */
static void set(double *tree, int32_t leaf, double value)
{
	if (tree[leaf] == value)
		return;
	tree[leaf] = value;
	for (int32_t node = leaf / 2; node > 0; node /= 2) {
		double left = tree[2 * node], right = tree[2 * node + 1], least = right < left ? right : left;
		if (tree[node] == least)
			return;
		tree[node] = least;
	}
}

void tw_availability_set(struct tw_availability *a, int32_t member, double start, double queued, double now)
{
	int32_t leaf = a->n_leaves + member;
	bool lies_ahead = start > now;
	a->queued[member] = queued;
	set(a->start, leaf, lies_ahead ? start : INFINITY);
	set(a->ahead, leaf, lies_ahead ? start + queued : INFINITY);
	set(a->passed, leaf, lies_ahead ? INFINITY : queued);
	if (a->ahead_negated) {
		set(a->ahead_negated, leaf, lies_ahead ? -(start + queued) : INFINITY);
		set(a->passed_negated, leaf, lies_ahead ? INFINITY : -queued);
	}
}

void tw_availability_pass(struct tw_availability *a, double now)
{
	while (a->start[1] <= now) {
		int32_t node = 1;
		while (node < a->n_leaves)
			node = a->start[2 * node] <= now ? 2 * node : 2 * node + 1;
		tw_availability_set(a, node - a->n_leaves, now, a->queued[node - a->n_leaves], now);
	}
}

double tw_availability_least(const struct tw_availability *a, double now)
{
	double passed = now + a->passed[1];
	return passed < a->ahead[1] ? passed : a->ahead[1];
}

double tw_availability_greatest(const struct tw_availability *a, double now)
{
	assert(a->ahead_negated); /* tw_availability_init() must be called with `greatest` */
	double passed = now - a->passed_negated[1], ahead = -a->ahead_negated[1];
	return passed > ahead ? passed : ahead;
}

int32_t tw_availability_first(const struct tw_availability *a, double now,
                              bool (*is_early_enough)(const void *what, double date), const void *what)
{
	const double *trees[] = {a->ahead, a->passed};
	double since[] = {0, now};
	int32_t first = TW_NONE;
	for (int i = 0; i < 2; i++) {
		int32_t node = 1;
		if (!is_early_enough(what, since[i] + trees[i][1]))
			continue;
		while (node < a->n_leaves) {
			bool left = is_early_enough(what, since[i] + trees[i][2 * node]);
			node = left ? 2 * node : 2 * node + 1;
		}
		first = first == TW_NONE || node < first ? node : first;
	}
	return first == TW_NONE ? first : first - a->n_leaves;
}
