#include "results/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "results/columns.h"

/* A row of results in the comparison. Side 0 is the reference, side 1 is compared with it. */
struct item {
	int side, row;
	double value;
	bool left; /* the row is left out: no row of the other side has its identity */
};

struct join {
	const struct tw__side *sides[2];
	struct tw__comparison *out;
	struct item *items;
	int n;
	int by[TW__MAX_POINT_COLUMNS][2], n_by; /* [column][side] indices of the columns that items are sorted by */
};

static const char *cell(const struct join *j, const struct item *item, int c)
{
	return tw__rows_text(j->sides[item->side]->rows, item->row, j->by[c][item->side]);
}

static int compare_keys(const struct join *j, const struct item *a, const struct item *b)
{
	for (int c = 0; c < j->n_by; c++) {
		int sign = strcmp(cell(j, a, c), cell(j, b, c));
		if (sign)
			return sign;
	}
	return 0;
}

static int compare_items(const void *x, const void *y, void *join)
{
	const struct item *a = x, *b = y;
	int sign = compare_keys(join, a, b);
	return sign ? sign : a->side != b->side ? a->side - b->side : (a->row > b->row) - (a->row < b->row);
}

/* Returns the index behind the last item whose key columns equal those of items[from]. `*n_a`: how many of these items
 * are on side 0. */
static int end_of(const struct join *j, int from, int *n_a)
{
	int to = from;
	*n_a = 0;
	for (; to < j->n && compare_keys(j, &j->items[from], &j->items[to]) == 0; to++)
		*n_a += j->items[to].side == 0;
	return to;
}

static void sort(struct join *j) { qsort_r(j->items, (size_t)j->n, sizeof *j->items, compare_items, j); }

/* Finds the column to compare. If it is missing, the message says how to make it of another column. */
static int find_metric(const struct join *j, int side, const char *metric, int *column, struct tw_error *err)
{
	const struct tw__rows *rows = j->sides[side]->rows;
	bool two_files = !j->sides[side]->policy;
	*column = tw__rows_column(rows, metric);
	if (*column >= 0)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s:1: no column '%.60s': compare needs it%s%.60s%s", rows->path, metric,
	               !two_files  ? ""
	               : side == 0 ? "; --column "
	                           : "; --metric chooses another one, and --column makes one, in the first file only",
	               two_files && side == 0 ? metric : "",
	               two_files && side == 0 ? "={OTHER} makes it of another column" : "");
}

static int take_side(struct join *j, int side, const char *metric, struct tw_error *err)
{
	const struct tw__side *s = j->sides[side];
	int column, policy = -1, status = find_metric(j, side, metric, &column, err);
	if (status == TW_OK && s->policy)
		status = tw__rows_need(s->rows, "policy", "--policy", &policy, err);
	for (int row = 0; status == TW_OK && row < s->rows->n_rows; row++) {
		struct item item = {.side = side, .row = row};
		if (s->policy && strcmp(tw__rows_text(s->rows, row, policy), s->policy) != 0)
			continue;
		status = tw__rows_number(s->rows, row, column, &item.value, err);
		j->items[j->n++] = item;
	}
	if (status == TW_OK && s->policy && (j->n == 0 || j->items[j->n - 1].side != side))
		status = tw_fail(err, TW_INVALID, "%s: no run under the policy '%.200s'", s->rows->path, s->policy);
	return status;
}

/* Sorts the items. Returns whether any two rows on different sides have the same values in the columns `by`. */
static bool has_common(struct join *j)
{
	sort(j);
	for (int from = 0, to, n_a; from < j->n; from = to) {
		to = end_of(j, from, &n_a);
		if (n_a > 0 && n_a < to - from)
			return true;
	}
	return false;
}

static bool shares_values(struct join *j, int a, int b)
{
	j->by[0][0] = a;
	j->by[0][1] = b;
	j->n_by = 1;
	return has_common(j);
}

/* Marks the rows whose identity no row of the other side has, so that they are left out. Does nothing if the sides
 * share no identity. */
static void join_identities(struct join *j)
{
	int a = tw__rows_column(j->sides[0]->rows, "identity"), b = tw__rows_column(j->sides[1]->rows, "identity");
	if (a < 0 || b < 0 || j->sides[0]->policy)
		return;
	if (!shares_values(j, a, b))
		return;
	for (int from = 0, to, n_a; from < j->n; from = to) {
		to = end_of(j, from, &n_a);
		bool both = n_a > 0 && n_a < to - from;
		for (int i = from; i < to; i++)
			j->items[i].left = !both;
		j->out->by_identity += both ? n_a : 0;
	}
}

