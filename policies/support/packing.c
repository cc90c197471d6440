#include <tilewright/packing.h>

#include <stdlib.h>
#include <string.h>

#include <tilewright/id_heap.h>

/* Packages have the numbers of the tasks to be packed, from 0; two that merge keep the lower. */
struct package {
	tw_task *tasks;
	int32_t n, split; /* its sub-packages: the tasks before `split`, the others; 0: it is a single task */
	tw_data *data;    /* in no order */
	int32_t n_data;
	uint64_t bytes;
};

struct packing {
	const struct tw_sharing *sh;
	const struct tw_packing *how;
	uint64_t limit; /* UINT64_MAX: none any more */
	struct package *packages;
	int32_t n, n_alive;
	int32_t *parent; /* [packages] what it has merged into; itself: it is alive */
	/* The packages of each data, by numbers that they have or had; each once, as it was when last looked at. */
	int32_t *holders; /* of data d: from sh->first_task[d] on */
	int32_t *n_holders;
	/* The packages that share data with the one looked at last. */
	uint64_t *shared; /* [packages] bytes; 0 for all others */
	int32_t *sharing, n_sharing;
	struct tw_id_heap sizes; /* those that may yet merge: the fewest tasks on top */
	struct tw_id_heap level; /* of these, those with the fewest tasks, `level_tasks`: who shares most on top */
	int32_t level_tasks;
	int32_t *merged_in, *stale_in,
		round;           /* [packages] the last round that did so; from 1, with those of no merge */
	int32_t n_rounds;        /* with merges */
	int32_t *candidates;     /* of a round */
	int32_t *stale, n_stale; /* whose rank a round has changed */
	int32_t free_from;       /* of this round: all packages before it are gone or have merged */
	int64_t *met, n_met;     /* [packages] where it was met last */
	int64_t *marked, mark;   /* [data] */
	struct tw_packages *result;
};

static int32_t alive(struct packing *w, int32_t p)
{
	while (w->parent[p] != p)
		p = w->parent[p] = w->parent[w->parent[p]];
	return p;
}

/* --- who shares what with a package ----------------------------------------------------------------------------- */

/* Fills `sharing` and `shared`. Holders that are one package by now become one entry: the next look is shorter. */
static void find_sharing(struct packing *w, int32_t p)
{
	for (int32_t i = 0; i < w->n_sharing; i++)
		w->shared[w->sharing[i]] = 0;
	w->n_sharing = 0;
	for (int32_t i = 0; i < w->packages[p].n_data; i++) {
		tw_data d = w->packages[p].data[i];
		int32_t *holders = w->holders + w->sh->first_task[d], n = 0;
		w->n_met++;
		for (int32_t k = 0; k < w->n_holders[d]; k++) {
			int32_t q = alive(w, holders[k]);
			if (w->met[q] == w->n_met)
				continue;
			w->met[q] = w->n_met;
			holders[n++] = q;
			if (q == p)
				continue;
			if (w->shared[q] == 0)
				w->sharing[w->n_sharing++] = q;
			w->shared[q] += w->sh->bytes[d];
		}
		w->n_holders[d] = n;
	}
}

static bool fits(const struct packing *w, int32_t p, int32_t q)
{
	return w->packages[p].bytes + w->packages[q].bytes - w->shared[q] <= w->limit;
}

/* Where a package of the level stands: the most that it shares with one that it can merge with. One that can merge
 * with none is out: below the limit, packages only grow, so it never will. */
static void rank(struct packing *w, int32_t p)
{
	uint64_t most = 0;
	find_sharing(w, p);
	for (int32_t i = 0; i < w->n_sharing; i++)
		if (w->shared[w->sharing[i]] > most && fits(w, p, w->sharing[i]))
			most = w->shared[w->sharing[i]];
	if (most > 0 || w->limit == UINT64_MAX)
		tw_id_heap_put(&w->level, p, most);
	else
		tw_id_heap_remove(&w->level, p);
}

