#include "plot/visible.h"

#include <math.h>
#include <stdlib.h>

#include "base/least.h"

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

/* Sorts the boxes by worker. Those of a worker keep their order, which is that of their starts, as a worker runs one
 * kernel at a time. */
static void sort_by_worker(struct tw__schedule *s)
{
	int last = 0;
	bool is_sorted = true;
	for (size_t i = 0; i < s->n_boxes; i++) {
		is_sorted = is_sorted && (i == 0 || s->boxes[i - 1].worker <= s->boxes[i].worker);
		last = s->boxes[i].worker > last ? s->boxes[i].worker : last;
	}
	if (is_sorted)
		return;
	size_t *place = tw_alloc((size_t)last + 2, sizeof *place);
	struct tw__box *sorted = tw_resize(NULL, s->n_boxes, sizeof *sorted);
	for (size_t i = 0; i < s->n_boxes; i++)
		place[s->boxes[i].worker + 1]++;
	for (int w = 0; w < last; w++)
		place[w + 1] += place[w];
	for (size_t i = 0; i < s->n_boxes; i++)
		sorted[place[s->boxes[i].worker]++] = s->boxes[i];
	free(place);
	free(s->boxes);
	s->boxes = sorted;
	s->boxes_capacity = s->n_boxes;
}

void tw__visible_boxes(struct tw__schedule *s, int columns)
{
	size_t n_kernels = (size_t)s->n_kernels;
	struct merge m = {.s = s, .column_ns = (double)s->end / columns};
	if (s->n_boxes == 0 || s->end <= 0)
		return;
	m.thin.by_kernel = tw_alloc(n_kernels, sizeof *m.thin.by_kernel);
	m.thin.kernels = tw_alloc(n_kernels, sizeof *m.thin.kernels);
	sort_by_worker(s);
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
	free(m.thin.by_kernel);
	free(m.thin.kernels);
}

/* Keeps the last sample and the extremes of each column. */
static void keep_extremes(struct tw__series *s, double column_ns)
{
	struct tw__sample *all = s->list;
	size_t n = 0;
	for (size_t from = 0, to; from < s->n; from = to) {
		long column = (long)((double)all[from].date / column_ns);
		size_t least = from, most = from;
		for (to = from; to < s->n && (long)((double)all[to].date / column_ns) == column; to++) {
			if (all[to].value < all[least].value)
				least = to;
			if (all[to].value > all[most].value)
				most = to;
		}
		for (size_t i = from; i < to; i++)
			if (i == least || i == most || i == to - 1)
				all[n++] = all[i];
	}
	s->n = n;
}

void tw__visible_samples(const struct tw__schedule *schedule, struct tw__samples *s, int columns)
{
	double column_ns = schedule->end > 0 ? (double)schedule->end / columns : 1;
	for (int c = 0; c < s->n_counters; c++)
		keep_extremes(&s->of[c], column_ns);
}

/* Integrates a counter over each column of the time axis: its value times seconds. */
static void integrate(const struct tw__series *s, tw__ns end, double column_s, double *integrals, int n)
{
	for (int p = 0; p < n; p++)
		integrals[p] = 0;
	for (size_t i = 0; i < s->n; i++) {
		double date = tw__seconds(s->list[i].date),
		       until = tw__seconds(i + 1 < s->n ? s->list[i + 1].date : end);
		for (int p = (int)(date / column_s); p < n && date < until; p++) {
			double edge = tw__least(until, (p + 1) * column_s);
			integrals[p] += s->list[i].value * tw__greatest(0, edge - date);
			date = tw__greatest(date, edge);
		}
	}
}

void tw__visible_means(const struct tw__schedule *schedule, struct tw__samples *s, int columns)
{
	double *integrals = tw_resize(NULL, (size_t)columns, sizeof *integrals);
	double column_s = schedule->end > 0 ? tw__seconds(schedule->end) / columns : 1;
	for (int c = 0; c < s->n_counters; c++) {
		struct tw__series means = {0};
		integrate(&s->of[c], schedule->end, column_s, integrals, columns);
		for (int p = 0; p < columns && s->of[c].n > 0; p++)
			if (p == 0 || fabs(integrals[p] - integrals[p - 1]) > 0)
				tw__series_add(&means, tw__ns_of(p * column_s), integrals[p] / column_s);
		free(s->of[c].list);
		s->of[c] = means;
	}
	free(integrals);
}