static void leave_out(struct tw__comparison *out, const char *name)
{
	size_t at = strlen(out->left_out);
	snprintf(out->left_out + at, sizeof out->left_out - at, "%s%s", at ? ", " : "", name);
}

/* Whether two sides without a common value in this column are still compared: a simulation with a real run, for
 * example. GPU memory counts as such a column if an earlier one does, since each runtime reserves its own part of that
 * memory. */
static bool is_setting(const struct join *j, const struct tw__column *column)
{
	if (!strcmp(column->key, "eviction"))
		return j->sides[0]->policy;
	return column->traits & TW__SETTING || (!strcmp(column->key, "gpu_mem_bytes") && *j->out->left_out);
}

static void choose_columns(struct join *j, const char *const *ignore)
{
	struct tw__comparison *out = j->out;
	const struct tw__column *column;
	for (int place = 1; (column = tw__point_column(place)); place++) {
		const char *name = column->key;
		int a = tw__rows_column(j->sides[0]->rows, name), b = tw__rows_column(j->sides[1]->rows, name);
		bool policies = j->sides[0]->policy, left = tw__is_named(name, ignore) || a < 0 || b < 0;
		if (policies && !strcmp(name, "policy"))
			continue;
		if (!left && is_setting(j, column))
			left = !shares_values(j, a, b);
		if (left && (a >= 0 || b >= 0))
			leave_out(out, name);
		if (!left) {
			out->columns[out->n_columns][0] = a;
			out->columns[out->n_columns++][1] = b;
		}
	}
	memcpy(j->by, out->columns, sizeof j->by);
	j->n_by = out->n_columns;
}

static int by_row(const void *x, const void *y)
{
	const struct tw__pair *a = x, *b = y;
	return (a->a > b->a) - (a->a < b->a);
}

/* Returns the name of a point column in which the n items differ, which are rows of one point on one side. Points are
 * not joined on that column. NULL: the items agree. */
static const char *differs_in(const struct join *j, const struct item *items, int n)
{
	const struct tw__rows *rows = n > 0 ? j->sides[items->side]->rows : NULL;
	const struct tw__column *known;
	for (int place = 1; rows && (known = tw__point_column(place)); place++) {
		int column = tw__rows_column(rows, known->key);
		for (int c = 0; c < j->out->n_columns; c++)
			column = column == j->out->columns[c][items->side] ? -1 : column;
		for (int k = 1; k < n && column >= 0; k++)
			if (strcmp(tw__rows_text(rows, items[0].row, column),
			           tw__rows_text(rows, items[k].row, column)) != 0)
				return known->key;
	}
	return NULL;
}

static void note_mixture(struct join *j, const struct item *items, int n_a, int n_b)
{
	const char *column = differs_in(j, items, n_a);
	column = column ? column : differs_in(j, items + n_a, n_b);
	if (column && j->out->mixed++ == 0)
		snprintf(j->out->mixed_in, sizeof j->out->mixed_in, "%s", column);
}

static void pair_up(struct join *j, double *values)
{
	struct tw__comparison *out = j->out;
	sort(j);
	for (int from = 0, to, n_a; from < j->n; from = to) {
		to = end_of(j, from, &n_a);
		int n_b = to - from - n_a;
		if (n_a == 0 || n_b == 0) {
			*(n_a ? &out->only_a : &out->only_b) += 1;
			continue;
		}
		note_mixture(j, j->items + from, n_a, n_b);
		struct tw__pair p = {.a = j->items[from].row, .b = j->items[from + n_a].row};
		for (int i = from; i < to; i++)
			values[i - from] = j->items[i].value;
		p.of_a = tw__stats_of(values, n_a);
		p.of_b = tw__stats_of(values + n_a, n_b);
		p.ratio = p.of_b.mean / p.of_a.mean;
		p.error = p.ratio - 1;
		/* Both means are 0, as when nothing was transferred: count them as equal. */
		if (p.of_a.mean == 0 && p.of_b.mean == 0) {
			p.ratio = 1;
			p.error = 0;
		}
		if (isfinite(p.ratio))
			out->pairs[out->n++] = p;
		else
			out->unknown++;
	}
	qsort(out->pairs, (size_t)out->n, sizeof *out->pairs, by_row);
}