static int32_t next_free(const struct packing *w, int32_t p)
{
	while (p < w->n && (w->parent[p] != p || w->merged_in[p] == w->round))
		p++;
	return p;
}

/* The first package, of those that have not merged in this round, that shares so much with p and fits; TW_NONE: none is
 * left. */
static int32_t partner(struct packing *w, int32_t p, uint64_t most)
{
	int32_t best = w->n;
	if (most == 0) { /* anybody */
		w->free_from = next_free(w, w->free_from);
		best = w->free_from == p ? next_free(w, p + 1) : w->free_from;
		return best < w->n ? best : (int32_t)TW_NONE;
	}
	find_sharing(w, p);
	for (int32_t i = 0; i < w->n_sharing; i++) {
		int32_t q = w->sharing[i];
		if (w->shared[q] == most && q < best && w->merged_in[q] != w->round && fits(w, p, q))
			best = q;
	}
	return best < w->n ? best : (int32_t)TW_NONE;
}

/* --- merging two packages --------------------------------------------------------------------------------------- */

enum end { START, END };

/* Walks into a package from one end, through its sub-package there as far as the memory holds its data, and marks these with
 * a new mark. Returns the bytes of those that had the mark `before`. */
static uint64_t walk_in(struct packing *w, const struct package *p, enum end end, int64_t before)
{
	const struct tw_sharing *sh = w->sh;
	int32_t n = end == END ? p->n - p->split : p->split ? p->split : p->n;
	uint64_t common = 0, bytes = 0;
	int64_t mark = ++w->mark;
	for (int32_t k = 0; k < n; k++) {
		tw_task t = p->tasks[end == END ? p->n - 1 - k : k];
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++)
			bytes += w->marked[sh->data[i]] != mark ? sh->bytes[sh->data[i]] : 0;
		if (bytes > w->how->memory_bytes)
			break;
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++) {
			common += w->marked[sh->data[i]] == before ? sh->bytes[sh->data[i]] : 0;
			w->marked[sh->data[i]] = mark;
		}
	}
	return common;
}

static void flip(struct packing *w, const struct package *i, const struct package *j, struct tw_merge *merge)
{
	uint64_t most = 0;
	for (int way = 0; way < 4; way++) {
		bool i_reversed = way & 2, j_reversed = way & 1;
		walk_in(w, i, i_reversed ? START : END, 0);
		uint64_t common = walk_in(w, j, j_reversed ? END : START, w->mark);
		if (common > most) {
			most = common;
			merge->i_reversed = i_reversed;
			merge->j_reversed = j_reversed;
		}
	}
}

static void copy_tasks(tw_task *to, const struct package *p, bool reversed)
{
	for (int32_t k = 0; k < p->n; k++)
		to[k] = p->tasks[reversed ? p->n - 1 - k : k];
}

/* The data of both, in the array of the package that has more. Fewer looks than at all of them: what the smaller one shares
 * with the other is found among the holders. */
static int unite_data(struct packing *w, struct package *both, int32_t i, int32_t j)
{
	int32_t large = w->packages[i].n_data >= w->packages[j].n_data ? i : j, small = large == i ? j : i;
	struct package *l = &w->packages[large], *s = &w->packages[small];
	tw_data *data = realloc(l->data, (size_t)(l->n_data + s->n_data + 1) * sizeof *data);
	if (!data)
		return TW_NOMEM;
	both->data = data;
	both->n_data = l->n_data;
	both->bytes = l->bytes;
	l->data = NULL;
	for (int32_t k = 0; k < s->n_data; k++) {
		const int32_t *holders = w->holders + w->sh->first_task[s->data[k]];
		int32_t n = w->n_holders[s->data[k]], h = 0;
		while (h < n && alive(w, holders[h]) != large)
			h++;
		if (h < n)
			continue;
		both->data[both->n_data++] = s->data[k];
		both->bytes += w->sh->bytes[s->data[k]];
	}
	return TW_OK;
}

