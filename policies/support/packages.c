#include "packages.h"

#include <stdlib.h>
#include <string.h>

static int begin(struct tw__package_set *set, const tw_task *tasks)
{
	const struct tw_sharing *sh = set->sh;
	for (int32_t p = 0; p < set->n; p++) {
		struct tw__package *package = &set->packages[p];
		size_t first = sh->first_data[tasks[p]], end = sh->first_data[tasks[p] + 1];
		package->tasks = malloc(sizeof *package->tasks);
		package->data = malloc((end - first + 1) * sizeof *package->data);
		package->in_ends = malloc(end - first + 1);
		if (!package->tasks || !package->data || !package->in_ends)
			return TW_NOMEM;
		set->parent[p] = p;
		package->tasks[package->n++] = tasks[p];
		for (size_t i = first; i < end; i++) {
			tw_data d = sh->data[i];
			package->in_ends[package->n_data] = TW__BOTH_ENDS;
			package->data[package->n_data++] = d;
			package->bytes += sh->bytes[d];
			set->holders[sh->first_task[d] + (size_t)set->n_holders[d]++] = p;
		}
		package->end_bytes[TW__START] = package->end_bytes[TW__END] = package->bytes;
	}
	return TW_OK;
}

int tw__package_set_init(struct tw__package_set *set, const struct tw_sharing *sh, const tw_task *tasks,
                         int32_t n_tasks)
{
	size_t n = (size_t)n_tasks + 1;
	*set = (struct tw__package_set){
		.sh = sh,
		.packages = calloc(n, sizeof *set->packages),
		.n = n_tasks,
		.n_alive = n_tasks,
		.parent = malloc(n * sizeof *set->parent),
		.holders = malloc((sh->first_task[sh->n_data] + 1) * sizeof *set->holders),
		.n_holders = calloc((size_t)sh->n_data + 1, sizeof *set->n_holders),
		.stale = malloc((size_t)sh->n_data + 1),
		.place = calloc((size_t)sh->n_data + 1, sizeof *set->place),
		.looked_at = TW_NONE,
		.shared = calloc(n, sizeof *set->shared),
		.sharing = malloc(n * sizeof *set->sharing),
		.met = calloc(n, sizeof *set->met),
	};
	bool complete = set->packages && set->parent && set->holders && set->n_holders && set->stale && set->place &&
	                set->shared && set->sharing && set->met;
	if (!complete)
		return TW_NOMEM;
	memset(set->stale, true, (size_t)sh->n_data);
	return begin(set, tasks);
}

static void empty(struct tw__package *p)
{
	free(p->tasks);
	free(p->data);
	free(p->in_ends);
	*p = (struct tw__package){0};
}

void tw__package_set_finish(struct tw__package_set *set)
{
	for (int32_t p = 0; set->packages && p < set->n; p++)
		empty(&set->packages[p]);
	free(set->packages);
	free(set->parent);
	free(set->holders);
	free(set->n_holders);
	free(set->stale);
	free(set->place);
	free(set->shared);
	free(set->sharing);
	free(set->met);
	*set = (struct tw__package_set){0};
}

static int32_t alive(struct tw__package_set *set, int32_t p)
{
	while (set->parent[p] != p)
		p = set->parent[p] = set->parent[set->parent[p]];
	return p;
}

/* Holders that are one package by now become one entry. */
static void list_holders(struct tw__package_set *set, tw_data d)
{
	int32_t *holders = set->holders + set->sh->first_task[d], n = 0;
	set->n_met++;
	for (int32_t k = 0; k < set->n_holders[d]; k++) {
		int32_t q = alive(set, holders[k]);
		if (set->met[q] == set->n_met)
			continue;
		set->met[q] = set->n_met;
		holders[n++] = q;
	}
	set->n_holders[d] = n;
	set->stale[d] = false;
}

