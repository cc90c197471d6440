/* Hierarchical Fair Packing (packing.h): selects which packages merge in each round. The code in flipping.c selects
 * which packages are reversed, and the code in packages.c merges them. */
#include "policies/support/packing.h"

#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "policies/support/packages.h"

struct candidate {
	/* Of a package that waits or is in `level`: a neighbour, which is another package that shares data with it;
	 * TW_NONE: not known. The package shares near_shared() bytes with the neighbour, or with the package that the
	 * neighbour merged into. */
	int32_t near;
	/* Sole partner: the only package that fits and shares as many bytes with the package as its score in `level`
	 * tells. TW_NONE: not known. See sole_partner(). Of a package that was merged into another: that other
	 * package. */
	int32_t sole;
	int32_t merged_in : 31; /* number of the round in which the package last merged */
	bool waits : 1;         /* whether the package has a sole partner and waits for its turn in this round */
};

struct packing {
	const struct tw_packing *how;
	uint64_t limit; /* greatest bytes of a merged package; UINT64_MAX: packages are merged without limit now */
	struct tw__package_set set;
	struct tw_id_heap sizes; /* packages that may still merge; the one with the fewest tasks on top */
	struct tw_id_heap level; /* the packages with level_tasks tasks, the fewest; the one that shares most on top */
	int32_t level_tasks;
	struct candidate *of; /* [packages] */
	int32_t n_waiting;
	int32_t round;       /* number of this round, from 1; rounds without a merge count, too */
	int32_t n_rounds;    /* number of rounds with merges */
	int32_t *candidates; /* [packages] scratch: the packages considered in a round */
	int32_t *raised;     /* scratch of raise_neighbours(): the packages whose ranks may rise */
	size_t raised_capacity;
	int32_t free_from; /* packages with lower numbers can no longer merge in this round */
	uint8_t *ends[2];  /* [data] scratch of tw__flip() */
	struct tw_packages *result;
};

/* --- ranks of packages, and their partners ------------------------------------------------------------------------ */

static bool fit(const struct packing *w, int32_t p, int32_t q, uint64_t shared)
{
	return tw__packages_fit(&w->set, p, q, shared, w->limit);
}

/* Puts package p into the heap `level`; its score is `most`, the most bytes that it shares with a package that it can
 * merge with. Removes it if there is none: with a limit packages only grow, so p will never merge. */
static void put(struct packing *w, int32_t p, uint64_t most)
{
	if (most > 0 || w->limit == UINT64_MAX)
		tw_id_heap_put(&w->level, p, most);
	else
		tw_id_heap_remove(&w->level, p);
}

static void rank(struct packing *w, int32_t p)
{
	uint64_t most = 0;
	int32_t sole = TW_NONE;
	tw__package_set_look(&w->set, p);
	tw__package_set_look_at_closed(&w->set);
	for (int32_t i = 0; i < w->set.n_sharing; i++) {
		int32_t q = w->set.sharing[i];
		uint64_t shared = tw__package_set_counted(&w->set, q);
		if (shared >= most && fit(w, p, q, shared)) {
			sole = shared > most ? q : (int32_t)TW_NONE;
			most = shared;
		}
	}
	w->of[p].sole = sole;
	w->of[p].near = TW_NONE;
	put(w, p, most);
}

/* Closes package p, which later candidates need not look at. Does so only if closing costs less than `n_to_come`
 * looks. */
static void close_for(struct packing *w, int32_t p, int32_t n_to_come)
{
	if (w->set.packages[p].n_data < n_to_come)
		tw__package_set_close(&w->set, p);
}

/* Ranks all packages with the fewest tasks. Of two such packages only the first looks at the other, which ranks
 * both. */
static void rank_level(struct packing *w)
{
	int32_t n = 0;
	tw__package_set_open_all(&w->set);
	for (int32_t p; (p = tw_id_heap_top(&w->sizes)) != TW_NONE && w->set.n_tasks[p] == w->level_tasks;) {
		tw_id_heap_remove(&w->sizes, p);
		w->candidates[n++] = p;
		w->set.ranks[p].most = 0;
		w->of[p].sole = w->of[p].near = TW_NONE;
	}
	for (int32_t c = 0; c < n; c++) {
		int32_t p = w->candidates[c];
		tw__package_set_rank(&w->set, p, w->limit);
		close_for(w, p, n - c);
		put(w, p, w->set.ranks[p].most);
	}
}

/* Returns the sole partner of p, or the package that it has merged into. This package becomes the sole partner of p, so
 * the way is short next time. */
static int32_t sole_partner(struct packing *w, int32_t p)
{
	int32_t q = w->of[p].sole;
	while (q != TW_NONE && w->set.n_tasks[q] == 0)
		q = w->of[q].sole;
	w->of[p].sole = q;
	return q;
}

static int32_t next_free(const struct packing *w, int32_t p)
{
	while (p < w->set.n && (w->set.n_tasks[p] == 0 || w->of[p].merged_in == w->round))
		p++;
	return p;
}