static void empty(struct package *p)
{
	free(p->tasks);
	free(p->data);
	*p = (struct package){0};
}

static int merge(struct packing *w, int32_t i, int32_t j)
{
	struct package *pi = &w->packages[i], *pj = &w->packages[j];
	struct package both = {
		.tasks = malloc((size_t)(pi->n + pj->n) * sizeof *both.tasks),
		.n = pi->n + pj->n,
		.split = pi->n,
	};
	if (!both.tasks || unite_data(w, &both, i, j)) {
		empty(&both);
		return TW_NOMEM;
	}
	struct tw_merge *m = &w->result->merges[w->result->n_merges++];
	*m = (struct tw_merge){i, j, w->n_rounds + 1, w->limit < UINT64_MAX, false, false};
	if (w->how->flip)
		flip(w, pi, pj, m);
	copy_tasks(both.tasks, pi, m->i_reversed);
	copy_tasks(both.tasks + pi->n, pj, m->j_reversed);
	empty(pi);
	empty(pj);
	int32_t kept = i < j ? i : j, gone = i < j ? j : i;
	w->packages[kept] = both;
	w->parent[gone] = kept;
	w->merged_in[i] = w->merged_in[j] = w->round;
	w->n_alive--;
	tw_id_heap_remove(&w->level, j);
	tw_id_heap_remove(&w->sizes, j);
	tw_id_heap_put(&w->sizes, kept, (uint64_t)(w->n - both.n));
	return TW_OK;
}

/* --- rounds ----------------------------------------------------------------------------------------------------- */

static void add_stale(struct packing *w, int32_t p)
{
	if (w->packages[p].n != w->level_tasks || w->stale_in[p] == w->round)
		return;
	w->stale_in[p] = w->round;
	w->stale[w->n_stale++] = p;
}

/* Before i and j merge: who shares something with both will share more with what they become than with either. Only the
 * one with fewer data is asked for its neighbours. Others share as much as before, or no longer fit, which is found out when
 * their turn comes. */