void tw__package_set_look(struct tw__package_set *set, int32_t p)
{
	const struct tw__package *package = &set->packages[p];
	uint64_t *shared = set->shared;
	int32_t *sharing = set->sharing, n = 0;
	if (set->looked_at == p)
		return;
	for (int32_t i = 0; i < set->n_sharing; i++)
		shared[sharing[i]] = 0;
	shared[p] = 1; /* it is not listed */
	for (int32_t i = 0; i < package->n_data; i++) {
		tw_data d = package->data[i];
		uint64_t bytes = set->sh->bytes[d];
		if (set->stale[d])
			list_holders(set, d);
		const int32_t *holder = set->holders + set->sh->first_task[d], *end = holder + set->n_holders[d];
		for (; holder < end; holder++) {
			if (shared[*holder] == 0)
				sharing[n++] = *holder;
			shared[*holder] += bytes;
		}
	}
	shared[p] = 0;
	set->n_sharing = n;
	set->looked_at = p;
}

static void copy_tasks(tw_task *to, const struct tw__package *p, bool reversed)
{
	for (int32_t k = 0; k < p->n; k++)
		to[k] = p->tasks[reversed ? p->n - 1 - k : k];
}

void tw__package_set_list(struct tw__package_set *set, int32_t p)
{
	const struct tw__package *package = &set->packages[p];
	for (int32_t k = 0; k < package->n_data; k++)
		set->place[package->data[k]] = k;
}

int32_t tw__package_set_larger(const struct tw__package_set *set, int32_t i, int32_t j)
{
	return set->packages[i].n_data >= set->packages[j].n_data ? i : j;
}

/* The data of both, in the arrays of the package that has more. */
static int unite_data(struct tw__package_set *set, struct tw__package *both, int32_t i, int32_t j)
{
	int32_t large = tw__package_set_larger(set, i, j);
	struct tw__package *l = &set->packages[large], *s = &set->packages[large == i ? j : i];
	uint8_t of_l = (uint8_t)(1 << (large == i ? TW__START : TW__END)), of_s = TW__BOTH_ENDS ^ of_l;
	size_t most = (size_t)(l->n_data + s->n_data + 1);
	both->data = realloc(l->data, most * sizeof *both->data);
	l->data = both->data ? NULL : l->data;
	both->in_ends = realloc(l->in_ends, most * sizeof *both->in_ends);
	l->in_ends = both->in_ends ? NULL : l->in_ends;
	if (!both->data || !both->in_ends)
		return TW_NOMEM;
	both->n_data = l->n_data;
	both->bytes = l->bytes;
	both->end_bytes[TW__START] = set->packages[i].bytes;
	both->end_bytes[TW__END] = set->packages[j].bytes;
	memset(both->in_ends, of_l, (size_t)both->n_data);
	for (int32_t k = 0; k < s->n_data; k++) {
		int32_t place = tw__package_place(set, both, s->data[k]);
		if (place != TW_NONE) {
			both->in_ends[place] |= of_s;
			continue;
		}
		set->place[s->data[k]] = both->n_data;
		both->in_ends[both->n_data] = of_s;
		both->data[both->n_data++] = s->data[k];
		both->bytes += set->sh->bytes[s->data[k]];
	}
	return TW_OK;
}

int32_t tw__package_set_merge(struct tw__package_set *set, int32_t i, bool i_reversed, int32_t j, bool j_reversed)
{
	struct tw__package *pi = &set->packages[i], *pj = &set->packages[j];
	struct tw__package both = {
		.tasks = malloc((size_t)(pi->n + pj->n) * sizeof *both.tasks),
		.n = pi->n + pj->n,
		.split = pi->n,
	};
	int32_t kept = i < j ? i : j, gone = i < j ? j : i;
	for (int32_t k = 0; k < set->packages[gone].n_data; k++)
		set->stale[set->packages[gone].data[k]] = true;
	if (!both.tasks || unite_data(set, &both, i, j)) {
		empty(&both);
		return TW_NOMEM;
	}
	copy_tasks(both.tasks, pi, i_reversed);
	copy_tasks(both.tasks + pi->n, pj, j_reversed);
	empty(pi);
	empty(pj);
	set->packages[kept] = both;
	set->parent[gone] = kept;
	set->n_alive--;
	set->looked_at = TW_NONE;
	return kept;
}
