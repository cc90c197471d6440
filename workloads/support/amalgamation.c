/* Groups columns of a sparse matrix into fronts: fundamental supernodes (Liu, Ng and Peyton 1993), and their relaxed
 * amalgamation (Ashcraft and Grimes 1989).
 *
 * A child joins its parent under one of two rules. First, both have few pivots: the rule of SSIDS and SpLDLT (their
 * nemin, 32). Second, few entries of the joint factor are zeros: like the rule of qr_mumps (its amalgth, 0.05), which
 * counts the same zeros. Each front is offered to its parent once, from the leaves up. When a child joins its parent,
 * so do the fronts that have joined the child before. */
#include <stdlib.h>
#include <string.h>

#include "workloads/support/elimination.h"

/* The state of the amalgamation. A front has the number of its topmost supernode. */
struct joining {
	int32_t n;
	int32_t *first;            /* [n + 1] the own columns of supernode s are first[s] .. first[s + 1] - 1 */
	int32_t *parent;           /* [n] parents of the supernodes, before amalgamation */
	int32_t *pivots, *columns; /* [n] numbers of pivots and of columns that the front has now */
	int64_t *zeros;            /* [n] zeros that amalgamation stores in the front */
	int32_t *joined;           /* [n] the parent that the front has joined, or TW_NONE */
};

/* Finds the supernodes. Column k continues the supernode of column k - 1 if k - 1 is its only child and both have the
 * same rows. */
static void find_supernodes(struct joining *j, const struct tw__elimination *e, int32_t *children, int32_t *of)
{
	for (int32_t k = 0; k < e->n; k++)
		children[k] = 0;
	for (int32_t k = 0; k < e->n; k++)
		if (e->parent[k] != TW_NONE)
			children[e->parent[k]]++;
	for (int32_t k = 0; k < e->n; k++) {
		bool goes_on = k > 0 && e->parent[k - 1] == k && e->count[k - 1] == e->count[k] + 1 && children[k] == 1;
		if (!goes_on) {
			j->first[j->n] = k;
			j->columns[j->n] = e->count[k];
			j->n++;
		}
		of[k] = j->n - 1;
	}
	j->first[j->n] = e->n;
	for (int32_t s = 0; s < j->n; s++) {
		int32_t up = e->parent[j->first[s + 1] - 1];
		j->parent[s] = up == TW_NONE ? TW_NONE : of[up];
		j->pivots[s] = j->first[s + 1] - j->first[s];
		j->zeros[s] = 0;
		j->joined[s] = TW_NONE;
	}
}

/* Returns the entries of the factor in the columns that a front eliminates. */
static int64_t entries(int64_t pivots, int64_t columns) { return pivots * columns - pivots * (pivots - 1) / 2; }

/* Lets the child join its parent if a rule allows it. The parent has all columns of the child's contribution block, so
 * the joint front has the child's pivots and the parent's columns. */
static void offer(struct joining *j, int32_t child, int32_t parent, struct tw_amalgamation limits)
{
	int32_t pivots = j->pivots[child] + j->pivots[parent], columns = j->pivots[child] + j->columns[parent];
	int64_t joint = entries(pivots, columns);
	int64_t zeros = j->zeros[child] + j->zeros[parent] + joint - entries(j->pivots[child], j->columns[child]) -
	                entries(j->pivots[parent], j->columns[parent]);
	bool small = j->pivots[child] < limits.min_pivots && j->pivots[parent] < limits.min_pivots;
	if (!small && (double)zeros > limits.max_zeros * (double)joint)
		return;
	j->joined[child] = parent;
	j->pivots[parent] = pivots;
	j->columns[parent] = columns;
	j->zeros[parent] = zeros;
}

/* Returns the front that contains supernode s. Compresses paths. */
static int32_t front_of(int32_t *joined, int32_t s)
{
	int32_t top = s;
	while (joined[top] != TW_NONE)
		top = joined[top];
	while (joined[s] != TW_NONE) {
		int32_t next = joined[s];
		if (next != top)
			joined[s] = top;
		s = next;
	}
	return top;
}

/* Numbers the remaining fronts in the order of their topmost supernodes, which is still a postorder. A front eliminates
 * the columns of its supernodes in the order of the tree. */
static void number(struct tw__groups *g, struct joining *j, int32_t *number_of)
{
	for (int32_t s = 0; s < j->n; s++)
		if (j->joined[s] == TW_NONE) {
			number_of[s] = g->n;
			g->pivots[g->n] = j->pivots[s];
			g->columns[g->n] = j->columns[s];
			g->start[g->n + 1] = g->start[g->n] + j->pivots[s];
			g->n++;
		}
	int32_t *next = g->start; /* while members are added, each start moves to that of the next group */
	for (int32_t s = 0; s < j->n; s++) {
		int32_t group = number_of[front_of(j->joined, s)];
		if (j->joined[s] == TW_NONE)
			g->parent[group] =
				j->parent[s] == TW_NONE ? TW_NONE : number_of[front_of(j->joined, j->parent[s])];
		for (int32_t k = j->first[s]; k < j->first[s + 1]; k++)
			g->member[next[group]++] = k;
	}
	memmove(g->start + 1, g->start, (size_t)g->n * sizeof *g->start);
	g->start[0] = 0;
}

void tw__groups_finish(struct tw__groups *g)
{
	free(g->parent);
	free(g->pivots);
	free(g->columns);
	free(g->start);
	free(g->member);
	*g = (struct tw__groups){0};
}

static int32_t *integers(int32_t n) { return tw_resize(NULL, (size_t)n + 1, sizeof(int32_t)); }

void tw__groups_init(struct tw__groups *g, const struct tw__elimination *e, struct tw_amalgamation limits)
{
	int32_t n = e->n, *work = integers(n), *of = integers(n);
	struct joining j = {.first = integers(n),
	                    .parent = integers(n),
	                    .pivots = integers(n),
	                    .columns = integers(n),
	                    .zeros = tw_resize(NULL, (size_t)n, sizeof *j.zeros),
	                    .joined = integers(n)};
	*g = (struct tw__groups){.parent = integers(n),
	                         .pivots = integers(n),
	                         .columns = integers(n),
	                         .start = integers(n),
	                         .member = integers(n)};
	find_supernodes(&j, e, work, of);
	for (int32_t s = 0; s < j.n; s++) /* in postorder: a supernode is offered after all of its own children */
		if (j.parent[s] != TW_NONE)
			offer(&j, s, j.parent[s], limits);
	g->start[0] = 0;
	number(g, &j, work);
	free(work);
	free(of);
	free(j.first);
	free(j.parent);
	free(j.pivots);
	free(j.columns);
	free(j.zeros);
	free(j.joined);
}
