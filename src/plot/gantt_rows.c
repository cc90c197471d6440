/* The rows of a Gantt chart: which workers have one, and which share one. */
#include <string.h>

#include "plot/gantt.h"

enum { BAND_UNITS = 3 };

/* How the workers of a kind are shown. */
struct kind {
	char name[TW__KIND_BYTES];
	tw__domain_set domains;
	int rank;      /* of workers that are folded by nodes of a cluster: their node; TW_NONE: several nodes */
	bool is_band;  /* whether all of them share a row */
	int n, n_idle; /* numbers of those that are chosen, and of those among them that did nothing */
	int n_left;    /* number of those that have no row yet */
};

struct view {
	const struct tw__schedule *s;
	const double *busy_ns;
	const struct tw__trace_request *wanted;
	struct kind *kinds; /* [n_kinds] in the order of their first workers */
	int n_kinds;
	int *kind_of; /* [workers] */
	int *chosen, n_chosen;
	bool by_nodes;
};

static bool is_idle(const struct view *v, int worker) { return v->busy_ns[worker] <= 0; }

/* Fails if a word of --fold is no kind. Sets is_band of the kinds that the words name. */
static int choose_bands(struct view *v, struct tw_error *err)
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
			               word, v->wanted->trace, v->kinds[0].name);
	}
	return TW_OK;
}

/* Returns the number of the worker's kind. Workers in other domains, or of another node than `rank`, are of another
 * kind. */
static int find_kind(struct view *v, tw_worker worker, int rank)
{
	int k = 0;
	struct kind kind = {.domains = tw__domains_of_worker(&v->s->domains, worker), .rank = rank};
	tw__worker_kind(v->s->platform, worker, kind.name);
	while (k < v->n_kinds && (v->kinds[k].rank != rank || strcmp(v->kinds[k].name, kind.name) != 0 ||
	                          v->kinds[k].domains != kind.domains))
		k++;
	if (k == v->n_kinds)
		v->kinds[v->n_kinds++] = kind;
	return k;
}

/* Puts the chosen workers of each node together, and those that did nothing, of any node, behind them. */
static void order_by_nodes(struct view *v, struct tw__arena *arena)
{
	int *order = tw__arena_alloc(arena, (size_t)v->n_chosen, sizeof *order), n = 0;
	bool *works = tw__arena_alloc(arena, (size_t)v->n_kinds, sizeof *works);
	for (int i = 0; i < v->n_chosen; i++)
		works[v->kind_of[v->chosen[i]]] |= !is_idle(v, v->chosen[i]);
	for (int rank = 0; rank <= v->s->platform->n_ranks; rank++)
		for (int i = 0; i < v->n_chosen; i++) {
			const int w = v->chosen[i];
			if (rank == (works[v->kind_of[w]] ? v->s->platform->workers[w].rank : v->s->platform->n_ranks))
				order[n++] = w;
		}
	for (int i = 0; i < n; i++)
		if (!works[v->kind_of[order[i]]])
			v->kind_of[order[i]] = find_kind(v, order[i], TW_NONE);
	v->chosen = order;
}

static int look(struct view *v, struct tw__arena *arena, struct tw_error *err)
{
	const struct tw__trace_request *wanted = v->wanted;
	const int n = v->s->platform->n_workers;
	v->kind_of = tw__arena_alloc(arena, (size_t)n, sizeof *v->kind_of);
	v->kinds = tw__arena_alloc(arena, 2 * (size_t)n, sizeof *v->kinds);
	v->chosen = tw__arena_alloc(arena, (size_t)n, sizeof *v->chosen);
	for (int w = 0; w < n; w++) {
		v->kind_of[w] = find_kind(v, w, v->by_nodes ? v->s->platform->workers[w].rank : TW_NONE);
		v->chosen[w] = w;
	}
	v->n_chosen = wanted->n_workers ? tw__choose_workers(v->chosen, v->s->platform, wanted->workers,
	                                                     wanted->n_workers, "gantt", v->wanted->trace, err)
	                                : n;
	if (v->by_nodes && v->n_chosen > 0)
		order_by_nodes(v, arena);
	for (int i = 0; i < v->n_chosen; i++) {
		struct kind *k = &v->kinds[v->kind_of[v->chosen[i]]];
		k->is_band = wanted->fold == TW__FOLD_ALL || k->rank != TW_NONE;
		k->n++;
		k->n_idle += is_idle(v, v->chosen[i]);
		k->n_left++;
	}
	return v->n_chosen < 0 ? v->n_chosen : choose_bands(v, err);
}

static struct tw__gantt_row *add(struct tw__gantt_rows *rows, int units)
{
	struct tw__gantt_row *row = &rows->list[rows->n++];
	*row = (struct tw__gantt_row){.band = TW_NONE, .units = units};
	rows->units += units;
	return row;
}

/* Names a row. A run with domains has those of its workers behind the name. */
static void name_row(struct tw__gantt_row *row, const struct view *v, const char *name, tw__domain_set domains)
{
	const struct tw__run_domains *d = &v->s->domains;
	char text[TW__DOMAINS_TEXT];
	if (d->n > 0)
		snprintf(row->label, sizeof row->label, "%s (%s)", name, tw__domains_text(text, d, domains));
	else
		snprintf(row->label, sizeof row->label, "%s", name);
}

static void add_worker(struct tw__gantt_rows *rows, const struct view *v, int worker)
{
	rows->of[worker] = rows->n;
	struct tw__gantt_row *row = add(rows, 1);
	name_row(row, v, v->s->platform->workers[worker].name, v->kinds[v->kind_of[worker]].domains);
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
	const struct kind *k = &v->kinds[kind];
	char name[TW__KIND_BYTES + 80];
	snprintf(name, sizeof name, "%.40s%s%d %s %s", k->rank == TW_NONE ? "" : v->s->platform->rank_names[k->rank],
	         k->rank == TW_NONE ? "" : ": ", row->n_workers, only_idle ? "idle" : "x", k->name);
	name_row(row, v, name, k->domains);
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

int tw__gantt_init(struct tw__gantt *g, struct tw_error *err)
{
	const struct tw__schedule *s = g->s;
	const size_t n_workers = (size_t)s->platform->n_workers;
	struct tw__gantt_rows *rows = &g->rows;
	g->total_ns = tw__arena_alloc(&g->arena, (size_t)s->n_kernels, sizeof *g->total_ns);
	g->rank = tw__arena_alloc(&g->arena, (size_t)s->n_kernels, sizeof *g->rank);
	g->link_share = tw__arena_alloc(&g->arena, (size_t)s->n_links, sizeof *g->link_share);
	*rows = (struct tw__gantt_rows){.busy_ns = tw__arena_alloc(&g->arena, n_workers, sizeof *rows->busy_ns),
	                                .list = tw__arena_alloc(&g->arena, n_workers, sizeof *rows->list),
	                                .of = tw__arena_alloc(&g->arena, n_workers, sizeof *rows->of)};
	for (size_t i = 0; i < s->n_boxes; i++)
		rows->busy_ns[s->boxes[i].worker] += (double)(s->boxes[i].end - s->boxes[i].start) * s->boxes[i].share;
	struct view v = {.s = s, .busy_ns = rows->busy_ns, .wanted = g->request, .by_nodes = g->by_nodes};
	int status = look(&v, &g->arena, err);
	if (status < 0)
		return status;
	for (size_t w = 0; w < n_workers; w++)
		rows->of[w] = TW_NONE;
	add_all(rows, &v);
	rows->n_shown = v.n_chosen;
	tw__gantt_find_arrivals(g);
	return TW_OK;
}
