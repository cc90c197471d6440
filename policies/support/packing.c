/* Hierarchical Fair Packing: which packages merge, round by round, and which of them are flipped. Merging itself is in
 * packages.c. */
#include <tilewright/packing.h>

#include <stdlib.h>
#include <string.h>

#include <tilewright/id_heap.h>

#include "packages.h"

struct packing {
	const struct tw_packing *how;
	uint64_t limit; /* UINT64_MAX: none any more */
	struct tw__package_set set;
	struct tw_id_heap sizes; /* those that may yet merge: the fewest tasks on top */
	struct tw_id_heap level; /* of these, those with the fewest tasks, `level_tasks`: who shares most on top */
	int32_t level_tasks;
	int32_t *merged_in, *stale_in,
		round;            /* [packages] the last round that did so; from 1, with those of no merge */
	int32_t n_rounds;         /* with merges */
	int32_t *candidates;      /* of a round */
	int32_t *stale, n_stale;  /* whose rank a round has changed */
	int32_t free_from;        /* of this round: all packages before it are gone or have merged */
	int64_t *marked[4], mark; /* [data] of a walk into each end of two packages */
	struct tw_packages *result;
};

/* --- rank and partner ------------------------------------------------------------------------------------------- */

static bool fits(const struct packing *w, int32_t p, int32_t q)
{
	return w->set.packages[p].bytes + w->set.packages[q].bytes - w->set.shared[q] <= w->limit;
}

/* Where a package of the level stands: the most that it shares with one that it can merge with. One that can merge
 * with none is out: below the limit, packages only grow, so it never will. */
static void rank(struct packing *w, int32_t p)
{
	uint64_t most = 0;
	tw__package_set_look(&w->set, p);
	for (int32_t i = 0; i < w->set.n_sharing; i++)
		if (w->set.shared[w->set.sharing[i]] > most && fits(w, p, w->set.sharing[i]))
			most = w->set.shared[w->set.sharing[i]];
	if (most > 0 || w->limit == UINT64_MAX)
		tw_id_heap_put(&w->level, p, most);
	else
		tw_id_heap_remove(&w->level, p);
}

static int32_t next_free(const struct packing *w, int32_t p)
{
	while (p < w->set.n && (w->set.parent[p] != p || w->merged_in[p] == w->round))
		p++;
	return p;
}

static bool goes_before(const struct packing *w, int32_t p, int32_t q)
{
	int32_t n = w->set.packages[p].n, m = w->set.packages[q].n;
	return n != m ? n > m : p < q;
}

/* Of the packages that have not merged in this round, share so much with p and fit, the one with the most tasks, the first of equals;
 * TW_NONE: none is left. */
static int32_t partner(struct packing *w, int32_t p, uint64_t most)
{
	int32_t best = TW_NONE;
	if (most == 0) { /* anybody */
		w->free_from = next_free(w, w->free_from);
		best = w->free_from == p ? next_free(w, p + 1) : w->free_from;
		return best < w->set.n ? best : (int32_t)TW_NONE;
	}
	tw__package_set_look(&w->set, p);
	for (int32_t i = 0; i < w->set.n_sharing; i++) {
		int32_t q = w->set.sharing[i];
		if (w->set.shared[q] == most && w->merged_in[q] != w->round && fits(w, p, q) &&
		    (best == TW_NONE || goes_before(w, q, best)))
			best = q;
	}
	return best;
}

/* --- merging two packages --------------------------------------------------------------------------------------- */

enum end { START, END };

/* Walks into a package from one end, through its sub-package there as far as the memory holds its data, and gives these a new mark in
 * `own`. Adds the bytes of those that have the last mark in other[START] and other[END] to common[START] and common[END]. */
