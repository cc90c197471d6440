/* The rows of a Gantt chart: which workers have one, and which share one. */
#include <stdlib.h>
#include <string.h>

#include "plot/gantt.h"

enum { BAND_UNITS = 3 };

/* How the workers of a kind are shown. */
struct kind {
	char name[TW__KIND_BYTES];
	bool is_band;  /* whether all of them share a row */
	int n, n_idle; /* numbers of those that are chosen, and of those among them that did nothing */
	int n_left;    /* number of those that have no row yet */
};

struct view {
	const struct tw__schedule *s;
	const double *busy_ns;
	const struct tw__gantt_view *wanted;
	struct kind *kinds; /* [n_kinds] in the order of their first workers */
	int n_kinds;
	int *kind_of; /* [workers] */
	int *chosen, n_chosen;
};

static bool is_idle(const struct view *v, int worker) { return v->busy_ns[worker] <= 0; }

/* Fails if a word of --fold is no kind. Sets is_band of the kinds that the words name. */
static int choose_bands(struct view *v, const char *trace, struct tw_error *err)
{
	for (int i = 0; i < v->wanted->n_kinds; i++) {
		const char *word = v->wanted->kinds[i];
		bool found = false;
		for (int w = 0; w < v->s->platform->n_workers; w++)
			if (tw__worker_is_kind(v->s->platform, w, word))
				found = v->kinds[v->kind_of[w]].is_band = true;
		if (!found)
			return tw_fail(err, TW_INVALID,
			               "plot gantt: no kind of workers '%.60s' in %s: expected one such as '%.60s'",
			               word, trace, v->kinds[0].name);
	}
	return TW_OK;
}

/* Returns the number of the worker's kind; there is room for as many kinds as workers. */
static int find_kind(struct view *v, tw_worker worker)
{
	int k = 0;
	char name[TW__KIND_BYTES];
	tw__worker_kind(v->s->platform, worker, name);
	while (k < v->n_kinds && strcmp(v->kinds[k].name, name) != 0)
		k++;
	if (k == v->n_kinds)
		memcpy(v->kinds[v->n_kinds++].name, name, sizeof name);
	return k;
}

static int look(struct view *v, const char *trace, struct tw_error *err)
{
	const struct tw__gantt_view *wanted = v->wanted;
	int n = v->s->platform->n_workers, status = TW_OK;
	v->kind_of = malloc(((size_t)n + 1) * sizeof *v->kind_of);
	v->kinds = calloc((size_t)n + 1, sizeof *v->kinds);
	bool ok = v->kind_of && v->kinds;
	for (int w = 0; w < n && ok; w++)
		v->kind_of[w] = find_kind(v, w);
	if (ok && wanted->n_workers) {
		status = tw__choose_workers(&v->chosen, &v->n_chosen, v->s->platform, wanted->workers,
		                            wanted->n_workers, "gantt", trace, err);
	} else if (ok && (v->chosen = malloc(((size_t)n + 1) * sizeof *v->chosen))) {
		for (int w = 0; w < n; w++)
			v->chosen[v->n_chosen++] = w;
	} else {
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", trace);
	}
	for (int i = 0; i < v->n_chosen && status == TW_OK; i++) {
		struct kind *k = &v->kinds[v->kind_of[v->chosen[i]]];
		k->is_band = wanted->fold == TW__FOLD_ALL;
		k->n++;
		k->n_idle += is_idle(v, v->chosen[i]);
		k->n_left++;
	}
	return status == TW_OK ? choose_bands(v, trace, err) : status;
}

static struct tw__gantt_row *add(struct tw__gantt_rows *rows, int units)
{
	struct tw__gantt_row *row = &rows->list[rows->n++];
	*row = (struct tw__gantt_row){.band = TW_NONE, .units = units};
	rows->units += units;
	return row;
}

static void add_worker(struct tw__gantt_rows *rows, const struct view *v, int worker)
{
	rows->of[worker] = rows->n;
	struct tw__gantt_row *row = add(rows, 1);
	snprintf(row->label, sizeof row->label, "%s", v->s->platform->workers[worker].name);
	row->n_workers = 1;
	row->busy_ns = v->busy_ns[worker];
}

/* Adds a row for all workers of a kind that are chosen, or only for those that did nothing. */
static void add_band(struct tw__gantt_rows *rows, const struct view *v, int kind, bool only_idle)
{
	int number = rows->n;
	struct tw__gantt_row *row = add(rows, only_idle ? 1 : BAND_UNITS);
	row->band = rows->n_bands++;
	for (int i = 0; i < v->n_chosen; i++) {
		int w = v->chosen[i];
		if (v->kind_of[w] != kind || (only_idle && !is_idle(v, w)))
			continue;
		rows->of[w] = number;
		row->n_workers++;
		row->busy_ns += v->busy_ns[w];
	}
	snprintf(row->label, sizeof row->label, "%d %s %s", row->n_workers, only_idle ? "idle" : "x",
	         v->kinds[kind].name);
}

/* The row of idle workers comes behind those of the other workers of their kind. */
static void add_all(struct tw__gantt_rows *rows, const struct view *v)
{
	for (int i = 0; i < v->n_chosen; i++) {
		int w = v->chosen[i];
		struct kind *k = &v->kinds[v->kind_of[w]];
		bool band = k->is_band && k->n > 1, folds_idle = v->wanted->fold != TW__FOLD_NONE && k->n_idle > 1;
		k->n_left--;
		if (band && rows->of[w] == TW_NONE)
			add_band(rows, v, v->kind_of[w], false);
		else if (!band && !(folds_idle && is_idle(v, w)))
			add_worker(rows, v, w);
		if (!band && folds_idle && k->n_left == 0)
			add_band(rows, v, v->kind_of[w], true);
	}
	int y = rows->units;
	for (int r = 0; r < rows->n; r++)
		rows->list[r].y = y -= rows->list[r].units;
}

int tw__gantt_rows_init(struct tw__gantt_rows *rows, const struct tw__schedule *s, const struct tw__gantt_view *wanted,
                        const char *trace, struct tw_error *err)
{
	*rows = (struct tw__gantt_rows){.busy_ns = calloc((size_t)s->platform->n_workers + 1, sizeof *rows->busy_ns)};
	if (!rows->busy_ns)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", trace);
	for (size_t i = 0; i < s->n_boxes; i++)
		rows->busy_ns[s->boxes[i].worker] += (double)(s->boxes[i].end - s->boxes[i].start) * s->boxes[i].share;
	struct view v = {.s = s, .busy_ns = rows->busy_ns, .wanted = wanted};
	int status = look(&v, trace, err);
	rows->list = malloc(((size_t)v.n_chosen + 1) * sizeof *rows->list);
	rows->of = malloc(((size_t)s->platform->n_workers + 1) * sizeof *rows->of);
	if (status == TW_OK && (!rows->list || !rows->of))
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", trace);
	for (int w = 0; w < s->platform->n_workers && status == TW_OK; w++)
		rows->of[w] = TW_NONE;
	if (status == TW_OK)
		add_all(rows, &v);
	rows->n_shown = v.n_chosen;
	free(v.kinds);
	free(v.kind_of);
	free(v.chosen);
	return status;
}

void tw__gantt_rows_finish(struct tw__gantt_rows *rows)
{
	free(rows->list);
	free(rows->of);
	free(rows->busy_ns);
}
