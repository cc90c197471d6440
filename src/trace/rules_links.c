/* TRANSFER: in a measured run, no link carries more in any interval than its bandwidth allows. Bandwidths of real links
 * are measured, too, so this rule is lenient. */
#include <math.h>
#include <stdlib.h>

#include "trace/replay_flows.h"

static int no_memory(struct tw__replay *r) { return tw_fail(r->err, TW_NOMEM, "out of memory while validating"); }

/* A link may carry this many times its bandwidth in an interval, and this much longer. */
#define LENIENCE 1.25
#define LENIENT_S 1e-3

/* For intervals that end at the current date: the bytes of the transfers within, less what the link can carry from the
 * interval's start on. A tree of maxima over possible starts, in which ranges are added to. */
struct tree {
	size_t n; /* leaves: a power of two */
	double *most, *added;
};

static int tree_init(struct tree *t, const double *leaves, size_t n)
{
	for (t->n = 1; t->n < n;)
		t->n *= 2;
	t->most = malloc(2 * t->n * sizeof *t->most);
	t->added = calloc(2 * t->n, sizeof *t->added);
	if (!t->most || !t->added)
		return TW_NOMEM;
	for (size_t i = 0; i < t->n; i++)
		t->most[t->n + i] = i < n ? leaves[i] : -INFINITY;
	for (size_t i = t->n - 1; i > 0; i--)
		t->most[i] = fmax(t->most[2 * i], t->most[2 * i + 1]);
	return TW_OK;
}

/* Adds to the leaves 0 .. last of the tree below `node`, which has the leaves first .. first + n - 1. */
static void tree_add(struct tree *t, size_t node, size_t first, size_t n, size_t last, double amount)
{
	if (first + n - 1 <= last) {
		t->added[node] += amount;
		t->most[node] += amount;
		return;
	}
	tree_add(t, 2 * node, first, n / 2, last, amount);
	if (first + n / 2 <= last)
		tree_add(t, 2 * node + 1, first + n / 2, n / 2, last, amount);
	t->most[node] = fmax(t->most[2 * node], t->most[2 * node + 1]) + t->added[node];
}

static int by_end(const void *a, const void *b)
{
	const struct tw__event *x = (*(const struct tw__flow_of *const *)a)->end,
			       *y = (*(const struct tw__flow_of *const *)b)->end;
	return (x->date > y->date) - (x->date < y->date);
}

/* The n transfers over the link, in the order of their starts. */
static int check_carried(struct tw__flows_of *f, const struct tw__link *link, struct tw__flow_of **of, size_t n)
{
	struct tree t = {0};
	const double rate = link->bandwidth * LENIENCE * 1e-9; /* bytes a nanosecond */
	double *leaves = malloc((n + 1) * sizeof *leaves);
	int status = leaves ? TW_OK : no_memory(f->r);
	for (size_t i = 0; i < n && leaves; i++) {
		leaves[i] = rate * (double)of[i]->start->date;
		of[i]->place = i;
	}
	if (status == TW_OK && tree_init(&t, leaves, n))
		status = no_memory(f->r);
	if (status == TW_OK)
		qsort(of, n, sizeof *of, by_end);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		double end = (double)of[i]->end->date;
		tree_add(&t, 1, 0, t.n, of[i]->place, (double)of[i]->start->bytes);
		double excess = t.most[1] - rate * (end + LENIENT_S * TW__NS_PER_S);
		if (excess > 0)
			status = tw__violation(f->r, TW__RULE_TRANSFER,
			                       "link %s carried %.0f bytes more until %.9f s than its bandwidth of %g "
			                       "bytes/s allows",
			                       link->name, excess, 1e-9 * end, link->bandwidth);
	}
	free(leaves);
	free(t.most);
	free(t.added);
	return status;
}

int tw__replay_links(struct tw__flows_of *f)
{
	const struct tw_platform *p = f->r->in->platform;
	struct tw__flow_of **of = malloc((f->n + 1) * sizeof *of);
	int status = of ? TW_OK : no_memory(f->r);
	for (int l = 0; l < p->n_links && status == TW_OK; l++) {
		size_t n = 0;
		if (p->links[l].sharing != TW__SHARED)
			continue;
		for (size_t i = 0; i < f->n; i++)
			if (tw__times_listed(tw__route_of(p, f->of[i].start->from, f->of[i].start->node), l))
				of[n++] = &f->of[i];
		if (n)
			status = check_carried(f, &p->links[l], of, n);
	}
	free(of);
	return status;
}
