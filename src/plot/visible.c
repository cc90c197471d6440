#include "plot/visible.h"

#include <math.h>
#include <stdlib.h>

#include <tilewright/containers.h>

static int by_worker_then_start(const void *a, const void *b)
{
	const struct tw__box *x = a, *y = b;
	if (x->worker != y->worker)
		return x->worker < y->worker ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* A group of consecutive boxes of one worker in one column of the time axis. The boxes, and the gaps between them, are
 * thinner than a column. */
struct thin {
	int worker;
	long column;
	tw__ns start, end; /* start of the first box, or end of the previous column's group; end of the last box */
	double *by_kernel; /* [n_kernels] nanoseconds in each kernel */
	int *kernels;      /* [n] the kernels with time in this group */
	int n;
	int task; /* task of the box if the group has only one; otherwise -1 */
};

struct merge {
	struct tw__schedule *s;
	size_t n; /* number of boxes kept so far, at the front of s->boxes */
	double column_ns;
	struct thin thin;
};

/* Keeps a box. A box that is similar to the one before it on its worker is merged into that, so that files stay
 * small. */
static void keep(struct merge *m, struct tw__box b)
{
	struct tw__box *last = m->n > 0 ? &m->s->boxes[m->n - 1] : NULL;
	if (last && last->worker == b.worker) {
		if (b.start < last->end)
			b.start = last->end;
		if (b.end <= b.start)
			return;
		bool thin = (double)(b.end - b.start) < 3 * m->column_ns,
		     touching = (double)(b.start - last->end) < m->column_ns / 4;
		if (last->kernel == b.kernel && thin && touching && fabs(last->share - b.share) < 0.02) {
			double busy =
				last->share * (double)(last->end - last->start) + b.share * (double)(b.end - b.start);
			last->end = b.end;
			last->task = -1;
			last->share = busy / (double)(last->end - last->start);
			return;
		}
	}
	m->s->boxes[m->n++] = b;
}

/* Ends the current group of thin boxes at the date `end`, and keeps one box for it. */
static void flush(struct merge *m, tw__ns end)
{
	struct thin *t = &m->thin;
	double busy = 0;
	int most = t->n > 0 ? t->kernels[0] : 0;
	for (int i = 0; i < t->n; i++) {
		busy += t->by_kernel[t->kernels[i]];
		if (t->by_kernel[t->kernels[i]] > t->by_kernel[most])
			most = t->kernels[i];
	}
	if (busy > 0 && end > t->start)
		keep(m, (struct tw__box){t->worker, most, t->start, end, fmin(1, busy / (double)(end - t->start)),
		                         t->task});
	for (int i = 0; i < t->n; i++)
		t->by_kernel[t->kernels[i]] = 0;
	t->n = 0;
}

static void gather(struct merge *m, const struct tw__box *b)
{
	struct thin *t = &m->thin;
	long column = (long)((double)b->start / m->column_ns);
	if (b->end <= b->start)
		return;
	if (t->n > 0 && (t->worker != b->worker || (double)(b->start - t->end) >= m->column_ns))
		flush(m, t->end);
	if (t->n > 0 && t->column != column) {
		/* Boxes are not split, so the group of a column may end a little after the column. */
		tw__ns edge = tw__latest(llround((double)(t->column + 1) * m->column_ns), t->end);
		flush(m, edge);
		t->start = edge;
	} else if (t->n == 0) {
		t->start = b->start;
	}
	t->task = t->n == 0 ? b->task : -1;
	t->worker = b->worker;
	t->column = column;
	t->end = b->end;
	if (t->by_kernel[b->kernel] <= 0)
		t->kernels[t->n++] = b->kernel;
	t->by_kernel[b->kernel] += (double)(b->end - b->start) * b->share;
}

bool tw__visible_boxes(struct tw__schedule *s, int columns)
{
	size_t n_kernels = (size_t)s->kernels.n;
	struct merge m = {.s = s, .column_ns = (double)s->end / columns};
	if (s->n_boxes == 0 || s->end <= 0)
		return true;
	m.thin.by_kernel = calloc(n_kernels + 1, sizeof *m.thin.by_kernel);
	m.thin.kernels = calloc(n_kernels + 1, sizeof *m.thin.kernels);
	bool ok = m.thin.by_kernel && m.thin.kernels;
	if (ok) {
		qsort(s->boxes, s->n_boxes, sizeof *s->boxes, by_worker_then_start);
		/* Each step keeps at most as many boxes as were read so far, so no unread box is overwritten. */
		for (size_t i = 0; i < s->n_boxes; i++) {
			struct tw__box b = s->boxes[i];
			if ((double)(b.end - b.start) < m.column_ns) {
				gather(&m, &b);
				continue;
			}
			flush(&m, m.thin.end);
			keep(&m, b);
		}
		flush(&m, m.thin.end);
		s->n_boxes = m.n;
	}
	free(m.thin.by_kernel);
	free(m.thin.kernels);
	return ok;
}

/* Returns the samples of n counters, sorted by counter, in a new array; the order within a counter stays. A date
 * earlier than the one before it in its counter is raised to that. NULL: out of memory. */
static struct tw__sample *sort_by_counter(const struct tw__samples *s, int n)
{
	struct tw__sample *sorted = malloc((s->n + 1) * sizeof *sorted);
	size_t *place = calloc((size_t)n + 1, sizeof *place);
	if (!sorted || !place) {
		free(sorted);
		free(place);
		return NULL;
	}
	for (size_t i = 0; i < s->n; i++)
		place[s->list[i].counter + 1]++;
	for (int c = 1; c < n; c++)
		place[c] += place[c - 1];
	for (size_t i = 0; i < s->n; i++)
		sorted[place[s->list[i].counter]++] = s->list[i];
	free(place);
	for (size_t i = 1; i < s->n; i++)
		if (sorted[i].counter == sorted[i - 1].counter && sorted[i].date < sorted[i - 1].date)
			sorted[i].date = sorted[i - 1].date;
	return sorted;
}

bool tw__sort_samples(struct tw__samples *s, int n)
{
	struct tw__sample *sorted = sort_by_counter(s, n);
	if (!sorted)
		return false;
	free(s->list);
	s->list = sorted;
	s->capacity = s->n + 1;
	return true;
}

bool tw__visible_samples(const struct tw__schedule *schedule, struct tw__samples *s, int n_counters, int columns)
{
	struct tw__sample *all = sort_by_counter(s, n_counters);
	double column_ns = schedule->end > 0 ? (double)schedule->end / columns : 1;
	size_t n = 0;
	if (!all)
		return false;
	for (size_t from = 0, to; from < s->n; from = to) {
		long column = (long)((double)all[from].date / column_ns);
		size_t least = from, most = from;
		for (to = from; to < s->n && all[to].counter == all[from].counter &&
		                (long)((double)all[to].date / column_ns) == column;
		     to++) {
			if (all[to].value < all[least].value)
				least = to;
			if (all[to].value > all[most].value)
				most = to;
		}
		for (size_t i = from; i < to; i++)
			if (i == least || i == most || i == to - 1)
				s->list[n++] = all[i];
	}
	s->n = n;
	free(all);
	return true;
}

/* Integrates a counter over each column of the time axis: its value times seconds. The counter's samples are [from,
 * to). */
static void integrate(const struct tw__sample *from, const struct tw__sample *to, tw__ns end, double column_s,
                      double *integrals, int n)
{
	for (int p = 0; p < n; p++)
		integrals[p] = 0;
	for (const struct tw__sample *s = from; s < to; s++) {
		double date = tw__seconds(s->date), until = tw__seconds(s + 1 < to ? s[1].date : end);
		for (int p = (int)(date / column_s); p < n && date < until; p++) {
			double edge = fmin(until, (p + 1) * column_s);
			integrals[p] += s->value * fmax(0, edge - date);
			date = fmax(date, edge);
		}
	}
}

bool tw__visible_means(const struct tw__schedule *schedule, struct tw__samples *s, int n_counters, int columns)
{
	struct tw__sample *all = sort_by_counter(s, n_counters);
	double *integrals = malloc((size_t)columns * sizeof *integrals);
	double column_s = schedule->end > 0 ? tw__seconds(schedule->end) / columns : 1;
	struct tw__samples means = {0};
	bool ok = all && integrals;
	for (size_t from = 0, to; ok && from < s->n; from = to) {
		for (to = from; to < s->n && all[to].counter == all[from].counter; to++)
			;
		integrate(&all[from], &all[to], schedule->end, column_s, integrals, columns);
		for (int p = 0; p < columns && ok; p++) {
			if (p > 0 && fabs(integrals[p] - integrals[p - 1]) <= 0)
				continue;
			ok = TW_HAS_ROOM(means.list, means.capacity, means.n + 1);
			if (ok)
				means.list[means.n++] = (struct tw__sample){all[from].counter, tw__ns_of(p * column_s),
				                                            integrals[p] / column_s};
		}
	}
	free(all);
	free(integrals);
	if (ok) {
		free(s->list);
		*s = means;
	} else {
		free(means.list);
	}
	return ok;
}