static int no_point(struct join *j, struct tw_error *err)
{
	const struct tw__rows *a = j->sides[0]->rows;
	const char *differs = NULL;
	for (int i = 0; i < j->out->n_columns && !differs; i++)
		if (!shares_values(j, j->out->columns[i][0], j->out->columns[i][1]))
			differs = a->names[j->out->columns[i][0]];
	return tw_fail(
		err, TW_INVALID,
		"%s: no point in common with %s%s%s: expected at least one; --ignore or --column can relax the match",
		a->path, j->sides[1]->policy ? j->sides[1]->policy : j->sides[1]->rows->path,
		differs ? ", nor any value of " : "", differs ? differs : "");
}

static int join(struct join *j, double *values, const char *metric, const char *const *ignore, struct tw_error *err)
{
	int kept = 0, status = take_side(j, 0, metric, err);
	if (status == TW_OK)
		status = take_side(j, 1, metric, err);
	if (status < 0)
		return status;
	join_identities(j);
	choose_columns(j, ignore);
	for (int i = 0; i < j->n; i++)
		if (j->items[i].left)
			j->out->rows_left_out[j->items[i].side]++;
		else
			j->items[kept++] = j->items[i];
	j->n = kept;
	pair_up(j, values);
	return j->out->n > 0 ? TW_OK : no_point(j, err);
}

int tw__compare(struct tw__comparison *out, const struct tw__side *a, const struct tw__side *b, const char *metric,
                const char *const *ignore, struct tw_error *err)
{
	size_t n = (size_t)a->rows->n_rows + (size_t)b->rows->n_rows + 1;
	*out = (struct tw__comparison){.pairs = tw_alloc(n, sizeof *out->pairs),
	                               .values = tw_alloc(2 * n, sizeof *out->values)};
	struct join j = {.sides = {a, b}, .out = out, .items = tw_alloc(n, sizeof *j.items)};
	int status = join(&j, out->values, metric, ignore, err);
	free(j.items);
	if (status < 0)
		tw__comparison_finish(out);
	return status;
}

void tw__comparison_finish(struct tw__comparison *c)
{
	free(c->pairs);
	free(c->values);
	*c = (struct tw__comparison){0};
}

/* --- summaries --------------------------------------------------------------------------------------------------- */

/* Finds the i-th policy in the order of the pairs; NULL: there are only `*n` policies. */
static const char *policy_of(const struct tw__comparison *c, const struct tw__rows *a, int i, int *n)
{
	int column = tw__rows_column(a, "policy");
	*n = 0;
	for (int p = 0; column >= 0 && p < c->n; p++) {
		const char *policy = tw__rows_text(a, c->pairs[p].a, column);
		int first = 0;
		while (strcmp(tw__rows_text(a, c->pairs[first].a, column), policy) != 0)
			first++;
		if (first == p && (*n)++ == i)
			return policy;
	}
	return NULL;
}

/* Reorders the values. The caller sets the worst value. */
static struct tw__spread spread_of(double *values, int n)
{
	return (struct tw__spread){.mean = tw__stats_of(values, n).mean, .median = tw__median_of(values, n)};
}

bool tw__comparison_summary(const struct tw__comparison *c, const struct tw__rows *a, int i, struct tw__summary *s)
{
	double *ratios = c->values, *errors = c->values + c->n;
	int n_policies, column = tw__rows_column(a, "policy");
	const struct tw__pair *worst = NULL;
	*s = (struct tw__summary){.policy = policy_of(c, a, i, &n_policies)};
	if (!s->policy && i > n_policies)
		return false;
	for (const struct tw__pair *p = c->pairs; p < c->pairs + c->n; p++) {
		if (s->policy && strcmp(tw__rows_text(a, p->a, column), s->policy) != 0)
			continue;
		worst = !worst || fabs(p->error) > fabs(worst->error) ? p : worst;
		ratios[s->n] = p->ratio;
		errors[s->n++] = fabs(p->error);
	}
	s->ratio = spread_of(ratios, s->n);
	s->error = spread_of(errors, s->n);
	s->ratio.worst = worst ? worst->ratio : 0;
	s->error.worst = worst ? fabs(worst->error) : 0;
	return true;
}

void tw__comparison_speedups(const struct tw__comparison *c, struct tw__spread *average, struct tw__spread *minimum)
{
	for (int p = 0; p < c->n; p++) {
		c->values[p] = tw__speedup_average(&c->pairs[p]);
		c->values[c->n + p] = tw__speedup_minimum(&c->pairs[p]);
	}
	*average = spread_of(c->values, c->n);
	*minimum = spread_of(c->values + c->n, c->n);
	average->worst = c->n ? c->values[0] : NAN; /* the values are sorted now */
	minimum->worst = c->n ? c->values[c->n] : NAN;
}
