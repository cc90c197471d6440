/* TRANSFER: in a measured run, no link carries more in any interval than its bandwidth allows. Bandwidths of real links
 * are measured, too, so this rule is lenient.
 *
 * A shared link is checked with all transfers that lie within the interval. A link that is not shared (FATPIPE) limits
 * each transfer on its own, so each transfer is checked alone. The rule takes the bandwidth of a single transfer also
 * where several get less together (tw__link.shared_bandwidth): transfers may end up alone within an interval. */
#include <math.h>
#include <stdlib.h>

#include "trace/replay_flows.h"

static int no_memory(struct tw__replay *r) { return tw_fail(r->err, TW_NOMEM, "out of memory while validating"); }

/* A link may carry this many times its bandwidth in an interval, and this much longer. */
#define LENIENCE 1.25
#define LENIENT_S 1e-3

/* Returns the bytes that the link may carry in that time. Negative times give negative bytes. */
static double most_carried(const struct tw__link *link, double ns) { return link->bandwidth * LENIENCE * 1e-9 * ns; }

static int too_much(struct tw__flows_of *f, const struct tw__link *link, tw__ns end, double excess)
{
	f->r->date = end;
	return tw__violation(f->r, TW__RULE_TRANSFER,
	                     "link %s carried %.0f bytes more than its bandwidth of %g bytes/s allows", link->name,
	                     ceil(excess), link->bandwidth);
}

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
	const struct tw__event *x = (*(const struct tw__flow_of *const *)a)->end,
			       *y = (*(const struct tw__flow_of *const *)b)->end;
	return (x->date > y->date) - (x->date < y->date);
}

/* Returns how many bytes of the link's bandwidth the transfer takes: all, once for each time that its route lists the
 * link. */
static double bytes_on(const struct tw__flows_of *f, int link, const struct tw__event *start)
{
	const struct tw__route *route = tw__route_of(f->r->in->platform, start->from, start->node);
	return (double)start->bytes * tw__times_listed(route, link);
}

/* Checks a shared link. `of`: the n transfers over the link, in the order of their starts. Dates count from the first
 * start, so that doubles keep their precision. */
static int check_shared(struct tw__flows_of *f, int link_index, struct tw__flow_of **of, size_t n)
{
	const struct tw__link *link = &f->r->in->platform->links[link_index];
	const tw__ns origin = of[0]->start->date;
	struct tree t = {0};
	double *leaves = malloc(n * sizeof *leaves);
	int status = leaves ? TW_OK : no_memory(f->r);
	for (size_t i = 0; i < n && leaves; i++) {
		leaves[i] = most_carried(link, (double)(of[i]->start->date - origin));
		of[i]->place = i;
	}
	if (status == TW_OK && tree_init(&t, leaves, n))
		status = no_memory(f->r);
	if (status == TW_OK)
		qsort(of, n, sizeof *of, by_end);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		double end_ns = (double)(of[i]->end->date - origin);
		size_t n_begun = leaves_up_to(leaves, n, most_carried(link, end_ns)); /* at least this transfer */
		tree_add(&t, 1, 0, t.n, of[i]->place, bytes_on(f, link_index, of[i]->start));
		double excess =
			tree_most(&t, 1, 0, t.n, n_begun - 1) - most_carried(link, end_ns + LENIENT_S * TW__NS_PER_S);
		if (excess > 0)
			status = too_much(f, link, of[i]->end->date, excess);
	}
	free(leaves);
	free(t.most);
	free(t.added);
	return status;
}

static int check_each(struct tw__flows_of *f, int link_index, struct tw__flow_of **of, size_t n)
{
	const struct tw__link *link = &f->r->in->platform->links[link_index];
	for (size_t i = 0; i < n; i++) {
		double took_ns = (double)(of[i]->end->date - of[i]->start->date) + LENIENT_S * TW__NS_PER_S;
		double excess = (double)of[i]->start->bytes - most_carried(link, took_ns);
		if (excess > 0)
			return too_much(f, link, of[i]->end->date, excess);
	}
	return TW_OK;
}

int tw__replay_links(struct tw__flows_of *f)
{
	const struct tw_platform *p = f->r->in->platform;
	struct tw__flow_of **of = malloc((f->n + 1) * sizeof *of);
	int status = of ? TW_OK : no_memory(f->r);
	for (int l = 0; l < p->n_links && status == TW_OK; l++) {
		size_t n = 0;
		for (size_t i = 0; i < f->n; i++)
			if (tw__times_listed(tw__route_of(p, f->of[i].start->from, f->of[i].start->node), l))
				of[n++] = &f->of[i];
		if (n)
			status =
				p->links[l].sharing == TW__SHARED ? check_shared(f, l, of, n) : check_each(f, l, of, n);
	}
	free(of);
	return status;
}