static void walk_in(struct packing *w, const struct tw__package *p, enum end end, int64_t *own, int64_t *const *other,
                    const int64_t *other_mark, uint64_t *common)
{
	const struct tw_sharing *sh = w->set.sh;
	int32_t n = end == END ? p->n - p->split : p->split ? p->split : p->n;
	uint64_t bytes = 0;
	int64_t mark = ++w->mark;
	for (int32_t k = 0; k < n; k++) {
		tw_task t = p->tasks[end == END ? p->n - 1 - k : k];
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++)
			bytes += own[sh->data[i]] != mark ? sh->bytes[sh->data[i]] : 0;
		if (bytes > w->how->memory_bytes)
			break;
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++) {
			tw_data d = sh->data[i];
			if (own[d] == mark)
				continue;
			own[d] = mark;
			for (int e = START; other && e <= END; e++)
				common[e] += other[e][d] == other_mark[e] ? sh->bytes[d] : 0;
		}
	}
}

/* Each end is walked into once; what two ends have in common is counted on the walks into j. */
static void flip(struct packing *w, const struct tw__package *i, const struct tw__package *j, struct tw_merge *merge)
{
	uint64_t most = 0, common[2][2] = {{0}}; /* [end of j][end of i] */
	int64_t mark[2] = {w->mark + 1, w->mark + 2};
	for (int end = START; end <= END; end++)
		walk_in(w, i, end, w->marked[end], NULL, NULL, NULL);
	for (int end = START; end <= END; end++)
		walk_in(w, j, end, w->marked[2 + end], w->marked, mark, common[end]);
	for (int way = 0; way < 4; way++) {
		bool i_reversed = way & 2, j_reversed = way & 1;
		uint64_t meeting = common[j_reversed ? END : START][i_reversed ? START : END];
		if (meeting > most) {
			most = meeting;
			merge->i_reversed = i_reversed;
			merge->j_reversed = j_reversed;
		}
	}
}

static int merge(struct packing *w, int32_t i, int32_t j)
{
	struct tw_merge *m = &w->result->merges[w->result->n_merges++];
	*m = (struct tw_merge){i, j, w->n_rounds + 1, w->limit < UINT64_MAX, false, false};
	if (w->how->flip)
		flip(w, &w->set.packages[i], &w->set.packages[j], m);
	int32_t kept = tw__package_set_merge(&w->set, i, m->i_reversed, j, m->j_reversed);
	if (kept < 0)
		return TW_NOMEM;
	w->merged_in[i] = w->merged_in[j] = w->round;
	tw_id_heap_remove(&w->level, j);
	tw_id_heap_remove(&w->sizes, j);
	tw_id_heap_put(&w->sizes, kept, (uint64_t)(w->set.n - w->set.packages[kept].n));
	return TW_OK;
}

/* --- rounds ----------------------------------------------------------------------------------------------------- */

static void add_stale(struct packing *w, int32_t p)
{
	if (w->set.packages[p].n != w->level_tasks || w->stale_in[p] == w->round)
		return;
	w->stale_in[p] = w->round;
	w->stale[w->n_stale++] = p;
}

/* Before i and j merge: who shares something with both will share more with what they become than with either. Only the
 * one with fewer data is asked for its neighbours. Others share as much as before, or no longer fit, which is found out when
 * their turn comes. */
static void add_neighbours(struct packing *w, int32_t i, int32_t j)
{
	tw__package_set_look(&w->set, w->set.packages[i].n_data < w->set.packages[j].n_data ? i : j);
	for (int32_t k = 0; k < w->set.n_sharing; k++)
		add_stale(w, w->set.sharing[k]);
}

/* Couples that share as much as any of the level merge. If none of those that once shared as much still fit together, this
 * is no round. */
static int round_of_merges(struct packing *w)
{
	uint64_t most = w->level.score[tw_id_heap_top(&w->level)];
	int32_t n_candidates = 0, n_merges = w->result->n_merges;
	w->round++;
	w->free_from = w->n_stale = 0;
	for (int32_t p; (p = tw_id_heap_top(&w->level)) != TW_NONE && w->level.score[p] == most;) {
		w->candidates[n_candidates++] = p;
		tw_id_heap_remove(&w->level, p);
	}
	for (int32_t c = 0; c < n_candidates && w->set.n_alive > w->how->packages; c++) {
		int32_t i = w->candidates[c], j = w->merged_in[i] == w->round ? (int32_t)TW_NONE : partner(w, i, most);
		if (j == TW_NONE)
			continue;
		add_neighbours(w, i, j);
		if (merge(w, i, j))
			return TW_NOMEM;
	}
	for (int32_t c = 0; c < n_candidates; c++)
		add_stale(w, w->candidates[c]);
	for (int32_t k = 0; k < w->n_stale; k++)
		if (w->set.packages[w->stale[k]].n == w->level_tasks) /* it has not merged since */
			rank(w, w->stale[k]);
	w->n_rounds += w->result->n_merges > n_merges;
	return TW_OK;
}