static bool goes_before(const struct packing *w, int32_t p, int32_t q)
{
	int32_t n = w->set.n_tasks[p], m = w->set.n_tasks[q];
	return n != m ? n > m : p < q;
}

/* Returns the package to merge with p: the candidate with the most tasks; ties: the lowest number. Candidates share
 * `most` bytes with p, fit, and have not merged in this round. TW_NONE: there is none, and p has its new rank in the
 * level. If the sole partner of p has merged in this round, p need not look, and keeps its rank. This saves time when
 * many packages wait for one partner, which merges with one of them per round. */
static int32_t partner(struct packing *w, int32_t p, uint64_t most)
{
	int32_t best = TW_NONE, sole = sole_partner(w, p);
	if (sole != TW_NONE && w->of[sole].merged_in == w->round) {
		put(w, p, most);
		return TW_NONE;
	}
	if (most == 0) { /* any package will do as partner */
		w->free_from = next_free(w, w->free_from);
		best = w->free_from == p ? next_free(w, p + 1) : w->free_from;
		best = best < w->set.n ? best : (int32_t)TW_NONE;
	} else {
		tw__package_set_look(&w->set, p);
		for (int32_t i = 0; i < w->set.n_sharing; i++) {
			int32_t q = w->set.sharing[i];
			if (tw__package_set_counted(&w->set, q) == most &&
			    (best == TW_NONE || goes_before(w, q, best)) && w->of[q].merged_in != w->round &&
			    fit(w, p, q, most))
				best = q;
		}
	}
	if (best == TW_NONE)
		rank(w, p);
	return best;
}

/* --- merging two packages ----------------------------------------------------------------------------------------- */

static void merge(struct packing *w, int32_t i, int32_t j)
{
	struct tw_merge m = {i, j, w->n_rounds + 1, w->limit < UINT64_MAX, false, false};
	if (w->how->flip)
		tw__flip(&w->set, i, j, w->ends, &m);
	if (w->result->merges)
		w->result->merges[w->result->n_merges] = m;
	w->result->n_merges++;
	int32_t kept = tw__package_set_merge(&w->set, i, m.i_reversed, j, m.j_reversed);
	w->of[i].merged_in = w->of[j].merged_in = w->round;
	w->of[i < j ? j : i].sole = kept;
	tw_id_heap_remove(&w->level, j);
	tw_id_heap_remove(&w->sizes, j);
	tw_id_heap_put(&w->sizes, kept, (uint64_t)(w->set.n - w->set.n_tasks[kept]));
}

/* --- rounds of merges --------------------------------------------------------------------------------------------- */

static void set_waits(struct packing *w, int32_t p, bool waits)
{
	w->n_waiting += (int)waits - (int)w->of[p].waits;
	w->of[p].waits = waits;
}

/* Updates the rank and the sole partner of p after a merge of two other packages: p shares `shared` bytes with the new
 * package `merged`. `with`: one of the two was p's sole partner. If p waits for its turn in this round and now shares
 * more, it looks when its turn comes. */
static void raise_one(struct packing *w, int32_t p, int32_t merged, uint64_t shared, bool with, uint64_t most)
{
	bool inside = w->level.place[p] != TW_NONE;
	uint64_t before = inside ? w->level.score[p] : most;
	bool fits = shared >= before && fit(w, p, merged, shared);
	if (fits && inside && shared > before)
		put(w, p, shared);
	if (fits || with)
		w->of[p].sole = fits && (shared > before ? inside : with) ? merged : (int32_t)TW_NONE;
}

/* Returns the place of the bytes that package p shares with its neighbour `near`. Ranks are not needed then. */
static uint64_t *near_shared(struct packing *w, int32_t p) { return &w->set.ranks[p].most; }

/* Whether the package near[p] was j, or had merged into j, before i and j merged. */
static bool was_near(const struct packing *w, int32_t p, int32_t i, int32_t j)
{
	int32_t q = w->of[p].near;
	while (q != TW_NONE && q != i && q != j && w->set.n_tasks[q] == 0)
		q = w->of[q].sole;
	return q == j;
}

/* Raises the ranks of packages after a merge of i and j; `set.sharing` holds the neighbours of i. A package that shares
 * data with both may share more with the merged package than with either. Other packages share as much as before, or no
 * longer fit, which their turn will tell. So no rank is too low. */
static void raise_neighbours(struct packing *w, int32_t i, int32_t j, uint64_t most)
{
	int32_t merged = i < j ? i : j, n = 0;
	int64_t to_visit = 0; /* handles of the raised packages */
	if (w->level.n == 0 && w->n_waiting == 0)
		return;
	TW_RESERVE(w->raised, w->raised_capacity, (size_t)w->set.n_sharing);
	for (int32_t k = 0; k < w->set.n_sharing; k++) {
		int32_t p = w->set.sharing[k];
		if (w->level.place[p] != TW_NONE || w->of[p].waits) {
			w->raised[n++] = p;
			to_visit += w->set.packages[p].n_data;
		}
	}
	bool counted = to_visit > w->set.packages[merged].n_data; /* one count is less work than the raised packages */
	if (counted)
		tw__package_set_count(&w->set, merged, TW__START);
	for (int32_t k = 0; k < n; k++) {
		int32_t p = w->raised[k];
		uint64_t shared = counted && was_near(w, p, i, j)
		                          ? *near_shared(w, p) + tw__package_set_counted(&w->set, p)
		                          : tw__package_set_shared(&w->set, p, merged);
		w->of[p].near = merged;
		*near_shared(w, p) = shared;
		raise_one(w, p, merged, shared, sole_partner(w, p) == merged, most);
	}
}

