/* The rule TRANSFER, of measured runs: no link may carry more in any interval than its bandwidth allows. Bandwidths of
 * real links are measured, too, so the rule is lenient.
 *
 * A shared link is checked with all transfers that lie within the interval. A link that is not shared (FATPIPE) limits
 * each transfer on its own, so each transfer is checked alone. The rule takes the bandwidth of a single transfer also
 * where several get less together (tw__link.shared_bandwidth): transfers may end up alone within an interval. */
#include <math.h>
#include <stdlib.h>

#include "trace/replay.h"

struct carried {
	size_t place; /* scratch: its index among the transfers of a link */
	const struct tw__event *start, *end;
};

/* A link may carry this many times its bandwidth in an interval, and this much longer. */
#define LENIENCE 1.25
#define LENIENT_S 1e-3

/* Returns the bytes that the link may carry in that time. Negative times give negative bytes. */
static double most_carried(const struct tw__link *link, double ns) { return link->bandwidth * LENIENCE * 1e-9 * ns; }

static int too_much(struct tw__replay *r, const struct tw__link *link, tw__ns end, double excess)
{
	r->date = end;
	return tw__violation(r, TW__RULE_TRANSFER,
	                     "link %s carried %.0f bytes more than its bandwidth of %g bytes/s allows", link->name,
	                     ceil(excess), link->bandwidth);
}

/* For intervals that end at the current date: the bytes of the transfers within, less what the link can carry from the
 * interval's start on. A tree of maxima over possible starts, in which ranges are added to. */
struct tree {
	size_t n; /* leaves: a power of two */
	double *most, *added;
};

static void tree_init(struct tree *t, const double *leaves, size_t n)
{
	for (t->n = 1; t->n < n;)
		t->n *= 2;
	t->most = tw_alloc(2 * t->n, sizeof *t->most);
	t->added = tw_alloc(2 * t->n, sizeof *t->added);
	for (size_t i = 0; i < t->n; i++)
		t->most[t->n + i] = i < n ? leaves[i] : -INFINITY;
	for (size_t i = t->n - 1; i > 0; i--)
		t->most[i] = fmax(t->most[2 * i], t->most[2 * i + 1]);
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

/* Returns the maximum of the leaves 0 .. last. Parameters as for tree_add. */
static double tree_most(const struct tree *t, size_t node, size_t first, size_t n, size_t last)
{
	if (first + n - 1 <= last)
		return t->most[node];
	double most = tree_most(t, 2 * node, first, n / 2, last);
	if (first + n / 2 <= last)
		most = fmax(most, tree_most(t, 2 * node + 1, first + n / 2, n / 2, last));
	return most + t->added[node];
}

/* Returns how many of the n leaves, in ascending order, are at most `value`. */
static size_t leaves_up_to(const double *leaves, size_t n, double value)
{
	size_t first = 0;
	while (n > 0) {
		size_t half = n / 2;
		bool behind = leaves[first + half] <= value;
		first += behind ? half + 1 : 0;
		n = behind ? n - half - 1 : half;
	}
	return first;
}

static int by_end(const void *a, const void *b)
{
	const struct tw__event *x = (*(const struct carried *const *)a)->end,
			       *y = (*(const struct carried *const *)b)->end;
	return (x->date > y->date) - (x->date < y->date);
}

/* Returns how many bytes of the link's bandwidth the transfer takes: all, once for each time that its route lists the
 * link. */
static double bytes_on(const struct tw__replay *r, int link, const struct tw__event *start)
{
	const struct tw__route *route = tw__route_of(r->in->platform, start->from, start->node);
	return (double)start->bytes * tw__times_listed(route, link);
}

/* Checks a shared link. `of`: the n transfers over the link, in the order of their starts. Dates count from the first
 * start, so that doubles keep their precision. */
static int check_shared(struct tw__replay *r, int link_index, struct carried **of, size_t n)
{
	const struct tw__link *link = &r->in->platform->links[link_index];
	const tw__ns origin = of[0]->start->date;
	struct tree t;
	double *leaves = tw_alloc(n, sizeof *leaves);
	int status = TW_OK;
	for (size_t i = 0; i < n; i++) {
		leaves[i] = most_carried(link, (double)(of[i]->start->date - origin));
		of[i]->place = i;
	}
	tree_init(&t, leaves, n);
	qsort(of, n, sizeof *of, by_end);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		double end_ns = (double)(of[i]->end->date - origin);
		size_t n_begun = leaves_up_to(leaves, n, most_carried(link, end_ns)); /* at least this transfer */
		tree_add(&t, 1, 0, t.n, of[i]->place, bytes_on(r, link_index, of[i]->start));
		double excess =
			tree_most(&t, 1, 0, t.n, n_begun - 1) - most_carried(link, end_ns + LENIENT_S * TW__NS_PER_S);
		if (excess > 0)
			status = too_much(r, link, of[i]->end->date, excess);
	}
	free(leaves);
	free(t.most);
	free(t.added);
	return status;
}

static int check_each(struct tw__replay *r, int link_index, struct carried **of, size_t n)
{
	const struct tw__link *link = &r->in->platform->links[link_index];
	for (size_t i = 0; i < n; i++) {
		double took_ns = (double)(of[i]->end->date - of[i]->start->date) + LENIENT_S * TW__NS_PER_S;
		double excess = (double)of[i]->start->bytes - most_carried(link, took_ns);
		if (excess > 0)
			return too_much(r, link, of[i]->end->date, excess);
	}
	return TW_OK;
}

int tw__replay_links(struct tw__replay *r)
{
	const struct tw__platform *p = r->in->platform;
	struct carried *all = tw_alloc(r->n_transfers, sizeof *all), **of = tw_alloc(r->n_transfers, sizeof *of);
	int status = TW_OK;
	for (size_t i = 0; i < r->n_transfers; i++)
		all[i] = (struct carried){.start = r->transfers[i].start, .end = r->transfers[i].end};
	for (int l = 0; l < p->n_links && status == TW_OK; l++) {
		size_t n = 0;
		for (size_t i = 0; i < r->n_transfers; i++)
			if (tw__times_listed(tw__route_of(p, all[i].start->from, all[i].start->node), l))
				of[n++] = &all[i];
		if (n)
			status =
				p->links[l].sharing == TW__SHARED ? check_shared(r, l, of, n) : check_each(r, l, of, n);
	}
	free(of);
	free(all);
	return status;
}