static void add_neighbours(struct packing *w, int32_t i, int32_t j)
{
	find_sharing(w, w->packages[i].n_data < w->packages[j].n_data ? i : j);
	for (int32_t k = 0; k < w->n_sharing; k++)
		add_stale(w, w->sharing[k]);
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
	for (int32_t c = 0; c < n_candidates && w->n_alive > w->how->packages; c++) {
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
		if (w->packages[w->stale[k]].n == w->level_tasks) /* it has not merged since */
			rank(w, w->stale[k]);
	w->n_rounds += w->result->n_merges > n_merges;
	return TW_OK;
}

static int merge_below(struct packing *w, uint64_t limit)
{
	int32_t p;
	w->limit = limit;
	for (p = 0; p < w->n; p++)
		if (w->parent[p] == p)
			tw_id_heap_put(&w->sizes, p, (uint64_t)(w->n - w->packages[p].n));
	while (w->n_alive > w->how->packages && (p = tw_id_heap_top(&w->sizes)) != TW_NONE) {
		for (w->level_tasks = w->packages[p].n; p != TW_NONE && w->packages[p].n == w->level_tasks;
		     p = tw_id_heap_top(&w->sizes)) {
			tw_id_heap_remove(&w->sizes, p);
			rank(w, p);
		}
		while (w->level.n && w->n_alive > w->how->packages)
			if (round_of_merges(w))
				return TW_NOMEM;
	}
	return TW_OK;
}

/* --- begin and end ---------------------------------------------------------------------------------------------- */

static int begin(struct packing *w, const tw_task *tasks)
{
	const struct tw_sharing *sh = w->sh;
	for (int32_t p = 0; p < w->n; p++) {
		struct package *package = &w->packages[p];
		size_t first = sh->first_data[tasks[p]], end = sh->first_data[tasks[p] + 1];
		package->tasks = malloc(sizeof *package->tasks);
		package->data = malloc((end - first + 1) * sizeof *package->data);
		if (!package->tasks || !package->data)
			return TW_NOMEM;
		w->parent[p] = p;
		package->tasks[package->n++] = tasks[p];
		for (size_t i = first; i < end; i++) {
			tw_data d = sh->data[i];
			package->data[package->n_data++] = d;
			package->bytes += sh->bytes[d];
			w->holders[sh->first_task[d] + (size_t)w->n_holders[d]++] = p;
		}
	}
	return TW_OK;
}

static void list_packages(const struct packing *w, const tw_task *tasks)
{
	struct tw_packages *r = w->result;
	for (int32_t p = 0, n = 0; p < w->n; p++)
		if (w->parent[p] == p) {
			memcpy(r->tasks + n, w->packages[p].tasks, (size_t)w->packages[p].n * sizeof *r->tasks);
			r->first[r->n++] = n;
			n += w->packages[p].n;
		}
	r->first[r->n] = w->n;
	for (int32_t m = 0; m < r->n_merges; m++) {
		r->merges[m].i = tasks[r->merges[m].i];
		r->merges[m].j = tasks[r->merges[m].j];
	}
}

int tw_pack(struct tw_packages *result, const struct tw_sharing *sh, const tw_task *tasks, tw_task n_tasks,
            const struct tw_packing *how)
{
	size_t n = (size_t)n_tasks + 1, n_data = (size_t)sh->n_data + 1;
	*result = (struct tw_packages){
		.first = malloc((n + 1) * sizeof *result->first),
		.tasks = malloc(n * sizeof *result->tasks),
		.merges = malloc(n * sizeof *result->merges),
	};
	struct packing w = {
		.sh = sh,
		.how = how,
		.packages = calloc(n, sizeof *w.packages),
		.n = n_tasks,
		.n_alive = n_tasks,
		.parent = malloc(n * sizeof *w.parent),
		.holders = malloc((sh->first_task[sh->n_data] + 1) * sizeof *w.holders),
		.n_holders = calloc(n_data, sizeof *w.n_holders),
		.shared = calloc(n, sizeof *w.shared),
		.sharing = malloc(n * sizeof *w.sharing),
		.merged_in = calloc(n, sizeof *w.merged_in),
		.stale_in = calloc(n, sizeof *w.stale_in),
		.candidates = malloc(n * sizeof *w.candidates),
		.stale = malloc(n * sizeof *w.stale),
		.met = calloc(n, sizeof *w.met),
		.marked = calloc(n_data, sizeof *w.marked),
		.mark = 1,
		.result = result,
	};
	bool complete = result->first && result->tasks && result->merges && w.packages && w.parent && w.holders &&
	                w.n_holders && w.shared && w.sharing && w.merged_in && w.stale_in && w.candidates && w.stale &&
	                w.met && w.marked && !tw_id_heap_init(&w.sizes, n_tasks) &&
	                !tw_id_heap_init(&w.level, n_tasks) && !begin(&w, tasks) &&
	                !merge_below(&w, how->memory_bytes) && !merge_below(&w, UINT64_MAX);
	if (complete)
		list_packages(&w, tasks);
	else
		tw_packages_finish(result);
	for (int32_t p = 0; w.packages && p < w.n; p++)
		empty(&w.packages[p]);
	free(w.packages);
	free(w.parent);
	free(w.holders);
	free(w.n_holders);
	free(w.shared);
	free(w.sharing);
	tw_id_heap_finish(&w.sizes);
	tw_id_heap_finish(&w.level);
	free(w.merged_in);
	free(w.stale_in);
	free(w.candidates);
	free(w.stale);
	free(w.met);
	free(w.marked);
	return complete ? TW_OK : TW_NOMEM;
}

void tw_packages_finish(struct tw_packages *p)
{
	free(p->first);
	free(p->tasks);
	free(p->merges);
	*p = (struct tw_packages){0};
}