/* Merges pairs of packages that share as many bytes as the top of the level. A round without a merge does not count. */
static void round_of_merges(struct packing *w)
{
	uint64_t most = w->level.score[tw_id_heap_top(&w->level)];
	int32_t n_candidates = 0, n_merges = w->result->n_merges;
	w->round++;
	w->free_from = 0;
	tw__package_set_open_all(&w->set);
	for (int32_t p; (p = tw_id_heap_top(&w->level)) != TW_NONE && w->level.score[p] == most;) {
		w->candidates[n_candidates++] = p;
		tw_id_heap_remove(&w->level, p);
		set_waits(w, p, w->of[p].sole != TW_NONE);
	}
	for (int32_t c = 0; c < n_candidates && w->set.n_alive > w->how->packages; c++) {
		int32_t i = w->candidates[c], j;
		set_waits(w, i, false);
		if (w->of[i].merged_in == w->round || (j = partner(w, i, most)) == TW_NONE)
			continue;
		set_waits(w, j, false);
		tw__package_set_look(&w->set, i); /* if most > 0, partner() has done this already */
		close_for(w, i, n_candidates - c);
		close_for(w, j, n_candidates - c);
		merge(w, i, j);
		raise_neighbours(w, i, j, most);
	}
	w->n_rounds += w->result->n_merges > n_merges;
}

static void merge_below(struct packing *w, uint64_t limit)
{
	int32_t p;
	w->limit = limit;
	for (p = 0; p < w->set.n; p++)
		if (w->set.n_tasks[p] > 0)
			tw_id_heap_put(&w->sizes, p, (uint64_t)(w->set.n - w->set.n_tasks[p]));
	while (w->set.n_alive > w->how->packages && (p = tw_id_heap_top(&w->sizes)) != TW_NONE) {
		w->level_tasks = w->set.n_tasks[p];
		rank_level(w);
		while (w->level.n && w->set.n_alive > w->how->packages)
			round_of_merges(w);
	}
}

/* --- set-up, and the result --------------------------------------------------------------------------------------- */

static void list_packages(const struct packing *w, const tw_task *tasks)
{
	struct tw_packages *r = w->result;
	for (int32_t p = 0, n = 0; p < w->set.n; p++)
		if (w->set.n_tasks[p] > 0) {
			tw__package_set_tasks(&w->set, p, r->tasks + n);
			r->first[r->n++] = n;
			n += w->set.n_tasks[p];
		}
	r->first[r->n] = w->set.n;
	for (int32_t m = 0; r->merges && m < r->n_merges; m++) {
		r->merges[m].i = tasks[r->merges[m].i];
		r->merges[m].j = tasks[r->merges[m].j];
	}
}

struct tw_packages tw_pack(const struct tw_sharing *sh, const tw_task *tasks, tw_task n_tasks,
                           const struct tw_packing *how)
{
	size_t n = (size_t)n_tasks, n_data = (size_t)sh->n_data;
	struct tw_packages result = {
		.first = tw_alloc(n + 1, sizeof *result.first),
		.tasks = tw_alloc(n, sizeof *result.tasks),
		.merges = how->lists_merges ? tw_alloc(n, sizeof *result.merges) : NULL,
	};
	struct packing w = {
		.how = how,
		.of = tw_alloc(n, sizeof *w.of),
		.candidates = tw_alloc(n, sizeof *w.candidates),
		.ends = {tw_alloc(n_data, 1), tw_alloc(n_data, 1)},
		.result = &result,
	};
	tw__package_set_init(&w.set, sh, tasks, n_tasks, how->memory_bytes);
	tw_id_heap_init(&w.sizes, n_tasks);
	tw_id_heap_init(&w.level, n_tasks);
	free(w.level.score);
	w.level.score = w.sizes.score; /* one array for both, as a package is in one of them at most */
	merge_below(&w, how->memory_bytes);
	merge_below(&w, UINT64_MAX);
	list_packages(&w, tasks);
	result.looks = w.set.looks;
	tw__package_set_finish(&w.set);
	tw_id_heap_finish(&w.sizes);
	w.level.score = NULL;
	tw_id_heap_finish(&w.level);
	free(w.of);
	free(w.candidates);
	free(w.raised);
	free(w.ends[0]);
	free(w.ends[1]);
	return result;
}

void tw_packages_finish(struct tw_packages *p)
{
	free(p->first);
	free(p->tasks);
	free(p->merges);
}