static int merge_below(struct packing *w, uint64_t limit)
{
	int32_t p;
	w->limit = limit;
	for (p = 0; p < w->set.n; p++)
		if (w->set.parent[p] == p)
			tw_id_heap_put(&w->sizes, p, (uint64_t)(w->set.n - w->set.packages[p].n));
	while (w->set.n_alive > w->how->packages && (p = tw_id_heap_top(&w->sizes)) != TW_NONE) {
		for (w->level_tasks = w->set.packages[p].n; p != TW_NONE && w->set.packages[p].n == w->level_tasks;
		     p = tw_id_heap_top(&w->sizes)) {
			tw_id_heap_remove(&w->sizes, p);
			rank(w, p);
		}
		while (w->level.n && w->set.n_alive > w->how->packages)
			if (round_of_merges(w))
				return TW_NOMEM;
	}
	return TW_OK;
}

/* --- begin and end ---------------------------------------------------------------------------------------------- */

static void list_packages(const struct packing *w, const tw_task *tasks)
{
	struct tw_packages *r = w->result;
	for (int32_t p = 0, n = 0; p < w->set.n; p++)
		if (w->set.parent[p] == p) {
			memcpy(r->tasks + n, w->set.packages[p].tasks, (size_t)w->set.packages[p].n * sizeof *r->tasks);
			r->first[r->n++] = n;
			n += w->set.packages[p].n;
		}
	r->first[r->n] = w->set.n;
	for (int32_t m = 0; m < r->n_merges; m++) {
		r->merges[m].i = tasks[r->merges[m].i];
		r->merges[m].j = tasks[r->merges[m].j];
	}
}

int tw_pack(struct tw_packages *result, const struct tw_sharing *sh, const tw_task *tasks, tw_task n_tasks,
            const struct tw_packing *how)
{
	size_t n = (size_t)n_tasks + 1;
	*result = (struct tw_packages){
		.first = malloc((n + 1) * sizeof *result->first),
		.tasks = malloc(n * sizeof *result->tasks),
		.merges = malloc(n * sizeof *result->merges),
	};
	struct packing w = {
		.how = how,
		.merged_in = calloc(n, sizeof *w.merged_in),
		.stale_in = calloc(n, sizeof *w.stale_in),
		.candidates = malloc(n * sizeof *w.candidates),
		.stale = malloc(n * sizeof *w.stale),
		.mark = 1,
		.result = result,
	};
	bool marks = true;
	for (int i = 0; i < 4; i++)
		marks &= (w.marked[i] = calloc((size_t)sh->n_data + 1, sizeof *w.marked[i])) != NULL;
	bool complete = !tw__package_set_init(&w.set, sh, tasks, n_tasks) && result->first && result->tasks &&
	                result->merges && w.merged_in && w.stale_in && w.candidates && w.stale && marks &&
	                !tw_id_heap_init(&w.sizes, n_tasks) && !tw_id_heap_init(&w.level, n_tasks) &&
	                !merge_below(&w, how->memory_bytes) && !merge_below(&w, UINT64_MAX);
	if (complete)
		list_packages(&w, tasks);
	else
		tw_packages_finish(result);
	tw__package_set_finish(&w.set);
	tw_id_heap_finish(&w.sizes);
	tw_id_heap_finish(&w.level);
	free(w.merged_in);
	free(w.stale_in);
	free(w.candidates);
	free(w.stale);
	for (int i = 0; i < 4; i++)
		free(w.marked[i]);
	return complete ? TW_OK : TW_NOMEM;
}

void tw_packages_finish(struct tw_packages *p)
{
	free(p->first);
	free(p->tasks);
	free(p->merges);
	*p = (struct tw_packages){0};
}
